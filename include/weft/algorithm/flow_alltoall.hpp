// All-to-all over the paths of an optimal flow.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/algorithm/options.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Who passes on what is on its way: nodes, as explicit routes tell them, or the ranks on them,
/// which receive it in one step and send it in a later one.
enum class Forwarding : std::uint8_t { network, ranks };

struct FlowOptions {
  Forwarding forwarding = Forwarding::network;
  std::int64_t segments = 1;          // of ranks; without them 1
  std::optional<Chunks> chunks = {};  // of a block; else as many as the optimum needs
};

struct FlowAllToAll {
  schedule::Schedule schedule;
  /// T_B of the flow itself, which no rounding of shares and no filling of pipelines adds to: exact
  /// where the throughput is.
  Rational exact_bandwidth_factor;
};

/// An all-to-all that loads the fullest link as little as any can, or within the rounding of shares
/// to units and the gap of flow::all_to_all_throughput(), whose flow it follows. Forwarded by the
/// network it takes one step; by ranks as many as the longest path has links, s - 1 more in s
/// segments, and T_B at most (D + s - 1) / s times that of one step, D the former. On Cayley
/// networks with rank x on element x one rank's messages are stored. Throws InvalidInput for ranks
/// that are all on one node or do not reach each other, for less than one segment, several that are
/// not forwarded by ranks, and for forwarding by ranks on networks without switches where nodes
/// have no rank.
FlowAllToAll flow_alltoall(const Network& network, const FlowOptions& options = {});

}  // namespace weft::algorithm
