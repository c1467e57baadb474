// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"
#include "images.h"

#include <gtest/gtest.h>

#include <thread>

namespace tegula::test {
namespace {

using abi::image;
using abi::image_kind;

// Cubins are told apart by their first byte, PTX by its text.
constexpr unsigned char byte_of_80[] = {'1', 0}, byte_of_86[] = {'2', 0}, byte_of_90a[] = {'3', 0},
                        byte_of_90[] = {'4', 0};
constexpr unsigned char ptx_80[] = {'.', 'o', 'l', 'd'}, ptx_90a[] = {'.', 'h', 'o', 'p'}; // without a 0 at the end
constexpr image cubin_80{80, 0, image_kind::cubin, byte_of_80, 1}, cubin_86{86, 0, image_kind::cubin, byte_of_86, 1},
    cubin_90a{90, 'a', image_kind::cubin, byte_of_90a, 1}, cubin_90{90, 0, image_kind::cubin, byte_of_90, 1},
    old_ptx{80, 0, image_kind::ptx, ptx_80, sizeof ptx_80},
    hopper_ptx{90, 'a', image_kind::ptx, ptx_90a, sizeof ptx_90a};

std::string chosen(std::vector<image> images, int arch) {
  const image *found = runtime::select_image(images.data(), images.data() + images.size(), arch);
  return found == nullptr ? "nothing" : runtime::to_string(*found);
}

TEST(SelectImage, CubinsRunOnTheirMajorFromTheirMinorUp) {
  EXPECT_EQ(chosen({cubin_80}, 80), "sm_80 cubin");
  EXPECT_EQ(chosen({cubin_80}, 89), "sm_80 cubin");
  EXPECT_EQ(chosen({cubin_86}, 80), "nothing");
  EXPECT_EQ(chosen({cubin_80}, 90), "nothing");
  EXPECT_EQ(chosen({cubin_80}, 75), "nothing");
  EXPECT_EQ(chosen({cubin_90}, 100), "nothing");
}

TEST(SelectImage, ArchitectureSpecificCodeRunsOnThatOneAlone) {
  EXPECT_EQ(chosen({cubin_90a}, 90), "sm_90a cubin");
  const image blackwell{100, 'a', image_kind::cubin, byte_of_80, 1};
  EXPECT_EQ(chosen({blackwell}, 103), "nothing");
  EXPECT_EQ(chosen({hopper_ptx}, 90), "sm_90a PTX");
  EXPECT_EQ(chosen({hopper_ptx}, 100), "nothing");
}

TEST(SelectImage, PtxAloneOnRequest) {
  const image images[] = {cubin_90a, old_ptx};
  EXPECT_EQ(runtime::to_string(*runtime::select_image(images, images + 2, 90)), "sm_90a cubin");
  EXPECT_EQ(runtime::to_string(*runtime::select_image(images, images + 2, 90, /*ptx_only=*/true)), "sm_80 PTX");
  EXPECT_EQ(runtime::select_image(images, images + 1, 90, /*ptx_only=*/true), nullptr);
}

TEST(SelectImage, NoNewerOneThanAskedFor) {
  const image images[] = {cubin_90a, cubin_90, old_ptx};
  const auto name = [&](int max_arch) {
    const image *found = runtime::select_image(images, images + 3, 90, /*ptx_only=*/false, max_arch);
    return found == nullptr ? "nothing" : runtime::to_string(*found);
  };
  EXPECT_EQ(name(90), "sm_90a cubin");
  EXPECT_EQ(name(89), "sm_80 PTX");
  EXPECT_EQ(name(80), "sm_80 PTX");
  EXPECT_EQ(name(75), "nothing");
}

TEST(SelectImage, TheBestWins) {
  EXPECT_EQ(chosen({cubin_80, cubin_86}, 89), "sm_86 cubin");
  EXPECT_EQ(chosen({cubin_86, cubin_80}, 89), "sm_86 cubin");
  EXPECT_EQ(chosen({cubin_90, cubin_90a}, 90), "sm_90a cubin");
  EXPECT_EQ(chosen({cubin_90a, cubin_90}, 90), "sm_90a cubin");
  // Machine code before PTX, even newer PTX.
  EXPECT_EQ(chosen({hopper_ptx, cubin_90}, 90), "sm_90 cubin");
  EXPECT_EQ(chosen({old_ptx, cubin_80}, 80), "sm_80 cubin");
  const image newer_ptx{90, 0, image_kind::ptx, ptx_80, 1};
  EXPECT_EQ(chosen({newer_ptx, old_ptx}, 120), "sm_90 PTX");
  EXPECT_EQ(chosen({newer_ptx, old_ptx}, 89), "sm_80 PTX");
  EXPECT_EQ(chosen({newer_ptx, hopper_ptx}, 90), "sm_90a PTX");
  EXPECT_EQ(chosen({}, 90), "nothing");
}

TEST(SelectImage, WhatToPassToTegulac) {
  EXPECT_EQ(runtime::target_for(75), "sm_75");
  EXPECT_EQ(runtime::target_for(89), "sm_89");
  EXPECT_EQ(runtime::target_for(90), "sm_90a");
  EXPECT_EQ(runtime::target_for(120), "sm_120a");
}

constexpr image both[] = {old_ptx, cubin_90a};

/// One launch without arguments.
void launch(abi::kernel &code, device where) {
  const stream on;
  abi::call call("entry", on, where);
  call.launch(code, {1, 32});
}

TEST(Images, LoadOncePerGpuAndEachTheRightOne) {
  fake_driver fake({{90}, {89}, {90}});
  abi::image_set images(both);
  abi::kernel first(images, "first"), second(images, "second");
  for (int repeat = 0; repeat < 3; ++repeat)
    for (int ordinal = 0; ordinal < 3; ++ordinal) {
      launch(first, device::gpu(ordinal));
      launch(second, device::gpu(ordinal));
    }
  const std::vector<std::pair<std::string, int>> expected = {{"3", 0}, {".old", 1}, {"3", 2}};
  EXPECT_EQ(fake.loads, expected);
  EXPECT_EQ(fake.calls_of_get_function, 6);
  EXPECT_EQ(fake.retained_contexts, 3);
  ASSERT_EQ(fake.launches.size(), 18U);
  EXPECT_EQ(fake.launches[2].ordinal, 1);
  EXPECT_EQ(fake.launches[2].function, "first");
  EXPECT_EQ(fake.launches[5].function, "second");
}

TEST(Images, ThreadsThatRaceLoadOnce) {
  fake_driver fake({{90}, {80}});
  abi::image_set images(both);
  abi::kernel code(images, "code");
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  std::atomic<bool> go{false};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      while (!go) {
      }
      for (int repeat = 0; repeat < 100; ++repeat)
        if (message_of([&] { launch(code, device::gpu((i + repeat) % 2)); }) != "(nothing)")
          ++failures;
    });
  go = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(fake.loads.size(), 2U);
  EXPECT_EQ(fake.calls_of_get_function, 2);
  EXPECT_EQ(fake.retained_contexts, 2);
  EXPECT_EQ(fake.launches.size(), 800U);
}

