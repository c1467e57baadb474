// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The samples' kernels over rows of bf16 against a device copy: each moves about as many bytes as the copy, in as many
// rows as that takes. Needs a GPU.
//
//   rows-benchmark [MiB=N] [COLUMNS...] [NAMES...]    what each call moves (1024), numbers of columns, and kernels
//                                                     by parts of their names

#include "bandwidth.h"
#include "row_kernels.h"

#include <cstdlib>

namespace {

using namespace benchmark;

std::int64_t bytes_moved = std::int64_t{1024} << 20;

/// Arrays of random numbers on the GPU, of which kernels get views: to generate an array for each would take longer
/// than to measure.
class inputs {
public:
  /// Those of a call begin one behind the other.
  void begin() { used_ = 0; }
  template <int Rank> array<const bf16, Rank> next(const shape<Rank> &dims) {
    const array<const bf16, Rank> view(numbers_.data() + used_, dims, device::gpu(0));
    used_ += (view.size() + 63) / 64 * 64;
    return view;
  }
  template <int Rank> array<const float, Rank> floats(const shape<Rank> &dims) const {
    return array<const float, Rank>(floats_.data(), dims, device::gpu(0));
  }
  array<const std::int32_t, 1> labels(std::int64_t rows) const {
    return array<const std::int32_t, 1>(labels_.data(), {rows}, device::gpu(0));
  }

private:
  buffer<std::int32_t, 1> random_labels() const {
    auto labels = buffer<std::int32_t, 1>::empty({most_rows}, device::cpu());
    std::minstd_rand bits(3);
    for (std::int64_t i = 0; i < most_rows; ++i)
      labels.data()[i] = static_cast<std::int32_t>(bits() % 1000); // A word of every vocabulary.
    return labels.to(device::gpu(0));
  }

