// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

#include <stdexcept>

namespace {

using sample::wide;
using tegula::array;
using tegula::buffer;

struct shape {
  std::int64_t tokens, heads, columns;
};

/// Cosines and sines of the angles that are usual: token / 10000^(2 i / d) of pair i.
struct angles {
  buffer<float, 2> cosine, sine;

  static angles make(const shape &shape) {
    angles result{buffer<float, 2>::empty({shape.tokens, shape.columns / 2}),
                  buffer<float, 2>::empty({shape.tokens, shape.columns / 2})};
    for (std::int64_t t = 0; t < shape.tokens; ++t)
      for (std::int64_t i = 0; i < shape.columns / 2; ++i) {
        const double angle = static_cast<double>(t) *
                             std::pow(10000.0, -2.0 * static_cast<double>(i) / static_cast<double>(shape.columns));
        result.cosine(t, i) = static_cast<float>(std::cos(angle));
        result.sine(t, i) = static_cast<float>(std::sin(angle));
      }
    return result;
  }
  angles to(sample::device where) const { return {cosine.to(where), sine.to(where)}; }
};

/// Rotates x, and the result back; gives the seconds that took.
template <class T> struct rotation {
  const char *name;
  bool are_neighbours;
  double (*run)(sample::device where, const buffer<T, 3> &x, const angles &angles, buffer<T, 3> &y, buffer<T, 3> &back);
};

// The kernels' results have other shapes than (tokens, heads, d), and the same elements.
template <class T, int Rank> buffer<T, 3> as_heads(const buffer<T, Rank> &y, const tegula::shape<3> &dims) {
  return tegula::to(array<const T, 3>(y.data(), dims, y.device()), y.device());
}
template <class T>
double run_halves(sample::device where, const buffer<T, 3> &x, const angles &angles, buffer<T, 3> &y,
                  buffer<T, 3> &back) {
  const tegula::shape<4> dims{x.dim(0), x.dim(1), 2, x.dim(2) / 2};
  buffer<T, 4> rotated, rotated_back;
  const double seconds = sample::seconds(where, [&] {
    rotated = rotate_halves(array<const T, 4>(x.data(), dims, x.device()), angles.cosine, angles.sine);
    rotated_back = rotate_halves(rotated, angles.cosine, angles.sine, true);
  });
  y = as_heads(rotated, x.dims());
  back = as_heads(rotated_back, x.dims());
  return seconds;
}

buffer<std::uint64_t, 3> rotate_words(const array<const std::uint64_t, 3> &x, const angles &angles, bool is_inverse) {
  return rotate_neighbours_f32(x, angles.cosine, angles.sine, is_inverse);
}
buffer<std::uint32_t, 3> rotate_words(const array<const std::uint32_t, 3> &x, const angles &angles, bool is_inverse) {
  return rotate_neighbours_bf16(x, angles.cosine, angles.sine, is_inverse);
}
template <class T>
double run_neighbours(sample::device where, const buffer<T, 3> &x, const angles &angles, buffer<T, 3> &y,
                      buffer<T, 3> &back) {
  using word = std::conditional_t<sizeof(T) == 2, std::uint32_t, std::uint64_t>;
  const tegula::shape<3> dims{x.dim(0), x.dim(1), x.dim(2) / 2};
  const auto pairs_of = [&](const T *data) {
    return array<const word, 3>(static_cast<const word *>(static_cast<const void *>(data)), dims, x.device());
  };
  const auto heads_of = [&](const buffer<word, 3> &words) {
    const auto *data = static_cast<const T *>(static_cast<const void *>(words.data()));
    return tegula::to(array<const T, 3>(data, x.dims(), x.device()), x.device());
  };
  buffer<word, 3> rotated, rotated_back;
  const double seconds = sample::seconds(where, [&] {
    rotated = rotate_words(pairs_of(x.data()), angles, false);
    rotated_back = rotate_words(rotated, angles, true);
  });
  y = heads_of(rotated);
  back = heads_of(rotated_back);
  return seconds;
}

template <class T>
bool check(const rotation<T> &rotation, const shape &shape, sample::device where, sample::random &random) {
  const auto x = sample::random_array<T, 3>({shape.tokens, shape.heads, shape.columns}, random, 2);
  const angles angles = angles::make(shape);
  const auto x_there = x.to(where);
  const auto angles_there = angles.to(where);
  buffer<T, 3> y_there, back_there;
  const double seconds = rotation.run(where, x_there, angles_there, y_there, back_there);
  const auto y = y_there.to_host(), back = back_there.to_host();
  // A rotation rounds once, and may cancel.
  constexpr double error = 4e-7;
  sample::comparison compare;
  const std::int64_t half = shape.columns / 2;
  for (std::int64_t t = 0; t < shape.tokens; ++t)
    for (std::int64_t h = 0; h < shape.heads; ++h)
      for (std::int64_t i = 0; i < half; ++i) {
        const std::int64_t first = rotation.are_neighbours ? 2 * i : i;
        const std::int64_t second = rotation.are_neighbours ? 2 * i + 1 : i + half;
        const double a = wide(x(t, h, first)), b = wide(x(t, h, second));
        const double c = wide(angles.cosine(t, i)), s = wide(angles.sine(t, i));
        const double re = a * c - b * s, im = b * c + a * s, length = std::hypot(a, b);
        compare(y(t, h, first), re, error * length + sample::rounding<T> * std::abs(re));
        compare(y(t, h, second), im, error * length + sample::rounding<T> * std::abs(im));
        // There and back, with two roundings.
        const double tolerance = (2 * error + 3 * sample::rounding<T>)*length;
        compare(back(t, h, first), a, tolerance);
        compare(back(t, h, second), b, tolerance);
      }
  return sample::report(rotation.name + (" " + sample::shape_name<T>(shape.tokens * shape.heads, shape.columns)), where,
                        seconds, "rotated against float64, and back", compare.wrong, sample::bytes(x, y, y, back));
}

template <class T> bool check_all(const shape &shape, sample::device where, sample::random &random) {
  if (shape.columns % 2 != 0)
    throw std::invalid_argument("the columns of a head come in pairs: an even number of them");
  return check<T>({"halves", false, run_halves<T>}, shape, where, random) &
         check<T>({"neighbours", true, run_neighbours<T>}, shape, where, random);
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(10);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"tokens", "heads", "columns"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][3] = {{1, 1, 2},    {7, 3, 30},  {129, 5, 64},  {33, 8, 128},
                                            {5, 13, 256}, {3, 9, 270}, {17, 32, 128}, {2, 64, 250}};
      for (const auto &[tokens, heads, columns] : options.cases(shapes)) {
        passed &= check_all<float>({tokens, heads, columns}, where, random);
        passed &= check_all<tegula::bf16>({tokens, heads, columns}, where, random);
      }
    }
    return passed;
  });
}
