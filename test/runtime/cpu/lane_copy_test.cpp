// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that threads make themselves.
#include "support.h"

namespace explicit_level {
namespace {

TEST(LaneCopy, FillsWhatLiesOutsideTheArray) {
  matrix<float> x(6, 5, 3.0F);
  for (const std::int64_t row : {0, 4, 6, 100})
    for (const std::int64_t column : {0, 4, 8})
      launch{"fill", {1}}.run([&](thread &self) {
        const auto xs = self.shared<float, 2>(at(1), 0, {4, 8});
        self.cp_async(at(2), window(x.view()).part(0, row, 4).part(1, column, 8), xs);
        self.cp_async_commit(at(3));
        self.cp_async_wait(at(4), 0);
        const auto got = self.read(at(5), xs);
        for (std::int64_t i = 0; i < 4; ++i)
          for (std::int64_t j = 0; j < 8; ++j)
            ASSERT_EQ(got(i, j), row + i < 6 && column + j < 5 ? 3.0F : 0.0F) << row << " " << column;
      });
}

/// Under how many seeds a stage that is waited for with so many groups in flight has what was copied.
int seen(std::int64_t pending) {
  matrix<float> x(4, 4, 1.0F);
  int count = 0;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    tegula::cpu::set_seed(seed);
    launch{"ring", {1}}.run([&](thread &self) {
      const auto ring = self.shared<float, 3>(at(1), 0, {2, 4, 4});
      for (int stage = 0; stage < 2; ++stage) {
        self.cp_async(at(2), window(x.view()), ring.select(at(7), 0, stage));
        self.cp_async_commit(at(3));
      }
      self.cp_async_wait(at(4), pending);
      count += self.read(at(5), ring.select(at(7), 0, 1))(0, 0) == 1.0F;
      self.cp_async_wait(at(6), 0);
    });
  }
  tegula::cpu::set_seed(0);
  return count;
}

TEST(LaneCopy, IsThereOnceItIsWaitedFor) {
  EXPECT_EQ(seen(0), 32);
  EXPECT_LT(seen(1), 32);
}

std::string refusal(std::int64_t row, std::int64_t column) {
  matrix<float> x(6, 16, 0.0F);
  try {
    launch{"refused", {1}}.run([&](thread &self) {
      const auto xs = self.shared<float, 2>(at(1), 0, {4, 8});
      self.cp_async(at(2), window(x.view()).part(0, row, 4).part(1, column, 8), xs);
    });
  } catch (const tegula::error &refused) {
    return refused.what();
  }
  return "";
}

TEST(LaneCopy, BeginsWithAUnitOfTheArray) {
  EXPECT_EQ(refusal(0, 4), "");
  EXPECT_NE(
      refusal(0, 2).find("begins at element 2 of a row: it must begin at a multiple of 16 bytes, here of 4 elements"),
      std::string::npos);
  EXPECT_NE(refusal(-1, 0).find("begins at index -1 of axis 0: it cannot begin before the array"), std::string::npos);
}

TEST(LaneCopy, DoesNotOutliveItsTarget) {
  matrix<float> x(4, 4, 1.0F);
  std::string what;
  try {
    launch{"freed", {1}}.run([&](thread &self) {
      const auto xs = self.shared<float, 2>(at(1), 0, {4, 4});
      self.cp_async(at(2), window(x.view()), xs);
      self.free(at(3), 0);
    });
  } catch (const tegula::error &refused) {
    what = refused.what();
  }
  EXPECT_NE(what.find("so wait by cp_async_wait"), std::string::npos) << what;
}

} // namespace
} // namespace explicit_level
