/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls the functions of c-abi.cpp from C, on the CPU.
 */
#include "kernels.c.h"

#include <stdio.h>
#include <string.h>

/* A dense tensor. */
static DLTensor tensor(void *data, uint8_t code, uint8_t bits, int32_t ndim, int64_t *shape) {
  DLTensor result;
  memset(&result, 0, sizeof result);
  result.data = data;
  result.device.device_type = kDLCPU;
  result.ndim = ndim;
  result.dtype.code = code;
  result.dtype.bits = bits;
  result.dtype.lanes = 1;
  result.shape = shape;
  return result;
}

static int failures = 0;

static void expect(int status) {
  if (status != TEGULA_SUCCESS) {
    printf("failed: %s\n", kernels_last_error());
    ++failures;
  }
}
static void expect_error(int status, DLManagedTensorVersioned *const *result) {
  if (status != TEGULA_ERROR || *result != NULL)
    ++failures;
  printf("error: %s\n", kernels_last_error());
}

static float at(const DLManagedTensorVersioned *result, int i) { return ((const float *)result->dl_tensor.data)[i]; }

int main(void) {
  float x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 1, 1}, shift[2] = {5, 10};
  uint8_t bytes[4] = {1, 2, 3, 4};
  uint16_t halves[4] = {0};
  double one[1] = {1}, square[4] = {0};
  int64_t four[1] = {4}, two[1] = {2}, single[1] = {1}, twice[2] = {2, 2}, backwards[1] = {-1};
  DLTensor tx = tensor(x, kDLFloat, 32, 1, four), ty = tensor(y, kDLFloat, 32, 1, four);
  DLTensor matrix = tensor(x, kDLFloat, 32, 2, twice), shifts = tensor(shift, kDLFloat, 32, 1, two);
  DLTensor tbytes = tensor(bytes, kDLUInt, 8, 1, four), thalves = tensor(halves, kDLFloat, 16, 1, four);
  DLTensor tone = tensor(one, kDLFloat, 64, 1, single), tsquare = tensor(square, kDLFloat, 64, 2, twice);
  DLManagedTensorVersioned *result = NULL, *sum = NULL, *greatest = NULL;
  DLManagedTensor *old;
  DLDevice cpu;
  int32_t rows = 0;
  float half = 0;
  int i;

  expect(kernels_negate(&tx, NULL, &result));
  printf("negate: %g %g %g %g\n", (double)at(result, 0), (double)at(result, 1), (double)at(result, 2),
         (double)at(result, 3));
  result->deleter(result);
  expect(kernels_negate(&tx, NULL, NULL)); /* Nobody wants it. */

  expect(kernels_both(&matrix, NULL, NULL, &sum, &greatest, &rows));
  expect(kernels_update(&tx, &ty, 5, 0.5F, true, -3, 6, 0.5F, UINT64_MAX, NULL));
  printf("update: %g %g %g %g\n", (double)x[0], (double)x[1], (double)x[2], (double)x[3]);
  printf("sums: %g %g, greatest: %g %g, rows: %d\n", (double)at(sum, 0), (double)at(sum, 1), (double)at(greatest, 0),
         (double)at(greatest, 1), (int)rows);
  sum->deleter(sum);
  greatest->deleter(greatest);
  for (i = 0; i < 4; ++i)
    x[i] = (float)(i + 1);
  expect(kernels_both(&matrix, &shifts, NULL, &sum, NULL, NULL));
  printf("with shift: %g %g\n", (double)at(sum, 0), (double)at(sum, 1));
  sum->deleter(sum);

  expect(kernels_inner_negate(&tbytes, NULL, &result));
  printf("negate of bytes: %d %d %d %d\n", ((uint8_t *)result->dl_tensor.data)[0],
         ((uint8_t *)result->dl_tensor.data)[1], ((uint8_t *)result->dl_tensor.data)[2],
         ((uint8_t *)result->dl_tensor.data)[3]);
  result->deleter(result);
  expect(kernels_inner_negate_x_by(&tone, 0.5, NULL, &result));
  old = kernels_unversioned(result); /* It takes the result's place. */
  printf("negate by: %g\n", *(double *)old->dl_tensor.data);
  old->deleter(old);

  expect(kernels_half(&thalves, NULL, &half));
  printf("half: %g\n", (double)half);
  {
    DLTensor first = tensor(x, kDLFloat, 32, 1, two), second = tensor(x + 2, kDLFloat, 32, 1, two);
    DLTensor ones = tensor(y, kDLFloat, 32, 1, two), zeros = tensor(square, kDLFloat, 32, 1, two);
    DLTensor *p[2];
    const DLTensor *g[2];
    p[0] = &first;
    p[1] = &second;
    g[0] = &ones;
    g[1] = &zeros;
    expect(kernels_step(p, 2, g, 2, 0.5F, NULL));
    printf("step: %g %g and %g %g\n", (double)x[0], (double)x[1], (double)x[2], (double)x[3]);
  }
  cpu.device_type = kDLCPU;
  cpu.device_id = 0;
  expect(kernels_nibbles(6, cpu, NULL, &result));
  printf("nibbles:");
  for (i = 0; i < 3; ++i)
    printf(" %x", ((uint8_t *)result->dl_tensor.data)[i]);
  printf("\n");
  result->deleter(result);
  expect(kernels_synchronize(cpu, NULL));

  tx.strides = backwards;
  expect_error(kernels_negate(&tx, NULL, &result), &result);
  expect_error(kernels_both(&tsquare, NULL, NULL, &sum, &greatest, NULL), &sum);
  expect_error(kernels_negate(NULL, NULL, &result), &result);
  printf("signatures: %s", kernels_signatures());
  return failures;
}
