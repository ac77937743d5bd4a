// What a row can run.
#pragma once

#include <cstdint>

namespace weft::question {

/// What a row runs: a simulation, the exact price of a schedule, the measures of a topology, the
/// price that an algorithm knows without its schedule, the all-to-all throughput of a network, the
/// best network that the finder knows, the links that a schedule's messages cross, a search of the
/// ranks' order, the mean of messages to all ranks, a size of a kind of network with what it costs,
/// the price of one part, whether a network contains another, or the load of one step of a
/// schedule.
enum class RowKind : std::uint8_t {
  simulate,
  cost,
  topology,
  forecast,
  throughput,
  find,
  crossings,
  order,
  pairs,
  economics,
  price,
  embedding,
  phases,
};

/// Whether a row is of a topology.
constexpr bool has_topology(RowKind kind) {
  return kind != RowKind::find && kind != RowKind::economics && kind != RowKind::price;
}

/// Whether a collective runs on the network by an algorithm.
constexpr bool runs_schedule(RowKind kind) {
  return kind == RowKind::simulate || kind == RowKind::cost || kind == RowKind::forecast ||
         kind == RowKind::crossings || kind == RowKind::order || kind == RowKind::pairs ||
         kind == RowKind::phases;
}

}  // namespace weft::question

namespace weft {
using question::RowKind;
}  // namespace weft
