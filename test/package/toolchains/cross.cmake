# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CMake then takes this for another machine than the one it builds on, whose programs run here all the same.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
