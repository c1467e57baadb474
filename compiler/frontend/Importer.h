// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator of the frontend: it runs the instantiated AST of an entry. What is constant is computed, the rest
// becomes IR at the lines of the user. Its members are in one file per kind of AST node (ast/); intrinsics/ has the
// functions of the language, pipelines/ its pipelines.
#pragma once

#include "frontend/Batches.h"
#include "frontend/ExplicitObjects.h"
#include "frontend/Indexed.h"
#include "frontend/Launch.h"
#include "frontend/OutsidePlaces.h"
#include "frontend/ast/Control.h"
#include "frontend/ast/Types.h"
#include "frontend/ast/Values.h"
#include "frontend/diagnostics/Diagnostics.h"
#include "ir/ProductOptions.h"
#include "ir/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

namespace tegula::frontend {

/// A run of a function, or the host part of an entry.
struct Frame {
  const clang::FunctionDecl *function = nullptr;
  Frame *caller = nullptr;
  clang::SourceLocation callSite;
  /// Where IR says that the call is, helpers included.
  std::optional<mlir::Location> callLocation;
  /// The function is the language's own: what it does is said at its call.
  bool isInHeader = false;
  llvm::DenseMap<const clang::Decl *, LValue> variables;
  LValue self;
  /// The fields of a lambda that hold what its body names.
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures;
  clang::FieldDecl *capturedThis = nullptr;
  Exit returns;
  Exit *breaks = nullptr, *continues = nullptr;
  Object *result = nullptr;
  LValue resultLValue;
};

/// What a call gives: the value of a leaf, or the place of an object or of a reference.
struct CallResult {
  Leaf leaf;
  LValue lvalue;
};

/// An argument: an expression of the caller, or an lvalue that is there already.
struct Argument {
  const clang::Expr *expr = nullptr;
  LValue lvalue;
};

/// An operand of an elementwise op.
struct Operand {
  Leaf leaf;
  clang::QualType type;
  clang::SourceLocation where;
};

/// Whether an expression is {}, perhaps with a type in front of it.
bool isNothing(const clang::Expr *expr);

/// tg::full, dim, operator +: a function of the language, as users know it.
std::string spelled(const clang::FunctionDecl *function);

/// Where a kernel prints, or what it prints by instead of the standard library.
llvm::StringRef replacementOfPrinting(bool isOnDevice);

/// A call of one of the language's own functions.
struct IntrinsicCall {
  const clang::Expr *expr;
  const clang::FunctionDecl *callee;
  /// The object of a member function comes first.
  llvm::SmallVector<const clang::Expr *, 4> arguments;
  clang::QualType type() const { return expr->getType(); }
  clang::SourceLocation where() const { return expr->getExprLoc(); }
};

/// A tile.launch whose body is being imported.
struct Launch {
  /// Shared memory that ends with its scope.
  struct Scratch {
    mlir::Value memory;
    Allocations *ring = nullptr;
  };
  tile::LaunchOp op;
  llvm::SmallVector<mlir::Value> arrays, scalars;
  llvm::SmallVector<tile::Access> accesses;
  /// What stands in the body for a value of the host.
  llvm::DenseMap<mlir::Value, mlir::Value> inside;
  /// The value that a variable of the host has at the launch.
  llvm::DenseMap<mlir::Value, mlir::Value> reads;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  int64_t gridRank = 0;
  /// An axis of the program's grid: of the launch, or a loop in the program.
  struct ProgramAxis {
    bool isSequential = false;
    mlir::Value size;  ///< of the host
    mlir::Value index; ///< of the loop
  };
  llvm::SmallVector<ProgramAxis> programAxes;
  /// Where programs note debug_checks that fail, on the host and in the body, and what each says.
  mlir::Value recordOnHost, record;
  std::vector<std::string> failures;
  bool hasApproxMath = false;
  ProductOptions products;

