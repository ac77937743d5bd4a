// From the builder of a fabric to what a reader returns.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "weft/format/format.hpp"
#include "weft/topology/import/fabric_builder.hpp"

namespace weft::format {

using topology::FabricBuilder;

/// Builds the fabric; its remarks begin with the builder's notes. `numbers`, when given, receives
/// the node of each of the builder's, nothing where it is left out.
inline ImportedFabric built(FabricBuilder&& builder,
                            std::vector<std::optional<NodeId>>* numbers = nullptr) {
  auto fabric = std::move(builder).build();
  if (numbers != nullptr) *numbers = std::move(fabric.numbers);
  return {.network = std::move(fabric.network), .remarks = std::move(fabric.notes)};
}

}  // namespace weft::format