TEST(Images, NoCodeAsOldAsAskedFor) {
  fake_driver fake({{90, "Hopper"}});
  constexpr image hopper[] = {cubin_90a};
  abi::image_set images(hopper);
  abi::kernel code(images, "code");
  ASSERT_EQ(setenv("TEGULA_MAX_ARCH", "80", 1), 0);
  EXPECT_EQ(
      message_of([&] { launch(code, device::gpu(0)); }),
      "entry: no code for gpu:0 (Hopper), which is sm_90: the program holds sm_90a cubin; the environment variable "
      "TEGULA_MAX_ARCH is 80, which passes over newer code: unset it, or pass --arch=sm_80 to tegulac, too");
  ASSERT_EQ(setenv("TEGULA_MAX_ARCH", "x", 1), 0);
  EXPECT_EQ(
      message_of([&] { launch(code, device::gpu(0)); }),
      "the environment variable TEGULA_MAX_ARCH is 'x': it takes a number from 0 to 999; unset it, or correct it");
  ASSERT_EQ(unsetenv("TEGULA_MAX_ARCH"), 0);
  launch(code, device::gpu(0));
}

TEST(Images, NoCodeForThisGpu) {
  fake_driver fake({{100, "Blackwell"}, {70, "Volta"}});
  constexpr image hopper[] = {cubin_90a, hopper_ptx};
  abi::image_set images(hopper);
  abi::image_set none;
  abi::kernel code(images, "code"), no_code(none, "code");
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }),
            "entry: no code for gpu:0 (Blackwell), which is sm_100: the program holds sm_90a cubin, sm_90a PTX; pass "
            "--arch=sm_100a to tegulac");
  EXPECT_EQ(message_of([&] { launch(no_code, device::gpu(0)); }),
            "entry: no code for gpu:0 (Blackwell), which is sm_100: the program holds code for the CPU only; pass "
            "--arch=sm_100a to tegulac");
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(1)); }),
            "entry: no code for gpu:1 (Volta), which is sm_70: the program holds sm_90a cubin, sm_90a PTX; Tegula's "
            "GPUs start at sm_75, keep "
            "the arrays on the CPU");
  EXPECT_TRUE(fake.loads.empty());
}

TEST(Images, CompilingPtxFails) {
  fake_driver fake({{90, "Hopper"}});
  constexpr image ptx[] = {old_ptx};
  abi::image_set images(ptx);
  abi::kernel code(images, "code");
  fake.failing["cuModuleLoadDataEx"] = 218;
  fake.jit_log = "ptxas application ptx input, line 1; fatal: Parsing error";
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }),
            "entry: the driver does not compile the sm_80 PTX for gpu:0 (Hopper): CUDA_ERROR_INVALID_PTX (the driver's "
            "words)\n"
            "ptxas application ptx input, line 1; fatal: Parsing error");
  fake.failing["cuModuleLoadDataEx"] = 222;
  fake.jit_log.clear();
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }),
            "entry: the driver does not compile the sm_80 PTX for gpu:0 (Hopper): CUDA_ERROR_UNSUPPORTED_PTX_VERSION "
            "(the driver's words); "
            "update the driver, or pass --arch=sm_90a to tegulac, for code that needs no compiling");
  // A failure is not remembered.
  fake.failing.clear();
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }), "(nothing)");
}

