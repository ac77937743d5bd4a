// Fat-tree routing: each host has one path down, and the paths of the hosts below a switch are
// dealt to the switches above it.
//
// From the switch of a host the path down is built upwards: the switch above with the fewest paths
// so far hands down what is for the host; all other switches below it send what is for the host up
// to it. Switches that the path misses, as in a tree with missing cables, are then given paths over
// the other switches above. Source: Zahavi, Johnson, Kerbyson, Lang, "Optimized InfiniBand Fat-tree
// Routing for Shift All-to-all Communication Patterns", CCPE 22(2), 2010.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/analysis/forwarding/engine_tables.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

// The parallel cables between two switches of neighbouring levels.
struct Bundle {
  std::int32_t other = 0;
  std::vector<std::int32_t> up, down;  // channels
};

class FatTree {
 public:
  FatTree(const SwitchNet& net, const std::vector<std::int32_t>& levels, Columns& columns)
      : columns_(columns), above_(levels.size()), below_(levels.size()), ways_(net.head.size(), 0) {
    // First a switch's own links, so that bundles come in the order of its ports.
    for (std::int32_t c = 0; c < net.channels(); ++c) {
      const std::int32_t node = net.tail[c], next = net.head[c];
      if (levels[next] > levels[node])
        bundle(above_[node], next).up.push_back(c);
      else
        bundle(below_[node], next).down.push_back(c);
    }
    for (std::int32_t c = 0; c < net.channels(); ++c) {
      const std::int32_t node = net.tail[c], next = net.head[c];
      if (levels[next] > levels[node])
        bundle(below_[next], node).up.push_back(c);
      else
        bundle(above_[next], node).down.push_back(c);
    }
  }

  void route(std::int32_t address, std::int32_t leaf) {
    column_ = columns_.of(address);
    rise(leaf, true);
  }

 private:
  static Bundle& bundle(std::vector<Bundle>& bundles, std::int32_t other) {
    const auto found = std::ranges::find(bundles, other, &Bundle::other);
    if (found != bundles.end()) return *found;
    bundles.push_back({other, {}, {}});
    return bundles.back();
  }
  std::int64_t ways_down(const Bundle& bundle) const {
    std::int64_t sum = 0;
    for (const std::int32_t channel : bundle.down) sum += ways_[channel];
    return sum;
  }
  std::int32_t least_used(const std::vector<std::int32_t>& channels) const {
    return *std::ranges::min_element(channels, {}, [&](std::int32_t c) { return ways_[c]; });
  }

  // Has the switches above hand down to this one; the main path counts.
  void rise(std::int32_t node, bool is_main) {
    const auto& above = above_[node];
    if (above.empty()) return;
    const auto main =
        std::ranges::min_element(above, {}, [&](const Bundle& each) { return ways_down(each); });
    hand_down(*main, is_main);
    for (const Bundle& each : above)
      if (&each != &*main) hand_down(each, false);
  }

  void hand_down(const Bundle& from, bool is_main) {
    std::int32_t& entry = column_[from.other];
    if (entry != Columns::kNone || from.down.empty()) return;
    entry = least_used(from.down);
    if (is_main) ++ways_[entry];
    rise(from.other, is_main);
    send_up(from.other);
  }

  // Has the switches below send up to this one.
  void send_up(std::int32_t node) {
    for (const Bundle& each : below_[node]) {
      std::int32_t& entry = column_[each.other];
      if (entry != Columns::kNone || each.up.empty()) continue;
      entry = least_used(each.up);
      ++ways_[entry];
      send_up(each.other);
    }
  }

  Columns& columns_;
  std::span<std::int32_t> column_;
  std::vector<std::vector<Bundle>> above_, below_;  // by switch
  std::vector<std::int64_t> ways_;                  // by channel: addresses that take it
};

}  // namespace

std::string why_no_ftree(const SwitchNet& net, const std::vector<std::int32_t>& levels) {
  if (levels.empty()) return "the switches are no tree of levels";
  std::map<std::int32_t, std::vector<std::int32_t>> cables;  // by level: to each switch above
  for (std::int32_t node = 0; node < net.count; ++node) {
    std::map<std::int32_t, std::int32_t> above;
    for (std::int32_t c = net.first[node]; c < net.first[node + 1]; ++c)
      if (levels[net.head[c]] > levels[node]) ++above[net.head[c]];
    std::vector<std::int32_t> counts;
    for (const auto& [other, count] : above) counts.push_back(count);
    const auto [at, is_new] = cables.emplace(levels[node], counts);
    if (!is_new && at->second != counts)
      return fmt::format("switch {} has other cables to the level above than the rest of its level",
                         topology::node_text(net.topology, net.topology.switches()[node]));
  }
  return {};
}

Columns ftree_columns(const SwitchNet& net, const Destinations& to, const Columns& now,
                      const std::vector<std::int32_t>& levels) {
  Columns columns = handing_over(to, now);
  FatTree tree(net, levels, columns);
  for (const std::int32_t address : routing_order(to))
    tree.route(address, to.leaves[to.group[address]]);
  return columns;
}

}  // namespace weft::analysis
