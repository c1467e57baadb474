// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASLt, loaded at run time where the machine has it: the peer of the matmul benchmark. What is declared here is
// what that takes of its C interface (cuBLAS library, "Using the cuBLASLt API").
#pragma once

#include <tegula/types.h>

#include <dlfcn.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchmark {

/// D = A B for row-major matrices, or A or B stored transposed; summed in f32, of f32 as tf32, or in s32.
class cublas_lt {
public:
  enum element : int { f32 = 0, f16 = 2, s8 = 3, s32 = 10, bf16 = 14, e4m3 = 28, e5m2 = 29 }; // cudaDataType_t

  struct problem {
    std::int64_t m, n, k;
    element operands, result;
    bool a_is_transposed = false, b_is_transposed = false;
    /// Of B, if they are not those of A.
    std::optional<element> right = {};
    /// A row of N results that is added to each of D; not C, which run() takes.
    const void *bias = nullptr;
  };

  /// One way to compute a problem, as a heuristic proposes it.
  struct algorithm {
    std::uint64_t words[8];
    std::size_t workspace_bytes;
    int state;
    float waves;
    int reserved[4];
  };

  /// A problem with its descriptors.
  class plan {
  public:
    plan(const cublas_lt &library, const problem &what) : library_(&library), is_integer_(what.operands == s8) {
      // The library thinks in columns: it computes D^T = B^T A^T.
      const int unit = is_integer_            ? /*CUBLAS_COMPUTE_32I*/ 72
                       : what.operands == f32 ? /*CUBLAS_COMPUTE_32F_FAST_TF32*/ 77
                                              : /*CUBLAS_COMPUTE_32F*/ 68;
      library.check(library.create_operation_(&operation_, unit, is_integer_ ? s32 : f32), "MatmulDescCreate");
      const auto layout = [&](void *&handle, element type, std::int64_t rows, std::int64_t columns) {
        library.check(library.create_layout_(&handle, type, static_cast<std::uint64_t>(rows),
                                             static_cast<std::uint64_t>(columns), rows),
                      "MatrixLayoutCreate");
      };
      const auto transpose = [&](int which, bool is_transposed) {
        const std::int32_t flag = is_transposed ? 1 : 0;
        library.check(library.set_operation_(operation_, which, &flag, sizeof flag), "MatmulDescSetAttribute");
      };
      transpose(/*CUBLASLT_MATMUL_DESC_TRANSA*/ 3, what.b_is_transposed);
      transpose(/*CUBLASLT_MATMUL_DESC_TRANSB*/ 4, what.a_is_transposed);
      const element right = what.right.value_or(what.operands);
      what.b_is_transposed ? layout(b_, right, what.k, what.n) : layout(b_, right, what.n, what.k);
      what.a_is_transposed ? layout(a_, what.operands, what.m, what.k) : layout(a_, what.operands, what.k, what.m);
      layout(d_, what.result, what.n, what.m);
      if (what.bias != nullptr) {
        const std::int32_t adds = /*CUBLASLT_EPILOGUE_BIAS*/ 4;
        library.check(library.set_operation_(operation_, /*EPILOGUE*/ 7, &adds, sizeof adds), "MatmulDescSetAttribute");
        library.check(library.set_operation_(operation_, /*BIAS_POINTER*/ 8, &what.bias, sizeof what.bias),
                      "MatmulDescSetAttribute");
      }
    }

    /// The ways that the library proposes, the likely best first.
    std::vector<algorithm> algorithms(std::size_t workspace_bytes) const {
      void *preference = nullptr;
      library_->check(library_->create_preference_(&preference), "MatmulPreferenceCreate");
      library_->check(
          library_->set_preference_(preference, /*MAX_WORKSPACE_BYTES*/ 1, &workspace_bytes, sizeof workspace_bytes),
          "MatmulPreferenceSetAttribute");
      std::vector<algorithm> found(16);
      int count = 0;
      library_->check(library_->heuristics_(library_->handle_, operation_, b_, a_, d_, d_, preference,
                                            static_cast<int>(found.size()), found.data(), &count),
                      "MatmulAlgoGetHeuristic");
      found.resize(static_cast<std::size_t>(count));
      return found;
    }

    /// D = A B, or A B + C.
    void run(const void *a, const void *b, void *d, const algorithm &how, void *workspace,
             const void *c = nullptr) const {
      const float real_one = 1, zero = 0; // An integer of 0 has the same bits.
      const std::int32_t integer_one = 1;
      const void *one = is_integer_ ? static_cast<const void *>(&integer_one) : &real_one;
      library_->check(library_->matmul_(library_->handle_, operation_, one, b, b_, a, a_, c != nullptr ? one : &zero,
                                        c != nullptr ? c : d, d_, d, d_, &how, workspace, how.workspace_bytes, nullptr),
                      "Matmul");
    }

  private:
    const cublas_lt *library_;
    bool is_integer_;
    void *operation_ = nullptr, *a_ = nullptr, *b_ = nullptr, *d_ = nullptr;
  };

  /// Throws, saying what is missing, where there is no cuBLASLt.
  cublas_lt() {
    for (const char *name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
                             "/usr/local/cuda/lib64/libcublasLt.so.13", "/usr/local/cuda/lib64/libcublasLt.so"})
      if ((library_ = dlopen(name, RTLD_NOW)) != nullptr)
        break;
    if (library_ == nullptr)
      throw std::runtime_error("cuBLASLt was not found: set LD_LIBRARY_PATH to where libcublasLt.so is");
    load(create_, "cublasLtCreate");
    load(create_operation_, "cublasLtMatmulDescCreate");
    load(set_operation_, "cublasLtMatmulDescSetAttribute");
    load(create_layout_, "cublasLtMatrixLayoutCreate");
    load(create_preference_, "cublasLtMatmulPreferenceCreate");
    load(set_preference_, "cublasLtMatmulPreferenceSetAttribute");
    load(heuristics_, "cublasLtMatmulAlgoGetHeuristic");
    load(matmul_, "cublasLtMatmul");
    check(create_(&handle_), "Create");
  }

private:
  template <class F> void load(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (function == nullptr)
      throw std::runtime_error(std::string("cuBLASLt has no function ") + name);
  }
  void check(int status, const char *what) const {
    if (status != 0)
      throw std::runtime_error(std::string("cublasLt") + what + " failed with status " + std::to_string(status));
  }

  void *library_ = nullptr, *handle_ = nullptr;
  int (*create_)(void **) = nullptr;
  int (*create_operation_)(void **, int, int) = nullptr;
  int (*set_operation_)(void *, int, const void *, std::size_t) = nullptr;
  int (*create_layout_)(void **, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
  int (*create_preference_)(void **) = nullptr;
  int (*set_preference_)(void *, int, const void *, std::size_t) = nullptr;
  int (*heuristics_)(void *, void *, void *, void *, void *, void *, void *, int, algorithm *, int *) = nullptr;
  int (*matmul_)(void *, void *, const void *, const void *, void *, const void *, void *, const void *, const void *,
                 void *, void *, void *, const algorithm *, void *, std::size_t, void *) = nullptr;
};

} // namespace benchmark
