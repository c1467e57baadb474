// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ast/Types.h"

#include "ir/Elements.h"
#include "ir/TileDialect.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tegula::frontend {

bool isInLanguage(const DeclContext *context) {
  for (; context && !context->isTranslationUnit(); context = context->getParent()) {
    const auto *space = dyn_cast<NamespaceDecl>(context);
    if (space && space->getName() == "tegula" && space->getParent()->isTranslationUnit())
      return true;
  }
  return false;
}

Known TypeMap::known(QualType type) const {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return Known::None;
  auto [entry, isNew] = records.try_emplace(record, Known::None);
  if (!isNew || !record->getIdentifier() || record->isLambda() || !isInLanguage(record->getDeclContext()))
    return entry->second;
  entry->second = llvm::StringSwitch<Known>(record->getName())
                      .Case("tile", Known::Tile)
                      .Case("ref", Known::Ref)
                      .Case("array", Known::Array)
                      .Case("arrays", Known::Arrays)
                      .Case("slice", Known::Slice)
                      .Case("all_t", Known::All)
                      .Case("newaxis_t", Known::NewAxis)
                      .Case("constant", Known::Constant)
                      .Case("element", Known::Element)
                      .Case("block_spec", Known::BlockSpec)
                      .Case("scratch_spec", Known::ScratchSpec)
                      .Case("block_index", Known::BlockIndex)
                      .Case("extents", Known::Extents)
                      .Case("grid_shape", Known::GridShape)
                      .Case("pallas_options", Known::PallasOptions)
                      .Case("kernel_options", Known::KernelOptions)
                      .Case("smem", Known::Smem)
                      .Case("acc", Known::Acc)
                      .Case("barrier", Known::Barrier)
                      .Case("cluster_barrier", Known::ClusterBarrier)
                      .Case("named_barrier", Known::NamedBarrier)
                      .Case("barrier_ref", Known::BarrierRef)
                      .Case("pipeline_allocations", Known::Allocations)
                      .Case("pipeline", Known::Pipeline)
                      .Case("profile_scope", Known::ProfileScope)
                      .Case("batched", Known::Batched)
                      .Case("transform_list", Known::Transforms)
                      .Case("load_options", Known::LoadOptions)
                      .Default(Known::None);
  if (const Element *element = findElement(record->getName()))
    entry->second = element->kind == Element::Kind::stored ? Known::StoredElement : Known::NarrowFloat;
  return entry->second;
}

bool TypeMap::isScalar(QualType type) const {
  if (type->isRecordType())
    return is(type, Known::NarrowFloat);
  return type->isArithmeticType() || type->isEnumeralType();
}

bool TypeMap::isLeaf(QualType type) const {
  type = type.getCanonicalType();
  if (isScalar(type) || type->isPointerType() || type->isNullPtrType() || type->isFunctionType())
    return true;
  Known kind = known(type);
  return kind == Known::Tile || isRef(type) || kind == Known::Acc;
}

bool TypeMap::isAccumulator(QualType type) const {
  if (known(type) != Known::Ref)
    return known(type) == Known::Acc;
  constexpr int registers = 2; // tegula::memory_space::registers
  const auto *record = cast<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return record->getTemplateArgs()[1].getAsIntegral() == registers;
}

bool TypeMap::isFloating(QualType type) const {
  return type->isRealFloatingType() || (type->isRecordType() && isScalar(type));
}

const llvm::fltSemantics &TypeMap::semantics(QualType type) const {
  if (type->isRealFloatingType())
    return ast.getFloatTypeSemantics(type);
  return mlir::cast<mlir::FloatType>(element(type)).getFloatSemantics();
}

bool TypeMap::isUnsigned(QualType type) const {
  return !type->isBooleanType() && type->isUnsignedIntegerOrEnumerationType();
}

ShapedClass TypeMap::shaped(QualType type) const {
  const auto *record = cast<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const TemplateArgumentList &arguments = record->getTemplateArgs();
  ShapedClass result{arguments[0].getAsType(), {}};
  if (is(type, Known::Array) || is(type, Known::Arrays)) {
    bool isList = is(type, Known::Arrays); // Which has a dimension more.
    result.extents.assign(arguments[1].getAsIntegral().getSExtValue() + isList, -1);
    return result;
  }
  if (known(type) == Known::Acc) {
    for (unsigned i : {1, 2})
      result.extents.push_back(arguments[i].getAsIntegral().getSExtValue());
    return result;
  }
  const TemplateArgument &pack = arguments[arguments.size() - 1];
  for (const TemplateArgument &extent : pack.pack_elements())
    result.extents.push_back(extent.getAsIntegral().getSExtValue());
  return result;
}

llvm::SmallVector<int64_t, 4> TypeMap::tileShape(QualType type) const {
  llvm::SmallVector<int64_t, 4> shape;
  if (isScalar(type))
    return shape;
  for (int64_t extent : shaped(type).extents)
    shape.push_back(extent < 0 ? mlir::ShapedType::kDynamic : extent);
  return shape;
}

mlir::Type TypeMap::element(QualType type) const {
  type = type.getCanonicalType().getUnqualifiedType();
  if (is(type, Known::NarrowFloat) || is(type, Known::StoredElement))
    return findElement(type->getAsCXXRecordDecl()->getName())->type(context);
  if (type->isSpecificBuiltinType(BuiltinType::Float))
    return mlir::Float32Type::get(context);
  if (type->isSpecificBuiltinType(BuiltinType::Double))
    return mlir::Float64Type::get(context);
  if (type->isBooleanType())
    return mlir::IntegerType::get(context, 1);
  if (!type->isIntegralOrEnumerationType())
    return {};
  unsigned width = ast.getIntWidth(type);
  if (width > 64)
    return {};
  return mlir::IntegerType::get(context, width,
                                isUnsigned(type) ? mlir::IntegerType::Unsigned : mlir::IntegerType::Signless);
}

mlir::Type TypeMap::scalar(QualType type) const {
  mlir::Type result = element(type);
  return result ? tile::scalarTypeOf(result) : result;
}

mlir::RankedTensorType TypeMap::tile(QualType type) const {
  if (isScalar(type))
    return tile(type, {});
  return tile(shaped(type).element, tileShape(type));
}

mlir::RankedTensorType TypeMap::tile(QualType elementType, llvm::ArrayRef<int64_t> shape) const {
  mlir::Type inside = element(elementType);
  return inside ? mlir::RankedTensorType::get(shape, inside) : mlir::RankedTensorType();
}

mlir::Type TypeMap::stored(QualType type) const {
  if (isScalar(type))
    return scalar(type);
  if (isTile(type) || is(type, Known::Acc))
    return tile(type);
  if (is(type, Known::Array) || is(type, Known::Arrays)) {
    ShapedClass array = shaped(type);
    return tile::ArrayType::get(context, element(array.element), array.extents.size(), array.element.isConstQualified(),
                                /*isTable=*/is(type, Known::Arrays));
  }
  return {};
}

llvm::StringRef TypeMap::name(QualType type) const {
  mlir::Type inside = element(type);
  if (!inside)
    return "a type that is no element";
  return tegula::elementOf(inside)->name;
}

int64_t TypeMap::integerArgument(QualType type) const {
  const auto *record = cast<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return record->getTemplateArgs()[0].getAsIntegral().getSExtValue();
}

} // namespace tegula::frontend
