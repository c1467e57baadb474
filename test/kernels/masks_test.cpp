// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "masks.h"

#include "support.h"

using namespace tegula::test;
using tegula::buffer;
using tegula::f16;

namespace {
const std::vector<tegula::shape<2>> shapes = {{0, 5}, {5, 0}, {1, 1}, {4, 32}, {7, 127}, {33, 129}};
} // namespace

TEST(Masks, FillWholeBlocks) {
  for (const auto n : odd_sizes) {
    const auto x = make<float, 1>({n}, [](std::int64_t) { return static_cast<float>(generator()() % 9) - 4.0F; });
    on_every_device([&](auto where) {
      expect_same("sums", padded_sums(x.to(where)), [&](auto i) {
        float sum = 0;
        for (std::int64_t k = 64 * i[0]; k < 64 * (i[0] + 1); ++k)
          sum += k < n && x(k) >= 0 ? x(k) : 1; // Beyond the end the mask holds, but nothing is there.
        return sum;
      });
    });
  }
}

template <class T, class Entry> void check_first_ones(Entry entry, T fill) {
  for (const auto &dims : shapes) {
    const auto x = random<T>(dims);
    const auto counts = make<std::int32_t, 1>({dims[0]}, [&](std::int64_t) {
      return static_cast<std::int32_t>(generator()() % static_cast<std::uint64_t>(dims[1] + 3));
    });
    on_every_device([&](auto where) {
      expect_same("first ones", entry(x.to(where), counts.to(where), fill, {}),
                  [&](auto i) { return i[1] < counts(i[0]) ? x(i[0], i[1]) : fill; });
    });
  }
}
TEST(Masks, ChooseWhatIsLoaded) {
  check_first_ones<float>(first_ones_f32, -1.5F);
  check_first_ones<std::uint8_t>(first_ones_u8, 200);
  check_first_ones<f16>(first_ones_f16, f16(0.1F));
}

TEST(Masks, ChooseWhatIsStored) {
  for (const auto &dims : shapes)
    for (const float limit : {-100.0F, 1.0F, 100.0F}) {
      const auto x = random<float>(dims), before = random<float>(dims);
      on_every_device([&](auto where) {
        auto o = before.to(where);
        auto any = make<std::int32_t, 1>({dims[0]}, [](std::int64_t) { return -7; }).to(where);
        raise(o, x.to(where), limit, any, {});
        expect_same("o", o, [&](auto i) { return x(i[0], i[1]) > limit ? 2 * x(i[0], i[1]) : before(i[0], i[1]); });
        expect_same("any", any, [&](auto i) {
          for (std::int64_t k = 0; k < dims[1]; ++k)
            if (x(i[0], k) > limit)
              return 1;
          return -7;
        });
      });
    }
}

TEST(Masks, PadProducts) {
  for (const auto &[m, n, k] :
       {std::tuple(1, 1, 1), std::tuple(16, 16, 16), std::tuple(33, 65, 13), std::tuple(3, 5, 0)}) {
    const auto a = random<float, 2>({m, k}), b = random<float, 2>({k, n});
    on_every_device([&, depth = k](auto where) {
      expect_agrees("a b", padded_product(a.to(where), b.to(where)), [&](auto i) {
        double sum = 0, size = 0;
        for (std::int64_t p = 0; p < depth; ++p) {
          sum += wide(a(i[0], p)) * wide(b(p, i[1]));
          size += std::abs(wide(a(i[0], p)) * wide(b(p, i[1])));
        }
        return Near<float>{sum, 1e-5 * size};
      });
    });
  }
}

TEST(Masks, InPlace) {
  for (const auto n : odd_sizes) {
    const auto x = random<std::int32_t, 1>({n});
    on_every_device([&](auto where) {
      auto o = x.to(where);
      spread(o, {});
      expect_same("x", o, [&](auto i) {
        return i[0] % 2 == 1 ? 0 : static_cast<std::int32_t>(static_cast<std::uint32_t>(x(i[0])) + 100);
      });
    });
  }
}
