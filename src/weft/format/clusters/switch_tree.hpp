// Switches with what hangs below each, as schedulers know a network: from there to a network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/format/format.hpp"
#include "weft/topology/import/fabric_builder.hpp"

namespace weft::format::clusters {

struct SwitchEntry {
  std::string name;
  std::vector<std::string> switches, hosts;  // below it
  std::string where;                         // FILE:LINE
  bool has_speed = false;                    // the file says one, without a unit
  std::int64_t line = 0;
};

/// Joins each switch to its parent by source.uplinks cables, of class level1 from leaves, level2
/// from what is above them and so on, and each host to its switch by one. A host listed at a switch
/// and at one below it hangs on the lower one. Switches with no host below them are left out, with
/// a note. Throws InvalidInput, naming the line, for a switch that stands there twice, is nowhere
/// or is below itself.
ImportedFabric fabric_of_tree(std::vector<SwitchEntry> entries, topology::FabricBuilder&& builder,
                              const FabricSource& source);

/// Blocks of hosts on a switch each; one more joins the blocks by source.uplinks cables from each.
/// Throws InvalidInput as the above.
ImportedFabric fabric_of_blocks(std::vector<SwitchEntry> blocks, topology::FabricBuilder&& builder,
                                const FabricSource& source);

}  // namespace weft::format::clusters
