// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs two forms of random programs on the same random inputs and compares what they write. test/fuzz/run writes the
// table of cases beside each batch of programs.
#pragma once

#include "tegula/runtime.h"

#include <cstdlib>
#include <vector>

namespace fuzz {

using bytes = std::vector<unsigned char>;

/// An array argument: a view of `size` elements of memory.
struct array {
  tegula::dtype type;
  bool is_read;
  bool is_written;
  bool is_tame; ///< it holds small integers: what is made of them is exact in any order
  std::vector<std::int64_t> dims, strides;
  std::int64_t offset;
  std::int64_t size;
};

struct result {
  tegula::dtype type;
  std::vector<std::int64_t> dims;
};

/// What a case is called with, and what it gives.
class call {
public:
  call(const std::vector<array> &arrays, std::vector<void *> memory, tegula::device where)
      : arrays(arrays), memory(std::move(memory)), where(where) {}

  template <class T, int Rank> tegula::array<T, Rank> at(std::size_t i) const {
    const array &description = arrays[i];
    tegula::shape<Rank> dims, strides;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(Rank); ++axis) {
      dims[static_cast<int>(axis)] = description.dims[axis];
      strides[static_cast<int>(axis)] = description.strides[axis];
    }
    return {tegula::pointer_at<T>(memory[i]) + description.offset, dims, strides, where};
  }

  template <class T, int Rank> void take(const tegula::buffer<T, Rank> &result) {
    const tegula::buffer<T, Rank> here = result.to_host();
    bytes &copy = results.emplace_back(static_cast<std::size_t>(here.size()) * sizeof(T));
    if (!copy.empty())
      std::memcpy(copy.data(), here.data(), copy.size());
  }

  const std::vector<array> &arrays;
  std::vector<void *> memory;
  tegula::device where;
  std::vector<bytes> results;
};

/// `run` calls one of two forms of the entry: both have its arguments from the call.
struct test_case {
  const char *name;
  int units; ///< in the last place by which floats may be off; -1: of zero alone, by its sign
  std::vector<array> arrays;
  std::vector<result> results;
  /// Threads hand shared memory over by mbarriers: they meet at a named barrier, then one lane arrives for all of them.
  /// What they wrote or read comes before what those do who wait (PTX ISA, "Causality order"). racecheck (2025.3) takes
  /// only what the lane itself did for ordered: where 128 threads write a word each, meet by `bar.sync 1, 128` and one
  /// arrives, it reports hazards in 508 of the 512 bytes; where each of them arrives, none.
  bool hands_over;
  void (*run)(call &, bool second);
  /// What the arrays hold before the call, one behind the other, and what they have to hold afterwards, whoever runs
  /// it; null where inputs are random, and the two forms are compared.
  const unsigned char *before = nullptr;
  const unsigned char *after = nullptr;
};

/// Runs the cases: the first form on the CPU, the second on `device`. Options: --seed N, --only NAME, --after NAME,
/// --filter REGEX, --every N, --device cpu|gpu, --hand-over yes|no (no: without the cases that do). Prints RUN NAME
/// before each case and DIFFER NAME: WHY after one that fails. Exit status: 0 all agree, 1 some do not, 4 a case raised
/// an error on a GPU: start again with --after it.
int main(const std::vector<test_case> &cases, int argc, char **argv, tegula::device device);

} // namespace fuzz
