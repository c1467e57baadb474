// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Domain.h"
#include "analysis/Windows.h"
#include "transforms/split/Plan.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// One access of a program to an argument.
struct Access {
  Operation *op;
  tile::RefType type;
  Value ref;
  bool isStore;
  /// Data says which elements of the window it touches.
  bool isIndirect;
  bool isAtomic;
};

class Analysis {
public:
  Analysis(tile::LaunchOp launch, Extents &extents, const GroupShape &shape, const ResidentDims &resident)
      : extents(extents), shape(shape), windows(launch, extents.symbols()) {
    program.launch = launch;
    program.extents = &extents;
    program.shape = shape;
    program.resident = resident;
  }

  FailureOr<Program> run() {
    if (failed(collect()))
      return failure();
    if (contracts())
      chooseForContractions();
    else
      chooseSubTiles();
    if (failed(checkOrder()))
      return failure();
    return std::move(program);
  }

private:
  LogicalResult collect() {
    bool prints = false;
    program.launch.getBody().walk([&](Operation *op) {
      if (auto root = dyn_cast<tile::RootOpInterface>(op)) {
        program.stored.insert(tile::arrayOf(root.getRootRef()).getArgNumber());
        domainOf(root).roots.push_back(root);
      }
      if (auto memory = dyn_cast<tile::MemoryAccessOpInterface>(op))
        for (const tile::MemoryAccess &access : memory.getMemoryAccesses())
          accesses.push_back({op, cast<tile::RefType>(access.ref.getType()), access.ref, access.isWrite(),
                              access.isIndirect, access.isAtomic});
      prints |= isa<tile::DebugPrintOp>(op);
      if (auto extract = dyn_cast<tile::ExtractOp>(op))
        program.scalars.add(extract.getTile(), {});
    });
    bool hasScalars = llvm::any_of(program.domains, [](const Domain &domain) { return domain.isScalar(); });
    if ((prints || program.domains.empty()) && !hasScalars)
      program.domains.emplace_back();
    for (Domain &domain : program.domains) {
      for (const Access &access : accesses)
        domain.smallestElement = std::min(domain.smallestElement, tile::bytesOf(access.type.getElementType()));
      for (tile::RootOpInterface root : domain.roots)
        domain.demand.addRoot(root);
    }
    return success(llvm::all_of(program.domains, [&](Domain &domain) { return succeeded(askHost(domain)); }));
  }

  /// The host counts sub-tiles.
  LogicalResult askHost(Domain &domain) {
    for (auto [i, extent] : llvm::enumerate(domain.extents)) {
      tile::RootOpInterface root = domain.roots.front();
      if (domain.dims[i].isStatic() || isa<tile::StoreOp>(root))
        continue;
      std::optional<Extent> most = mostOnHost(program.launch, extents, extent);
      if (!most)
        return root.emitError() << "the extent of dimension " << i
                                << " of what is stored here must be known in front of the launch, from its arguments";
      extent = *most;
    }
    return success();
  }

  bool contracts() const {
    return shape.isAlone || !program.scalars.contractions().empty() ||
           llvm::any_of(program.domains, [](const Domain &domain) { return !domain.demand.contractions().empty(); });
  }

  Domain &domainOf(tile::RootOpInterface root) {
    auto type = cast<RankedTensorType>(root.getRootValue().getType());
    SmallVector<DomainDim> dims;
    for (auto [i, extent] : llvm::enumerate(extents.of(root)))
      dims.push_back({program.boundOf(type.getDimSize(i), extent), *extent.symbol, 1, Mode::Parallel});
    for (Domain &domain : program.domains)
      if (domain.dims.size() == dims.size() && llvm::all_of(llvm::zip(domain.dims, dims), [](auto pair) {
            return std::get<0>(pair).bound == std::get<1>(pair).bound &&
                   std::get<0>(pair).extent == std::get<1>(pair).extent;
          }))
        return domain;
    return program.domains.emplace_back(Domain{std::move(dims), {}, 8, {}, SmallVector<Extent>(extents.of(root))});
  }

