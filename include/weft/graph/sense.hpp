// Which way a graph's arcs are read.
#pragma once

#include <cstdint>

namespace weft::graph {

/// Which way data flows: along the links (allgather, broadcast, scatter), or against them, which is
/// the transpose graph (reduce-scatter, reduce, gather, run backwards in time).
enum class Sense : std::uint8_t { along, against };

/// The other one.
inline Sense other(Sense sense) {
  return sense == Sense::along ? Sense::against : Sense::along;
}

}  // namespace weft::graph
