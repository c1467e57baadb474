// Every arithmetic op on scalars means in C++ what it means in the IR, at the ends of its range too.
// RUN: tegulac --emit=cpu %s -o %t.h
// RUN: %cxx -include %t.h %S/Inputs/scalars.cpp %link -o %t.gcc
// RUN: %t.gcc
// RUN: %clangxx -O1 -fsanitize=undefined -fno-sanitize-recover=all -include %t.h %S/Inputs/scalars.cpp %link -o %t.clang
// RUN: %t.clang
// RUN: FileCheck %s --input-file=%t.h
//
// Inputs/scalars.cpp runs it on many arguments and compares what it prints.

// CHECK: void scalars_0_cpu(std::int32_t a, std::int32_t b, float f)
tile.entry @scalars(%a0: i32 {tile.name = "a"}, %b0: i32 {tile.name = "b"}, %f0: f32 {tile.name = "f"})
    attributes {qualified_name = "scalars"} {
  tile.launch "scalars_0" grid() args(scalar %a = %a0 : i32, scalar %b = %b0 : i32, scalar %f = %f0 : f32) {
    %true = arith.constant true
    %c7 = arith.constant 7 : i32
    %c1 = arith.constant 1 : i64
    %wide = arith.extsi %a : i32 to i64
    %wide_b = arith.extui %b : i32 to i64
    %nonzero = arith.ori %wide_b, %c1 : i64
    %a8 = arith.trunci %a : i32 to i8
    %b8 = arith.trunci %b : i32 to i8
    %addi = arith.addi %a, %b : i32 loc("addi"(unknown))
    %subi = arith.subi %a, %b : i32 loc("subi"(unknown))
    %muli = arith.muli %a, %b : i32 loc("muli"(unknown))
    %divsi = arith.divsi %a, %b : i32 loc("divsi"(unknown))
    %remsi = arith.remsi %a, %b : i32 loc("remsi"(unknown))
    %divui = arith.divui %a, %b : i32 loc("divui"(unknown))
    %remui = arith.remui %a, %b : i32 loc("remui"(unknown))
    %ceildivui = arith.ceildivui %a, %b : i32 loc("ceildivui"(unknown))
    %ceildivsi = arith.ceildivsi %wide, %nonzero : i64 loc("ceildivsi"(unknown))
    %floordivsi = arith.floordivsi %wide, %nonzero : i64 loc("floordivsi"(unknown))
    %andi = arith.andi %a, %b : i32 loc("andi"(unknown))
    %ori = arith.ori %a, %b : i32 loc("ori"(unknown))
    %xori = arith.xori %a, %b : i32 loc("xori"(unknown))
    %shli = arith.shli %a, %b : i32 loc("shli"(unknown))
    %shrsi = arith.shrsi %a, %b : i32 loc("shrsi"(unknown))
    %shrui = arith.shrui %a, %b : i32 loc("shrui"(unknown))
    %minsi = arith.minsi %a, %b : i32 loc("minsi"(unknown))
    %maxui = arith.maxui %a, %b : i32 loc("maxui"(unknown))
    %muli8 = arith.muli %a8, %b8 : i8 loc("muli8"(unknown))
    %shli64 = arith.shli %wide, %wide_b : i64 loc("shli64"(unknown))
    %muli64 = arith.muli %wide, %wide_b : i64 loc("muli64"(unknown))
    %slt = arith.cmpi slt, %a, %b : i32 loc("slt"(unknown))
    %ult = arith.cmpi ult, %a, %b : i32 loc("ult"(unknown))
    %both = arith.andi %slt, %ult : i1 loc("both"(unknown))
    %differ = arith.xori %slt, %ult : i1 loc("differ"(unknown))
    %negation = arith.xori %slt, %true : i1 loc("negation"(unknown))
    %select = arith.select %ult, %a, %c7 : i32 loc("select"(unknown))
    %as_float = arith.sitofp %a : i32 to f32 loc("as_float"(unknown))
    %as_double = arith.uitofp %a : i32 to f64 loc("as_double"(unknown))
    %addf = arith.addf %as_float, %f : f32 loc("addf"(unknown))
    %mulf = arith.mulf %as_float, %f : f32 loc("mulf"(unknown))
    %divf = arith.divf %as_float, %f : f32 loc("divf"(unknown))
    %fptosi = arith.fptosi %mulf : f32 to i32 loc("fptosi"(unknown))
    %fptoui = arith.fptoui %mulf : f32 to i16 loc("fptoui"(unknown))
    %half = arith.truncf %as_float : f32 to f16 loc("half"(unknown))
    %halves = arith.addf %half, %half : f16 loc("halves"(unknown))
    %extf = arith.extf %halves : f16 to f64 loc("extf"(unknown))
    %oge = arith.cmpf oge, %as_float, %f : f32 loc("oge"(unknown))
    %une = arith.cmpf une, %as_float, %f : f32 loc("une"(unknown))
    %ultf = arith.cmpf ult, %as_float, %f : f32 loc("ultf"(unknown))
    %ueq = arith.cmpf ueq, %as_float, %f : f32 loc("ueq"(unknown))
    %ordered = arith.cmpf ord, %as_float, %f : f32 loc("ordered"(unknown))
    %maximum = arith.maximumf %as_float, %f : f32 loc("maximum"(unknown))
    %negf = arith.negf %f : f32 loc("negf"(unknown))
    %bits = arith.bitcast %f : f32 to i32 loc("bits"(unknown))
    tile.debug_print "{} {} {} {} {} {} {} {}", %addi, %subi, %muli, %divsi, %remsi, %divui, %remui, %ceildivui : i32, i32, i32, i32, i32, i32, i32, i32 {is_unsigned = [false, false, false, false, false, true, true, true]}
    tile.debug_print "{} {} {} {} {} {} {} {}", %ceildivsi, %floordivsi, %andi, %ori, %xori, %shli, %shrsi, %shrui : i64, i64, i32, i32, i32, i32, i32, i32 {is_unsigned = [false, false, false, false, false, false, false, true]}
    tile.debug_print "{} {} {} {} {} {} {} {}", %minsi, %maxui, %muli8, %shli64, %muli64, %slt, %ult, %both : i32, i32, i8, i64, i64, i1, i1, i1 {is_unsigned = [false, true, false, false, false, false, false, false]}
    tile.debug_print "{} {} {} {} {} {} {} {}", %differ, %negation, %select, %as_float, %as_double, %addf, %mulf, %divf : i1, i1, i32, f32, f64, f32, f32, f32 {is_unsigned = [false, false, false, false, false, false, false, false]}
    tile.debug_print "{} {} {} {} {} {} {} {}", %fptosi, %fptoui, %half, %halves, %extf, %oge, %une, %ultf : i32, i16, f16, f16, f64, i1, i1, i1 {is_unsigned = [false, true, false, false, false, false, false, false]}
    tile.debug_print "{} {} {} {} {}", %ueq, %ordered, %maximum, %negf, %bits : i1, i1, f32, f32, i32 {is_unsigned = [false, false, false, false, false]}
    tile.yield
  }
  tile.return
}