  /// Whether one thread group should hold more of the program than it takes to keep memory busy: it reads what it
  /// writes, or carries tiles through control flow.
  bool wantsLargeSubTiles() {
    bool carries = false;
    program.launch.getBody().walk([&](Operation *op) {
      carries |= isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op) &&
                 llvm::any_of(op->getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); });
    });
    return carries || findConflict() || llvm::any_of(accesses, [&](const Access &access) {
             return !access.isStore && program.stored.contains(tile::arrayOf(access.ref).getArgNumber());
           });
  }

  void chooseSubTiles() {
    bool wantsLarge = wantsLargeSubTiles();
    for (Domain &domain : program.domains)
      chooseElementwise(program, domain, wantsLarge);
    // A thread takes one access of 16 bytes of the smallest element; what is left of a block runs other programs.
    for (const Domain &domain : program.domains) {
      int64_t perThread = 16 / std::min<int64_t>(16, domain.smallestElement);
      int64_t group = llvm::PowerOf2Ceil(std::max<int64_t>(1, domain.subTileElements() / perThread));
      program.group = std::max(program.group, std::min(shape.threads, group));
    }
    if (!program.isWhole())
      program.group = shape.threads;
  }

  void chooseForContractions();
  void chooseSides(Domain &domain);
  void keepTogether(Domain &domain);
  int64_t partElements(Value tile, const Roles &roles, const Domain *domain, bool areThere = false);
  void chooseGroup();

  /// Groups run in any order, and so do the threads of a thread group: finds two accesses whose order matters. They are
  /// one if it comes by again.
  std::optional<std::pair<Access, Access>> findConflict() {
    for (auto [i, a] : llvm::enumerate(accesses)) {
      bool isRepeated = a.isIndirect ? isInLoop(a.op) : !windows.repeatsApart(a.ref);
      if (a.isStore && !a.isAtomic && isRepeated)
        return std::pair(a, a);
      for (const Access &b : ArrayRef(accesses).drop_front(i + 1)) {
        if ((!a.isStore && !b.isStore) || tile::arrayOf(a.ref) != tile::arrayOf(b.ref) || (a.isAtomic && b.isAtomic))
          continue;
        bool isSame = !a.isIndirect && !b.isIndirect && windows.equal(a.ref, b.ref);
        if (!isSame && !windows.disjoint(a.ref, b.ref))
          return std::pair(a, b);
      }
    }
    return std::nullopt;
  }

  bool isInLoop(Operation *op) {
    for (op = op->getParentOp(); op != program.launch; op = op->getParentOp())
      if (isa<scf::ForOp, scf::WhileOp>(op))
        return true;
    return false;
  }

  LogicalResult checkOrder() {
    auto conflict = findConflict();
    if (!conflict)
      return success();
    if (failed(order(conflict->first, conflict->second)))
      return failure();
    if (program.group > 32)
      program.group = shape.threads; // One thread group a block: its barrier is the block's.
    return success();
  }

  LogicalResult order(const Access &a, const Access &b) {
    if (program.isWhole()) {
      program.ordered = true;
      return success();
    }
    StringRef what = a.op == b.op ? "the windows that this store writes may overlap from one iteration to the next"
                     : !a.isStore ? "this store may overwrite what the program reads elsewhere in the array"
                     : !b.isStore ? "this load may read what the program writes elsewhere in the array"
                                  : "this store may write where the program has written before";
    InFlightDiagnostic diagnostic = b.op->emitError()
                                    << what << ", and its blocks are too large for one thread group to keep the order";
    if (a.op != b.op)
      diagnostic.attachNote(a.op->getLoc()) << (a.isStore ? "that store" : "that load");
    diagnostic.attachNote(b.op->getLoc())
        << "write to another array, or use static blocks of at most " << shape.mostElements() << " elements";
    return failure();
  }

  Program program;
  Extents &extents;
  GroupShape shape;
  Windows windows;
  SmallVector<Access> accesses;
};

/// Whether products reach the roots of a domain by this dimension of the domain: one of their last so many, rows and
/// columns.
static bool isProductSide(const Domain &domain, int dim, size_t last = 2) {
  return llvm::any_of(domain.demand.contractions(), [&](const Demand::Contraction &contraction) {
    return contraction.value.getDefiningOp<tile::DotOp>() &&
           llvm::is_contained(ArrayRef(contraction.roles).take_back(last), dim);
  });
}