  // Of the explicit level.
  bool isExplicit = false;
  llvm::SmallVector<LaunchAxis> axes;
  llvm::SmallVector<int64_t> cluster;
  int64_t threads = 1;
  /// 0: as many as the code takes.
  int64_t maxRegisters = 0;
  bool hasNoAutoBarriers = false;
  /// Blocks wait for others, and if so, for those with lower numbers alone.
  bool waits = false, waitsForEarlier = false;
  /// The semaphore of all its grid barriers, in the body.
  mlir::Value gridBarrier;
  /// A profile_scope whose end has not come, and where its code begins.
  struct Profiled {
    int64_t scope;
    mlir::Block *block;
  };
  llvm::SmallVector<Profiled> profiled;
  /// What threads note of these, on the host and in the body, and what the scopes are called.
  mlir::Value traceOnHost, trace;
  std::vector<std::string> traceScopes;
  /// Warps have scopes, too.
  bool hasScopesOfWarps = false;
  int64_t namedBarriers = 0;
  /// The tg::warp_map whose body is being imported; null outside.
  tile::WarpMapOp warps;
  /// Its blocks take steps of the grid by themselves; where it asked for a place in the grid.
  bool takesSteps = false;
  clang::SourceLocation gridPosition;
  /// The accumulators in scope.
  llvm::SmallVector<Object *> accumulators;
  /// Blocks of the pipelines whose bodies run, and where their computing threads synchronize.
  llvm::DenseMap<mlir::Value, PipelineBlock> pipelineBlocks;
  mlir::Value pipelineMeeting;
  /// How many unions of shared memory there are, and in which groups of which what is declared is, from the outermost
  /// on: pairs of numbers.
  int64_t unions = 0;
  llvm::SmallVector<int64_t> groups;
  /// Shared memory in scope: what is allocated, or will be for a ring.
  llvm::SmallVector<Scratch> scratch;
  bool isInBody = false;
  /// The last op that was put where the body begins.
  mlir::Operation *hoisted = nullptr;
};

class Importer {
public:
  /// Without `debugChecks`, tg::debug_check is nothing; without events for each thread, tg::profile_scope.
  Importer(clang::ASTContext &ast, mlir::ModuleOp module, bool debugChecks = false, int64_t profileEvents = 0);

  /// Imports every entry of the file. Errors are reported through the diagnostics of the AST.
  void importEntries();

  // ---- Diagnostics and locations (Locations.cpp) ----
  Report report(DiagnosticKind kind, const Report::Position &position);
  Report report(DiagnosticKind kind, clang::SourceLocation where) { return report(kind, positionOf(where)); }
  Report report(DiagnosticKind kind, const clang::Stmt *where) { return report(kind, where->getBeginLoc()); }
  /// Where a message about this is printed now: it may be known later that there is one.
  Report::Position positionOf(clang::SourceLocation where);
  /// A value is missing: an error of the program, which has been reported, or else the frontend's own. The innermost
  /// expression that lacks one is reported when the entry ends, unless there are other errors.
  void lose(clang::SourceLocation where);
  mlir::Location locate(clang::SourceLocation where);
  mlir::Location locate(const clang::Expr *expr) { return locate(expr->getExprLoc()); }
  /// Gives the value the name of the C++ variable, unless it has one.
  void name(mlir::Value value, llvm::StringRef variable);
  bool isOnDevice() const { return launch; }
  bool isExplicit() const { return launch && launch->isExplicit; }

  // ---- Objects (Objects.cpp) ----
  Object *makeObject(clang::QualType type, bool isMutable, clang::SourceLocation where);
  Object *temporary(clang::QualType type, clang::SourceLocation where) { return makeObject(type, false, where); }
  /// What the expression gives, in an object of its own.
  Object *temporary(const clang::Expr *expr);
  /// A fresh object that holds the leaf.
  Object *holding(Leaf leaf, clang::QualType type);
  Object *fromConstant(const clang::APValue &constant, clang::QualType type, clang::SourceLocation where);
  void initialize(Object &target, const Leaf &value, clang::SourceLocation where);
  void setVariable(Object &target, const Leaf &value, clang::SourceLocation where);
  void zeroInitialize(Object &target, clang::SourceLocation where);
  /// Copies, leaf by leaf; scalars are converted to the type of the target.
  void copy(Object &target, const LValue &source, clang::QualType sourceType, clang::SourceLocation where);
  Leaf read(const LValue &lvalue, clang::QualType type, clang::SourceLocation where);
  void write(const LValue &lvalue, const Leaf &value, clang::QualType type, clang::SourceLocation where);
  /// Turns leaves into variables, and back.
  void makeMutable(Object &object, clang::SourceLocation where);
  void freeze(Object &object, clang::SourceLocation where);
  LValue fieldOf(const LValue &base, const clang::FieldDecl *field, clang::SourceLocation where);
  LValue baseOf(const LValue &derived, const clang::CXXRecordDecl *base, clang::SourceLocation where);

  // ---- Scalars (Constants.cpp, Scalars.cpp) ----
  /// The value in IR: signless, a constant becomes an op.
  mlir::Value materialize(const Leaf &leaf, clang::QualType type, clang::SourceLocation where);
  mlir::Value constantOf(mlir::TypedAttr attribute);
  /// A constant as an attribute of this type of IR.
  static mlir::TypedAttr attributeOf(const Leaf &constant, mlir::Type type);
  mlir::Value constantOf(mlir::Type type, int64_t value);
  Leaf leafOf(const clang::APValue &constant, clang::QualType type);
  Leaf zeroOf(clang::QualType type);
  Leaf convert(const Leaf &leaf, clang::QualType from, clang::QualType to, clang::SourceLocation where);
  Leaf binary(clang::BinaryOperatorKind op, const Leaf &lhs, clang::QualType lhsType, const Leaf &rhs,
              clang::QualType rhsType, clang::SourceLocation where);
  Leaf negate(const Leaf &leaf, clang::QualType type, clang::SourceLocation where);
  /// What an operator has made of numbers of the type: on the host, marked if it is modulo a power of two.
  mlir::Value ofHost(mlir::Value value, clang::QualType type);
  Leaf invert(const Leaf &leaf, clang::SourceLocation where);
  /// A scalar as an i64, extended as its C++ type says.
  mlir::Value indexOf(const Leaf &leaf, clang::QualType type, clang::SourceLocation where);
  /// The values of expressions, appended; false if one has none, which has been reported.
  bool indicesOf(llvm::ArrayRef<const clang::Expr *> expressions, llvm::SmallVectorImpl<mlir::Value> &indices);
  std::optional<int64_t> constantInt(const Leaf &leaf);

