// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a part of a tile cannot be made: what the author hears where the thread groups of a program would get in each
// other's way, or would have to hold too much.
#include "transforms/split/Body.h"

using namespace mlir;

namespace tegula::split {

/// What the tile is read from is overwritten.
LogicalResult BodyBuilder::refuse(Operation *load, Overwritten how) {
  StringRef why;
  switch (how) {
  case Overwritten::ByOthers:
    why = "another thread group may have overwritten what is read here, for the array is stored to at other places "
          "than it is read";
    break;
  case Overwritten::BeforeUse:
    why = "the program overwrites this array before all of what is read here is used, and its blocks are too large for "
          "one thread group to keep the value";
    break;
  case Overwritten::ByChunks:
    why = "this dimension is sequential, chunk by chunk, and chunks of the array are overwritten before "
          "others are read";
    break;
  case Overwritten::InLoop:
    why = "what is read here is used in a loop that overwrites the array, and its blocks are too large for one thread "
          "group to keep the value";
    break;
  case Overwritten::No:
    llvm_unreachable("nothing to refuse");
  }
  InFlightDiagnostic diagnostic = load->emitError() << why;
  launch.getBody().walk([&](tile::RootOpInterface store) {
    if (tile::arrayOf(store.getRootRef()) != tile::arrayOf(load->getOperand(0)))
      return WalkResult::advance();
    diagnostic.attachNote(store.getLoc()) << "that store";
    return WalkResult::interrupt();
  });
  diagnostic.attachNote(load->getLoc()) << "write to another array, or use static blocks of at most "
                                        << program.shape.mostElements() << " elements";
  return failure();
}

/// Elements of what is made as a whole are taken by indices, and it is too large.
LogicalResult BodyBuilder::refuseTake(tile::TakeOp take) {
  InFlightDiagnostic diagnostic = take.emitError()
                                  << "elements are taken here of a tile that is made as a whole, and all of it may be "
                                     "more than a thread group can hold";
  diagnostic.attachNote(take.getSource().getLoc()) << "this tile";
  diagnostic.attachNote() << "use static blocks of at most " << program.shape.mostElements()
                          << " elements, or store the tile to an array and index that in a later launch";
  return failure();
}

/// A row is sorted that no thread group holds.
LogicalResult BodyBuilder::refuseSort(tile::SortOp sort) {
  InFlightDiagnostic diagnostic = sort.emitError()
                                  << "a thread group sorts all of dimension " << sort.getAxis()
                                  << " together, and all of it may be more than a thread group can hold";
  diagnostic.attachNote() << "use static blocks of at most " << program.shape.mostElements()
                          << " elements along it, of which those out of bounds are not sorted";
  return failure();
}

/// What an update found in memory is wanted where the update has not been made, or of other elements.
LogicalResult BodyBuilder::refuseAtomic(tile::AtomicOp atomic) {
  InFlightDiagnostic diagnostic = atomic.emitError()
                                  << "what this update finds is wanted at other elements than it updates, and its "
                                     "blocks are too large for one thread group to keep them";
  diagnostic.attachNote()
      << "store its result to an array, and read that in a later launch; or use static blocks of at most "
      << program.shape.mostElements() << " elements";
  return failure();
}

/// The op that wants more of a tile than the sub-tile at hand: one that combines its elements or picks one of them;
/// else one that moves a dimension, so that the tile is wanted at two places. Null if there is none.
static Operation *findWanting(Value tile) {
  llvm::SetVector<Value> reached;
  auto reach = [&](ValueRange values) {
    for (Value value : values)
      if (value.getType() == tile.getType())
        reached.insert(value);
  };
  // What control flow carries has several names, and the tile is one of those of its type.
  auto reachCarried = [&](Operation *op) {
    reach(op->getResults());
    for (Region &region : op->getRegions())
      reach(region.getArguments());
  };
  reached.insert(tile);
  if (tile.getDefiningOp())
    reachCarried(tile.getDefiningOp());
  Operation *moving = nullptr;
  for (size_t i = 0; i < reached.size(); ++i) {
    SmallVector<Operation *> users(reached[i].getUsers());
    for (Operation *user : llvm::reverse(users)) { // As they stand in the program.
      if (isContraction(user) || isa<tile::SubtileOp>(user))
        return user;
      if (!moving && isa<tile::PermuteOp, tile::BroadcastOp>(user))
        moving = user;
      if (isa<scf::YieldOp, scf::ConditionOp>(user))
        reachCarried(user->getParentOp());
      for (Value result : user->getResults())
        if (isa<RankedTensorType>(result.getType()))
          reached.insert(result);
    }
  }
  return moving;
}

/// The domain of a tile is sequential, because of this contraction: it decides what all of
/// the program does, or combines along that dimension. Null if none does.
static Operation *findGatherer(const Program &program, ArrayRef<Copy::SubTile> subTiles, Value tile) {
  for (const Copy::SubTile &subTile : subTiles)
    for (const Roles &roles : subTile.domain->demand.of(tile))
      for (int role : roles) {
        if (role == Demand::whole || subTile.domain->dims[role].mode != Mode::Sequential)
          continue;
        if (auto scalars = program.scalars.contractions(); !scalars.empty())
          return scalars.front().value.getDefiningOp();
        for (const Demand::Contraction &contraction : subTile.domain->demand.contractions())
          if (!contraction.follows(role))
            return contraction.value.getDefiningOp();
      }
  return nullptr;
}

/// Takes a loop or branch that makes a tile, and what makes one thread group go through that tile's domain.
static LogicalResult refuseResident(Value tile, StringRef carrier, Operation *gatherer, const Program &program) {
  bool isBranch = isa_and_nonnull<scf::IfOp>(tile.getDefiningOp()), isOfAll = !program.scalars.contractions().empty();
  InFlightDiagnostic diagnostic = emitError(tile.getLoc())
                                  << carrier << "one thread group processes its blocks chunk by chunk, for they "
                                  << "are too large for registers";
  StringRef what = isa<tile::ReduceOp>(gatherer) ? "this reduction"
                   : isa<tile::ScanOp>(gatherer) ? "this scan"
                   : isa<tile::DotOp>(gatherer)  ? "this product"
                                                 : "what is combined here";
  if (isOfAll)
    diagnostic.attachNote(gatherer->getLoc())
        << "it is one thread group, because the whole program depends on " << what;
  else
    diagnostic.attachNote(gatherer->getLoc())
        << "it is one thread group, because " << what << " does not vary along a dimension";
  diagnostic.attachNote(tile.getLoc())
      << "use static blocks of at most " << program.shape.mostElements() << " elements"
      << (isBranch ? ", or tg::where(condition, a, b) in place of the branch" : "")
      << (isOfAll ? ", or store what the program depends on in an earlier launch, and load it" : "");
  return failure();
}

/// The scan that a value is made of.
static tile::ScanOp findScanBehind(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i)
    if (Operation *op = reached[i].getDefiningOp()) {
      if (auto scan = dyn_cast<tile::ScanOp>(op))
        return scan;
      reached.insert(op->operand_begin(), op->operand_end());
    }
  return {};
}

