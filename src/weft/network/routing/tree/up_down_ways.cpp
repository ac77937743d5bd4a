// Reachability by ways up and then down, 64 destinations at a time: going up the levels a node
// learns what lies below it (what its living links down lead to), and then from the top what its
// parents reach. What has fallen apart altogether is no fault of ways up and down: only hosts that
// still hang together, and can send and receive, have to reach each other.
#include "weft/network/routing/tree/up_down_ways.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/base/union_find.hpp"

namespace weft::network {

namespace {

class Ways {
 public:
  Ways(const Topology& topology, const topology::DamagedXgft& damaged)
      : topology_(topology),
        by_level_(damaged.tree.first_of_level.size() - 1),
        joined_(topology.node_count()) {
    for (const LinkId link : topology.links())  // hosts pass nothing on
      if (!topology.is_host(topology.tail(link)) && !topology.is_host(topology.head(link)))
        joined_.join(topology.tail(link).value(), topology.head(link).value());
    level_.resize(topology.node_count());
    for (std::size_t level = 0; level < by_level_.size(); ++level)
      for (std::int64_t node = damaged.tree.first_of_level[level];
           node < damaged.tree.first_of_level[level + 1]; ++node)
        if (const NodeId now(damaged.now[node]); now.value() >= 0) {
          level_[now] = level;
          by_level_[level].push_back(now);
        }
    pick_hosts();
  }

  bool all_kept() {
    for (std::size_t first = 0; first < hosts_.size(); first += 64) {
      const auto targets =
          std::span(hosts_).subspan(first, std::min<std::size_t>(64, hosts_.size() - first));
      spread(targets);
      for (const NodeId host : hosts_)
        for (std::size_t t = 0; t < targets.size(); ++t)
          if (((reached_[host] >> t) & 1U) == 0 && hang_together(host, targets[t])) return false;
    }
    return true;
  }

 private:
  // One of the hosts with the same links to and from the same switches. Two of them reach each
  // other by a switch that one sends to and the other hears, or not at all: the parents of one host
  // head trees of their own, which only hosts join (no way up or down changes the first digit of
  // w).
  void pick_hosts() {
    std::set<std::tuple<std::vector<NodeId>, std::vector<NodeId>>> seen;
    for (const NodeId host : topology_.hosts()) {
      std::vector<NodeId> to, from;
      for (const LinkId link : topology_.out_links(host)) to.push_back(topology_.head(link));
      for (const LinkId link : topology_.in_links(host)) from.push_back(topology_.tail(link));
      if (to.empty() || from.empty()) continue;
      std::ranges::sort(to);
      std::ranges::sort(from);
      if (seen.emplace(std::move(to), std::move(from)).second) hosts_.push_back(host);
    }
  }

  bool hang_together(NodeId from, NodeId to) {
    for (const LinkId out : topology_.out_links(from))
      for (const LinkId in : topology_.in_links(to))
        if (joined_.find(topology_.head(out).value()) == joined_.find(topology_.tail(in).value()))
          return true;
    return false;
  }

  bool goes_up(LinkId link) const {
    return level_[topology_.head(link)] > level_[topology_.tail(link)];
  }

  void spread(std::span<const NodeId> targets) {
    reached_.assign(topology_.node_count(), 0);
    for (std::size_t t = 0; t < targets.size(); ++t) reached_[targets[t]] |= std::uint64_t{1} << t;
    for (const auto& nodes : by_level_)
      for (const NodeId node : nodes) take(node, false);
    for (auto nodes = by_level_.rbegin(); nodes != by_level_.rend(); ++nodes)
      for (const NodeId node : *nodes) take(node, true);
  }

  void take(NodeId node, bool up) {
    for (const LinkId link : topology_.out_links(node))
      if (goes_up(link) == up) reached_[node] |= reached_[topology_.head(link)];
  }

  const Topology& topology_;
  IdVector<NodeId, std::size_t> level_;
  std::vector<std::vector<NodeId>> by_level_;
  std::vector<NodeId> hosts_;
  IdVector<NodeId, std::uint64_t> reached_;  // targets, up and then down
  UnionFind joined_;                         // switches, by any links
};

}  // namespace

bool keeps_up_down_ways(const Topology& topology, const topology::DamagedXgft& tree) {
  return Ways(topology, tree).all_kept();
}

}  // namespace weft::network