  std::int64_t most_rows = bytes_moved / 2 / 1000 + 1;
  buffer<bf16, 1> numbers_ = random_array<bf16, 1>({bytes_moved / 2});
  buffer<float, 1> floats_ = random_array<float, 1>({most_rows * 64}, 0.5F);
  buffer<std::int32_t, 1> labels_ = random_labels();
  std::int64_t used_ = 0;
};

/// How many rows of so many elements a kernel takes that moves `each` bytes for each element.
std::int64_t rows_of(std::int64_t columns, std::int64_t each) { return bytes_moved / (columns * each); }

/// A kernel over rows x columns, and the bytes that it moves for each element, and beside them for each row.
work make(const char *name, std::int64_t columns, std::int64_t each, std::int64_t of_row, std::function<void()> run) {
  const auto rows = static_cast<double>(rows_of(columns, each));
  return {name, rows * static_cast<double>(columns * each + of_row), std::move(run), {}};
}

work copy(inputs &in) {
  in.begin();
  const auto x = in.next<1>({bytes_moved / 4});
  return {"copy", static_cast<double>(bytes_moved), [=] { (void)to(x, device::gpu(0)); }, {}};
}

void add_cross_entropy(std::vector<work> &works, inputs &in, std::int64_t columns) {
  const auto matrix = [&](std::int64_t each) {
    in.begin();
    return in.next<2>({rows_of(columns, each), columns});
  };
  const auto of_two = matrix(2), of_four = matrix(4);
  const auto labels = in.labels(of_two.dim(0)), few_labels = in.labels(of_four.dim(0));
  const auto lse = in.floats<1>({of_four.dim(0)});
  works.push_back(make("softmax", columns, 4, 0, [=] { (void)softmaxes::softmax_bf16(of_four); }));
  works.push_back(make("log_softmax", columns, 4, 0, [=] { (void)cross_entropies::log_softmax(of_four); }));
  works.push_back(make("cross_entropy", columns, 2, 12, [=] { (void)cross_entropies::cross_entropy(of_two, labels); }));
  works.push_back(make("cross_entropy_backward", columns, 4, 12,
                       [=] { (void)cross_entropies::cross_entropy_backward(of_four, few_labels, lse, lse); }));
}

void add_norms(std::vector<work> &works, inputs &in, std::int64_t columns) {
  in.begin();
  const auto weight = in.next<1>({columns}), bias = in.next<1>({columns});
  const auto add = [&](const char *name, std::int64_t each, std::int64_t of_row, auto call) {
    in.begin();
    const shape<2> dims{rows_of(columns, each), columns};
    const auto x = in.next<2>(dims), y = in.next<2>(dims);
    const auto numbers = in.floats<1>({dims[0]});
    works.push_back(make(name, columns, each, of_row, [=] { (void)call(x, y, weight, bias, numbers); }));
  };
  constexpr float epsilon = 1e-5F;
  add("rmsnorm", 4, 4, [](auto x, auto, auto weight, auto, auto) { return norms::rmsnorm(x, weight, epsilon); });
  add("add_rmsnorm", 8, 4,
      [](auto x, auto y, auto weight, auto, auto) { return norms::add_rmsnorm(x, y, weight, epsilon); });
  add("layernorm", 4, 8,
      [](auto x, auto, auto weight, auto bias, auto) { return norms::layernorm(x, weight, bias, epsilon); });
  add("add_layernorm", 8, 8,
      [](auto x, auto y, auto weight, auto bias, auto) { return norms::add_layernorm(x, y, weight, bias, epsilon); });
  add("rmsnorm_backward", 6, 4, [](auto x, auto y, auto weight, auto, auto rstd) {
    return norms_backward::rmsnorm_backward(y, x, weight, rstd);
  });
  add("layernorm_backward", 6, 8, [](auto x, auto y, auto weight, auto, auto numbers) {
    return norms_backward::layernorm_backward(y, x, weight, numbers, numbers);
  });
  add("rmsnorm_gradient", 4, 4,
      [](auto x, auto y, auto, auto, auto rstd) { return norms_backward::rmsnorm_gradient(y, x, rstd); });
  add("layernorm_gradients", 4, 8, [](auto x, auto y, auto, auto, auto numbers) {
    return norms_backward::layernorm_gradients(y, x, numbers, numbers);
  });
}

/// Heads of 128 columns: a token is a row.
void add_rotations(std::vector<work> &works, inputs &in, std::int64_t columns) {
  constexpr std::int64_t pairs = 64;
  if (columns % (2 * pairs) != 0)
    return;
  in.begin();
  const std::int64_t tokens = rows_of(columns, 4), heads = columns / (2 * pairs);
  const auto x = in.next<4>({tokens, heads, 2, pairs});
  const array<const std::uint32_t, 3> words(static_cast<const std::uint32_t *>(static_cast<const void *>(x.data())),
                                            {tokens, heads, pairs}, x.device());
  const auto angles = in.floats<2>({tokens, pairs});
  constexpr std::int64_t of_row = 2 * 4 * pairs;
  works.push_back(
      make("rotate_halves", columns, 4, of_row, [=] { (void)rotations::rotate_halves(x, angles, angles); }));
  works.push_back(make("rotate_neighbours", columns, 4, of_row,
                       [=] { (void)rotations::rotate_neighbours_bf16(words, angles, angles); }));
}

void add_elementwise(std::vector<work> &works, inputs &in, std::int64_t columns) {
  in.begin();
  const auto x = in.next<1>({rows_of(columns, 4) * columns});
  works.push_back(make("dropout", columns, 4, 0, [=] { (void)dropouts::dropout(x, 0.1F, 7); }));
  in.begin();
  const auto halves = in.next<3>({rows_of(columns, 6), 2, columns});
  works.push_back(make("swiglu", columns, 6, 0, [=] { (void)gates::swiglu(halves); }));
  works.push_back(make("geglu", columns, 6, 0, [=] { (void)gates::geglu(halves); }));
  in.begin();
  const std::int64_t rows = rows_of(columns, 10);
  const auto few_halves = in.next<3>({rows, 2, columns});
  const auto dy = in.next<2>({rows, columns});
  works.push_back(make("swiglu_backward", columns, 10, 0, [=] { (void)gates::swiglu_backward(dy, few_halves); }));
  works.push_back(make("geglu_backward", columns, 10, 0, [=] { (void)gates::geglu_backward(dy, few_halves); }));
}

/// All kernels over rows of so many columns, or those that have one of these names in theirs.
void race_rows(inputs &in, std::int64_t columns, const std::vector<std::string> &names) {
  std::vector<work> works;
  add_cross_entropy(works, in, columns);
  if (columns <= 65536) {
    add_norms(works, in, columns);
    add_rotations(works, in, columns);
    add_elementwise(works, in, columns);
  }
  const auto is_unasked = [&](const work &w) {
    return !names.empty() && std::none_of(names.begin(), names.end(), [&](const std::string &name) {
      return w.name.find(name) != std::string::npos;
    });
  };
  works.erase(std::remove_if(works.begin(), works.end(), is_unasked), works.end());
  works.insert(works.begin(), copy(in));
  race(("rows of " + std::to_string(columns)).c_str(), std::move(works));
}

} // namespace

int main(int count, char **arguments) {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::vector<std::int64_t> columns;
  std::vector<std::string> names;
  for (const std::string &argument : std::vector<std::string>(arguments + 1, arguments + count))
    if (argument.rfind("MiB=", 0) == 0)
      bytes_moved = std::atoll(argument.c_str() + 4) << 20;
    else if (const std::int64_t number = std::atoll(argument.c_str()); number > 0)
      columns.push_back(number);
    else
      names.push_back(argument);
  if (columns.empty())
    columns = {1024, 1000, 4096, 8192, 65536, 131072};
  std::printf("Rows of bf16 on %s: medians, interleaved\n", device_name(device::gpu(0)).c_str());
  inputs in;
  for (const std::int64_t each : columns)
    race_rows(in, each, names);
}