  // ---- Expressions (Expressions.cpp, Operators.cpp, LValues.cpp, Records.cpp) ----
  /// The value of an expression of leaf type, or nothing for one of type void.
  Leaf evaluate(const clang::Expr *expr);
  Leaf evaluateLeaf(const clang::Expr *expr);
  void evaluateDiscarded(const clang::Expr *expr);
  LValue evaluateLValue(const clang::Expr *expr);
  void evaluateInto(const clang::Expr *expr, Object &target);
  /// The place of a glvalue, or of a temporary that holds the value.
  LValue evaluateOperand(const clang::Expr *expr);
  /// The constant that Clang makes of the expression; null if it is none.
  std::optional<clang::APValue> evaluateConstant(const clang::Expr *expr);
  LValue variable(const clang::ValueDecl *declaration, clang::SourceLocation where);
  /// The object of the member function that runs, or that the lambda captured.
  LValue self(clang::SourceLocation where);
  /// The object that a pointer points to: only `this` and `&object` are understood.
  LValue pointee(const clang::Expr *pointer);
  LValue constantVariable(const clang::VarDecl *variable, clang::SourceLocation where);
  Leaf assignment(const clang::BinaryOperator *expr, LValue *assigned);
  Leaf increment(const clang::UnaryOperator *expr, LValue *changed);
  Leaf conditional(const clang::AbstractConditionalOperator *expr);
  Leaf shortCircuit(const clang::BinaryOperator *expr);
  Leaf condition(const clang::Expr *expr);
  void construct(const clang::CXXConstructExpr *expr, Object &target);
  void constructWith(const clang::CXXConstructorDecl *constructor, const clang::CXXConstructExpr *expr, Object &target);
  void runInitializers(const clang::CXXConstructorDecl *constructor, Object &target);
  void initializePart(const clang::Expr *init, Object &part);
  void initializeFields(const clang::InitListExpr *expr, Object &target);
  void captureInto(const clang::LambdaExpr *expr, Object &target);

  // ---- Calls (Calls.cpp) ----
  CallResult call(const clang::CallExpr *expr, Object *target);
  CallResult runCall(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                     const clang::CXXMemberCallExpr *memberCall, Object *target);
  void refuseCall(const clang::FunctionDecl *callee, clang::SourceLocation where);
  void assignMembers(const LValue &to, const LValue &from, clang::SourceLocation where);
  /// Runs a function: inlines it.
  CallResult run(const clang::FunctionDecl *function, const LValue &self, llvm::ArrayRef<Argument> arguments,
                 Object *target, clang::SourceLocation callSite);
  CallResult runBody(Frame &callee, clang::SourceLocation callSite);
  /// Binds the parameter: a reference to the place, a value to a copy.
  void bindParameter(Frame &callee, const clang::ParmVarDecl *parameter, const Argument &argument);
  /// The frame's own function and the closure that it runs in.
  void enterClosure(Frame &callee, const LValue &self);
  bool isModified(const clang::ValueDecl *variable, const clang::FunctionDecl *function);

