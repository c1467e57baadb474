// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of parts. A scan has the shape of its source. What varies along its axis follows the store in whole rows. A
// thread group that has all of a row in registers scans it at once. If the axis is sequential, the loops over its
// chunks, of stores and of reductions alike, carry what each scan has come to:
//
//   for chunk:  r = scan sum x[chunk] init(t)
//               t = scan_total r
//               store r
//
// A reversed scan takes the chunks from the last to the first. If thread groups share a row (LookBack.cpp), each scans
// a part.
#include "transforms/MaskExtents.h"
#include "transforms/split/Body.h"

using namespace mlir;

namespace tegula::split {

SmallVector<BodyBuilder::Scanned> BodyBuilder::scansIn(Operation *op, int64_t dim) {
  if (!scans) {
    scans.emplace();
    launch.getBody().walk([&](tile::ScanOp scan) { scans->push_back(scan); });
  }
  if (scans->empty())
    return {};
  Demand demand;
  if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    Roles all = llvm::to_vector(llvm::seq<int>(0, reduce.getSource().getType().getRank()));
    for (Value source : reduce.getSources())
      demand.add(source, all);
  } else {
    demand.addRoot(cast<tile::RootOpInterface>(op));
  }
  SmallVector<Scanned> found;
  for (tile::ScanOp scan : *scans)
    for (Value result : scan.getResults())
      for (const Roles &roles : demand.of(result)) {
        bool isKnown =
            llvm::any_of(found, [&](const Scanned &each) { return each.scan == scan && each.roles == roles; });
        if (roles[scan.getAxis()] == dim && !isKnown)
          found.push_back({scan, roles});
      }
  return found;
}

/// The sequential dims of a root's domain, in the order of their loops: that of a scan, which goes on from one chunk to
/// the next, is the innermost.
SmallVector<unsigned> BodyBuilder::sequentialDims(tile::RootOpInterface root, const Domain &domain) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim)
    if (domain.dims[dim].mode == Mode::Sequential)
      dims.push_back(dim);
  llvm::sort(dims, [&](unsigned a, unsigned b) {
    return std::pair(!scansIn(root, a).empty(), a) < std::pair(!scansIn(root, b).empty(), b);
  });
  return dims;
}

/// The same of the loops of a reduction. Its source is made in whole chunks.
void BodyBuilder::putScansInside(tile::ReduceOp reduce, SmallVectorImpl<Combined> &loops) {
  llvm::sort(loops, [&](const Combined &a, const Combined &b) {
    return std::pair(!scansIn(reduce, a.dim).empty(), a.dim) < std::pair(!scansIn(reduce, b.dim).empty(), b.dim);
  });
  for (Combined &loop : loops)
    if (!scansIn(reduce, loop.dim).empty())
      loop.rest = loop.size;
}

/// The scans along the dimension of a loop that goes on with them from chunk to chunk. Along the dimensions of loops
/// inside of it, a tile that is scanned is there in parts, and what these have come to is not kept.
SmallVector<BodyBuilder::Scanned> BodyBuilder::scansOfLoop(Operation *op, int64_t dim, ArrayRef<int64_t> inner) {
  SmallVector<Scanned> found = scansIn(op, dim);
  llvm::erase_if(found, [&](const Scanned &each) {
    return llvm::any_of(each.roles, [&](int role) { return llvm::is_contained(inner, role); });
  });
  return found;
}

