// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that stop in the middle and go on later, on stacks of their own.

#ifndef TEGULA_RUNTIME_CPU_FIBER_H
#define TEGULA_RUNTIME_CPU_FIBER_H

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace tegula::cpu::detail {

/// Stacks of one size, with a page below each that nothing may touch. Kept for reuse.
class stack_pool {
public:
  stack_pool() = default;
  stack_pool(const stack_pool &) = delete;
  stack_pool &operator=(const stack_pool &) = delete;
  ~stack_pool();

  /// The lowest byte of one that is free.
  void *take();
  void give_back(void *lowest) { free_.push_back(lowest); }
  static constexpr std::size_t size = 256 * 1024;

private:
  std::vector<void *> free_, all_;
};

/// A function that runs in turns. All turns are on one OS thread.
class fiber {
public:
  fiber(stack_pool &stacks, std::function<void()> body);
  fiber(const fiber &) = delete;
  fiber &operator=(const fiber &) = delete;
  /// One that has not ended is ended: its function throws at the place where it stopped.
  ~fiber();

  /// Runs it until it pauses or ends. What its function throws comes out here.
  void resume();
  /// Called by the function itself: back to who resumed it.
  void pause();
  bool has_ended() const noexcept { return has_ended_; }

private:
  struct context;
  struct cancelled {};
  void enter();

  std::function<void()> body_;
  std::unique_ptr<context> context_;
  std::exception_ptr thrown_;
  bool has_ended_ = false, is_cancelled_ = false;
};

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_FIBER_H
