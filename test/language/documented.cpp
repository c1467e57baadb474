// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function and type of the language's headers has a comment, every function's comment, or its header's, tells its cost, a comment that
// several functions share names each of them, and each header stands in include/tegula/README.md's table.
// RUN: %python %S/documented.py %source | FileCheck %s
// CHECK: {{[0-9]+}} functions, 0 complaints
// What the script finds, of a header that lacks each.
// RUN: not %python %S/documented.py %source %S/Inputs/undocumented.h | FileCheck %s --check-prefix=FOUND
// FOUND: undocumented.h:12: bare has no comment
// FOUND-NEXT: undocumented.h:15: costless has no line `Cost: ...`, nor has its header's comment
// FOUND-NEXT: undocumented.h:26: third shares the comment of second, which does not name it: name it there, or write another comment
// FOUND-NEXT: undocumented.h:28: options has no comment
// FOUND-NEXT: undocumented.h:31: options::method has no comment
// FOUND-NEXT: undocumented.h: is missing in include/tegula/README.md's table
// FOUND-NEXT: 5 functions, 6 complaints