  // ---- Statements (Statements.cpp, Loops.cpp, Control.cpp) ----
  Flow run(const clang::Stmt *statement);
  Flow runAll(llvm::ArrayRef<const clang::Stmt *> statements);
  void declare(const clang::VarDecl *variable);
  void declareBindings(const clang::VarDecl *variable);
  /// Gives shared memory, barriers and accumulators that are declared their places.
  void allocate(Object &object, clang::SourceLocation where);
  void allocateParts(Object &object, clang::SourceLocation where);
  Flow runScope(const clang::CompoundStmt *scope);
  /// Ends the life of shared memory, as far as the code that is being emitted knows it.
  void free(llvm::ArrayRef<mlir::Value> memory, mlir::Location where);
  void nameLeaves(const Object &object, llvm::StringRef name);
  Flow runIf(const clang::IfStmt *statement);
  /// One of both at run time.
  Flow branch(mlir::Value condition, clang::SourceLocation where, llvm::function_ref<Flow()> whenTrue,
              llvm::function_ref<Flow()> whenFalse);
  Flow runSwitch(const clang::SwitchStmt *statement);
  Leaf isAnyOf(const clang::SwitchStmt *statement, const Leaf &value, llvm::ArrayRef<const clang::SwitchCase *> labels);
  Flow runCases(const clang::SwitchStmt *statement, const Leaf &value, llvm::ArrayRef<const clang::SwitchCase *> labels,
                const clang::SwitchCase *fallback);
  Flow runReturn(const clang::ReturnStmt *statement);
  Flow runFor(const clang::ForStmt *statement, bool unroll);
  Flow runWhile(const clang::WhileStmt *statement);
  Flow runLoop(const clang::Expr *test, const clang::Stmt *body, const clang::Expr *step, clang::SourceLocation start);
  Flow runUnrolled(const clang::ForStmt *statement);
  Flow unroll(const clang::Stmt *body, llvm::function_ref<bool()> begin, llvm::function_ref<void()> step);
  Flow runDo(const clang::DoStmt *statement);
  Flow runRangeFor(const clang::CXXForRangeStmt *statement);
  Flow runAttributed(const clang::AttributedStmt *statement);
  Exit beginExit();
  Flow leave(Exit &exit);
  /// True at run time if one of the exits was taken.
  mlir::Value isTaken(llvm::ArrayRef<Exit *> exits, mlir::Location where);
  mlir::Value flagOf(Exit &exit);
  /// Inserts where the scope begins from now on.
  void goToStart(const Exit &scope);
  /// Continues where control goes on after a statement with this flow: perhaps in a branch, which only runs then.
  void continueAfter(const Flow &flow, mlir::Location where);
  bool isAtHome(const Exit &scope) const { return builder.getInsertionBlock() == scope.block; }

  // ---- Intrinsics (intrinsics/) ----
  /// Null if the function is not the language's, or is C++ that is run like a user's.
  std::optional<CallResult> intrinsic(const IntrinsicCall &call);
  /// An elementwise op on tiles or on scalars; the type is that of its result.
  Leaf elementwise(llvm::StringRef op, llvm::ArrayRef<Operand> operands, clang::QualType type,
                   clang::SourceLocation where);
  Leaf extremum(bool isMaximum, llvm::ArrayRef<Operand> operands, clang::QualType type, clang::SourceLocation where);
  Leaf elementwiseOnHost(const clang::FunctionDecl *callee, llvm::ArrayRef<Operand> operands, clang::QualType type,
                         clang::SourceLocation where);
  bool isElementwiseCall(const IntrinsicCall &call);
  /// The value of an operand; a tg::constant<N> is the integer.
  Operand operand(const clang::Expr *expr);
  /// The leaf as a tile of this element and shape: constants adapt, scalars fill it, a static 1 repeats.
  mlir::Value conform(const Leaf &leaf, clang::QualType type, clang::QualType element, llvm::ArrayRef<int64_t> shape,
                      clang::SourceLocation where);
  /// A tile of one number everywhere. Elements that have no scalars (isStored) take any number, as tg::astype does.
  mlir::Value filled(const Leaf &number, clang::QualType type, clang::QualType element, mlir::RankedTensorType tile,
                     mlir::ValueRange extents, clang::SourceLocation where);
  /// A tile of as many dimensions or fewer as one of this type. An extent that is static in one and known at run time
  /// in the other is the same in both, which tile-check-extents proves.
  mlir::Value broadcastTo(mlir::Value tile, mlir::RankedTensorType wanted, clang::SourceLocation where);
  Leaf scalarOf(mlir::Value rankZeroTile, mlir::Location where);
  /// Whether the ref is a place at tiles of indices, of which no view can be made; says so.
  bool refuseIndexedPlace(const Leaf &ref, clang::SourceLocation where);
  /// Whether it is an array of which a view has other extents or elements, which copies do not take; says so.
  bool refuseView(const Leaf &array, clang::SourceLocation where);
  /// Whether a tile of the place can be in registers: at the explicit level it is static. Says so if not.
  bool isHeld(mlir::Value ref, clang::SourceLocation where);
  /// What a place holds, or, under a mask, that and `other`.
  mlir::Value loadTile(mlir::Value ref, mlir::Value mask, mlir::Value other, clang::SourceLocation where);
  void storeTile(mlir::Value tile, mlir::Value ref, mlir::Value mask, clang::SourceLocation where);
  Leaf loadFrom(const Window &window, clang::QualType type, clang::SourceLocation where);
  void storeTo(const Window &window, const Leaf &value, clang::QualType type, clang::SourceLocation where);
  std::optional<int64_t> constantArgument(const clang::Expr *argument, llvm::StringRef what);
  const clang::StringLiteral *literalArgument(const clang::Expr *argument);
  mlir::Value broadcastArgument(const clang::Expr *argument, clang::QualType element, llvm::ArrayRef<int64_t> shape);
  mlir::SmallVector<mlir::Value> extentsLike(mlir::Value tile, mlir::Location at);
  /// Imports a function of scalars, or of tuples of them, as a combiner of reductions.
  /// A function and where the program names it.
  struct Meaning {
    const clang::FunctionDecl *function;
    Object *object;
    clang::SourceLocation where;
  };
  /// Imports it into a region: of such parameters, each of an element or a tuple of them, it makes such a result.
  bool importMeaning(const IntrinsicCall &call, const Meaning &meaning,
                     llvm::ArrayRef<llvm::SmallVector<clang::QualType>> parameters,
                     llvm::ArrayRef<clang::QualType> results, mlir::Region &region);
  CallResult inlinePtx(const IntrinsicCall &call);
  bool importCombiner(const IntrinsicCall &call, llvm::ArrayRef<clang::QualType> elements, mlir::Region &region);
  mlir::Value withNewAxes(mlir::Value tile, llvm::ArrayRef<int64_t> newAxes, clang::SourceLocation where);

