// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ on numbers, with control flow and objects of every kind: a kernel and the host compiler run it alike.
#pragma once
struct Acc {
  long s = 0;
  int n;
  Acc(int k) : n(k) {
    if (k < 0)
      n = -k;
    s += n;
  }
  Acc &add(int v) {
    s = s * 31 + v;
    ++n;
    return *this;
  }
  long get() const { return s ^ n; }
};
struct Range {
  int lo, hi;
  bool has(int v) const { return lo <= v && v < hi; }
  Range shrink(int by) const {
    Range r = *this;
    r.lo += by;
    r.hi -= by;
    if (r.lo > r.hi)
      return {0, 0};
    return r;
  }
};
struct Both : Range {
  unsigned char tag;
};
inline int collatz(long v, int limit) {
  int steps = 0;
  while (v > 1) {
    if (steps == limit)
      return -steps;
    v = v % 2 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  return steps;
}
inline int nested(int a, int b) {
  int r = 0;
  for (int i = 0; i < a; ++i) {
    if (i == 3)
      continue;
    for (int j = i;; j += 2) {
      if (j > b)
        break;
      if ((i ^ j) == 5) {
        r += 100;
        if (r > 700)
          return r;
        continue;
      }
      int k = 0;
      do {
        if (k * j > 20)
          break;
        k++;
        if (k == 2 && i == 4)
          continue;
        r += k;
      } while (k < j % 4);
      if (r % 13 == 7) {
        r -= 3;
        break;
      }
    }
    if (r > 400 && a % 2) {
      r = -r;
      break;
    }
  }
  return r + a;
}
inline bool prime(int n) {
  if (n < 2)
    return false;
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0)
      return false;
  return true;
}
inline Range pick(bool c, Range a, const Range &b) {
  if (c) {
    a.lo -= 1;
    return a;
  } else if (a.has(b.lo))
    return b;
  a = b;
  a.hi *= 2;
  return a;
}
template <class F> int times(int n, F f) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    int v = f(i);
    if (v < 0)
      break;
    s += v;
  }
  return s;
}
inline long compute(int x, int n, bool flag, unsigned char u, short w) {
  long r = collatz(x & 1023, 50) + 7L * nested(n & 15, x & 31);
  Acc acc(x);
  for (int i = 0; i < (n & 7); ++i) {
    if (prime(i + (x & 63)))
      acc.add(i).add(x);
    else if (flag) {
      acc.add(-i);
    }
  }
  Range p = pick(flag, {x & 7, 9}, {n & 3, 4}), q = p.shrink(1);
  Both both{{1, 2}, u};
  both.tag += 200;
  both.lo = both.tag;
  int calls = 0;
  int t = times(n & 15, [&](int i) {
    ++calls;
    if (i == 9)
      return -1;
    return q.has(i) ? i * i : (flag || prime(i)) && i > 2 ? 3 : 1;
  });
  u = u * 2 + w;
  w >>= 2;
  unsigned v = w;
  v /= 3u;
  v = v << (x & 7);
  int sh = -x >> 1;
  int arr[4] = {x, n, calls, t};
  for (auto &e : arr) {
    e -= arr[0] / 2;
  }
  auto [a, b, c, d] = arr;
  auto &[e0, e1, e2, e3] = arr;
  e2 += a;
  int m = x;
  if (int z = n - x; z > 3)
    m = z;
  else if (flag && z < -5) {
    m = -z;
    if (m % 2)
      m++;
  } else {
    while (m > 100)
      m /= 3;
  }
  r += acc.get() * 3 + p.lo + 5 * p.hi + q.lo + both.lo + t + calls + u + w + v + sh + a + b * 2 + c * 3 + d * 5 +
       arr[2] + m;
  float f = x * 0.37f;
  double g = f;
  g = g / 3 + n;
  f -= static_cast<int>(g);
  bool nz = f;
  r += static_cast<long>(f * 4) + nz + (f < g) + !flag;
  int loops = 0;
  for (int i = 10, j = 0; i > j; i -= (flag ? 1 : 2), ++j) {
    if (j == 2 && n & 1)
      continue;
    loops += i * j;
  }
  r += loops;
  for (;;) {
    if (r > 1000000) {
      r /= 7;
      continue;
    }
    if (r < -100000) {
      r = -r;
      break;
    }
    break;
  }
  return flag ? r : r - x;
}
