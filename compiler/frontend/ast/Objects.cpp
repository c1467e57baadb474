// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects: how they are made, copied, read and written.
#include "frontend/ast/References.h"

#include "clang/AST/APValue.h"

using namespace clang;

namespace tegula::frontend {

/// A pointer to a string literal, not to an object.
static bool isText(QualType type) { return type->isPointerType() && type->getPointeeType()->isCharType(); }

/// Whether objects of the type are shared memory, and nothing else.
static bool isSharedMemory(const ASTContext &ast, const TypeMap &types, QualType type) {
  if (types.is(type, Known::Smem))
    return true;
  if (const auto *array = ast.getAsConstantArrayType(type))
    return isSharedMemory(ast, types, array->getElementType());
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || types.known(type) != Known::None)
    return false;
  auto isShared = [&](const auto &part) { return isSharedMemory(ast, types, part); };
  return llvm::all_of(record->bases(), [&](const CXXBaseSpecifier &base) { return isShared(base.getType()); }) &&
         llvm::all_of(record->fields(), [&](const FieldDecl *field) { return isShared(field->getType()); });
}

Object *Importer::makeObject(QualType type, bool isMutable, SourceLocation where) {
  Object &object = objects.emplace_back();
  object.type = type.getCanonicalType().getUnqualifiedType();
  if (types.isLeaf(object.type)) {
    if (types.isScalar(object.type) && !types.scalar(object.type)) {
      report(DiagnosticKind::UnsupportedScalar, where) << object.type;
      object.isPoisoned = true;
    } else if (isMutable || types.is(object.type, Known::Acc)) {
      makeMutable(object, where);
    }
    return &object;
  }
  isMutable &= !types.isBarrier(object.type); // What their options say stays.
  object.isMutable = isMutable;
  if (const auto *array = ast.getAsConstantArrayType(object.type)) {
    for (uint64_t i = 0; i < array->getZExtSize(); ++i)
      object.parts.push_back(makeObject(array->getElementType(), isMutable, where));
    return &object;
  }
  const CXXRecordDecl *record = object.type->getAsCXXRecordDecl();
  bool isUnion = record && record->isUnion() && !isSharedMemory(ast, types, object.type);
  if (!record || isUnion || !record->hasDefinition() || record->isPolymorphic() || record->getNumVBases()) {
    bool isVirtual = record && record->hasDefinition() && (record->isPolymorphic() || record->getNumVBases());
    report(isUnion     ? DiagnosticKind::Union
           : isVirtual ? DiagnosticKind::Virtual
                       : DiagnosticKind::UnsupportedType,
           where)
        << object.type;
    object.isPoisoned = true;
    return &object;
  }
  for (const CXXBaseSpecifier &base : record->bases())
    object.parts.push_back(makeObject(base.getType(), isMutable, where));
  for (const FieldDecl *field : record->fields()) {
    if (field->isBitField()) {
      report(DiagnosticKind::BitField, where) << field;
      object.isPoisoned = true;
    }
    if (field->getType()->isReferenceType() || (field->getType()->isPointerType() && !isText(field->getType())))
      object.parts.push_back(&objects.emplace_back());
    else
      object.parts.push_back(makeObject(field->getType(), isMutable && !field->getType().isConstQualified(), where));
  }
  return &object;
}

Object *Importer::temporary(const Expr *expr) {
  Object *object = temporary(expr->getType(), expr->getExprLoc());
  evaluateInto(expr, *object);
  return object;
}

void Importer::makeMutable(Object &object, SourceLocation where) {
  if (!object.type.isNull() && types.isBarrier(object.type))
    return;
  for (Object *part : object.parts)
    makeMutable(*part, where);
  if (object.isMutable || object.type.isNull() || !types.isLeaf(object.type)) {
    object.isMutable = true;
    return;
  }
  mlir::Type stored = types.stored(object.type);
  if (!stored)
    return; // Refs and functions are not changed: an assignment says so.
  Leaf value = object.leaf ? read(&object, object.type, where) : Leaf();
  object.isMutable = true;
  object.variable =
      builder.create<tile::VariableOp>(locate(where), tile::VariableType::get(builder.getContext(), stored));
  if (value)
    initialize(object, value, where);
}