  CallResult elementwiseCall(const IntrinsicCall &call);
  CallResult tileOperator(const IntrinsicCall &call);
  CallResult tileAssign(const IntrinsicCall &call);
  CallResult tileCompoundAssign(const IntrinsicCall &call);
  template <class Op> Leaf converted(llvm::ArrayRef<Operand> operands, clang::QualType to, const IntrinsicCall &call);
  CallResult astype(const IntrinsicCall &call);
  CallResult bitcast(const IntrinsicCall &call);
  CallResult subscript(const IntrinsicCall &call);
  CallResult at(const IntrinsicCall &call);
  CallResult dim(const IntrinsicCall &call);
  CallResult size(const IntrinsicCall &call);
  CallResult sizeOfList(const IntrinsicCall &call);
  CallResult ds(const IntrinsicCall &call);
  CallResult load(const IntrinsicCall &call);
  CallResult store(const IntrinsicCall &call);
  CallResult atomic(const IntrinsicCall &call);
  CallResult full(const IntrinsicCall &call);
  CallResult fullLike(const IntrinsicCall &call);
  bool extentsOf(llvm::ArrayRef<const clang::Expr *> arguments, llvm::SmallVectorImpl<mlir::Value> &extents);
  CallResult zeros(const IntrinsicCall &call);
  CallResult iota(const IntrinsicCall &call);
  CallResult reduce(const IntrinsicCall &call);
  CallResult reduceBy(const IntrinsicCall &call);
  CallResult scan(const IntrinsicCall &call);
  CallResult scanBy(const IntrinsicCall &call);
  CallResult tupleOf(const IntrinsicCall &call, mlir::ValueRange results, bool isTuple);
  CallResult sort(const IntrinsicCall &call);
  LValue valueOf(const clang::Expr *expr);
  CallResult dot(const IntrinsicCall &call);
  CallResult transpose(const IntrinsicCall &call);
  CallResult transposeRef(const IntrinsicCall &call);
  CallResult programId(const IntrinsicCall &call);
  CallResult debugPrint(const IntrinsicCall &call);
  CallResult debugCheck(const IntrinsicCall &call);
  mlir::Value recordRow(mlir::Location at, int64_t width);
  mlir::Value constantOnHost(int64_t value, mlir::Location at);
  CallResult narrowFloat(const IntrinsicCall &call);
  CallResult narrowAssign(const IntrinsicCall &call);
  CallResult check(const IntrinsicCall &call);
  CallResult blockSize(const IntrinsicCall &call);
  CallResult empty(const IntrinsicCall &call);
  CallResult emptyLike(const IntrinsicCall &call);
  CallResult index(const IntrinsicCall &call);
  CallResult spec(const IntrinsicCall &call);
  CallResult scratch(const IntrinsicCall &call);
  CallResult isPresent(const IntrinsicCall &call);
  CallResult pallasCall(const IntrinsicCall &call);