TEST(Images, LoadingACubinFails) {
  fake_driver fake({{90, "Hopper"}});
  abi::image_set images(both);
  abi::kernel code(images, "code");
  fake.failing["cuModuleLoadDataEx"] = 209;
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }),
            "entry: the driver does not load the sm_90a cubin for gpu:0 (Hopper): CUDA_ERROR_NO_BINARY_FOR_GPU (the "
            "driver's words)");
}

TEST(Images, AKernelIsMissing) {
  fake_driver fake({{90, "Hopper"}});
  abi::image_set images(both);
  abi::kernel code(images, "code"), other(images, "other");
  fake.missing_kernels = {"code"};
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }),
            "entry: the code for gpu:0 (Hopper) has no kernel 'code': the generated code and its image come from "
            "different runs of tegulac, build again");
  EXPECT_EQ(message_of([&] { launch(other, device::gpu(0)); }), "(nothing)");
  abi::kernel third(images, "third");
  fake.failing["cuModuleGetFunction"] = 999;
  EXPECT_EQ(message_of([&] { launch(third, device::gpu(0)); }),
            "entry: kernel 'third' does not load on gpu:0 (Hopper): CUDA_ERROR_UNKNOWN (the driver's words)");
}

// Code in parts: each is loaded for its own kernels alone.
constexpr const char *in_first[] = {"first", "more", nullptr}, *in_second[] = {"second", nullptr};
constexpr image parts[] = {{80, 0, image_kind::cubin, byte_of_80, 1, 1, false},
                           {90, 'a', image_kind::cubin, byte_of_86, 1, 2, false, in_first},
                           {90, 'a', image_kind::cubin, byte_of_90a, 1, 2, false, in_second},
                           {80, 0, image_kind::ptx, ptx_80, sizeof ptx_80, 1}};

TEST(Images, PartsLoadOnDemand) {
  fake_driver fake({{90}, {80}, {90}});
  abi::image_set images(parts);
  abi::kernel first(images, "first"), more(images, "more"), second(images, "second"), mor(images, "mor");
  using loads = std::vector<std::pair<std::string, int>>;
  launch(second, device::gpu(0));
  EXPECT_EQ(fake.loads, (loads{{"3", 0}}));
  launch(more, device::gpu(0));
  launch(first, device::gpu(0));
  launch(second, device::gpu(0));
  EXPECT_EQ(fake.loads, (loads{{"3", 0}, {"2", 0}}));
  launch(first, device::gpu(1));
  launch(second, device::gpu(1));
  launch(second, device::gpu(2));
  EXPECT_EQ(fake.loads, (loads{{"3", 0}, {"2", 0}, {"1", 1}, {"3", 2}}));
  ASSERT_EQ(fake.launches.size(), 7U);
  EXPECT_EQ(fake.launches[1].function, "more");
  // What no part has is asked of none.
  const int asked = fake.calls_of_get_function;
  EXPECT_NE(message_of([&] { launch(mor, device::gpu(0)); }), "(nothing)");
  EXPECT_EQ(fake.calls_of_get_function, asked);
  launch(mor, device::gpu(1));
  EXPECT_EQ(fake.loads.size(), 4U);
}

// A plan goes by the class of the code that runs, which is not always that of the GPU.
TEST(Images, TheClassIsThatOfTheCode) {
  fake_driver fake({{90}, {80}, {86}, {120}, {75}});
  abi::image_set images(parts);
  auto is = [&](int gpu, std::initializer_list<int> classes) {
    const stream on;
    return abi::call("entry", on, device::gpu(gpu)).is_class(images, classes);
  };
  EXPECT_TRUE(is(0, {2}));
  EXPECT_TRUE(is(0, {0, 2}));
  EXPECT_FALSE(is(0, {1, 3}));
  EXPECT_TRUE(is(1, {1}));
  EXPECT_TRUE(is(2, {1}));
  EXPECT_TRUE(is(3, {1})); // By PTX for sm_80.
  EXPECT_FALSE(is(3, {4}));
  EXPECT_FALSE(is(4, {0, 1, 2, 3, 4})); // Nothing runs there.
}

TEST(Images, PartsAreNamedOnce) {
  fake_driver fake({{100, "Blackwell"}});
  constexpr image hopper[] = {parts[1], parts[2]};
  abi::image_set images(hopper);
  abi::kernel code(images, "second");
  EXPECT_EQ(message_of([&] { launch(code, device::gpu(0)); }),
            "entry: no code for gpu:0 (Blackwell), which is sm_100: the program holds sm_90a cubin; pass "
            "--arch=sm_100a to tegulac");
}

} // namespace
} // namespace tegula::test
