// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{'tile.kernel' op names a class of architectures that is not known: '9.1'}}
tile.kernel @of_an_unknown_class() attributes {threads = 32 : i64, group = 32 : i64, classes = ["9.0a", "9.1"]} {
  tile.return
}

// -----

tile.entry @asks() attributes {qualified_name = "asks"} {
  // expected-error@+1 {{'tile.is_class' op names a class of architectures that is not known: 'sm_90a'}}
  %0 = tile.is_class ["sm_90a"]
  tile.return
}