  // ---- Launches (Launch.cpp) ----
  /// A value of the host, inside the launch that is being imported.
  mlir::Value captured(mlir::Value value);
  mlir::Value argumentOf(mlir::Value array, tile::Access access);
  /// The sizes of a tg::grid_shape.
  std::optional<llvm::SmallVector<Leaf>> gridOf(Object *grid, clang::SourceLocation where);
  /// The grid and the options of a launch.
  bool launchOptions(const clang::Expr *options, Launch &launch, llvm::SmallVectorImpl<mlir::Value> &grid);
  bool axesOption(const LValue &options, clang::SourceLocation where, Launch &launch);
  bool approxMathOption(const LValue &options, clang::SourceLocation where, Launch &launch);
  bool productOptions(const LValue &options, clang::SourceLocation where, ProductOptions &products);
  /// The block of the array that a program of the grid sees.
  Leaf blockOf(const Spec &spec, llvm::ArrayRef<mlir::Value> programIds);
  /// The slice of an array that the program sees of it, whole: at the places of its batches.
  mlir::Value sliceInside(const BatchedArray &batched, mlir::Value inside);
  /// The block of the array that its index map gives for these indices.
  Leaf windowOf(const Spec &spec, mlir::Value array, llvm::ArrayRef<mlir::Value> indices, bool isSpec);
  bool blockIndex(const Spec &spec, llvm::ArrayRef<mlir::Value> indices, llvm::SmallVectorImpl<Object *> &index);
  const clang::FunctionDecl *mapOf(const Spec &spec, int64_t gridRank);
  bool checkArrays(llvm::ArrayRef<const Spec *> blocks);
  void importLaunch(const IntrinsicCall &call, Launch &current, llvm::ArrayRef<mlir::Value> grid,
                    llvm::function_ref<void()> program);
  /// Imports a launch once for each combination of arrays that the caller may leave out: those of its blocks, and those
  /// that its body captured and asks of.
  void importVersions(llvm::ArrayRef<OptionalArray> blocks, Launch &current,
                      llvm::SmallPtrSetImpl<const Spec *> &absent, clang::SourceLocation where,
                      llvm::function_ref<void(Launch &)> import);
  void launchWithGiven(llvm::ArrayRef<OptionalArray> blocks, Launch &current,
                       llvm::SmallPtrSetImpl<const Spec *> &absent, mlir::Location at,
                       llvm::function_ref<void(Launch &)> import);
  void launchWithAsked(Launch &current, mlir::Location at, llvm::function_ref<void(Launch &)> import);
  /// Whether the caller may leave an array out.
  bool isOptional(mlir::Value array) const;
  /// The array of the host behind a place that a body sees; null if there is none.
  mlir::Value hostArrayOf(mlir::Value ref);
  /// Whether an array is there where the importer inserts; nothing if only the caller knows.
  std::optional<bool> isKnownPresent(mlir::Value array);
  void runProgram(const IntrinsicCall &call, const clang::FunctionDecl *function, Object &body,
                  llvm::ArrayRef<const Spec *> blocks, const llvm::SmallPtrSetImpl<const Spec *> &absent);
  Object *makeScratch(const Spec &spec, const clang::ParmVarDecl *parameter);
  /// The loops over the sequential axes of the grid; inserts in the innermost from then on.
  void beginSequentialAxes(mlir::Location at);
  void finishLaunch(Launch &finished);

  // ---- Batches (Batches.cpp) ----
  /// The extent of an array along a dimension, where a slice lacks some.
  mlir::Value dimOf(mlir::Value source, int64_t axis, mlir::Location at);
  /// A new array of the type, with the batches in front of its dims.
  Leaf emptyArray(clang::QualType type, llvm::ArrayRef<mlir::Value> dims, clang::SourceLocation where);
  /// No variable that changes holds a slice: what array it is a slice of is known while the entry is imported.
  bool refuseSliceOfBatch(const Leaf &value);
  std::optional<int64_t> axisOfBatch(const Object &over, clang::SourceLocation where);
  mlir::Value batchSize(llvm::ArrayRef<const clang::Expr *> arguments, clang::SourceLocation where);
  Leaf stack(mlir::Value result, int64_t outAxis, clang::SourceLocation where);
  /// Where the program stands in a batch, or along an axis of its own grid behind those.
  mlir::Value batchIndex(unsigned level, mlir::Location at);
  mlir::Value programIndex(int64_t axis, mlir::Location at);
  /// The axis of the launch that a parallel axis of the program's grid is.
  int64_t launchAxis(int64_t axis);
  CallResult sliceOf(const IntrinsicCall &call);
  CallResult batch(const IntrinsicCall &call);