/// Whether a dimension of a domain numbers the matrices of a product.
static bool numbersMatrices(const Domain &domain, int dim) {
  return llvm::any_of(domain.demand.contractions(), [&](const Demand::Contraction &contraction) {
    return contraction.value.getDefiningOp<tile::DotOp>() &&
           llvm::is_contained(ArrayRef(contraction.roles).drop_back(2), dim);
  });
}

/// The sides of sub-tiles that several thread groups take. A reduction takes its rows one by one, unless these are
/// columns.
void Analysis::chooseSides(Domain &domain) {
  if (program.sharedScan()) { // Along the last dimension.
    domain.dims.back().subTile = sharedRows(program.launch, shape).part;
    return;
  }
  int64_t most = shape.mostElements();
  for (const Demand::Contraction &contraction : domain.demand.contractions())
    if (auto sort = contraction.value.getDefiningOp<tile::SortOp>())
      most = std::min(most, tile::SortOp::mostBytes / sort.getExchangedBytes());
  for (const DomainDim &dim : domain.dims)
    if (dim.mode == Mode::Resident)
      most /= dim.subTile;
  for (size_t i = domain.dims.size(); i-- > 0;) {
    DomainDim &dim = domain.dims[i];
    if (dim.mode != Mode::Parallel)
      continue;
    bool isProduct = isProductSide(domain, i);
    if (isProduct && shape.tensor) {
      bool isColumns = isProductSide(domain, i, 1);
      bool isOfCta = dim.isStatic() && dim.bound <= TensorTile::rows * shape.tensor->consumers;
      dim.members = isColumns ? 1 : isOfCta ? shape.tensor->consumers : shape.tensor->members();
      dim.subTile = isColumns ? shape.tensor->columns : TensorTile::rows * dim.members;
      continue;
    }
    int64_t side = isProduct ? shape.productSide : i + 1 == domain.dims.size() ? shape.columns : 1;
    if (isProduct && numbersMatrices(domain, i)) // Of another product.
      side = std::min(side, matricesTogether);
    if (!isProduct) // Products say themselves how much a thread group holds.
      side = std::min(side, sizeWithin(most));
    dim.subTile = !dim.isStatic() ? side
                  : isProduct     ? std::min(side, shape.productSideWithin(dim.bound))
                                  : std::min<int64_t>(side, llvm::PowerOf2Ceil(dim.bound));
    most /= dim.subTile;
  }
}

/// What a contraction does not follow would be done again by every thread group along it: one thread group has all of
/// that dimension.
void Analysis::keepTogether(Domain &domain) {
  bool all = shape.isAlone || !program.scalars.contractions().empty();
  int64_t elements = 1;
  for (auto [i, dim] : llvm::enumerate(domain.dims)) {
    bool isFollowed = !all && llvm::all_of(domain.demand.contractions(),
                                           [&](const auto &contraction) { return contraction.follows(i); });
    if (isFollowed)
      continue;
    std::optional<Resident> resident = program.residentFor(dim.bound, {dim.extent, {}, 0});
    bool fits = resident && elements * resident->size <= shape.mostElements();
    dim.mode = fits ? Mode::Resident : Mode::Sequential;
    dim.isExact = fits && resident->isExact;
    dim.isShared = fits && resident->isShared;
    if (fits)
      elements *= dim.subTile = resident->size;
  }
}

/// The elements of the part of a tile that a thread group takes at a time; of those that registers hold, the ones that
/// are there.
int64_t Analysis::partElements(Value tile, const Roles &roles, const Domain *domain, bool areThere) {
  int64_t elements = 1;
  for (auto [i, role] : llvm::enumerate(roles)) {
    int64_t typed = cast<RankedTensorType>(tile.getType()).getDimSize(i), size;
    if (role != Demand::whole) {
      size = domain->dims[role].subTile;
    } else {
      std::optional<Resident> resident = program.residentFor(typed, extents.of(tile, i));
      if (!resident) // sequential, in chunks, by all threads.
        return shape.mostElements();
      size = resident->size;
    }
    int64_t bound = program.boundOf(typed, extents.of(tile, i));
    elements *= areThere && typed != 1 && !ShapedType::isDynamic(bound) ? std::min(size, bound) : size;
  }
  return std::min(elements, shape.mostElements());
}

