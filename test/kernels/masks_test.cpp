// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "masks.h"

#include "support.h"

using namespace tegula::test;
using tegula::bf16;
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
  check_first_ones<bool>(first_ones_bool, true);
  check_first_ones<std::uint8_t>(first_ones_u8, 200);
  check_first_ones<std::int16_t>(first_ones_s16, -30000);
  check_first_ones<std::int64_t>(first_ones_s64, INT64_MIN);
  check_first_ones<f16>(first_ones_f16, f16(std::numeric_limits<float>::quiet_NaN()));
  check_first_ones<bf16>(first_ones_bf16, bf16(-0.0F));
  check_first_ones<float>(first_ones_f32, std::numeric_limits<float>::quiet_NaN());
  check_first_ones<double>(first_ones_f64, std::numeric_limits<double>::quiet_NaN());
}

/// Masks of bools that lie anyhow; one element in `rare` is out of line with the others.
buffer<bool, 1> mask_of(std::int64_t n, std::uint64_t rare, bool mostly) {
  return make<bool, 1>({n}, [=](std::int64_t) { return (generator()() % rare != 0) == mostly; });
}

template <class T, class Entry> void check_choose(Entry entry) {
  const auto special = special_values<T>();
  for (const auto n : odd_sizes)
    for (const std::uint64_t rare : {2, 9, 1000000})
      for (const bool mostly : {false, true}) {
        const auto x = random<T, 1>({n}), before = random<T, 1>({n});
        const auto other =
            make<T, 1>({n}, [&](std::int64_t i) { return special[static_cast<std::size_t>(i) % special.size()]; });
        const auto wanted = mask_of(n, rare, mostly), kept = mask_of(n, rare, !mostly);
        on_every_device([&](auto where) {
          auto o = before.to(where);
          entry(o, x.to(where), other.to(where), wanted.to(where), kept.to(where), {});
          expect_same("chosen", o, [&](auto i) {
            return kept(i[0]) ? before(i[0]) : wanted(i[0]) ? x(i[0]) : other(i[0]);
          });
        });
      }
}
TEST(Masks, ChooseElementByElement) {
  check_choose<bool>(choose_bool);
  check_choose<std::int8_t>(choose_s8);
  check_choose<std::uint16_t>(choose_u16);
  check_choose<std::int32_t>(choose_s32);
  check_choose<std::uint64_t>(choose_u64);
  check_choose<f16>(choose_f16);
  check_choose<bf16>(choose_bf16);
  check_choose<float>(choose_f32);
  check_choose<double>(choose_f64);
}

