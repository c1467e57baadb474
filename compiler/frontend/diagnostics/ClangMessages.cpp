// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/ClangMessages.h"

#include "frontend/diagnostics/LanguageNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using llvm::StringRef;

namespace tegula::frontend {

/// How a function of the language is called, where a call matches none of its overloads.
static StringRef usageOf(StringRef function) {
  return llvm::StringSwitch<StringRef>(function)
      .Case("ds", "the size in tg::ds<size>(start) must be a compile-time constant: for a run-time size, write "
                  "tg::ds(start, size)")
      .Case("pallas_call", "tg::pallas_call takes its options in braces, {.grid = {m, n}}, if there are any, then the "
                           "body, then one tg::in, tg::out or tg::inout per array")
      .Case("kernel",
            "tg::kernel takes its options in braces and in this order, {.grid = {{\"m\", m}}, .cluster = "
            "{{\"c\", 2}}, .threads = {\"wg\", 2}}, if there are any, then the body, which captures its arrays, [=]")
      .Cases("emit_pipeline", "emit_pipeline_warp_specialized",
             "a pipeline takes its options in braces, {.grid = {steps}, .max_concurrent_steps = 4}, then a function, "
             "then one tg::in, tg::out or tg::inout per array")
      .Case("wgmma", "tg::wgmma takes an accumulator, a and b, then perhaps options in braces, {.accumulate = k > 0}")
      .Case("mma", "tg::mma takes an accumulator, a and b, all of them tiles, and gives the new accumulator")
      .Case("cp_async", "tg::cp_async takes an array or a part of one, shared memory, then perhaps options in braces, "
                        "{.predicate = k > 0}")
      .Cases("argmax", "argmin", "max_with_index", "min_with_index",
             "the axis to search stands in angle brackets, tg::argmax<1>(x); without one, tg::argmax(x) searches the "
             "whole tile; tg::keepdims may follow")
      .Cases("axis_index", "axis_size", "an axis is named by a string literal, \"m\", or by a constexpr tg::axis")
      .Cases("in", "out", "partial_out", "inout",
             "a spec takes a whole array, tg::in(x), blocks of compile-time constant sizes, tg::in<64, tg::whole>(x, "
             "map), or of run-time sizes, tg::in(x, {m, n}, map); a scalar is captured by the body, [=]")
      .Case("index", "tg::index(i, j) takes integers, or tg::element(offset), one per dimension of the array")
      .Case("vmap",
            "tg::vmap takes its options in braces, {.out_axis = 1}, if there are any, then a function, then one "
            "argument per parameter, those to go over as tg::over(x, 0)")
      .Case("over", "tg::over(x, 0) takes an array and the number of one of its axes")
      .Cases("zeros", "full",
             "tg::zeros<float, 64, 64>() and tg::full<float, 64, 64>(value) take compile-time constant extents in "
             "angle brackets after the dtype; run-time extents stand in parentheses, tg::zeros<float>(m, n), "
             "tg::full<float>(value, m, n)")
      .Cases("zeros_like", "full_like",
             "tg::zeros_like(t) and tg::full_like(t, value) take a tile: load it, x[tg::all]")
      .Cases("iota", "broadcasted_iota",
             "tg::iota<int, 64>() counts 0, 1, ..., 63; tg::broadcasted_iota<int, 1, 64, 128>() does so along axis 1 "
             "of 64 x 128; compile-time constant extents stand in angle brackets, run-time extents in parentheses, "
             "tg::iota<int>(n)")
      .Case("empty", "tg::empty<float>(m, n) takes the dtype in angle brackets, and an extent per dimension")
      .Case("empty_like",
            "tg::empty_like(x) has the shape and the dtype of x; for another dtype, write tg::empty<float>(x.dim(0))")
      .Case("where", "tg::where(condition, a, b) takes a condition and two values")
      .Case("astype", "tg::astype<float>(x) takes the dtype in angle brackets, and a tile or a scalar")
      .Case("load",
            "tg::load takes a ref, then perhaps a mask and the value where the mask is false: tg::load(x, mask, 0)")
      .Case("store", "tg::store takes a ref and a value, then perhaps a mask: tg::store(o, value, mask)")
      .Case("dot", "tg::dot(a, b) takes two matrices, then perhaps options in braces, {.precision = "
                   "tg::precision::tf32}: to add "
                   "up, write c += tg::dot(a, b)")
      .Case("transpose", "tg::transpose(t) exchanges the last two dimensions; tg::transpose<1, 0, 2>(t) names all")
      .Cases("sum", "prod", "max", "min", "any_of", "all_of",
             "a reduction takes a tile, then perhaps tg::keepdims; its axes are constants in angle brackets: "
             "tg::sum<1>(x)")
      .Cases("maximum", "minimum",
             "tg::maximum(a, b) and tg::minimum(a, b) take two values; tg::max and tg::min reduce")
      .Cases("exp", "exp2", "log", "log2", "sin", "cos", "tanh", "this function takes one tile or scalar: tg::exp(x)")
      .Cases("sqrt", "rsqrt", "abs", "square", "this function takes one tile or scalar: tg::sqrt(x)")
      .Cases("pow", "atan2", "hypot", "this function takes two tiles or scalars: tg::pow(x, y)")
      .Case("clamp", "tg::clamp(x, low, high) takes a tile or a scalar and its limits")
      .Case("fma", "tg::fma(a, b, c) is a * b + c")
      .Case("bitcast", "tg::bitcast<tg::u32>(x) takes the dtype in angle brackets, and a tile or a scalar")
      .Case("static_for", "tg::static_for<4>([&](auto i) { ... }) takes a constant and a function of one parameter")
      .Case("debug_print", "tg::debug_print(\"x is {}\", x) takes a string literal, and a scalar for each {} in it")
      .Case("layout_cast", "tg::layout_cast(x, tg::layout::wgmma) takes a tile and a layout")
      .Case("set_max_registers",
            "tg::set_max_registers<40>(tg::decrease) takes a constant, and tg::increase or decrease")
      .Default("");
}

static bool isIdentifier(char c) { return llvm::isAlnum(c) || c == '_'; }

/// What the language has instead of a function of C, C++ or CUDA; empty if it has nothing, or is unknown.
static std::string functionInstead(StringRef function, const ClangMessage &message) {
  return message.ast && !function.empty() ? functionFor(function, *message.ast) : "";
}

/// What the language has instead of a name from elsewhere.
static StringRef insteadOf(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("arange", "tg::iota<int, 64>() counts 0, 1, ..., 63, tg::iota<int>(n) up to n - 1; contiguous elements of "
                      "an array are a slice, x[tg::ds<64>(start)]")
      .Cases("matmul", "bmm", "wmma", "einsum", "dot_general", "the matrix product is tg::dot(a, b)")
      .Cases("ones", "ones_like", "write tg::full<float, 64>(1), or tg::full_like(t, 1)")
      .Case("eye", "write tg::one_hot<float, 64>(tg::iota<int, 64>())")
      .Cases("float32", "fp32", "single", "the type is tg::f32, or float")
      .Cases("float16", "fp16", "half", "the type is tg::f16")
      .Cases("bfloat16", "bfloat", "the type is tg::bf16")
      .Cases("float64", "fp64", "the type is tg::f64, or double")
      .Cases("int8", "int16", "int32", "int64", "integers are tg::s8, tg::s16, tg::s32 and tg::s64")
      .Cases("uint8", "uint16", "uint32", "uint64", "unsigned integers are tg::u8, tg::u16, tg::u32 and tg::u64")
      .Cases("int4", "uint4", "float8", "fp8", "fp4",
             "types of 4 and 8 bits, such as tg::s4 and tg::e4m3, are in tegula/language/elements.h")
      .Cases("cast", "to", "convert", "convert_element_type", "it is tg::astype<float>(x)")
      .Case("power", "it is tg::pow(x, y); x * x is faster")
      .Cases("add", "subtract", "multiply", "divide", "negative", "an operator does it: x + y, x - y, x * y, x / y, -x")
      .Cases("equal", "not_equal", "less", "greater", "less_equal", "greater_equal",
             "an operator does it: x == y, x != y, x < y, x > y, x <= y, x >= y")
      .Cases("logical_and", "logical_or", "logical_not", "an operator does it: x && y, x || y, !x")
      .Cases("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "invert", "left_shift", "right_shift",
             "an operator does it: x & y, x | y, x ^ y, ~x, x << n, x >> n")
      .Cases("mod", "remainder", "% is C++'s; Python's is tg::floor_mod(x, y), and C's of floats tg::fmod(x, y)")
      .Cases("floordiv", "floor_div", "it is tg::floor_divide(x, y)")
      .Case("clamp_min", "it is tg::clamp(x, low, high)")
      .Cases("absolute", "fabs", "it is tg::abs(x)")
      .Case("reciprocal", "it is 1 / x")
      .Case("log10", "it is tg::log(x) * 0.4342944819032518")
      .Case("isclose", "write it out: tg::abs(x - y) <= tolerance")
      .Case("nan_to_num", "it is tg::where(tg::isnan(x), 0, x)")
      .Cases("population_count", "popc", "it is tg::popcount(x)")
      .Cases("umulhi", "mulhi", "it is tg::mul_hi(x, y)")
      .Cases("bit_cast", "bitcast_convert_type", "view_as", "it is tg::bitcast<tg::u32>(x)")
      .Case("average", "it is tg::mean(x), along an axis tg::mean<1>(x)")
      .Case("variance", "it is tg::var(x), along an axis tg::var<1>(x)")
      .Cases("stddev", "std_dev", "it is tg::std(x), along an axis tg::std<1>(x)")
      .Cases("amax", "amin", "reduce_max", "reduce_min",
             "reductions are tg::max(x) and tg::min(x), along an axis tg::max<1>(x)")
      .Cases("reduce_sum", "nansum", "reductions are tg::sum(x) and its like, along an axis tg::sum<1>(x)")
      .Cases("fori_loop", "while_loop", "range", "write a C++ loop, for (int i = 0; i < n; ++i)")
      .Cases("cond", "when", "write a C++ if; tg::where(condition, a, b) selects per element")
      .Cases("select", "select_n", "iif", "tg::where(condition, a, b) chooses per element")
      .Case("unsqueeze", "it is tg::expand_dims<1>(x)")
      .Cases("ravel", "flatten", "view", "it is tg::reshape<64>(x)")
      .Cases("broadcast", "expand",
             "tiles broadcast by themselves, aligned at the last dimension; tg::expand_dims<1>(x) "
             "inserts a dimension of 1, tg::broadcast_to<8, 64>(x) repeats")
      .Cases("permute", "swapaxes", "moveaxis", "it is tg::transpose<1, 0>(x)")
      .Cases("cat", "concat", "hstack", "vstack", "append", "it is tg::concatenate<0>(x, y)")
      .Cases("fliplr", "flipud", "it is tg::flip<1>(x)")
      .Cases("gather", "index_select",
             "a tile of integers stands between the brackets, x[rows], or tg::take<1>(x, "
             "columns), tg::take_along_axis<1>(x, columns)")
      .Case("scatter", "a tile of integers stands between the brackets: o[rows] = x")
      .Cases("scatter_add", "index_add", "histogram", "bincount", "add to elements with tg::atomic_add(o.at(rows), x)")
      .Cases("dynamic_slice", "dynamic_update_slice", "a slice is x[tg::ds<64>(start)], which can be assigned to, too")
      .Cases("triu", "tril", "tg::where(tg::iota_like<int, 0>(x) >= tg::iota_like<int, 1>(x), x, 0) is the lower half")
      .Cases("scan", "prefix_sum", "inclusive_scan", "it is tg::cumsum<0>(x), or tg::associative_scan<0>(x, 0.0f, f)")
      .Cases("nonzero", "compress", "unique",
             "store the selected elements at the prefix sums of the mask, "
             "tg::store(o.at(tg::cumsum<0>(tg::astype<int>(mask)) - 1), x, mask)")
      .Case("relu", "it is tg::maximum(x, 0)")
      .Cases("softmax", "log_softmax",
             "write it out: of a row tg::exp(x - tg::logsumexp(x)), of the rows of a "
             "matrix tg::exp(x - tg::logsumexp<1>(x, tg::keepdims))")
      .Case("swish", "it is tg::silu(x)")
      .Cases("any", "all", "reductions of bools are tg::any_of(x) and tg::all_of(x), along an axis tg::any_of<1>(x)")
      .Cases("uniform", "normal", "it is tg::rand(seed, n), or tg::randn(seed, n), of counters n")
      .Cases("num_program", "grid_dim", "grid", "tg::num_programs(axis) is the size of a grid axis")
      .Cases("program", "pid", "block_id", "tg::program_id(axis) is the index of the program along a grid axis")
      .Cases("print", "device_print", "printf", "tg::debug_print(\"x is {}\", x) prints numbers")
      .Cases("BlockSpec", "block_spec", "a spec is tg::in<64, 64>(x, map), tg::out or tg::inout")
      .Cases("grid_spec", "Grid", "the grid is an option of the launch: {.grid = {m, n}}")
      .Cases("dim", "size", "len", "the extent along an axis is x.dim(axis)")
      .Cases("make_block_ptr", "block_ptr", "a block is a ref: tg::in<64>(x, map), or x.at(tg::ds<64>(start))")
      .Default("");
}

/// The same of CUDA's names.
static StringRef insteadOfCuda(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases("threadIdx", "blockIdx", "blockDim", "gridDim",
             "a program is not a CUDA thread: its index is tg::program_id(axis), and it computes with whole tiles")
      .Cases(
          "__syncthreads", "__syncwarp",
          "tiles need no barrier; the warpgroups of tg::kernel synchronize by tg::barrier_arrive and tg::barrier_wait")
      .Case("__shared__", "shared memory is a local variable of tg::kernel: tg::smem<float, 64, 64>")
      .Default("");
}

/// The same of C's functions and macros, whose headers are not included.
static StringRef insteadOfC(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases("printf", "puts", "fprintf", "a kernel prints by tg::debug_print(\"x is {}\", x)")
      .Case("assert", "check conditions in a program with tg::debug_check(condition, \"message\"), compiled with "
                      "--debug-checks, and arguments in host code with tg::check(condition, \"message\")")
      .Cases(
          "abort", "exit",
          "a kernel body cannot end the process: refuse bad arguments in host code, tg::check(condition, \"message\")")
      .Default("");
}

/// The same of members.
static StringRef insteadOfMember(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases("size", "length", "numel", "the extent along an axis is x.dim(axis)")
      .Cases("T", "transpose", "permute",
             "transpose the tile, tg::transpose(x[tg::all]), or the ref, tg::transpose_ref(x)")
      .Cases("astype", "to", "cast", "elements are converted by tg::astype<float>(x)")
      .Cases("sum", "max", "min", "prod", "mean", "reductions are functions: tg::sum(x), along an axis tg::sum<1>(x)")
      .Cases("load", "get", "a ref is loaded by brackets: x[tg::all], x[i]")
      .Cases("store", "set", "a ref is stored to by brackets: o[tg::all] = value, o[i] = value")
      .Cases("shape", "ndim", "extents are x.dim(0), x.dim(1), ...")
      .Cases("dtype", "element_type", "the dtype is a member of the ref's type, not of its value")
      .Case("wait", "wait for a barrier with tg::barrier_wait(b)")
      .Case("arrive", "arrive at a barrier with tg::barrier_arrive(b)")
      .Case("at", "a tile is a value, so a slice of it is not a ref: slice the ref, x.at(...), or the transposed one, "
                  "tg::transpose_ref(x).at(...)")
      .Cases("slice", "block", "a slice is x[tg::ds<64>(start)], or as a ref x.at(tg::ds<64>(start))")
      .Cases("reshape", "view", "ravel", "flatten", "other shapes are made by functions: tg::reshape<8, 8>(t)")
      .Default("");
}

/// 'name' behind a prefix.
static StringRef quotedAfter(StringRef text, StringRef prefix) {
  return text.consume_front(prefix) ? text.take_until([](char c) { return c == '\''; }) : StringRef();
}

/// Clang's complaint about a type that the user did not write down.
static bool mentions(StringRef text, StringRef type) {
  return text.contains(("'" + type).str()) || text.contains(("'const " + type).str()) ||
         text.contains(("(aka '" + type).str()) || text.contains(("(aka 'const " + type).str());
}
static bool mentionsRef(StringRef text) {
  for (StringRef type : {"ref<", "smem<", "acc<"})
    if (mentions(text, type) || mentions(text, ("tg::" + type).str()) || mentions(text, ("tegula::" + type).str()))
      return true;
  return false;
}
static bool mentionsTile(StringRef text) { return mentions(text, "tegula::tile<") || mentions(text, "tile<"); }
static bool mentionsArray(StringRef text) {
  return mentions(text, "tegula::array<") || mentions(text, "tg::array<") || mentions(text, "array<");
}

/// What is no expression of C++, or of no type that it has, where it is combined with tiles, refs and arrays.
static StringRef adviceOnTypes(const ClangMessage &message) {
  StringRef text = message.text;
  bool isRef = mentionsRef(text) || mentionsArray(text), isTile = mentionsTile(text);
  if (text.starts_with("no viable overloaded operator[]") && (isRef || isTile))
    return "an index is an integer, tg::all, tg::ds, tg::newaxis or a tile of integers, one per dimension: to select "
           "by a mask, write tg::load(x, mask, 0) or tg::store(o, value, mask)";
  if (text.starts_with("invalid range expression of type") && (isRef || isTile))
    return "a tile cannot be iterated over: compute with all elements at once, or loop over the indices, for (int i = "
           "0; i < n; ++i), and read x[i]";
  if (text.contains("all_t' does not provide a call operator"))
    return "tg::all is an index in brackets: whether all elements are true is tg::all_of(x)";
  if (text.starts_with("called object type 'int' is not a function") && message.source.starts_with("tg::any"))
    return "tg::any is an extent: whether any element is true is tg::any_of(x)";
  if (text.contains("does not provide a call operator") && (isRef || isTile))
    return "elements and slices are taken by brackets: x[i, j]";
  if (text.contains("'const detail::dims' does not provide a "))
    return "the extent along an axis is x.dim(axis)";
  if (text.starts_with("expression is not assignable") && message.before.rtrim().ends_with("]"))
    return "an element of a tile is a value and cannot be assigned: select per element, tg::where(tg::iota<int, 64>() "
           "== i, a, b), or store it to an array";
  bool isConversion = text.starts_with("no viable conversion") || text.starts_with("assigning to ") ||
                      text.starts_with("invalid operands") || text.contains("is not contextually convertible") ||
                      text.starts_with("no viable overloaded") || text.starts_with("cannot convert") ||
                      text.starts_with("cannot initialize") || text.starts_with("static_cast from") ||
                      text.starts_with("cannot increment") || text.starts_with("cannot decrement");
  bool isReturned = text.contains("returned value") || text.contains("function return type");
  if (isConversion && isRef && !isReturned && !mentionsArray(text))
    return "a ref is a place, not a value: load it, ref[tg::all], or one element of it, ref[i]";
  bool isCast =
      text.contains("static_cast") || text.contains("without a conversion operator") || text.contains("C-style cast");
  StringRef target = text.rsplit(" to '").second;
  if (isConversion && isTile && !isReturned && (target.starts_with("tile<") || target.contains("::tile<")))
    return "the shape or the dtype of this tile is not that of the target type: write auto, or convert it, "
           "tg::astype<float>(t)";
  if (isCast && isTile)
    return "elements are converted by tg::astype<float>(t)";
  if (isConversion && isTile && !isReturned && text.contains(" to '"))
    return "a tile is not a number: pick an element, t[0], or reduce it, tg::sum(t)";
  return "";
}

/// What an entry returns.
static std::string adviceOnArrays(StringRef text) {
  bool isReturned = text.contains("returned value") || text.contains("function return type");
  if (!text.starts_with("no viable conversion") || !isReturned || !mentionsArray(text))
    return "";
  if (text.contains("array<const ") && !text.rsplit(" to function return type ").second.contains("array<const "))
    return "an array of const elements can only be read, and an entry returns an array that it made: auto o = "
           "tg::empty_like(x), stored to by a launch, and return o";
  return "the dtype or the rank of the returned array is not that of the function's return type";
}

/// What stands at the wrong place of a file, or is missing from it.
static std::string adviceOnFile(const ClangMessage &message) {
  StringRef text = message.text;
  if (text.starts_with("\"a kernel file includes <tegula/tegula.h>;"))
    return text.trim('"').str();
  if (losesLanguage(message))
    return message.hasLanguage ? "there is no tg: write namespace tg = tegula; after #include <tegula/tegula.h>"
                               : "the kernel language is not included: begin the file with #include <tegula/tegula.h>";
  bool isAttribute = text.starts_with("an attribute list cannot appear here") ||
                     text.starts_with("'annotate' attribute cannot be applied to types");
  if (isAttribute && message.source.starts_with("TEGULA_KERNEL")) {
    StringRef word = message.before.rtrim();
    word = word.substr(word.find_last_of(" \t;}") + 1);
    return "TEGULA_KERNEL stands first in a declaration: write it in front of " + word.str();
  }
  return "";
}

/// The same of syntax that other languages have.
static StringRef adviceOnSyntax(const ClangMessage &message) {
  StringRef text = message.text;
  if (text.starts_with("expected expression") && message.source.starts_with("..."))
    return "a whole ref, or a whole dimension, is tg::all: x[tg::all]";
  if (text.starts_with("type '") && text.contains("cannot be narrowed to 's64'"))
    return "a size or an index is an integer: tg::cdiv(n, 64) is n / 64, rounded up";
  if (text.starts_with("expected '(' for function-style cast"))
    return "a type is not an argument: write it in angle brackets, tg::astype<float>(x)";
  if (text.starts_with("cannot use type 'void' as a range") || text.contains("std::initializer_list was not found"))
    return "a list in braces has no type in a kernel: name the array, const float values[] = {1, 2}, and use that";
  if (text.starts_with("indirection requires pointer operand") && message.source.starts_with("*") &&
      message.before.rtrim().ends_with("*"))
    return "C++ has no operator **: write x * x, or tg::pow(x, y)";
  if (text.starts_with("indirection requires pointer operand") && (mentionsRef(text) || mentionsArray(text)))
    return "a ref is no pointer: load its elements, x[tg::all], or one of them, x[i]";
  if (text.starts_with("indirection requires pointer operand") && mentionsTile(text))
    return "a tile is a value and no pointer: leave out the *";
  if (text.starts_with("reference to non-static member function must be called") && message.source.starts_with("dim"))
    return "the extent along an axis is x.dim(axis)";
  if (text.starts_with("cannot deduce lambda return type from initializer list"))
    return "a lambda does not return braces: an index map returns tg::index(i, j)";
  if (text.starts_with("non-type template argument is not a constant expression"))
    return "an argument in angle brackets must be a compile-time constant: a literal, a constexpr variable, or a "
           "template parameter of the entry";
  if (text.starts_with("bracket nesting level exceeded") || text.contains("exceeded expression nesting limit"))
    return "brackets nest up to 4096 deep, and a pack has up to 4096 elements: compute parts of this expression in "
           "variables or functions";
  if (text.starts_with("variable 'tegula_instance_"))
    return "TEGULA_INSTANTIATE(\"name\", f<float, 64>) takes a name and one instance of a template, with its arguments";
  return "";
}

static bool isSpec(StringRef function) {
  return function == "in" || function == "out" || function == "partial_out" || function == "inout";
}

static std::string adviceOnCall(const ClangMessage &message) {
  StringRef text = message.text, called = quotedAfter(text, "no matching function for call to '");
  if (!message.misspelt.empty())
    return message.misspelt;
  if (message.isOfLanguage && message.isOfPointer && isSpec(called))
    return "a spec takes an array, not a pointer: declare the parameter of the entry as an array, which knows its "
           "extents, tg::array<const float, 2> x";
  if (StringRef usage = usageOf(called); message.isOfLanguage && !usage.empty())
    return usage.str();
  std::string ours = functionInstead(called, message);
  bool isOfStandard = message.source.starts_with("std::") || (!message.isOfLanguage && !ours.empty());
  if (!called.empty() && isOfStandard && message.isOfTiles)
    return "the functions of the standard library do not take tiles" + (ours.empty() ? std::string() : ": use " + ours);
  bool isBody = message.isOfHeader && text.starts_with("no matching function for call to object of type");
  if (isBody && message.caller == "pallas_call" && message.isOfParameterType)
    return "a body's parameters are refs to the blocks of the specs, not arrays: write auto, or the type of the block, "
           "tg::gmem<const float, 64>";
  if (isBody)
    return llvm::StringSwitch<std::string>(message.caller)
        .Case("kernel", "the body of tg::kernel has no parameters: it captures its arrays, [=]")
        .Case(
            "reduce",
            "the function of tg::reduce takes two scalars, or two tuples of them: [](auto a, auto b) { return a + b; }")
        .Case("associative_scan", "the function of tg::associative_scan takes two scalars, or two tuples of them: "
                                  "[](auto a, auto b) { return a + b; }")
        .Case("nd_loop", "the body of tg::nd_loop takes one parameter, the step")
        .Case("emit_pipeline_warp_specialized", "the compute function takes one parameter, and calls it once: [&](auto "
                                                "pipeline) { ... pipeline(body); ... }")
        .Case("vmap",
              "the function of tg::vmap takes one parameter per argument that follows it, sliced by tg::over or not")
        .Default("the body of tg::pallas_call takes one parameter per tg::in, tg::out or tg::inout");
  return "";
}

static std::string adviceOnNames(const ClangMessage &message) {
  StringRef text = message.text;
  if (StringRef name = quotedAfter(text, "variable '"); text.contains("cannot be implicitly captured in a lambda"))
    return "the body uses " + name.str() + ", which it does not capture: capture it by value, [=]";
  StringRef undeclared = quotedAfter(text, "use of undeclared identifier '");
  for (StringRef instead : {insteadOfCuda(undeclared), insteadOfC(undeclared)})
    if (!instead.empty())
      return instead.str();
  bool isStd = undeclared == "std" && message.source.starts_with("std::");
  StringRef function = isStd ? message.source.drop_front(5).take_while(isIdentifier) : undeclared;
  if (std::string ours = functionInstead(function, message); !ours.empty())
    return std::string("there is no ") + (isStd ? "std::" : "") + function.str() + " here: use " + ours +
           ", which takes scalars and tiles";
  for (StringRef prefix : {"no member named '", "no type named '", "no template named '"}) {
    StringRef name = quotedAfter(text, prefix), instead;
    bool isOfType = mentionsRef(text) || mentionsTile(text) || mentionsArray(text) || mentions(text, "tegula::barrier");
    if (text.contains("did you mean") && !text.contains("in namespace 'tegula'")) // There, ours is known to be meant.
      continue;
    if (text.contains("in namespace 'tegula'"))
      instead = insteadOf(name);
    else if (text.contains("' in '") && isOfType)
      instead = insteadOfMember(name);
    if (!instead.empty())
      return "there is no " + name.str() + ": " + instead.str();
  }
  return "";
}

/// The number that an assertion refuses, "static assertion failed due to requirement '20 >= 24': ...".
static std::string numberOf(StringRef assertion) {
  StringRef condition = quotedAfter(assertion, "static assertion failed due to requirement '");
  StringRef number = condition.take_until([](char c) { return c == ' '; }), rest = condition.drop_front(number.size());
  bool isNumber = !number.empty() && number.find_first_not_of("-0123456789") == StringRef::npos;
  bool isComparison = rest.size() > 1 && StringRef("<>=!%").contains(rest[1]);
  return isNumber && isComparison ? " (here " + number.str() + ")" : "";
}

std::string inOurWords(const ClangMessage &message) {
  StringRef text = message.text;
  for (std::string advice :
       {adviceOnFile(message), adviceOnCall(message), adviceOnNames(message), adviceOnArrays(text)})
    if (!advice.empty())
      return advice;
  for (StringRef advice : {adviceOnTypes(message), adviceOnSyntax(message)})
    if (!advice.empty())
      return advice.str();
  if (text.starts_with("no ") && text.contains("tg::barrier<") && text.contains("to 'barrier_ref'"))
    return "this is an array of barriers: name one of them, barriers.at(i)";
  if (text.starts_with("no ") && text.contains("semaphore<") && text.contains("to 'semaphore_ref'"))
    return "this is an array of semaphores: name one of them, semaphores.at(i)";
  if (text.contains("operator[]<") && text.contains("returns a const value"))
    return "this place is read-only: a block of tg::in, or an array of const elements";
  if (text.starts_with("non-void") && text.contains("does not return a value"))
    return text.contains("in all control paths")
               ? "this function returns a value, but its end can be reached without a return: end it with one, return "
                 "o;"
               : "this function returns a value, but has no return: end it with one, return o;";
  if (text.starts_with("variable '") && text.contains("is uninitialized when"))
    return "this variable has no value here: initialise it where it is declared [tegula-uninitialized]";
  // "overload resolution selected deleted operator '=': why"
  size_t reason = text.find(": ");
  bool isDeleted = text.take_front(reason).contains("deleted");
  bool isAssertion = message.isOfHeader && text.starts_with("static assertion failed");
  if (isAssertion && text.starts_with("static assertion failed due to requirement"))
    reason = text.find("': ") + 1;
  if ((isDeleted || isAssertion) && reason != StringRef::npos && reason != 0)
    return text.substr(reason + 2).str() + (isAssertion ? numberOf(text) : "");
  return text.str();
}

bool losesLanguage(const ClangMessage &message) {
  StringRef text = message.text, name = quotedAfter(text, "use of undeclared identifier '");
  if (text.starts_with("\"a kernel file includes <tegula/tegula.h>;"))
    return true;
  if (message.hasLanguage)
    return name == "tg";
  return name == "tg" || name == "tegula" || text.contains("'TEGULA_KERNEL'") ||
         text.contains("'TEGULA_INSTANTIATE'") ||
         (text.starts_with("expected namespace name") && message.source.starts_with("tegula"));
}

bool saysAgain(StringRef note) {
  return note.starts_with("capture '") || note.starts_with("default capture by ") ||
         note.starts_with("lambda expression begins here") || note.starts_with("insert an explicit cast");
}

} // namespace tegula::frontend
