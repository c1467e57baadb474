// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_pipelines.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::bf16;
using tegula::buffer;
using tegula::f16;

namespace {

/// Small integers, whose sums are exact.
template <class T, int Rank> buffer<T, Rank> integers(const tegula::shape<Rank> &dims) {
  return make<T>(dims, [](std::int64_t) { return static_cast<T>(static_cast<float>(generator()() % 17) - 8); });
}

template <class T> double product_at(const buffer<T, 2> &a, const buffer<T, 2> &b, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t k = 0; k < a.dim(1); ++k)
    sum += wide(a(i, k)) * wide(b(k, j));
  return sum;
}

} // namespace

TEST(HopperPipelines, OneInput) {
  for (const std::int64_t n : {0, 1, 64, 127, 129, 7 * 64}) {
    const auto x = random<float, 1>({n});
    const std::int64_t padded = (n + 63) / 64 * 64;
    everywhere([&](auto where) {
      const auto there = x.to(where);
      for (const auto entry : {one_input_1, one_input_2, one_input_4, one_input_2_late, one_input_4_late}) {
        auto o = poisoned<float, 1>({padded}, where);
        entry(there, o, {});
        expect_same("x + the step", o,
                    [&](auto i) { return (i[0] < n ? x(i[0]) : 0) + static_cast<float>(i[0] / 64); });
      }
    });
  }
}

TEST(HopperPipelines, MatricesStoredByColumns) {
  for (const auto &dims :
       {tegula::shape<2>(0, 32), tegula::shape<2>(1, 4), tegula::shape<2>(17, 36), tegula::shape<2>(48, 100)}) {
    const auto x = random<float>(dims); // its columns are rows here
    everywhere([&](auto where) {
      auto o = poisoned<float>(dims, where);
      const auto there = x.to(where);
      views(there.view().permuted(1, 0), o.view().permuted(1, 0));
      expect_same("2 x", o, [&](auto i) { return 2 * x(i[0], i[1]); });
    });
  }
}

TEST(HopperPipelines, ThreeInputs) {
  for (const auto &dims :
       {tegula::shape<2>(0, 32), tegula::shape<2>(1, 16), tegula::shape<2>(8, 32), tegula::shape<2>(25, 112)}) {
    const auto x = random<float>(dims);
    const auto row = random<bf16, 1>({dims[1]});
    const auto z = random<std::uint8_t, 2>({(dims[0] + 7) / 8, dims[1]});
    everywhere([&](auto where) {
      auto o = poisoned<float>(dims, where);
      three_inputs(x.to(where), row.to(where), z.to(where), o);
      expect_agrees("x row + z", o, [&](auto i) {
        const double product = wide(x(i[0], i[1])) * wide(row(i[1])), added = wide(z(i[0] / 8, i[1]));
        return Near<float>{product + added, gamma(2, unit_roundoff<float>()) * (std::abs(product) + added)};
      });
    });
  }
}

TEST(HopperPipelines, TheLastOfSeveralSteps) {
  for (const auto &dims : {tegula::shape<2>(2, 16), tegula::shape<2>(17, 36)}) {
    const auto x = random<std::int32_t>(dims);
    const auto element = [&](std::int64_t i, std::int64_t j) {
      return i < dims[0] && j < dims[1] ? static_cast<std::uint32_t>(x(i, j)) : 0;
    };
    everywhere([&](auto where) {
      auto o = poisoned<std::int32_t, 2>({dims[0], 16}, where);
      auto first = poisoned<std::int32_t, 1>({48}, where);
      last_ones(x.to(where), o, first);
      expect_same("sums", o, [&](auto i) {
        std::uint32_t sum = element(i[0], i[1]) * 5;
        for (std::int64_t j = i[1] + 16; j < dims[1]; j += 16)
          sum += element(i[0], j);
        return static_cast<std::int32_t>(sum);
      });
      expect_same("rows, numbers", first, [&](auto i) {
        const auto row = static_cast<std::uint32_t>(i[0] / 16);
        return static_cast<std::int32_t>(row < 2 ? element(row, i[0] % 16) + row
                                                 : static_cast<std::uint32_t>(i[0] % 16));
      });
    });
  }
}

