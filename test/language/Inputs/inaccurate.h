// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In units of the last place of f32; f64:
//   sqrt                          1/2 (correctly rounded)
//   exp                           1; 2           gamma                       4; 4
