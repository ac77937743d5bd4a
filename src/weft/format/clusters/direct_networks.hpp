// Networks of hosts without switches, as Slurm 26.05 knows them: rings and 3D toruses.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/format/format.hpp"
#include "weft/topology/import/fabric_builder.hpp"

namespace weft::format::clusters {

struct RingEntry {
  std::string name;
  std::vector<std::string> hosts;  // in the order of the ring
  std::string where;               // FILE:LINE
  std::int64_t line = 0;
};

/// Each host has a cable to the next, the last to the first; two hosts have one. Throws
/// InvalidInput for a ring that stands there twice and a host that is in one ring twice.
ImportedFabric fabric_of_rings(const std::vector<RingEntry>& rings,
                               topology::FabricBuilder&& builder, const FabricSource& source);

using Coordinates = std::array<std::int64_t, 3>;  // x, y, z

/// A box of cells with a host each, x fastest.
struct TorusRegion {
  Coordinates anchor{}, extents{};
  std::vector<std::string> hosts;
  std::string where;
  std::int64_t line = 0;
};

struct TorusEntry {
  std::string name;
  Coordinates extents{};
  std::vector<TorusRegion> regions;
  std::string where;
  std::int64_t line = 0;
};

/// Each cell has a cable to the next in each of three dimensions, the last to the first; an extent
/// of two is one cable. Cells without a host have no cables, which a note says. Throws InvalidInput
/// for regions that overlap, leave the torus or have another number of hosts, and for a host that
/// stands there twice.
ImportedFabric fabric_of_toruses(const std::vector<TorusEntry>& toruses,
                                 topology::FabricBuilder&& builder, const FabricSource& source);

}  // namespace weft::format::clusters
