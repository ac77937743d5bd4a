// Switches with what hangs below each, as schedulers know a network: from there to a network.
#pragma once

#include <string>
#include <vector>

#include "weft/format/format.hpp"

namespace weft::format::clusters {

struct SwitchEntry {
  std::string name;
  std::vector<std::string> switches, hosts;  // below it
  std::string where;                         // FILE:LINE
  bool has_speed = false;                    // the file says one, without a unit
  std::int64_t line = 0;
};

/// Joins each switch to its parent by source.uplinks cables, of class level1 from leaves, level2
/// from what is above them and so on, and each host to its switch by one. Throws InvalidInput,
/// naming the line, for a switch that stands there twice, is nowhere, has nothing below it or is
/// below itself, what stands twice below one, and names that are none.
ImportedFabric fabric_of_tree(const std::vector<SwitchEntry>& entries, const FabricSource& source);

/// Blocks of hosts on a switch each; one more joins the blocks by source.uplinks cables from each.
/// Throws InvalidInput as the above.
ImportedFabric fabric_of_blocks(const std::vector<SwitchEntry>& blocks, const FabricSource& source);

/// A list of hosts or switches as Slurm writes it, "n[0-3,8],login".
std::vector<std::string> names_of(std::string_view list, const std::string& where);

/// Throws InvalidInput for a LinkSpeed that Slurm would not take.
void require_speed(std::string_view text, const std::string& where);

}  // namespace weft::format::clusters
