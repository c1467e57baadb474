// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "environment.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using tegula::runtime::number_in_environment;

constexpr char name[] = "TEGULA_TEST_NUMBER";

std::string refusal(const char *text, std::uint64_t most) {
  setenv(name, text, 1);
  try {
    (void)number_in_environment(name, most);
  } catch (const tegula::error &error) {
    return error.what();
  }
  return "";
}

TEST(Environment, ReadsNumbers) {
  unsetenv(name);
  EXPECT_EQ(number_in_environment(name), 0);
  setenv(name, "", 1);
  EXPECT_EQ(number_in_environment(name), 0);
  setenv(name, "18446744073709551615", 1);
  EXPECT_EQ(number_in_environment(name), UINT64_MAX);
  setenv(name, "1", 1);
  EXPECT_EQ(number_in_environment(name, 1), 1);
}

TEST(Environment, RefusesWhatIsNoNumber) {
  EXPECT_EQ(refusal("yes", 1), "the environment variable TEGULA_TEST_NUMBER is 'yes': it takes a number from 0 to 1; "
                               "unset it, or correct it");
  for (const char *text : {"-1", "+1", " 1", "1 ", "1x", "0x1", "18446744073709551616"})
    EXPECT_NE(refusal(text, UINT64_MAX), "") << text;
  EXPECT_NE(refusal("2", 1), "");
}

} // namespace
