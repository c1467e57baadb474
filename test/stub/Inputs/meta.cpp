// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

using tegula::device;
using tegula::meta_pointer;

static int failures = 0;
static void expect(bool condition, const char *what) {
  if (!condition) {
    std::printf("FAILED: %s\n", what);
    ++failures;
  }
}
template <class F> static void refuses(const char *message, F f) {
  try {
    f();
    expect(false, message);
  } catch (const tegula::error &error) {
    expect(error.what() == std::string(message), error.what());
  }
}

/// Memory of the C library's, which counts.
struct counting : tegula::allocator {
  tegula::allocation allocate(std::size_t bytes, device, const tegula::stream &) override {
    ++taken;
    void *const data = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    return {data, data, [](void *owner) { std::free(owner); }};
  }
  int taken = 0;
};

int main() {
  const std::int64_t many = std::int64_t{1} << 40;
  const tegula::array<const float, 2> x(meta_pointer<const float>(), {7, many}, device::meta());
  const auto made = sums(x);
  expect(made.rows.dims() == tegula::shape<1>{7} && made.rows.device() == device::meta(), "the shape of a result");
  expect(made.rows.data() != nullptr && made.all.data() != nullptr,
         "results of meta may be arguments, optional ones, too");
  const auto again = sums(x, sums({meta_pointer<const float>(), {many, 1}, device::meta()}).rows);
  expect(again.rows.dim(0) == 7, "a result is an argument");

  refuses("sums: shift has an entry per column", [&] { (void)sums(x, made.rows); });
  float one = 1;
  refuses("sums: 'shift' is on cpu and 'x' on meta: the arrays of a call must be on one device, copy one with "
          "to(array, device)",
          [&] { (void)sums(x, tegula::array<const float, 1>(&one, {1})); });
  refuses("sums: 'x' has the negative extent -1 in dimension 0",
          [&] { (void)sums({meta_pointer<const float>(), {-1, 2}, device::meta()}); });
  refuses("to: the array of shape (7) is on meta: it has no elements to copy", [&] { (void)made.rows.to_host(); });
  const tegula::array<tegula::u4, 1> packed(meta_pointer<tegula::u4>(), {2001}, device::meta());
  doubled(packed, packed); // No memory is shared.
  refuses("doubled: x and y differ", [&] { doubled(packed, packed.slice(0, 0, 2000)); });

  const std::vector<float> values(1000003, 1);
  const tegula::array<const float, 2> real(values.data(), {1, 1000003});
  counting from;
  tegula::buffer<float, 1> rows;
  {
    const tegula::allocator_scope scope(from);
    rows = sums(real).rows;
    expect(from.taken == 2, "results are the allocator's");
    expect(sums(x).rows.dim(0) == 7 && from.taken == 2, "nothing is allocated for meta");
  }
  expect(rows(0) == 1000003, "results may outlive the scope");
  (void)sums(real);
  expect(from.taken == 2, "beyond the scope there is the runtime's memory");
  tegula::allocation given = rows.release();
  expect(rows.data() == nullptr && rows.size() == 0, "what is released is gone");
  expect(*static_cast<float *>(given.data) == 1000003, "with its elements");
  given.free(given.owner);
  given = tegula::buffer<float, 1>::empty({5}).release();
  given.free(given.owner);
  return failures != 0;
}
