// Whether tables are those of a fat-tree routing: what is for an address comes down by one path,
// and a switch has the same number of addresses behind each switch above it.
//
// Host i of each leaf then has a switch of its own at the top, so that patterns in which every host
// sends to one other, shifted by a constant, meet on no cable of a full tree. Where hosts are
// missing at a leaf, OpenSM counts the empty ports, too; a switch may then be uneven by as many
// addresses as it has fewer than the fullest switch of its level.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

using topology::node_text;

class Descents {
 public:
  Descents(const SwitchNet& net, const Columns& columns, std::vector<std::int32_t> levels)
      : net_(net),
        columns_(columns),
        levels_(std::move(levels)),
        seen_(levels_.size(), -1),
        behind_(net.head.size(), 0) {}

  /// Follows an address from all hosts; whether it goes up, then comes down by one path.
  bool follow(std::int32_t address) {
    const auto column = columns_.of(address);
    std::fill(down_.begin(), down_.end(), -1);
    for (std::int32_t leaf = 0; leaf < net_.count; ++leaf) {
      if (net_.ports_of_hosts[leaf] == 0) continue;
      bool descends = false;
      for (std::int32_t node = leaf; column[node] >= 0; node = net_.head[column[node]]) {
        const std::int32_t channel = column[node];
        const bool is_down = levels_[net_.head[channel]] < levels_[node];
        if (descends && !is_down) return false;
        descends = is_down;
        if (seen_[node] == address) break;
        seen_[node] = address;
        if (is_down && !comes_down_by(channel)) return false;
      }
    }
    for (const std::int32_t channel : down_)
      if (channel >= 0) ++behind_[channel];
    return true;
  }

  std::string uneven() const {
    std::vector<std::int64_t> below(levels_.size(), 0);  // addresses that come down to a switch
    for (std::int32_t c = 0; c < net_.channels(); ++c) below[net_.head[c]] += behind_[c];
    std::map<std::int32_t, std::int64_t> fullest;  // by level
    for (std::int32_t node = 0; node < net_.count; ++node)
      fullest[levels_[node]] = std::max(fullest[levels_[node]], below[node]);
    for (std::int32_t node = 0; node < net_.count; ++node) {
      std::map<std::int32_t, std::int64_t> from;  // by the switch above
      for (const std::int32_t c : net_.into(node))
        if (levels_[net_.tail[c]] > levels_[node]) from[net_.tail[c]] += behind_[c];
      if (from.empty()) continue;
      const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
      const auto [least, most] = std::ranges::minmax_element(from, by_count);
      if (most->second - least->second > 1 + fullest[levels_[node]] - below[node])
        return fmt::format("{} addresses come down to switch {} from {}, and {} from {}",
                           most->second, text(node), text(most->first), least->second,
                           text(least->first));
    }
    return {};
  }

 private:
  std::string text(std::int32_t node) const {
    return node_text(net_.topology, net_.topology.switches()[node]);
  }
  bool comes_down_by(std::int32_t channel) {
    const auto level = static_cast<std::size_t>(levels_[net_.head[channel]]);
    if (down_.size() <= level) down_.resize(level + 1, -1);
    if (down_[level] >= 0 && down_[level] != channel) return false;
    down_[level] = channel;
    return true;
  }

  const SwitchNet& net_;
  const Columns& columns_;
  std::vector<std::int32_t> levels_, seen_;
  std::vector<std::int32_t> down_;    // by level: the channel by which the address comes down
  std::vector<std::int64_t> behind_;  // by channel: addresses that come down by it
};

}  // namespace

std::string why_not_ftree(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  std::vector<std::int32_t> levels = levels_of(net);
  if (levels.empty()) return "the switches are no tree of levels";
  Descents descents(net, columns, std::move(levels));
  for (std::int32_t address = 0; address < to.count(); ++address)
    if (to.group[address] >= 0 && !descents.follow(address))
      return fmt::format("what is for {} comes down by several paths, or goes up again",
                         node_text(net.topology, to.host[address]));
  return descents.uneven();
}

}  // namespace weft::analysis
