// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a grid run at the same time: one that reads what another stores finds the old value or the new one.
//   x[i] = x[i + 1]                                        program i reads the element of program i + 1
//   x[ds<64>(64 * i)] = x[ds<64>(64 * i + 1)]              and here its first element
//   x[2 * i] = x[2 * i + 1]                                nothing: no program stores to odd elements
#include "analysis/Races.h"
#include "checks/Passes.h"
#include "ir/Locations.h"
#include "support/Warnings.h"

#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKREADS
#include "checks/Passes.h.inc"

namespace {
/// Distances between programs along an axis.
struct Distances {
  int64_t least = std::numeric_limits<int32_t>::min(), most = std::numeric_limits<int32_t>::max();

  /// The nearest program that is another one; 0 if there is none.
  int64_t nearest() const {
    if (least <= 1 && most >= 1)
      return 1;
    if (least <= -1 && most >= -1)
      return -1;
    return least > most ? 0 : least > 0 ? least : most < 0 ? most : 0;
  }
};

class Reads {
public:
  explicit Reads(tile::LaunchOp launch) : launch(launch), symbols(launch) {}

  void check() {
    SmallVector<tile::StoreOp> stores;
    launch.getBody().walk([&](Operation *op) {
      if (auto id = dyn_cast<tile::ProgramIdOp>(op))
        ids[id.getAxis()] = symbols.of(id);
      else if (auto store = dyn_cast<tile::StoreOp>(op); store && !dependsOnProgram(store))
        stores.push_back(store);
    });
    launch.getBody().walk([&](tile::LoadOp load) {
      // Windows that overlap may lie in others that do not.
      if (!mayRace(launch, tile::arrayOf(load.getRef()), symbols))
        return;
      for (tile::StoreOp store : stores)
        if (tile::arrayOf(store.getRef()) == tile::arrayOf(load.getRef()) && !dependsOnProgram(load) &&
            check(store, load))
          break;
    });
  }

private:
  /// Whether a condition or a mask may keep programs that would collide from doing so.
  bool dependsOnProgram(Operation *op) {
    if (auto store = dyn_cast<tile::StoreOp>(op); store && store.getMask())
      return true;
    if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getMask())
      return true;
    for (Operation *parent = op->getParentOp(); parent != launch; parent = parent->getParentOp())
      if (isa<scf::IfOp, scf::WhileOp>(parent))
        return true;
    return false;
  }

  /// The innermost, or the whole dimension.
  static Interval windowOf(ArrayRef<Interval> windows) { return windows.empty() ? Interval() : windows.back(); }

  /// How far apart along an axis of the grid two programs are of which one reads what the other stores; none if no two
  /// do for certain.
  int64_t distance(const Footprint &stored, const Footprint &read, Symbol id) {
    Distances distances;
    for (auto [ofStore, ofLoad] : llvm::zip_equal(stored, read)) {
      Interval to = windowOf(ofStore), from = windowOf(ofLoad);
      Linear between = from.start;
      between.add(to.start, -1);
      auto factor = to.start.factors.lookup(id);
      if (!between.factors.empty())
        return 0;
      if (!to.size || !from.size) {
        if (factor != 0 || between.constant != 0)
          return 0;
        continue;
      }
      // The store of a program that is d away begins at factor * d: it overlaps [between, between + size of the read).
      int64_t low = between.constant - *to.size + 1, high = between.constant + *from.size - 1;
      if (factor == 0) {
        if (low > 0 || high < 0)
          return 0;
        continue;
      }
      if (factor < 0) {
        factor = -factor;
        std::tie(low, high) = std::pair(-high, -low);
      }
      distances.least = std::max(distances.least, llvm::divideCeilSigned(low, factor));
      distances.most = std::min(distances.most, llvm::divideFloorSigned(high, factor));
    }
    return distances.nearest();
  }

  bool check(tile::StoreOp store, tile::LoadOp load) {
    Footprint stored = footprintOf(store.getRef(), symbols), read = footprintOf(load.getRef(), symbols);
    for (auto [axis, id] : ids) {
      if (matchPattern(launch.getGrid()[axis], m_One()))
        continue;
      int64_t apart = distance(stored, read, id);
      // Where the index of the program is in no start, all programs store to one place: another check's.
      bool moves = llvm::any_of(
          stored, [id = id](ArrayRef<Interval> windows) { return windowOf(windows).start.factors.lookup(id) != 0; });
      if (apart == 0 || !moves)
        continue;
      std::string name = tile::nameOf(tile::arrayOf(load.getRef())).str();
      InFlightDiagnostic warning =
          emitWarning(tile::withoutName(load.getLoc()))
          << "this reads elements of " << name << " that the program " << std::abs(apart)
          << (apart > 0 ? " after" : " before") << " it along grid axis " << axis
          << " stores to, and programs run at the same time: it may read the old values or the "
          << "new ones" << markOf(Warning::RacingRead);
      warning.attachNote() << "read from one array and store to another: tg::in(" << name << ") and tg::out(result)";
      return true;
    }
    return false;
  }

  tile::LaunchOp launch;
  Symbols symbols;
  /// The program ids that the body uses.
  std::map<unsigned, Symbol> ids;
};

struct CheckReads : impl::TileCheckReadsBase<CheckReads> {
  void runOnOperation() override {
    getOperation().walk([&](tile::LaunchOp launch) {
      if (!launch.isExplicit() && !launch.getGrid().empty())
        Reads(launch).check();
    });
  }
};
} // namespace
} // namespace tegula
