// The cost of a BFB allgather straight from its definition: every node, every step, every set of
// in-links.
#pragma once

#include "weft/base/rational.hpp"
#include "weft/topology/topology.hpp"

namespace weft::support {

struct NaiveCost {
  int steps = 0;
  Rational bandwidth_factor;

  friend bool operator==(const NaiveCost&, const NaiveCost&) = default;
};

/// Of a strongly connected topology; its nominal degree is d.
NaiveCost naive_allgather(const Topology& topology);

}  // namespace weft::support