void Importer::freeze(Object &object, SourceLocation where) {
  for (Object *part : object.parts)
    freeze(*part, where);
  if (object.variable)
    object.leaf = read(&object, object.type, where);
  object.variable = {};
  object.isMutable = false;
}

Object *Importer::holding(Leaf leaf, QualType type) {
  Object &object = objects.emplace_back();
  object.type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  object.isPoisoned = !leaf;
  object.leaf = std::move(leaf);
  return &object;
}

Object *Importer::fromConstant(const APValue &constant, QualType type, SourceLocation where) {
  if (types.isLeaf(type))
    return holding(leafOf(constant, type), type);
  Object *object = temporary(type, where);
  if (constant.isStruct()) {
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    unsigned at = 0;
    for (const CXXBaseSpecifier &base : record->bases()) {
      object->parts[at] = fromConstant(constant.getStructBase(at), base.getType(), where);
      ++at;
    }
    for (const FieldDecl *field : record->fields()) {
      const APValue &value = constant.getStructField(field->getFieldIndex());
      Object *&part = object->parts[at + field->getFieldIndex()];
      if (!field->getType()->isReferenceType())
        part = fromConstant(value, field->getType(), where);
      else
        part->referent = designatedBy(*this, value, where);
    }
  } else if (constant.isArray()) {
    QualType element = ast.getAsConstantArrayType(type)->getElementType();
    for (unsigned i = 0; i < constant.getArraySize(); ++i)
      object->parts[i] = fromConstant(i < constant.getArrayInitializedElts() ? constant.getArrayInitializedElt(i)
                                                                             : constant.getArrayFiller(),
                                      element, where);
  } else {
    object->isPoisoned = true;
  }
  return object;
}

void Importer::initialize(Object &target, const Leaf &value, SourceLocation where) {
  if (!value) {
    target.isPoisoned = true;
    return;
  }
  if (!target.variable) {
    target.leaf = value;
    return;
  }
  if (refuseSliceOfBatch(value)) {
    target.isPoisoned = true;
    return;
  }
  if (value.value() && isa<tile::RefType>(value.value().getType())) { // In a body an array is a place, which stays.
    target.variable.getDefiningOp()->erase();
    target.variable = {};
    target.isMutable = false;
    target.leaf = value;
    return;
  }
  setVariable(target, value, where);
}

void Importer::setVariable(Object &target, const Leaf &value, SourceLocation where) {
  mlir::Value inIr = materialize(value, target.type, where);
  if (launch && launch->warps && !launch->warps.getBody().isAncestor(target.variable.getParentRegion())) {
    report(DiagnosticKind::WarpAssigned, where);
    return;
  }
  mlir::Type stored = cast<tile::VariableType>(target.variable.getType()).getValueType();
  if (inIr && inIr.getType() != stored) // A variable of const elements holds an array of others, too.
    inIr = builder.create<tile::AsConstOp>(locate(where), stored, inIr);
  if (inIr)
    builder.create<tile::SetOp>(locate(where), inIr, target.variable);
}

void Importer::zeroInitialize(Object &target, SourceLocation where) {
  for (Object *part : target.parts)
    zeroInitialize(*part, where);
  if (!target.type.isNull() && types.isLeaf(target.type))
    initialize(target, zeroOf(target.type), where);
}

void Importer::copy(Object &target, const LValue &source, QualType sourceType, SourceLocation where) {
  if (!source || (source.object && source.object->isPoisoned)) {
    target.isPoisoned = true;
    return;
  }
  if (source.object && source.object->isAbsent) {
    target.isAbsent = true;
    return;
  }
  if (source.object && source.object->accumulator) { // A part, under another name.
    target.accumulator = source.object->accumulator;
    target.row = source.object->row;
    target.column = source.object->column;
    return;
  }
  if (types.isLeaf(target.type)) {
    Leaf value = read(source, sourceType, where);
    if (types.isScalar(target.type))
      value = convert(value, sourceType, target.type, where);
    return initialize(target, value, where);
  }
  if (!source.object) { // An element that is only stored, an 8-bit float.
    report(DiagnosticKind::UnsupportedScalar, where) << target.type;
    target.isPoisoned = true;
    return;
  }
  Object &from = *source.object;
  target.spec = from.spec;
  target.barriers = from.barriers;
  target.allocations = from.allocations;
  target.pipeline = from.pipeline;
  for (unsigned i = 0; i < from.parts.size(); ++i) {
    Object &part = *from.parts[i];
    if (i == target.parts.size()) // What ds and index give: the C++ class has no fields for it.
      target.parts.push_back(makeObject(part.type, false, where));
    if (part.referent)
      target.parts[i]->referent = part.referent;
    else if (!part.type.isNull())
      copy(*target.parts[i], &part, part.type, where);
  }
}

