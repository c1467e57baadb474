// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How launches follow each other, and what a kernel says of its registers and barriers.
#include <tegula/tegula.h>
namespace tg = tegula;

// Each program computes a chunk of `to` of one of `from` that another program wrote, in the launch before.
static void step(tg::array<const tg::s32, 1> from, tg::array<tg::s32, 1> to) {
  const auto chunks = to.dim(0) / 256;
  tg::kernel({.grid = {{"p", chunks}}, .threads = {"wg", 2}}, [=] {
    tg::griddepcontrol_launch_dependents();
    tg::smem<tg::s32, 256> chunk, own;
    tg::barrier full;
    const auto p = tg::axis_index("p");
    if (tg::axis_index("wg") == 1) { // The thread that copies waits; the other one waits for it.
      tg::griddepcontrol_wait();
      tg::copy_gmem_to_smem(from.at(tg::ds<256>((chunks - 1 - p) * 256)), chunk, full);
    } else {
      own[tg::all] = tg::iota<tg::s32, 256>() + static_cast<tg::s32>(p); // Before the wait.
      tg::barrier_wait(full);
      to[tg::ds<256>(p * 256)] = chunk[tg::all] * 3 + own[tg::all];
    }
  });
}

TEGULA_KERNEL void chained(tg::array<tg::s32, 1> x, tg::array<tg::s32, 1> y, tg::s64 rounds) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(0) % 256 == 0, "x and y are chunks of 256");
  for (tg::s64 i = 0; i < rounds; ++i) {
    step(x, y);
    step(y, x);
  }
}

// The wait stands in front of all else; a launch that waits by itself follows, and one that never reads anything.
TEGULA_KERNEL void mixed(tg::array<const float, 1> x, tg::array<float, 1> y, tg::array<float, 1> z) {
  tg::check(x.dim(0) == y.dim(0) && y.dim(0) == z.dim(0) && x.dim(0) % 128 == 0, "x, y and z are chunks of 128");
  const auto chunks = x.dim(0) / 128;
  tg::kernel({.grid = {{"p", chunks}}}, [=] {
    tg::griddepcontrol_wait();
    const auto own = tg::ds<128>(tg::axis_index("p") * 128);
    y[own] = x[own] * 2.0f;
    tg::griddepcontrol_launch_dependents();
  });
  tg::pallas_call([](auto y, auto z) { z[tg::all] = y[tg::all] + 1.0f; }, tg::in(y), tg::out(z));
  tg::kernel({.grid = {{"p", chunks}}}, [=] {
    const auto p = tg::axis_index("p");
    if (p % 2 == 0)
      tg::griddepcontrol_wait();
    if (p % 2 == 0)
      y[tg::ds<128>(p * 128)] = tg::full<float, 128>(7.0f);
  });
  tg::pallas_call([](auto y, auto z) { z[tg::all] = z[tg::all] + y[tg::all]; }, tg::in(y), tg::inout(z));
}

// A kernel of few registers, and one whose warps do not wait for each other where each reads what it wrote itself.
TEGULA_KERNEL void few_registers(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.threads = {"wg", 2}, .max_registers = 40}, [=] {
    const auto wg = tg::axis_index("wg");
    auto sum = tg::zeros<float, 64, 32>();
    for (tg::s64 i = 0; i < 4; ++i)
      sum = sum + x[tg::ds<64>(64 * i), tg::ds<32>(32 * wg)] * static_cast<float>(i + 1);
    o[tg::ds<64>(0), tg::ds<32>(32 * wg)] = sum;
  });
}

TEGULA_KERNEL void without_auto_barriers(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.unsafe_no_auto_barriers = true}, [=] {
    tg::smem<float, 64, 32> own, other;
    const auto rows = tg::ds<64>(0);
    const auto columns = tg::ds<32>(0);
    own[tg::all] = x[rows, columns];
    own[tg::all] = own[tg::all] * 2.0f; // Each lane reads what it has written.
    other[tg::all] = own[tg::all];
    tg::commit_smem();
    o[rows, columns] = other[tg::all] + own[3, 7];
  });
}