  // ---- The explicit level (Kernel.cpp, Allocations.cpp, Warps.cpp, intrinsics/, pipelines/) ----
  /// The field of a struct of options.
  Object *option(const LValue &options, llvm::StringRef name);
  std::optional<int64_t> constantOption(const LValue &options, llvm::StringRef name, clang::SourceLocation where);
  /// The axes that a tg::axis_names lists; false if one is unknown, which has been reported.
  bool axesOf(Object *names, clang::SourceLocation where, llvm::SmallVectorImpl<const LaunchAxis *> &found);
  const LaunchAxis *axisOf(Object *name, clang::SourceLocation where);
  /// Those of the cluster, by number, without axes of one block.
  bool clusterAxesOf(Object *names, clang::SourceLocation where, llvm::SmallVectorImpl<int64_t> &found);
  Leaf indexAlong(const LaunchAxis &axis, mlir::Location where);
  Leaf sizeOf(const LaunchAxis &axis, mlir::Location where);
  /// Where this program stands among all along the axes, and how many they are.
  std::pair<Leaf, Leaf> rankAlong(llvm::ArrayRef<const LaunchAxis *> axes, clang::SourceLocation where);
  bool kernelOptions(const clang::Expr *options, Launch &launch, llvm::SmallVectorImpl<mlir::Value> &grid);
  bool registersOption(const LValue &options, clang::SourceLocation where, Launch &launch);
  bool namedAxes(Object *axes, LaunchAxis::Kind kind, clang::SourceLocation where, Launch &launch,
                 llvm::SmallVectorImpl<Leaf> &sizes);
  /// Inserts where the body of the launch begins, behind what is there already. What barriers are is known everywhere,
  /// and their phases go on from loop to loop.
  void goToLaunchStart();
  mlir::Value hoisted(mlir::Operation *op);
  mlir::Value makeBarriers(int64_t count, int64_t arrivals, llvm::ArrayRef<int64_t> clusterAxes,
                           clang::SourceLocation where, bool isLeaderTracked = false);
  /// A variable that holds the constant where the body begins.
  mlir::Value makeState(mlir::Type type, int64_t value, mlir::Location where);
  void allocateBarriers(Object &object, clang::SourceLocation where);
  void allocateNamedBarriers(Object &object, clang::SourceLocation where);
  /// So many named barriers for `many` threads; null, after an error, if there are not as many left.
  mlir::Value makeNamedBarriers(int64_t count, int64_t many, clang::SourceLocation where);
  /// The barriers and which of them; nothing if the expression is in error.
  std::optional<std::pair<Barriers *, mlir::Value>> barrierArgument(const clang::Expr *argument,
                                                                    Barriers::Use use = Barriers::Any);
  /// An option that is true unless the program says otherwise; null for the constant true.
  mlir::Value flagOption(const LValue &options, llvm::StringRef name, clang::SourceLocation where);
  /// The swizzle that a tg::transform_list pins, 0 if none.
  std::optional<int64_t> pinnedSwizzle(Object *transforms, clang::SourceLocation where);
  /// Shared memory of these extents; says where a pinned swizzle does not fit.
  mlir::Value allocateShared(mlir::Type element, llvm::ArrayRef<int64_t> dims, int64_t swizzle,
                             clang::SourceLocation where);
  void waitForProducts(int64_t pending, mlir::Location where);
  /// What holds an accumulator, or names a part of one; null if the expression is in error.
  Object *accumulatorOf(const clang::Expr *argument);
  /// Its tile, as it is now: all of it, and what the object names.
  mlir::Value wholeAccumulator(Object *object, mlir::Location where);
  mlir::Value accumulatorTile(Object *object, clang::SourceLocation where);
  CallResult partOfAccumulator(const IntrinsicCall &call);
  CallResult placeInAccumulator(const IntrinsicCall &call);
  /// Whether copies of such elements may fill in what is outside the array like this; says so if not.
  bool checkFill(tile::Outside outside, clang::QualType element, clang::SourceLocation where);
  /// Barriers of a pipeline's ring, as its body sees them.
  Barriers *makeBlockBarriers(mlir::Value barriers, Barriers::Use use);
  /// Where the threads of a pipeline that compute synchronize, made once for the kernel; false, after an error, if
  /// there is no barrier left.
  bool makePipelineMeeting(int64_t threads, clang::SourceLocation where);
  bool pipelineOptions(const LValue &options, llvm::ArrayRef<const clang::Expr *> specs, Pipeline &pipeline,
                       clang::SourceLocation where);

  // ---- Profiles (Profile.cpp) ----
  void beginTrace();
  void noteEvent(int64_t scope, bool isEnd, mlir::Location at);
  void beginProfile(const Object &object, clang::SourceLocation where);
  /// Ends the scopes from the number `first` on.
  void endProfiles(size_t first, mlir::Location at);
  /// Where the body of the launch ends; behind the launch.
  void endTrace();
  void reportTrace(Launch &traced);

  CallResult kernel(const IntrinsicCall &call);
  CallResult axisIndex(const IntrinsicCall &call);
  CallResult setMaxRegisters(const IntrinsicCall &call);
  CallResult warpMap(const IntrinsicCall &call);
  CallResult gridDependency(const IntrinsicCall &call);
  CallResult ndLoop(const IntrinsicCall &call);
  CallResult dynamicLoop(const IntrinsicCall &call);
  bool dynamicAxes(const IntrinsicCall &call, llvm::SmallVectorImpl<const LaunchAxis *> &axes);
  /// The program asks where it stands in the grid.
  void usesGridPosition(clang::SourceLocation where);
  CallResult barrierAt(const IntrinsicCall &call);
  CallResult barrierItself(const IntrinsicCall &call);
  CallResult barrierArrive(const IntrinsicCall &call);
  CallResult barrierOfBlock(const IntrinsicCall &call);
  CallResult copyToShared(const IntrinsicCall &call);
  CallResult copyToGlobal(const IntrinsicCall &call);
  CallResult commitShared(const IntrinsicCall &call);
  CallResult commitGroup(const IntrinsicCall &call);
  CallResult waitGroup(const IntrinsicCall &call);
  /// The tile, in the layout that a tg::layout names; as it is if that names none.
  Leaf inLayout(const Leaf &tile, const LValue &options, clang::SourceLocation where);
  CallResult wgmma(const IntrinsicCall &call);
  CallResult wgmmaWait(const IntrinsicCall &call);
  CallResult wgmmaAccumulatorLoad(const IntrinsicCall &call);
  CallResult emitPipeline(const IntrinsicCall &call);
  CallResult emitSpecialized(const IntrinsicCall &call);
  CallResult runPipeline(const IntrinsicCall &call);