// The arrays lie within memory that must not change, and where every wrong access is seen.
TEST(Masks, OfArraysWithGaps) {
  for (const std::int64_t step : {1, 3})
    for (const std::int64_t n : {1, 31, 257}) {
      const auto memory = random<float, 1>({n * step + 8}), x = random<float, 1>({n});
      const auto wanted = mask_of(n, 2, true), kept = mask_of(n, 2, true);
      on_every_device([&](auto where) {
        auto all = memory.to(where);
        const tegula::array<float, 1> o(all.data() + 3, {n}, {step}, all.view().device());
        choose_f32(o, x.to(where), x.to(where), wanted.to(where), kept.to(where), {});
        expect_same("memory", all, [&](auto i) {
          const std::int64_t place = i[0] - 3;
          const bool isStored = place >= 0 && place % step == 0 && place / step < n && !kept(place / step);
          return isStored ? x(place / step) : memory(i[0]);
        });
      });
    }
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
        return inner_product<float>(depth, [&](auto p) { return a(i[0], p); }, [&](auto p) { return b(p, i[1]); });
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

TEST(Masks, ReachBeyondBothEnds) {
  for (const auto n : odd_sizes) {
    const auto x = make<float, 1>({n}, [](std::int64_t) { return static_cast<float>(generator()() % 100); });
    on_every_device([&](auto where) {
      expect_same("smooth", smooth(x.to(where)),
                  [&](auto i) { return (i[0] > 0 ? x(i[0] - 1) : 0) + x(i[0]) + (i[0] + 1 < n ? x(i[0] + 1) : 0); });
    });
  }
}

TEST(Masks, OfSingleElements) {
  for (const auto &dims : {tegula::shape<2>{1, 1}, {5, 9}, {300, 7}, {3, 0}}) {
    const auto x = random<std::int32_t>(dims);
    on_every_device([&](auto where) {
      expect_same("before", before(x.to(where)),
                  [&](auto i) { return i[0] > 0 && i[0] < dims[1] ? x(i[0] - 1, i[0]) : -1; });
    });
  }
}

// Rows that are held, in a warp and in a block, just as long as what holds them, and sequential, in chunks.
TEST(Masks, OfRows) {
  for (const auto &dims :
       {tegula::shape<2>{0, 5}, {5, 0}, {1, 1}, {7, 127}, {3, 1024}, {2, 5000}, {2, 8192}, {2, 20001}})
    for (const float limit : {-10.0F, 0.0F, 10.0F}) {
      // Small integers: every sum is exact.
      const auto x = make<float>(dims, [](std::int64_t) { return static_cast<float>(generator()() % 15) - 7.0F; });
      const auto before = random<float>(dims);
      std::vector<float> total(static_cast<std::size_t>(dims[0])), kept(total), most(total.size(), limit);
      std::vector<std::int32_t> count(total.size());
      for (std::int64_t i = 0; i < dims[0]; ++i)
        for (std::int64_t k = 0; k < dims[1]; ++k) {
          const auto row = static_cast<std::size_t>(i);
          total[row] += x(i, k);
          if (x(i, k) > limit) {
            kept[row] += x(i, k);
            most[row] = std::max(most[row], x(i, k));
            ++count[row];
          }
        }
      const auto row = [](auto i) { return static_cast<std::size_t>(i[0]); };
      on_every_device([&](auto where) {
        auto sums = poisoned<float, 1>({dims[0]}, where), greatest = poisoned<float, 1>({dims[0]}, where);
        auto counts = poisoned<std::int32_t, 1>({dims[0]}, where);
        auto o = before.to(where);
        above(x.to(where), limit, sums, greatest, counts, o, {});
        expect_same("sums", sums, [&](auto i) { return kept[row(i)]; });
        expect_same("counts", counts, [&](auto i) { return count[row(i)]; });
        if (dims[1] > 0) // Of nothing, the greatest is the least number there is.
          expect_same("most", greatest, [&](auto i) { return most[row(i)]; });
        expect_same("o", o, [&](auto i) {
          const float mean = total[row(i)] / static_cast<float>(dims[1]), own = x(i[0], i[1]);
          return own < 0 ? before(i[0], i[1]) : own > mean ? own - mean : mean - mean;
        });
      });
    }
}

// From 65536 elements on, many blocks share the work.
TEST(Masks, OfAllOfAnArray) {
  for (const std::int64_t n : {0, 1, 1000, 65535, 65536, 300001}) {
    const auto x = random<std::int32_t, 1>({n});
    const auto wanted = mask_of(n, 3, true);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
      sum += wanted(i) && x(i) > 0 ? x(i) : 3;
    on_every_device(
        [&](auto where) { expect_same("total", total(x.to(where), wanted.to(where)), [&](auto) { return sum; }); });
  }
}

TEST(Masks, CarriedByLoops) {
  for (const auto &dims : shapes) {
    const auto x = random<float>(dims);
    on_every_device([&](auto where) {
      expect_same("first", first_above(x.to(where), 5.0F), [&](auto i) {
        for (std::int64_t k = 0; k < dims[1]; ++k)
          if (x(i[0], k) > 5.0F)
            return static_cast<std::int32_t>(k);
        return -1;
      });
    });
  }
}

TEST(Masks, OfParts) {
  for (const auto &dims : {tegula::shape<2>{1, 1}, {8, 16}, {9, 3}, {23, 4}, {40, 13}, {7, 16}, {3, 0}}) {
    const auto x =
        make<std::int32_t>(dims, [](std::int64_t) { return static_cast<std::int32_t>(generator()() % 1000); });
    on_every_device([&](auto where) {
      expect_same("lasts", lasts(x.to(where)), [&](auto i) {
        const auto at = [&](std::int64_t row, std::int64_t column) {
          row += 8 * i[0];
          return row < dims[0] && column < dims[1] ? x(row, column) : -3;
        };
        std::int32_t sum = at(7, 15);
        for (std::int64_t k = 0; k < 8; ++k)
          sum += at(k, 12) + at(k, 3);
        return sum;
      });
    });
  }
}

TEST(Masks, OfSlices) {
  for (const auto &dims : shapes) {
    const auto x = make<float>(dims, [](std::int64_t) { return static_cast<float>(generator()() % 9); });
    const auto limits =
        make<float, 2>({dims[1], 1}, [](std::int64_t) { return static_cast<float>(generator()() % 9); });
    on_every_device([&](auto where) {
      auto o = x.to(where);
      clear_columns(o, limits.to(where), {});
      expect_same("cleared", o, [&](auto i) {
        float sum = 0;
        for (std::int64_t k = i[0] / 32 * 32; k < std::min(dims[0], (i[0] / 32 + 1) * 32); ++k)
          sum += x(k, i[1]);
        return x(i[0], i[1]) > limits(i[1], 0) ? x(i[0], i[1]) - sum : x(i[0], i[1]);
      });
    });
  }
}

TEST(Masks, LeaveOutWhatConstantsLeadTo) {
  for (const std::int64_t n : {0, 1, 99, 100, 101, 257, 300}) {
    const auto x = random<float, 1>({n});
    on_every_device([&](auto where) {
      auto count = make<std::int32_t, 1>({n}, [](std::int64_t) { return 0; }).to(where);
      expect_same("left", before_and_behind(x.to(where), count),
                  [&](auto i) { return i[0] % 100 == 0 ? -1.0F : x(i[0] - 1); });
      expect_same("counts", count, [](auto i) { return i[0] % 100 % 3 == 0 ? 11 : 1; });
    });
  }
  const auto x = make<float, 2>({20, 20}, [](std::int64_t i) { return static_cast<float>(i % 23); });
  on_every_device([&](auto where) {
    expect_same("corner", corner(x.to(where)), [&](auto i) {
      const auto r = i[0], c = i[1];
      const float window = r >= 3 && c < 10 ? x(r - 3, c + 10) : 5;
      const float behind = c < 10 ? x(r, c + 10) : 7;
      return window + 100 * behind + 10000 * (c >= 4 ? x(r, c - 4) : 3);
    });
  });
}

TEST(Masks, LeaveOutWhatIsMovedFromBehindTheEnd) {
  for (const auto &dims : {tegula::shape<3>{1, 7, 2}, {1, 128, 16}, {1, 300, 5}, {0, 7, 20}, {2, 1, 33}}) {
    const auto x = make<std::int32_t, 3>(dims, [](std::int64_t i) { return static_cast<std::int32_t>(i % 700); });
    const auto block = [&](std::int64_t r, std::int64_t c) {
      return dims[0] > 0 && r < dims[1] && c < dims[2] && c >= 3 ? x(0, r, c) : -1;
    };
    on_every_device([&](auto where) {
      expect_same("moved", moved_blocks(x.to(where)), [&](auto i) {
        const std::int64_t at = i[0] * 32 + i[1];
        return block(127 - at / 16, at % 16) + 1000 * block(at % 128, at / 128);
      });
    });
  }
}

// What the mask wants is looked for: on the CPU, where it is not, that is said.
TEST(Masks, WantWhatIsThere) {
  const auto x = random<float, 1>({10});
  EXPECT_NO_THROW(static_cast<void>(one_before(x, 1)));
  EXPECT_NO_THROW(static_cast<void>(one_before(x, 9)));
  for (const std::int64_t at : {0, 11}) {
    std::string message;
    try {
      static_cast<void>(one_before(x, at));
    } catch (const tegula::error &e) {
      message = e.what();
    }
    EXPECT_NE(message.find("is out of bounds of dimension 0 of x, which has 10 elements"), std::string::npos)
        << at << ": " << message;
  }
}
