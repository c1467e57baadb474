// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

int failures = 0;

template <class Call> std::string message_of(Call &&call) {
  try {
    call();
  } catch (const tegula::error &e) {
    return e.what();
  }
  return "(nothing)";
}

template <class Call> void expect(const std::string &wanted, Call &&call) {
  const std::string said = message_of(call);
  if (said.find(wanted) == std::string::npos) {
    std::cerr << "expected '" << wanted << "', got '" << said << "'\n";
    ++failures;
  }
}

void expect_refusal(int which, const std::string &why, std::int64_t a, std::int64_t b, int narrow = 0) {
  const auto call = [&] { (void)scalars(which, a, b, narrow); };
  expect("scalars (host-overflow.cpp:", call);
  expect(why, call);
}

void expect_value(int which, std::int64_t wanted, std::int64_t a, std::int64_t b, int narrow = 0) {
  const std::string said = message_of([&] {
    const std::int64_t value = scalars(which, a, b, narrow);
    if (value != wanted)
      throw tegula::error("it is " + std::to_string(value));
  });
  if (said != "(nothing)") {
    std::cerr << "scalars " << which << " of " << a << ", " << b << ", " << narrow << ": " << said << '\n';
    ++failures;
  }
}

} // namespace

int main() {
  constexpr std::int64_t least = INT64_MIN, most = INT64_MAX;
  std::vector<float> data(1000, 1);
  const tegula::array<const float, 1> x(data.data(), {1000});
  const tegula::array<float, 1> o(data.data(), {1000});

  expect("window (host-overflow.cpp:11): 9223372036854775797 + 1000 does not fit into 64 bits",
         [&] { (void)window(x, most - 10, 1000); });
  expect("window: x is shorter", [&] { (void)window(x, 1, 1000); });
  expect("(nothing)", [&] { (void)window(x, 1, 999); });

  expect_refusal(0, "9223372036854775807 + 1 does not fit into 64 bits", most, 1);
  expect_value(0, most, most - 1, 1);
  expect_refusal(1, "-9223372036854775808 - 1 does not fit into 64 bits", least, 1);
  expect_refusal(2, "4294967296 * 2147483648 does not fit into 64 bits", std::int64_t{1} << 32, std::int64_t{1} << 31);
  expect_value(2, -(std::int64_t{1} << 62), std::int64_t{1} << 31, -(std::int64_t{1} << 31));
  expect_refusal(3, "0 - -9223372036854775808 does not fit into 64 bits", least, 0);
  expect_refusal(4, "4611686018427387904 << 1 does not fit into 64 bits", std::int64_t{1} << 62, 1);
  expect_refusal(4, "an integer of 64 bits can be shifted by 0 to 63, not by 64", 1, 64);
  expect_value(4, least, -1, 63);
  expect_refusal(5, "an integer of 64 bits can be shifted by 0 to 63, not by -1", 1, -1);
  expect_value(5, -1, least, 63);
  expect_refusal(6, "division by zero in host code", 1, 0);
  expect_refusal(6, "does not fit into 64 bits", least, -1);
  expect_value(6, most, -most, -1);
  expect_refusal(7, "division by zero in host code", 1, 0);
  expect_value(7, 0, least, -1);
  expect_refusal(8, "4294967294 does not fit into an integer of 32 bits", 0, 0, INT32_MAX);
  expect_value(8, INT32_MIN, 0, 0, INT32_MIN / 2);
  expect_refusal(9, "2147483648 does not fit into an integer of 32 bits", std::int64_t{1} << 31, 0);
  expect_value(9, INT32_MIN, INT32_MIN, 0);
  expect_refusal(10, "9.2233720368547758e+18 does not fit into an integer of 64 bits", std::int64_t{1} << 61, 0);
  expect_value(10, least, -(std::int64_t{1} << 61), 0);
  expect_refusal(11, "does not fit into 64 bits", 2, most);
  expect("tg::cdiv counts blocks of 1 or more elements, not of -4", [] { (void)scalars(11, 7, -4, 0); });
  expect("scalars: host-overflow.cpp:", [] { (void)scalars(11, 7, 0, 0); });
  expect_value(11, 3, 7, 3);
  expect_refusal(12, "2147483648 does not fit into an integer of 32 bits", 0, -1, INT32_MIN);
  expect_refusal(13, "2147483648 does not fit into an integer of 32 bits", 0, 0, INT32_MIN);
  expect_refusal(14, "4611686018427387904 * 2 does not fit into 64 bits", std::int64_t{1} << 61, 2);
  expect_value(14, std::int64_t{8} * 5, 5, 2);
  expect_value(20, 2, most, 0);
  expect_value(20, 1, 3, 0);
  expect_value(20, 3, 99, 0);

  const std::uint32_t a = 4000000000U;
  const std::uint64_t b = UINT64_MAX - 3;
  if (hash(a, b) != (a + 5) * 2654435761U + static_cast<std::uint32_t>(b * 0x9E3779B97F4A7C15U) - (a << 7)) {
    std::cerr << "hash differs\n";
    ++failures;
  }

  expect("tg::cdiv counts blocks of 1 or more elements, not of -4", [&] { grid(o, 100, -4); });
  expect("does not fit into 64 bits", [&] { grid(o, 100, most); });
  expect("grid (host-overflow.cpp:", [&] { grid(o, 100, most); });
  expect("(nothing)", [&] { grid(o, 0, 4); });
  expect("(nothing)", [&] { grid(o, 10, 4); });
  expect("the sizes of a grid must be 0 or more, not -1", [&] { programs(o, -1); });
  expect("(nothing)", [&] { programs(o, 0); });

  // More elements than sums of extents have room for: refused as they come.
  const tegula::array<const float, 2> wide(data.data(), {2, std::int64_t{1} << 56}, {0, 0});
  expect("plain: 'x' of shape (2, 72057594037927936) has more than 2^56 elements", [&] { (void)plain(wide, 1); });
  const tegula::array<const float, 2> empty(data.data(), {0, most}, {0, 0});
  expect("plain: 'x' of shape (0, 9223372036854775807) has more than 2^56 elements", [&] { (void)plain(empty, 1); });
  return failures == 0 ? 0 : 1;
}