  clang::ASTContext &ast;
  TypeMap types;
  mlir::ModuleOp module;
  mlir::OpBuilder builder;
  bool debugChecks;
  int64_t profileEvents;
  Frame *frame = nullptr;
  Launch *launch = nullptr;
  /// Of captured arrays that the body asked of, what the version that is imported takes for granted.
  llvm::MapVector<mlir::Value, bool> assumedPresent;
  /// The innermost call of the language that is being imported.
  const IntrinsicCall *running = nullptr;
  Batches batches;
  IndexedPlaces indexedPlaces;
  OutsidePlaces outsidePlaces;

private:
  // ---- Entries (Entries.cpp) ----
  struct EntrySignature {
    std::string name, resultStruct;
    const clang::CXXRecordDecl *resultRecord = nullptr;
    llvm::SmallVector<mlir::Type> inputs, results;
    llvm::SmallVector<mlir::Attribute> inputAttributes, resultAttributes, resultNames;
  };
  /// Whether namespace tegula is that of the header that this compiler is made for; says so if not.
  bool checkLanguage();
  void importDeclarations(const clang::DeclContext *context);
  void importFunction(const clang::FunctionDecl *function);
  void importInstance(const clang::VarDecl *instance, const clang::AnnotateAttr *attribute);
  void importEntry(const clang::FunctionDecl *function, llvm::StringRef name, clang::SourceLocation where);
  /// Whether the generated header can have the names of the entry, its namespaces and what it returns; says so if not.
  bool checkNames(const clang::FunctionDecl *function, const EntrySignature &signature, clang::SourceLocation where);
  bool checkName(llvm::StringRef name, llvm::StringRef kind, bool isGlobal, clang::SourceLocation where);
  /// The comment in front of a declaration; null if there is none.
  mlir::StringAttr docOf(const clang::Decl *declaration);
  bool entryParameters(const clang::FunctionDecl *function, EntrySignature &signature);
  /// Adds the parameter's default argument, if it has one, for the generated header.
  bool defaultArgument(const clang::FunctionDecl *function, const clang::ParmVarDecl *parameter, clang::QualType type,
                       mlir::NamedAttrList &attributes);
  bool entryResults(const clang::FunctionDecl *function, EntrySignature &signature);
  mlir::DictionaryAttr attributesOf(llvm::StringRef name, clang::QualType type);
  void runEntry(const clang::FunctionDecl *function, tile::EntryOp entry);
  void leavesOf(const LValue &lvalue, clang::SourceLocation where, llvm::SmallVectorImpl<mlir::Value> &values);

  std::deque<Object> objects;
  std::deque<Exit> exits;
  std::deque<Spec> specs;
  std::deque<Barriers> barriers;
  std::deque<Allocations> allocations;
  llvm::DenseMap<const clang::VarDecl *, Object *> globals;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::DenseSet<const clang::ValueDecl *>> changed;
  /// Templates of entries that nothing instantiates, and the first function that launches and is not marked.
  llvm::SmallVector<const clang::FunctionTemplateDecl *> uninstantiated;
  const clang::FunctionDecl *unmarked = nullptr;
  std::string entryName;
  llvm::StringSet<> entryNames;
  mlir::Block *entryBody = nullptr;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseSet<std::pair<unsigned, unsigned>> reported;
  unsigned launches = 0, depth = 0;
  bool isAborted = false;
  clang::SourceLocation lost;

  friend class ExpressionVisitor;
};

/// What runs meanwhile runs as if the language called it: bodies and index maps are code of the place where they stand.
class InLanguage {
public:
  InLanguage(Importer &importer, const clang::FunctionDecl *function, clang::SourceLocation where)
      : importer(importer) {
    frame.function = function;
    frame.caller = importer.frame;
    frame.callSite = where;
    frame.callLocation = importer.locate(where);
    frame.isInHeader = true;
    importer.frame = &frame;
  }
  InLanguage(const InLanguage &) = delete;
  ~InLanguage() { importer.frame = frame.caller; }

  Frame frame;

private:
  Importer &importer;
};

} // namespace tegula::frontend
