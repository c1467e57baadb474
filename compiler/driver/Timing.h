// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long each step of a run takes.
#pragma once

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <string>
#include <vector>

namespace tegula::driver {

class Timing {
  using Clock = std::chrono::steady_clock;

public:
  /// Ends its step when it goes.
  class Step {
  public:
    Step(Timing &timing, std::string name) : timing(timing), name(std::move(name)), begin(Clock::now()) {}
    ~Step() { timing.steps.push_back({std::move(name), Clock::now() - begin}); }
    Step(const Step &) = delete;
    Step &operator=(const Step &) = delete;

  private:
    Timing &timing;
    std::string name;
    Clock::time_point begin;
  };

  Step step(std::string name) { return Step(*this, std::move(name)); }

  /// Steps that contain others are listed after them.
  void print(llvm::raw_ostream &out) const {
    for (const auto &[name, duration] : steps)
      out << llvm::format("%9.2f ms  ", std::chrono::duration<double, std::milli>(duration).count()) << name << '\n';
  }

private:
  std::vector<std::pair<std::string, Clock::duration>> steps;
};

} // namespace tegula::driver
