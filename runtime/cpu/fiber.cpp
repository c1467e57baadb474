// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/fiber.h"

#include <boost/context/detail/fcontext.hpp>

#include <new>
#include <sys/mman.h>
#include <unistd.h>

// There in programs with the address sanitizer, which wants to know on which stack the program runs.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's names.
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void **fake_stack, const void *lowest, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void *fake_stack, const void **lowest, std::size_t *size);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace tegula::cpu::detail {

namespace {

/// The sanitizer is told of every change of stacks: before it, and on arrival.
class stack_change {
public:
  void begin(const void *to, std::size_t size, bool is_last) {
    if (__sanitizer_start_switch_fiber != nullptr)
      __sanitizer_start_switch_fiber(is_last ? nullptr : &state_, to, size);
  }
  void end(const void **from, std::size_t *size) {
    if (__sanitizer_finish_switch_fiber != nullptr)
      __sanitizer_finish_switch_fiber(state_, from, size);
  }

private:
  void *state_ = nullptr;
};

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

} // namespace

// ----- stacks

void *stack_pool::take() {
  if (free_.empty()) {
    free_.reserve(all_.size() + 1);
    all_.reserve(all_.size() + 1);
    void *memory = mmap(nullptr, page_size() + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    mprotect(memory, page_size(), PROT_NONE);
    all_.push_back(memory);
    free_.push_back(static_cast<std::byte *>(memory) + page_size());
  }
  void *lowest = free_.back();
  free_.pop_back();
  return lowest;
}

stack_pool::~stack_pool() {
  for (void *memory : all_)
    munmap(memory, page_size() + size);
}

// ----- fibers

namespace boost_context = boost::context::detail;

struct fiber::context {
  stack_pool &stacks;
  void *lowest;
  boost_context::fcontext_t inside = nullptr, outside = nullptr; ///< Where each of the two goes on.
  stack_change entering, leaving;
  const void *outer_stack = nullptr;
  std::size_t outer_size = 0;
};

fiber::fiber(stack_pool &stacks, std::function<void()> body)
    : body_(std::move(body)), context_(new context{stacks, stacks.take(), nullptr, nullptr, {}, {}, nullptr, 0}) {
  auto begin = [](boost_context::transfer_t from) {
    auto *self = static_cast<fiber *>(from.data);
    self->context_->outside = from.fctx;
    self->enter();
  };
  void *top = static_cast<std::byte *>(context_->lowest) + stack_pool::size;
  context_->inside = boost_context::make_fcontext(top, stack_pool::size, begin);
}

fiber::~fiber() {
  is_cancelled_ = true;
  if (!has_ended_)
    resume();
  context_->stacks.give_back(context_->lowest);
}

/// The first function on the fiber's stack: it never returns.
void fiber::enter() {
  context &c = *context_;
  c.leaving.end(&c.outer_stack, &c.outer_size);
  try {
    if (!is_cancelled_)
      body_();
  } catch (const cancelled &) {
  } catch (...) {
    thrown_ = std::current_exception();
  }
  has_ended_ = true;
  c.leaving.begin(c.outer_stack, c.outer_size, /*is_last=*/true);
  boost_context::jump_fcontext(c.outside, nullptr);
}

void fiber::resume() {
  context &c = *context_;
  c.entering.begin(c.lowest, stack_pool::size, /*is_last=*/false);
  c.inside = boost_context::jump_fcontext(c.inside, this).fctx;
  c.entering.end(nullptr, nullptr);
  if (thrown_ && !is_cancelled_)
    std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void fiber::pause() {
  if (is_cancelled_) // It is being ended: nothing waits any more.
    throw cancelled{};
  context &c = *context_;
  c.leaving.begin(c.outer_stack, c.outer_size, /*is_last=*/false);
  c.outside = boost_context::jump_fcontext(c.outside, nullptr).fctx;
  c.leaving.end(&c.outer_stack, &c.outer_size);
  if (is_cancelled_)
    throw cancelled{};
}

} // namespace tegula::cpu::detail
