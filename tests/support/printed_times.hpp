// TACOS's golden allgather times, and the definition that gives them.
#pragma once

#include "weft/base/rational.hpp"

namespace weft::support {

/// TACOS (Won et al., MICRO 2024) sends one chunk after the other over a link, each for latency +
/// size / bandwidth; its links are of 50 GiB/s and 0.5 us, its sizes the whole result.
struct PrintedTime {
  const char* topology;
  int nodes;
  int chunks;             // of a shard
  int gibibytes;          // of all shards
  double time_us;         // printed
  Rational least_rounds;  // per chunk, into the node or set of nodes that is worst off
};

/// A corner of the mesh gets 24 shards over 2 links; a node of the torus gets 59 over 6.
inline const PrintedTime kPrintedTimes[] = {
    {"mesh:5x5", 25, 1, 1, 9606.00, Rational(24, 2)},
    {"torus:3x4x5", 60, 2, 2, 6676.67, Rational(59, 6)},
};

/// The time that a link takes for one chunk, latency apart.
inline double chunk_time_us(const PrintedTime& line) {
  return 1e6 * line.gibibytes / (50.0 * line.nodes * line.chunks);
}
inline constexpr double kPrintedLatency_us = 0.5;

}  // namespace weft::support
