// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code inside a stub.
#pragma once

#include "stub/Names.h"
#include "stub/Stub.h"
#include "stub/Writer.h"

namespace tegula::stub {

/// Declares the images as arrays, PTX as text, and `images`, the abi::image_set of them all.
void printImages(Writer &out, llvm::ArrayRef<Image> images, const std::string &setName, Names &names);

} // namespace tegula::stub
