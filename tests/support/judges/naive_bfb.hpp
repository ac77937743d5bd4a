// LP (1) by its definition: all sets of in-links, distances by Floyd and Warshall.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::support {

/// The optimum's T_B of a breadth-first allgather, in units of M/B; degrees to 16.
Rational naive_bfb_factor(const Fabric& fabric);

/// The same with whole chunks, by trying every time that some number of chunks takes on some link.
/// Links alike only.
Rational naive_bfb_factor(const Fabric& fabric, std::int64_t chunks);

}  // namespace weft::support
