// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::nd_loop: the steps of a grid that a program does.
#include "frontend/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace tegula::frontend {

static Leaf number(int64_t value) { return llvm::APSInt(llvm::APInt(64, value, /*isSigned=*/true), false); }

namespace {
/// Integers of the loop's own.
class Arithmetic {
public:
  Arithmetic(Importer &importer, SourceLocation where)
      : importer(importer), where(where), s64(importer.ast.getIntTypeForBitwidth(64, /*Signed=*/true)) {}

  Leaf compute(BinaryOperatorKind op, const Leaf &a, const Leaf &b) {
    return importer.binary(op, a, s64, b, s64, where);
  }
  Leaf min(const Leaf &a, const Leaf &b) {
    std::optional<int64_t> x = importer.constantInt(a), y = importer.constantInt(b);
    if (x && y)
      return number(std::min(*x, *y));
    return Leaf(importer.builder.create<arith::MinSIOp>(importer.locate(where), value(a), value(b)));
  }
  mlir::Value value(const Leaf &leaf) { return importer.materialize(leaf, s64, where); }

  /// The point of a step: the last axis runs fastest.
  SmallVector<Leaf> pointOf(Leaf step, ArrayRef<Leaf> sizes) {
    SmallVector<Leaf> point(sizes.size());
    for (size_t i = sizes.size(); i-- > 0;) {
      point[i] = i == 0 ? step : compute(BO_Rem, step, sizes[i]);
      if (i > 0)
        step = compute(BO_Div, step, sizes[i]);
    }
    return point;
  }

  /// The same of a walk that does one tile of the grid after the other. Those at its end have what is left.
  SmallVector<Leaf> pointInTiles(Leaf step, ArrayRef<Leaf> sizes, ArrayRef<int64_t> tiling) {
    SmallVector<Leaf> origin, extent, behind(sizes.size(), number(1));
    for (size_t i = sizes.size() - 1; i-- > 0;)
      behind[i] = compute(BO_Mul, behind[i + 1], sizes[i + 1]);
    Leaf before = number(1); // Of the tile, along the axes that are done.
    for (auto [i, size] : llvm::enumerate(sizes)) {
      Leaf slab = compute(BO_Mul, compute(BO_Mul, before, behind[i]), number(tiling[i]));
      Leaf tile = compute(BO_Div, step, slab);
      step = compute(BO_Sub, step, compute(BO_Mul, tile, slab));
      origin.push_back(compute(BO_Mul, tile, number(tiling[i])));
      std::optional<int64_t> known = importer.constantInt(size);
      bool divides = known && *known % tiling[i] == 0;
      extent.push_back(divides ? number(tiling[i]) : min(number(tiling[i]), compute(BO_Sub, size, origin.back())));
      before = compute(BO_Mul, before, extent.back());
    }
    SmallVector<Leaf> point = pointOf(step, extent);
    for (auto [index, start] : llvm::zip_equal(point, origin))
      index = compute(BO_Add, start, index);
    return point;
  }

  SmallVector<Leaf> pointOf(const Leaf &step, ArrayRef<Leaf> sizes, ArrayRef<int64_t> tiling) {
    return tiling.empty() ? pointOf(step, sizes) : pointInTiles(step, sizes, tiling);
  }

private:
  Importer &importer;
  SourceLocation where;
  QualType s64;
};
} // namespace

/// {.tiling = {4, 8}}: nothing, or an extent for each axis.
static bool tilingOf(Importer &importer, const LValue &options, size_t rank, SourceLocation where,
                     SmallVectorImpl<int64_t> &tiling) {
  Object *field = importer.option(options, "tiling");
  if (!field || field->isPoisoned)
    return false;
  for (Object *part : field->parts) {
    Leaf extent = importer.read(part, part->type, where);
    std::optional<int64_t> known = importer.constantInt(extent);
    if (extent && !known)
      importer.report(DiagnosticKind::ArgumentNotConstant, where) << ".tiling";
    if (!known)
      return false;
    tiling.push_back(*known);
  }
  while (!tiling.empty() && tiling.back() == 0)
    tiling.pop_back();
  if (tiling.empty() || (tiling.size() == rank && llvm::all_of(tiling, [](int64_t extent) { return extent > 0; })))
    return true;
  std::string given;
  for (int64_t extent : tiling)
    given += (given.empty() ? "" : ", ") + std::to_string(extent);
  importer.report(DiagnosticKind::LoopTiling, where) << int64_t(rank) << given;
  return false;
}

/// The iterations of the grid, dealt in turn: this program's i-th is the (index + i * size)-th of all.
CallResult Importer::ndLoop(const IntrinsicCall &call) {
  SourceLocation where = call.where(), optionsAt = call.arguments[1]->getExprLoc();
  mlir::Location at = locate(where);
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  Arithmetic integers(*this, where);
  LValue grid = evaluateOperand(call.arguments[0]);
  LValue options = evaluateOperand(call.arguments[1]);
  SmallVector<const LaunchAxis *> axes;
  SmallVector<int64_t> tiling;
  const Expr *bodyExpr = call.arguments[2];
  Object *body = temporary(bodyExpr);
  if (!grid.object || grid.object->isPoisoned || body->isPoisoned ||
      !axesOf(option(options, "collective_axes"), optionsAt, axes) ||
      !tilingOf(*this, options, grid.object->parts.size(), optionsAt, tiling))
    return {};
  SmallVector<Leaf> sizes;
  Leaf total = number(1);
  for (Object *size : grid.object->parts) {
    sizes.push_back(read(size, s64, where));
    total = sizes.size() == 1 ? sizes.back() : integers.compute(BO_Mul, total, sizes.back());
  }
  auto [first, stride] = rankAlong(axes, where);
  Leaf rest =
      integers.compute(BO_Sub, integers.compute(BO_Add, integers.compute(BO_Sub, total, first), stride), number(1));
  Leaf steps = integers.compute(BO_Div, rest, stride);
  const CallExpr *inner = bodyCall(call.callee->getBody());
  if (!steps || !inner)
    return {};

  mlir::Value count = materialize(steps, s64, where);
  mlir::Type i64 = builder.getI64Type();
  auto loop = builder.create<scf::ForOp>(at, constantOf(i64, 0), count, constantOf(i64, 1));
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  Leaf local(loop.getInductionVar());
  Leaf linear = integers.compute(BO_Add, first, integers.compute(BO_Mul, local, stride));
  Object *step = temporary(inner->getArg(inner->getNumArgs() - 1)->getType(), where);
  for (auto [index, leaf] : llvm::zip_equal(step->parts[0]->parts, integers.pointOf(linear, sizes, tiling)))
    index->leaf = leaf;
  step->parts[1]->leaf = local;
  step->parts[2]->leaf = Leaf(count);
  InLanguage scope(*this, call.callee, where);
  run(inner->getDirectCallee(), body, {{nullptr, step}}, nullptr, where);
  return {};
}

} // namespace tegula::frontend
