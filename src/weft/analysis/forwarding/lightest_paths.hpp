// Shortest paths by how many others already use their links, as SSSP and DFSSSP choose them.
//
// One address after another takes the lightest of its shortest paths; then its links grow heavier
// by the addresses that use them, those of hosts and one of each switch, by which it is managed.
// Source: Hoefler, Schneider, Lumsdaine, "Optimized Routing for Large-Scale InfiniBand Networks",
// HOTI 2009.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/analysis/forwarding/switch_net.hpp"

namespace weft::analysis {

class LightestPaths {
 public:
  /// The arguments must outlive it. No link has a weight so far.
  LightestPaths(const SwitchNet& net, const Destinations& to);

  /// Later calls are about addresses of this group.
  void begin(std::int32_t group);
  /// Writes the lightest paths into entries that are kNone.
  void fill(std::span<std::int32_t> column);
  /// Whether all entries lead along lightest paths.
  bool is_lightest(std::span<const std::int32_t> column);
  /// Makes the links of the paths heavier.
  void add(std::span<const std::int32_t> column);

 private:
  const SwitchNet& net_;
  const Destinations& to_;
  std::vector<std::int64_t> weights_;           // by channel
  std::vector<std::int64_t> lightest_, taken_;  // by switch: weight of its path
  std::vector<std::int64_t> ports_;             // by switch: those whose path leads there
  std::vector<std::int64_t> ports_at_;          // by switch: addresses there and its own
  std::int32_t group_ = -1;
  std::vector<std::int32_t> nodes_;  // that reach the group, nearest first
};

}  // namespace weft::analysis