/// A loop over chunks along the axis of some scans, that goes on with them. `chunk` knows nothing of these.
FailureOr<SmallVector<Value>> BodyBuilder::forEachChunkOf(ArrayRef<Scanned> scans, Location loc, Value extent,
                                                          Sizes sizes, ValueRange inits, PartAt partAt, Chunk chunk) {
  if (scans.empty())
    return forEachChunk(loc, extent, sizes, inits, chunk);
  sizes.isBackward = tile::ScanOp(scans.front().scan).getReverse();
  auto partsIn = [&](const Scanned &each, const Part &along) {
    tile::ScanOp scan = each.scan;
    int chunked = each.roles[scan.getAxis()];
    return partsOf(scan.getSource(), each.roles, [&](int role) { return role == chunked ? along : partAt(role); });
  };
  SmallVector<Value> carried(inits);
  for (const Scanned &each : scans) {
    tile::ScanOp scan = each.scan;
    std::optional<Parts> parts = partsIn(each, {{}, sizes.full});
    if (!parts || scan.getReverse() != sizes.isBackward)
      return refuseScan(scan, scans.front().scan);
    parts->erase(parts->begin() + scan.getScannedDim());
    llvm::append_range(carried, identities(builder, scan, *parts));
  }
  size_t outer = running.size();
  auto goOn = [&](Value offset, bool full, ValueRange all) -> FailureOr<SmallVector<Value>> {
    ValueRange own = all.take_front(inits.size()), begins = all.drop_front(inits.size());
    for (const Scanned &each : scans) {
      size_t count = tile::ScanOp(each.scan).getNumResults();
      Part along{offset, full ? sizes.full : sizes.rest, /*dropped=*/false, full};
      running.push_back({each.scan, *partsIn(each, along), Values(begins.take_front(count)), {}});
      begins = begins.drop_front(count);
    }
    FailureOr<SmallVector<Value>> next = chunk(offset, full, own);
    for (size_t i = outer; i < running.size() && succeeded(next); ++i) {
      // What is wanted only beside another part of it is made all the same.
      tile::ScanOp scan = running[i].scan;
      if (running[i].totals.empty() && failed(materialise(scan.getResult(0), Parts(running[i].parts))))
        next = failure();
      else
        llvm::append_range(*next, running[i].totals);
    }
    running.truncate(outer);
    return next;
  };
  FailureOr<SmallVector<Value>> made = forEachChunk(loc, extent, sizes, carried, goOn);
  if (succeeded(made))
    made->truncate(inits.size());
  return made;
}

FailureOr<SmallVector<Value>> BodyBuilder::makeScan(tile::ScanOp scan, const Parts &parts) {
  Location loc = scan.getLoc();
  auto axis = scan.getScannedDim();
  const Part &along = parts[axis];
  auto *goingOn = llvm::find_if(running, [&](const Running &each) { return each.scan == scan && each.parts == parts; });
  bool goesOn = goingOn != running.end();
  size_t number = goingOn - running.begin();
  std::optional<Resident> resident = program.residentFor(
      scan.getSource().getType().getDimSize(axis), extents.of(extents.sourceThatTells(scan.getSources(), axis), axis));
  bool isWhole = resident && !resident->isShared && !along.offset && !along.dropped && along.size == resident->size;
  bool isShared = scan.getState() && !copy.position.empty();
  bool isOne = along.dropped && scan.getSource().getType().getDimSize(axis) == 1;
  if (!goesOn && !isWhole && !isOne && !isShared) {
    if (!resident || resident->isShared)
      return refuseScan(scan);
    Parts row = parts;
    row[axis] = residentPart(*resident);
    return takeOfWhole(scan, row, parts, axis);
  }

  SmallVector<Value> sources, inits;
  SmallVector<Type> types;
  for (auto [i, source] : llvm::enumerate(scan.getSources())) {
    FailureOr<Value> made = materialise(source, parts);
    if (failed(made))
      return failure();
    Type element = combinedIn(scan, i);
    sources.push_back(castTo(builder, loc, element, *made));
    // What lies beyond the end comes first where the scan begins there.
    if (scan.getReverse() && !along.full && !along.dropped)
      sources.back() = maskBeyond(builder, loc, sources.back(), tile::positionIn(parts, axis),
                                  extentOf(loc, extents.sourceThatTells(scan.getSources(), axis), axis, along),
                                  scan.identityOf(i, element));
    types.push_back(sources.back().getType());
  }
  auto asStored = [&](ArrayRef<Value> made) {
    SmallVector<Value> results;
    for (auto [result, source] : llvm::zip(made, scan.getSources()))
      results.push_back(castTo(builder, loc, getElementTypeOrSelf(source.getType()), result));
    return results;
  };
  if (isOne)
    return asStored(sources);
  if (goesOn)
    inits = running[number].inits;
  auto made = builder.create<tile::ScanOp>(loc, types, scan.getKind(), sources, tile::positionIn(parts, axis), inits,
                                           scan.getState() ? mapping.lookupOrDefault(scan.getState()) : Value(),
                                           scan.getState() ? ValueRange(copy.position) : ValueRange(),
                                           scan.getIdentitiesAttr(), scan.getReverse(),
                                           /*combinerCount=*/scan.getCombiner().size());
  if (scan.isCustom())
    cloneCombiner(scan.getCombiner().front(), made.getCombiner().front());
  if (goesOn)
    for (Value result : made.getResults()) {
      Parts kept = parts;
      kept.erase(kept.begin() + axis);
      Type type = partType(getElementTypeOrSelf(result.getType()), kept);
      running[number].totals.push_back(builder.create<tile::ScanTotalOp>(loc, type, result));
    }
  return asStored(llvm::to_vector_of<Value>(made.getResults()));
}

} // namespace tegula::split