/// A variable of the host's, as a launch sees it.
static bool isOutside(mlir::Value value, Launch *launch) {
  return launch && !launch->op.getBody().isAncestor(value.getParentRegion());
}

Leaf Importer::read(const LValue &lvalue, QualType type, SourceLocation where) {
  if (!lvalue)
    return {};
  if (lvalue.window.ref)
    return loadFrom(lvalue.window, type, where);
  Object &object = *lvalue.object;
  if (object.isPoisoned)
    return {};
  if (object.variable) {
    if (!isOutside(object.variable, launch))
      return Leaf(builder.create<tile::GetOp>(locate(where), object.variable));
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(launch->op);
    mlir::Value &value = launch->reads[object.variable];
    if (!value)
      value = builder.create<tile::GetOp>(object.variable.getLoc(), object.variable);
    return captured(value);
  }
  if (!object.leaf)
    report(object.isAbsent ? DiagnosticKind::AbsentArray : DiagnosticKind::Uninitialized, where);
  mlir::Value value = object.leaf.value();
  if (value && isOutside(value, launch))
    return captured(value);
  return object.leaf;
}

void Importer::write(const LValue &lvalue, const Leaf &value, QualType type, SourceLocation where) {
  if (!lvalue || !value)
    return;
  if (lvalue.window.ref)
    return storeTo(lvalue.window, value, type, where);
  Object &object = *lvalue.object;
  if (object.isPoisoned)
    return;
  if (object.isUnrolled) {
    if (!value.isConstant() || builder.getInsertionBlock() != object.home) {
      report(DiagnosticKind::UnrolledIndexChanged, where);
      object.isPoisoned = true;
    }
    object.leaf = value;
    return;
  }
  if (!object.variable) {
    if (object.isPart)
      report(DiagnosticKind::AccumulatorPart, where);
    else if (types.stored(object.type))
      report(DiagnosticKind::ConstChanged, where);
    else
      report(DiagnosticKind::RefAssigned, where) << object.type;
    return;
  }
  if (isOutside(object.variable, launch)) {
    report(DiagnosticKind::HostVariableChanged, where);
    return;
  }
  if (refuseSliceOfBatch(value)) {
    object.isPoisoned = true;
    return;
  }
  setVariable(object, value, where);
}

LValue Importer::fieldOf(const LValue &base, const FieldDecl *field, SourceLocation where) {
  if (!base || (base.object && base.object->isPoisoned))
    return {};
  if (!base.object || types.isLeaf(base.object->type)) {
    report(DiagnosticKind::LanguageMember, where) << field;
    return {};
  }
  const auto *record = cast<CXXRecordDecl>(field->getParent());
  unsigned at = record->getNumBases() + field->getFieldIndex();
  if (at >= base.object->parts.size())
    return {};
  Object *part = base.object->parts[at];
  return part->referent ? part->referent : LValue(part);
}

LValue Importer::baseOf(const LValue &derived, const CXXRecordDecl *base, SourceLocation where) {
  if (!derived || !derived.object || types.isLeaf(derived.object->type) || derived.object->isPoisoned)
    return derived;
  unsigned at = 0;
  for (const CXXBaseSpecifier &specifier : derived.object->type->getAsCXXRecordDecl()->bases()) {
    if (specifier.getType()->getAsCXXRecordDecl()->getCanonicalDecl() == base->getCanonicalDecl())
      return derived.object->parts[at];
    ++at;
  }
  report(DiagnosticKind::UnsupportedType, where) << derived.object->type;
  return {};
}

} // namespace tegula::frontend
