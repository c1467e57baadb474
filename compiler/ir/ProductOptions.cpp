// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ProductOptions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tegula {

static constexpr char attribute[] = "tile.product_options";

/// Applies a function to each option and its name.
template <class Options, class Function> static void forEach(Options &options, Function function) {
  function("num_consumers", options.consumers);
  function("num_stages", options.stages);
  function("tile_n", options.columns);
  function("tile_k", options.depth);
  function("cluster", options.cluster);
}

ProductOptions ProductOptions::of(Operation *launch) {
  ProductOptions options;
  if (auto given = launch->getAttrOfType<DictionaryAttr>(attribute))
    forEach(options, [&](StringRef name, int64_t &value) {
      if (auto number = given.getAs<IntegerAttr>(name))
        value = number.getInt();
    });
  return options;
}

void ProductOptions::setOn(Operation *launch) const {
  Builder builder(launch->getContext());
  SmallVector<NamedAttribute> given;
  forEach(*this, [&](StringRef name, int64_t value) {
    if (value != 0)
      given.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  });
  if (!given.empty())
    launch->setAttr(attribute, builder.getDictionaryAttr(given));
}

int64_t clusterSizeOf(Operation *kernel) {
  auto size = kernel->getAttrOfType<IntegerAttr>(clusterOfProducts);
  return size ? size.getInt() : 1;
}

} // namespace tegula
