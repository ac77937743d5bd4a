// The speeds of a fabric, for another fabric that is made from them.
#pragma once

#include "weft/topology/fabric.hpp"

namespace weft::topology {

/// By link, in bytes/s and picoseconds: what every link has, whoever said so. O(links).
FileSpeeds speeds_of(const Fabric& fabric);

/// By link, as a network's file has them: whoever reads it takes off what carries no data.
FileSpeeds speeds_for_file(const BuiltTopology& built, LinkOptions links);

}  // namespace weft::topology