void Analysis::chooseGroup() {
  int64_t most = 1, smallest = 8, forExchange = 1;
  auto considerExchange = [&](int64_t bytes) { // The thread groups of a CTA share what it has for that.
    forExchange = std::max(forExchange, bytes * shape.threads / tile::SortOp::mostBytes);
  };
  auto consider = [&](const Demand &demand, const Domain *domain) {
    for (const Demand::Contraction &contraction : demand.contractions()) {
      if (isOfAtomic(contraction.value))
        continue;
      if (auto sort = contraction.value.getDefiningOp<tile::SortOp>()) {
        int64_t elements = partElements(contraction.value, contraction.roles, domain);
        most = std::max(most, elements);
        considerExchange(elements * sort.getExchangedBytes());
        continue;
      }
      std::optional<Combining> combining = combiningOf(contraction.value.getDefiningOp());
      if (!combining) {
        most = shape.mostElements();
        continue;
      }
      Roles roles = contraction.roles;
      if (auto reduce = contraction.value.getDefiningOp<tile::ReduceOp>()) {
        roles.assign(combining->type().getRank(), Demand::whole);
        for (auto [i, role] : llvm::enumerate(contraction.roles))
          roles[reduce.getSourceDim(i)] = role;
      }
      for (Value source : combining->sources)
        most = std::max(most, partElements(source, roles, domain));
    }
    program.launch.getBody().walk([&](tile::TakeOp take) {
      for (const Roles &roles : demand.of(take.getSource()))
        considerExchange(partElements(take.getSource(), roles, domain, /*areThere=*/true) *
                         tile::bytesOf(take.getType().getElementType()));
    });
  };
  consider(program.scalars, nullptr);
  for (Domain &domain : program.domains) {
    consider(domain.demand, &domain);
    most = std::max(most, domain.subTileElements());
    smallest = std::min(smallest, domain.smallestElement);
  }
  int64_t vectors = most / (16 / std::min<int64_t>(16, smallest));
  int64_t threads = std::max({most / shape.mostPerThread, std::min<int64_t>(32, vectors), forExchange});
  program.group = std::min<int64_t>(shape.threads, llvm::PowerOf2Ceil(std::max<int64_t>(1, threads)));
  if (shape.tensor)
    program.group = lanesOfWarpgroup;
  if (program.sharedScan() || shape.isAlone)
    program.group = shape.threads;
}

void Analysis::chooseForContractions() {
  for (Domain &domain : program.domains) {
    if (!shape.isAlone && program.scalars.contractions().empty() && domain.demand.contractions().empty()) {
      chooseElementwise(program, domain, /*wantsLarge=*/false);
      continue;
    }
    keepTogether(domain);
    chooseSides(domain);
    // Chunks of sequential dimensions are as large as a thread group holds.
    int64_t rest = shape.threads * shape.perChunk(domain.smallestElement);
    for (const DomainDim &dim : domain.dims)
      if (dim.mode != Mode::Sequential)
        rest = sizeWithin(rest / dim.subTile);
    for (size_t i = domain.dims.size(); i-- > 0;) {
      DomainDim &dim = domain.dims[i];
      if (dim.mode != Mode::Sequential)
        continue;
      int64_t side = numbersMatrices(domain, i) ? std::min(rest, matricesTogether) : rest;
      dim.subTile = dim.isStatic() ? std::min<int64_t>(side, llvm::PowerOf2Ceil(dim.bound)) : side;
      dim.rest = i + 1 == domain.dims.size() ? shape.restOf(dim.subTile) : dim.subTile;
      rest /= dim.subTile;
    }
  }
  chooseGroup();
}

} // namespace

