// Cables between switches and hosts as trees are laid over them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::algorithm::trees {

inline constexpr std::int32_t kNoPart = -1;

/// A way from a node to a neighbour, and back.
struct SwitchLink {
  std::int32_t cable = 0;
  NodeId to;
  LinkId out, back;
};

/// Which cables and nodes a graph has: by cable, and by node the one that stands for it.
struct Selection {
  std::vector<char> cables;
  IdVector<NodeId, NodeId> stands_for;
};

// Cables between switches, and between switches and ends: hosts, or groups of nodes.
class SwitchGraph {
 public:
  SwitchGraph(const Topology& topology, std::vector<NodeId> ends, const Selection& selection)
      : topology_(topology), ends_(std::move(ends)), is_end_(nodes(), false), ways_(nodes()) {
    for (const NodeId end : ends_) is_end_[end] = true;
    for (const LinkId out : topology.links()) {
      const auto back = topology.reverse(out);
      const std::int32_t cable = topology.cable(out).value();
      if (!back || !selection.cables[cable]) continue;
      const NodeId from = selection.stands_for[topology.tail(out)];
      const NodeId to = selection.stands_for[topology.head(out)];
      if (from == to || !takes(from) || !takes(to) || (is_end(from) && is_end(to))) continue;
      ways_[from].push_back({cable, to, out, *back});
    }
    for (const NodeId node : topology.switches())
      if (!ways(node).empty() && !is_end(node)) switches_.push_back(node);
  }

  bool is_end(NodeId node) const { return is_end_[node] != 0; }
  std::span<const NodeId> ends() const { return ends_; }
  std::span<const NodeId> switches() const { return switches_; }
  std::span<const SwitchLink> ways(NodeId node) const { return ways_[node]; }
  const Topology& topology() const { return topology_; }
  std::int32_t nodes() const { return topology_.node_count(); }

  /// The switches of each part that the allowed cables join, with the ends on it.
  struct Part {
    std::vector<NodeId> switches = {};
    std::int64_t ends = 0;
  };
  template <class Allowed>
  std::vector<Part> parts(Allowed&& allowed) const {
    std::vector<Part> parts;
    IdVector<NodeId, std::int32_t> part_of(nodes(), kNoPart),
        last(nodes(), kNoPart);  // ends: counted last
    for (const NodeId start : switches_) {
      if (part_of[start] != kNoPart) continue;
      const auto number = static_cast<std::int32_t>(parts.size());
      Part& part = parts.emplace_back();
      part.switches.push_back(start);
      part_of[start] = number;
      for (std::size_t i = 0; i < part.switches.size(); ++i)
        for (const SwitchLink& way : ways(part.switches[i])) {
          if (!allowed(way)) continue;
          if (is_end(way.to)) {
            if (std::exchange(last[way.to], number) != number) ++part.ends;
          } else if (std::exchange(part_of[way.to], number) == kNoPart) {
            part.switches.push_back(way.to);
          }
        }
    }
    return parts;
  }

 private:
  /// Hosts that are not asked for pass nothing on.
  bool takes(NodeId node) const { return is_end(node) || !topology_.is_host(node); }

  const Topology& topology_;
  std::vector<NodeId> ends_, switches_;
  IdVector<NodeId, char> is_end_;
  IdVector<NodeId, std::vector<SwitchLink>> ways_;
};

/// All cables, each node for itself.
inline Selection everything(const Topology& topology) {
  Selection all{std::vector<char>(topology.cable_count(), 1), {}};
  for (const NodeId node : topology.nodes()) all.stands_for.push_back(node);
  return all;
}

/// Layers around `top` over allowed cables, no farther than `most`; nothing where an end is.
template <class Allowed>
std::optional<IdVector<NodeId, std::int32_t>> depths_around(NodeId top, const SwitchGraph& graph,
                                                            std::int32_t most, Allowed&& allowed) {
  IdVector<NodeId, std::int32_t> depths(graph.nodes(), kNoPart);
  std::vector<NodeId> reached{top};
  depths[top] = 0;
  std::size_t ends = graph.is_end(top) ? 1 : 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::int32_t depth = depths[reached[i]] + 1;
    if (depth > most) break;
    for (const SwitchLink& way : graph.ways(reached[i])) {
      if (depths[way.to] != kNoPart || !allowed(way)) continue;
      depths[way.to] = depth;
      if (graph.is_end(way.to))
        ++ends;
      else
        reached.push_back(way.to);
    }
  }
  return ends == graph.ends().size() ? std::optional(std::move(depths)) : std::nullopt;
}

/// Whether switches join all ends over allowed cables.
template <class Allowed>
bool joins_all(const SwitchGraph& graph, Allowed&& allowed) {
  return std::ranges::any_of(graph.parts(allowed), [&](const SwitchGraph::Part& part) {
    return part.ends == std::ssize(graph.ends());
  });
}
inline bool joins_all(const SwitchGraph& graph) {
  return joins_all(graph, [](const SwitchLink&) { return true; });
}

// How fast cables are, and how many trees have each.
class Cables {
 public:
  explicit Cables(const Fabric& fabric)
      : bandwidth_(fabric.topology().cable_count(), 0), load_(bandwidth_.size(), 0) {
    for (const LinkId link : fabric.topology().links()) {
      std::int64_t& bandwidth = bandwidth_[fabric.topology().cable(link).index()];
      const std::int64_t own = fabric.bandwidth_Bps(link);
      bandwidth = bandwidth == 0 ? own : std::min(bandwidth, own);
    }
  }

  std::span<const std::int64_t> bandwidth() const { return bandwidth_; }
  Rational busy_with_one_more(std::int32_t cable) const {
    return Rational(load_[cable] + 1, bandwidth_[cable]);
  }
  void take(std::int32_t cable) {
    busiest_ = std::max(busiest_, busy_with_one_more(cable));
    ++load_[cable];
  }
  /// Seconds that the busiest is busy for a byte on each tree.
  const Rational& busiest() const { return busiest_; }
  /// By cable, whether it is within the limit with one more.
  std::vector<char> within(const Rational& limit) const {
    std::vector<char> within;
    for (std::size_t c = 0; c < load_.size(); ++c)
      within.push_back(busy_with_one_more(static_cast<std::int32_t>(c)) <= limit ? 1 : 0);
    return within;
  }

 private:
  std::vector<std::int64_t> bandwidth_, load_;  // of the slower direction; trees
  Rational busiest_;
};

}  // namespace weft::algorithm::trees