TEST(HopperPipelines, InPlace) {
  const auto row = random<float, 1>({32});
  for (const std::int64_t rows : {1, 8, 24, 65}) {
    const auto x = random<float, 2>({rows, 36}); // Four columns stay.
    everywhere([&](auto where) {
      for (const auto entry : {in_place_1, in_place_3}) {
        auto o = x.to(where);
        entry(o, row.to(where), {});
        expect_same("x + row", o, [&](auto i) { return i[1] < 32 ? x(i[0], i[1]) + row(i[1]) : x(i[0], i[1]); });
      }
    });
  }
}

TEST(HopperPipelines, DifferentDelays) {
  for (const std::int64_t k : {0, 8, 64, 200}) {
    const auto a = integers<bf16, 2>({64, k}), b = integers<bf16, 2>({k, 64});
    const std::int64_t steps = (k + 31) / 32;
    const auto z = integers<float, 2>({steps, 4});
    float sum = 0;
    for (std::int64_t i = 0; i < steps; ++i)
      sum += z(i, 0) + static_cast<float>(i);
    everywhere([&](auto where) {
      auto o = poisoned<float, 2>({64, 64}, where);
      different_delays(a.to(where), b.to(where), z.to(where), o);
      expect_same("a b + sum", o, [&](auto i) { return static_cast<float>(product_at(a, b, i[0], i[1])) + sum; });
    });
  }
}

TEST(HopperPipelines, OneThreadSends) {
  for (const auto &dims : {tegula::shape<2>(8, 32), tegula::shape<2>(57, 68), tegula::shape<2>(40, 32)}) {
    const auto x = integers<float>(dims);
    const std::int64_t programs = (dims[1] + 31) / 32;
    const auto sum = [&](std::int64_t i, std::int64_t j) {
      float result = 0;
      for (std::int64_t row = i % 8; row <= i && j < dims[1]; row += 8)
        result += row < dims[0] ? x(row, j) : 0;
      return result;
    };
    everywhere([&](auto where) {
      for (const auto entry : {sender_1, sender_3}) {
        auto o = poisoned<float>(dims, where);
        auto sums = poisoned<float, 1>({programs}, where);
        entry(x.to(where), o, sums, {});
        expect_same("running sums", o, [&](auto i) { return sum(i[0], i[1]); });
        expect_same("sums", sums, [&](auto i) { return sum((dims[0] + 7) / 8 * 8 - 8 + 3, i[0] * 32 + 5); });
      }
    });
  }
}

TEST(HopperPipelines, TwoThreadsCompute) {
  for (const auto &dims : {tegula::shape<3>(1, 1, 4), tegula::shape<3>(3, 33, 132), tegula::shape<3>(5, 16, 224),
                           tegula::shape<3>(2, 31, 0)}) {
    const std::int64_t n = dims[0], rows = (dims[1] + 15) / 16 * 16, steps = (dims[2] + 31) / 32;
    const auto x = integers<std::int32_t, 2>({dims[1], dims[2]}), y = integers<std::int32_t, 2>({n, dims[2]});
    everywhere([&](auto where) {
      for (const auto entry : {row_sums_one_ring, row_sums_one_ring_late, row_sums_rings})
        for (const std::int64_t programs : {1, 4}) {
          auto o = poisoned<std::int32_t, 3>({n, rows, 32}, where);
          entry(x.to(where), y.to(where), o, programs, {});
          expect_same("sums", o, [&](auto i) {
            std::int64_t sum = steps * (steps - 1) / 2;
            for (std::int64_t k = i[2]; k < dims[2] && i[1] < dims[1]; k += 32)
              sum += std::int64_t{x(i[1], k)} * y(i[0], k);
            return sum;
          });
        }
    });
  }
}

TEST(HopperPipelines, AMatmulThatStays) {
  for (const auto &dims :
       {tegula::shape<3>(1, 8, 8), tegula::shape<3>(129, 72, 104), tegula::shape<3>(300, 328, 136)}) {
    const auto a = integers<f16, 2>({dims[0], dims[2]}), b = integers<f16, 2>({dims[2], dims[1]});
    const auto reference = make<double, 2>(
        {dims[0], dims[1]}, [&](std::int64_t place) { return product_at(a, b, place / dims[1], place % dims[1]); });
    everywhere([&](auto where) {
      for (const std::int64_t programs : {1, 3}) {
        auto o = poisoned<f16, 2>({dims[0], dims[1]}, where);
        persistent(a.to(where), b.to(where), o, programs);
        expect_same("a b", o, [&](auto i) { return reference(i[0], i[1]); });
      }
    });
  }
}

