// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU code of a program looks at while it runs, where the compiler cannot tell from the text.
#include "analysis/Outputs.h"
#include "analysis/Races.h"
#include "ir/Locations.h"
#include "stub/Nest.h"
#include "stub/Program.h"

using namespace mlir;

namespace tegula::stub {

// ---- Outputs --------------------------------------------------------------------------------------------------------

void ProgramPrinter::findMarked(tile::LaunchOp launch) {
  for (BlockArgument argument : launch.getBody().getArguments()) {
    bool isOutput =
        isa<tile::RefType>(argument.getType()) && launch.getAccessOf(argument.getArgNumber()) == tile::Access::Out;
    Value block = isOutput ? ownBlockOf(launch, argument) : Value();
    if (!block || storesAllOf(launch, block, *extents))
      continue;
    SmallVector<tile::RootOpInterface> stores = storesTo(launch, argument);
    Operation *spec = block.getDefiningOp();
    Location where = stores.empty() ? (spec ? spec : launch)->getLoc() : stores.front().getLoc();
    marked.push_back({argument, block, where, {}});
  }
}

void ProgramPrinter::declareMarks(Value block) {
  for (MarkedBlock &known : marked)
    if (known.block == block) {
      std::string place = use(block).text;
      known.name = names.unique(place + "_written");
      out.line("cpu::written " + known.name + "(" + place + ");");
    }
}

void ProgramPrinter::printMarks(tile::StoreOp op, const std::string &place) {
  for (const MarkedBlock &known : marked)
    if (known.argument == tile::arrayOf(op.getRef()))
      out.line(method({known.name}, "add", Expr(place)).text + ";");
}

static Expr entryOf(BlockArgument argument) {
  auto entry = argument.getOwner()->getParentOp()->getParentOfType<tile::EntryOp>();
  return quoted(entry.getQualifiedName());
}

void ProgramPrinter::printChecks() {
  SmallVector<Expr> program(indexNames.begin(), indexNames.end());
  for (const MarkedBlock &known : marked) {
    out.generated();
    Expr arguments[] = {site(known.where), entryOf(known.argument), quoted(tile::nameOf(known.argument)),
                        Expr("{" + commaSeparated(program) + "}")};
    out.line(method({known.name}, "check", arguments).text + ";");
  }
}

// ---- Races ----------------------------------------------------------------------------------------------------------

void ProgramPrinter::findTracked(tile::LaunchOp launch) {
  for (BlockArgument argument : launch.getBody().getArguments())
    if (isa<tile::RefType>(argument.getType()) && mayRace(launch, argument, extents->symbols()))
      tracked.push_back({argument, accessesOf(launch, argument), {}});
}

void ProgramPrinter::declareRaces() {
  for (TrackedArray &array : tracked) {
    std::string place = use(array.argument).text;
    array.name = names.unique(place + "_races");
    SmallVector<Expr> grid(countNames.begin(), countNames.end()), sites;
    for (Operation *access : array.accesses)
      sites.push_back(site(access->getLoc()));
    out.line("cpu::races " + array.name + "(" +
             commaSeparated({Expr(place), entryOf(array.argument), quoted(tile::nameOf(array.argument)),
                             Expr("{" + commaSeparated(grid) + "}"), Expr("{" + commaSeparated(sites) + "}")}) +
             ");");
  }
}

/// With a mask, element by element.
void ProgramPrinter::printAccess(Operation *access, StringRef method, Value ref, Value mask) {
  for (const TrackedArray &array : tracked) {
    auto known = llvm::find(array.accesses, access);
    if (known == array.accesses.end())
      continue;
    Expr number(std::to_string(known - array.accesses.begin()));
    std::string place = use(ref).text;
    auto tell = [&](const Expr &what) { return stub::method({array.name}, method, {number, what}).text; };
    if (!mask) {
      out.line(tell(Expr(place)) + ";");
      continue;
    }
    SmallVector<Expr> extents;
    for (unsigned axis = 0; axis < cast<tile::RefType>(ref.getType()).getRank(); ++axis)
      extents.push_back(dimOfRef(ref, axis));
    Nest(*this, mask, access->getLoc())
        .print(extents, [&](ArrayRef<Expr> index, const Expr &) { return tell(call(place, index)); }, mask);
  }
}

/// Element by element.
void ProgramPrinter::printGatherAccess(tile::GatherOp gather) {
  if (llvm::none_of(tracked, [&](const TrackedArray &array) { return llvm::is_contained(array.accesses, gather); }))
    return;
  SmallVector<Nest::Followed> indices;
  for (Value each : gather.getIndices())
    indices.push_back({each, static_cast<int64_t>(gather.getPosition())});
  Nest(*this, gather.getIndices().front(), gather.getLoc())
      .printUpdate(
          extentsOf(gather), indices,
          [&](ArrayRef<Expr> index, ArrayRef<Expr> values) {
            Expr element = call("cpu::element", {site(gather.getLoc(), gather.getRef()), use(gather.getRef()),
                                                 placeOf(gather, index, values)});
            for (const TrackedArray &array : tracked) {
              auto known = llvm::find(array.accesses, gather);
              if (known != array.accesses.end())
                return method({array.name}, "load", {Expr(std::to_string(known - array.accesses.begin())), element})
                    .text;
            }
            llvm_unreachable("its array is tracked");
          },
          gather.getMask());
}

void ProgramPrinter::tellElement(Operation *access, StringRef how, Value ref, const Expr &element) {
  for (const TrackedArray &array : tracked)
    if (const auto *known = llvm::find(array.accesses, access); known != array.accesses.end())
      out.line(method({array.name}, how, {Expr(std::to_string(known - array.accesses.begin())), element}).text + ";");
  for (const MarkedBlock &block : marked)
    if (block.argument == tile::arrayOf(ref) && !isa<tile::AtomicOp>(access))
      out.line(method({block.name}, "add", element).text + ";");
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

std::string ProgramPrinter::explanation(tile::LaunchOp launch) {
  auto entry = launch->getParentOfType<tile::EntryOp>();
  return call("cpu::rethrow", {site(launch.getLoc()), quoted(entry.getQualifiedName())}).text;
}

std::string ProgramPrinter::explanation(tile::LaunchOp launch, StringRef access, ArrayRef<std::string> program) {
  auto entry = launch->getParentOfType<tile::EntryOp>();
  return call("cpu::rethrow",
              {Expr(access.str()), quoted(entry.getQualifiedName()), Expr("{" + llvm::join(program, ", ") + "}")})
      .text;
}

// ---- Programs -------------------------------------------------------------------------------------------------------

void ProgramPrinter::printProgram(Block &block) {
  for (const TrackedArray &array : tracked)
    out.line(method({array.name}, "begin_program", ArrayRef<Expr>()).text + ";");
  for (BlockArgument argument : block.getArguments())
    declareMarks(argument);
  printBlock(block);
  printChecks();
}

/// What a program prints, it prints without elements, too. Failed checks are noted in an array that has some.
void ProgramPrinter::printEndOfEmpty(tile::LaunchOp launch) {
  bool prints = launch.getBody().walk([](tile::DebugPrintOp) { return WalkResult::interrupt(); }).wasInterrupted();
  SmallVector<Expr> outputs;
  for (BlockArgument argument : launch.getBody().getArguments())
    if (isa<tile::RefType>(argument.getType()) && isWritten(argument))
      outputs.push_back(use(argument));
  if (prints || outputs.empty())
    return;
  out.open("if (" + call("cpu::are_empty", outputs).text + ")");
  out.line("return;");
  out.close();
}

} // namespace tegula::stub