SharedRows sharedRows(tile::LaunchOp launch, const GroupShape &shape) {
  int64_t smallest = 8, words = 0;
  launch.getBody().walk([&](Operation *op) {
    Value ref = isa<tile::LoadOp, tile::StoreOp>(op) ? op->getOperand(isa<tile::StoreOp>(op)) : Value();
    if (ref)
      smallest = std::min(smallest, tile::bytesOf(cast<tile::RefType>(ref.getType()).getElementType()));
    if (auto scan = dyn_cast<tile::ScanOp>(op))
      for (unsigned i = 0; i < scan.getSources().size(); ++i)
        words += combinedIn(scan, i).getIntOrFloatBitWidth() > 32 ? 2 : 1;
  });
  // Eight accesses of 16 bytes, which take 32 registers. Four CTAs of a multiprocessor then keep memory busy while most
  // wait (test/benchmark/RESULTS.md); where elements take more, three.
  int64_t perThread = std::min<int64_t>(2 * shape.mostPerThread, 128 / smallest);
  return {sizeWithin(shape.threads * perThread / words), words == 1 ? 4 : 3};
}

tile::ScanOp Program::sharedScan() const {
  tile::ScanOp found;
  tile::LaunchOp(launch).getBody().walk([&](tile::ScanOp scan) {
    if (scan.getState())
      found = scan;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

int64_t Program::boundOf(int64_t typed, const Extent &extent) const {
  if (!ShapedType::isDynamic(typed) || !extent.symbol)
    return typed;
  // Where nothing can be, there are sub-tiles of one element all the same, and none of them is full.
  std::optional<int64_t> most = extents->symbols().mostOf(*extent.symbol);
  return most ? std::max<int64_t>(1, *most) : ShapedType::kDynamic;
}

std::optional<Resident> Program::residentFor(int64_t typed, const Extent &extent) const {
  int64_t bound = boundOf(typed, extent);
  if (!ShapedType::isDynamic(bound)) {
    // Tensor cores take tiles of any multiple of 16.
    bool isChain = shape.tensor && shape.tensor->isChain;
    int64_t size = isChain ? int64_t(llvm::alignTo(uint64_t(bound), 16)) : int64_t(llvm::PowerOf2Ceil(bound));
    if (size > shape.mostElements())
      return std::nullopt;
    bool isAll = !extent.symbol || *extent.symbol == extents->symbols().ofConstant(bound);
    return Resident{size, isAll && bound == size};
  }
  if (!extent.symbol)
    return std::nullopt;
  auto found = resident.find(*extent.symbol);
  return found == resident.end() ? std::nullopt : std::optional(found->second);
}

SmallVector<DomainDim> Domain::cutDims() const {
  return llvm::to_vector(llvm::make_filter_range(dims, [](const DomainDim &dim) { return dim.isCut(); }));
}

bool Domain::multiplies() const {
  return llvm::any_of(demand.contractions(), [](const auto &contraction) {
    return !combiningOf(contraction.value.getDefiningOp()) &&
           !isa_and_nonnull<tile::AtomicOp, tile::SortOp>(contraction.value.getDefiningOp());
  });
}

bool Program::areInClusters() const {
  if (!shape.tensor || shape.tensor->cluster == 1 || !isWhole() || tile::LaunchOp(launch).getGrid().size() < 2)
    return false;
  return llvm::none_of(domains, [&](const Domain &domain) {
    return llvm::any_of(domain.dims, [&](const DomainDim &dim) { return dim.members > shape.tensor->consumers; });
  });
}

bool Program::isCutAlike() const {
  return llvm::all_of(domains, [&](const Domain &domain) { return domain.cutDims() == domains.front().cutDims(); });
}

int64_t Domain::subTileElements() const {
  int64_t elements = 1;
  for (const DomainDim &dim : dims)
    elements *= dim.subTile;
  return elements;
}

std::optional<int64_t> Program::mostTiles() const {
  int64_t most = 1;
  for (const Domain &domain : domains) {
    int64_t count = 1;
    for (auto [i, dim] : llvm::enumerate(domain.dims)) {
      if (dim.isCut() && !dim.isStatic())
        return std::nullopt;
      count *= domain.tiles(i);
    }
    most = std::max(most, count);
  }
  return most;
}

FailureOr<Program> analyse(tile::LaunchOp launch, Extents &extents, const GroupShape &shape,
                           const ResidentDims &resident) {
  return Analysis(launch, extents, shape, resident).run();
}

} // namespace tegula::split