TEST(HopperPipelines, BlocksOfAllOfACluster) {
  for (const std::int64_t rows : {7, 32, 150}) {
    const auto integers = [](std::int64_t) { return static_cast<float>(static_cast<int>(generator()() % 15) - 7); };
    const auto x = make<float, 2>({rows, 96}, integers), y = make<float, 2>({rows, 64}, integers);
    everywhere([&](auto where) {
      auto o = poisoned<float, 3>({12, 32, 32}, where);
      shared_by_all(x.to(where), y.to(where), o, 3);
      expect_same("sums", o, [&](auto i) {
        const std::int64_t g = i[0] / 4, cm = i[0] % 4 / 2;
        float sum = 0;
        for (std::int64_t row = i[1]; row < rows; row += 32)
          sum += x(row, g * 32 + i[2]) * y(row, cm * 32 + i[2]);
        return sum;
      });
    });
  }
}

TEST(HopperPipelines, SharesOfALoop) {
  everywhere([](auto where) {
    for (const auto &dims : {tegula::shape<2>(1, 1), tegula::shape<2>(7, 5), tegula::shape<2>(2, 129)})
      for (const std::int64_t programs : {1, 5}) {
        auto o = poisoned<std::int64_t, 3>({dims[0], dims[1], 3}, where);
        shares(o, programs);
        const std::int64_t blocks = programs * 2;
        expect_same("block, number, of how many", o, [&](auto i) {
          const std::int64_t step = i[0] * dims[1] + i[1], block = step % blocks;
          return i[2] == 0 ? block : i[2] == 1 ? step / blocks : (dims[0] * dims[1] - block + blocks - 1) / blocks;
        });
      }
  });
}

TEST(HopperPipelines, PlanarSnake) {
  constexpr int golden[5][5] = {
      {0, 3, 6, 9, 12}, {1, 4, 7, 10, 13}, {2, 5, 8, 11, 14}, {23, 21, 19, 17, 15}, {24, 22, 20, 18, 16}};
  // The walk, step by step: strips of `width` along the minor dimension, every other one backwards.
  const auto snake = [](std::int64_t minor, std::int64_t major, std::int64_t width) {
    std::vector<std::pair<std::int64_t, std::int64_t>> places;
    for (std::int64_t strip = 0; strip * width < minor; ++strip)
      for (std::int64_t along = 0; along < major; ++along)
        for (std::int64_t across = strip * width; across < std::min(minor, (strip + 1) * width); ++across)
          places.emplace_back(across, strip % 2 == 0 ? along : major - 1 - along);
    return places;
  };
  everywhere([&](auto where) {
    for (const auto &dims : {tegula::shape<2>(5, 5), tegula::shape<2>(1, 7), tegula::shape<2>(8, 13)})
      for (const std::int64_t width : {1, 3, 8}) {
        auto by_rows = poisoned<std::int64_t>(dims, where), by_columns = poisoned<std::int64_t>(dims, where);
        walk(by_rows, by_columns, width);
        auto rows = buffer<std::int64_t, 2>::empty(dims), columns = buffer<std::int64_t, 2>::empty(dims);
        std::int64_t step = 0;
        for (const auto &[minor, major] : snake(dims[0], dims[1], width))
          rows(minor, major) = step++;
        step = 0;
        for (const auto &[minor, major] : snake(dims[1], dims[0], width))
          columns(major, minor) = step++;
        expect_same("steps in strips of rows", by_rows, [&](auto i) { return rows(i[0], i[1]); });
        expect_same("steps in strips of columns", by_columns, [&](auto i) { return columns(i[0], i[1]); });
        if (dims == tegula::shape<2>(5, 5) && width == 3)
          expect_same("golden", by_rows, [&](auto i) { return golden[i[0]][i[1]]; });
      }
  });
}