/// A scan is made at once, where a thread group holds all of its axis, or chunk by chunk as it is stored or reduced.
LogicalResult BodyBuilder::refuseScan(tile::ScanOp scan, tile::ScanOp beside) {
  Operation *wanting = beside && beside != scan ? beside : findWanting(scan.getResult(0));
  if (!wanting)
    wanting = findScanBehind(scan.getSource());
  auto other = dyn_cast_or_null<tile::ScanOp>(wanting);
  bool isOpposite = other && other.getReverse() != scan.getReverse();
  InFlightDiagnostic diagnostic =
      scan.emitError() << "this scan runs along dimension " << scan.getAxis()
                       << ", which is too long for registers: it "
                       << "is made chunk by chunk, in order, as it is stored or reduced, and "
                       << (isOpposite ? "another scan here takes the chunks in the other direction"
                           : other    ? "another scan here takes chunks along another dimension"
                           : isa_and_nonnull<tile::SubtileOp>(wanting) ? "a part of it is taken"
                                                                       : "it is wanted here in another order");
  if (wanting)
    diagnostic.attachNote(wanting->getLoc()) << (other                           ? "that scan"
                                                 : isa<tile::SubtileOp>(wanting) ? "this part"
                                                 : isContraction(wanting)        ? "all of it is combined here"
                                                                                 : "its dimensions are permuted here");
  diagnostic.attachNote(scan.getLoc()) << "use static blocks of at most " << program.shape.mostElements()
                                       << " elements, or store the scan in an earlier launch, and load it";
  return failure();
}

/// A tile that a loop or a branch makes is there as one part, and another one is wanted.
LogicalResult BodyBuilder::refuseCarried(Value tile) {
  bool isBranch = isa_and_nonnull<scf::IfOp>(tile.getDefiningOp());
  StringRef carrier = isBranch ? "a branch makes this tile, and " : "a loop carries this tile, and ";
  Operation *wanting = findWanting(tile);
  bool takesPart = isa_and_nonnull<tile::SubtileOp>(wanting), combines = isContraction(wanting);
  if (Operation *gatherer = findGatherer(program, copy.subTiles, tile); gatherer && !takesPart && !combines)
    return refuseResident(tile, carrier, gatherer, program);
  InFlightDiagnostic diagnostic = emitError(tile.getLoc()) << carrier;
  if (takesPart)
    diagnostic << "no part of it can be taken: the threads of a thread group have its elements in registers";
  else if (combines)
    diagnostic << "all of it is wanted at once, which may be more than a thread group can hold"
               << (isBranch ? ". Write tg::where(condition, a, b) in place of the branch: steps of a loop whose masks "
                              "leave nothing out do without them"
                            : "");
  else
    diagnostic << "it is wanted at two places: each of the thread groups that share its blocks has but one part of it";
  if (wanting)
    diagnostic.attachNote(wanting->getLoc()) << (takesPart                      ? "this part"
                                                 : isa<tile::ReduceOp>(wanting) ? "this reduction combines all of it"
                                                 : isa<tile::ScanOp>(wanting)   ? "this scan combines all of it"
                                                 : combines                     ? "this product sums over all of it"
                                                            : "one of its dimensions becomes another one here");
  if (takesPart)
    diagnostic.attachNote(tile.getLoc()) << "keep the part in a variable of its own as well, or reduce tg::where of it";
  else
    diagnostic.attachNote(tile.getLoc()) << "use static blocks of at most " << program.shape.mostElements()
                                         << " elements, or read it from an array that the program does not write";
  return failure();
}

} // namespace tegula::split
