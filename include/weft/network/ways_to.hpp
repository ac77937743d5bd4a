// WaysTo: where messages to one node go on from every other node, and loads of many such messages.
//
// A routing that splits messages equally at each hop looks at the destination alone: what stands at
// a node goes in equal parts to the same links, wherever it came from. All messages to one node are
// then poured together, farthest nodes first, so that a destination costs a pass over the links
// rather than a route for each message. An all-to-all among 1,000 hosts takes 1,000 passes instead
// of a million routes with their shares.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::network {

/// The links towards one node. Routing::ways_to() writes it.
struct WaysTo {
  std::vector<NodeId> nodes;             // that have a way to the target, farthest first
  std::vector<std::int32_t> first_link;  // into links, by position in nodes, and the end
  std::vector<LinkId> links;             // that a message takes in equal parts

  void clear();
  /// Appends a node whose links have been pushed since the last finish().
  void finish(NodeId node);
  std::span<const LinkId> links_of(std::size_t position) const;
};

/// Loads of messages to one node after another. Amount: double, or Rational for exact loads.
template <class Amount>
class Pouring {
 public:
  struct LinkAmount {
    LinkId link;
    Amount amount;
  };

  explicit Pouring(const Fabric& fabric)
      : fabric_(fabric),
        waiting_(fabric.topology().node_count()),
        latency_ps_(waiting_.size(), kNoWay) {}

  /// Adds what a node sends to the target of the next pour().
  void add(NodeId from, const Amount& amount) {
    waiting_[from] += amount;
    sources_.push_back(from);
  }

  /// Splits what was added since the last call along the ways to the target. `latency_ps` is that
  /// of the longest way from any of the nodes; `complete` is false where one has no way. O(links of
  /// the ways).
  struct Poured {
    std::span<const LinkAmount> loads;  // until the next call; a link appears once
    std::int64_t latency_ps = 0;
    bool complete = true;
  };
  Poured pour(const WaysTo& ways, NodeId target) {
    measure(ways, target);
    Poured poured;
    for (const NodeId from : sources_) {
      poured.complete = poured.complete && latency_ps_[from] != kNoWay;
      poured.latency_ps = std::max(poured.latency_ps, latency_ps_[from]);
    }
    loads_.clear();
    if (poured.complete) split(ways);
    for (const NodeId node : ways.nodes) latency_ps_[node] = kNoWay;
    forget(target);
    poured.loads = loads_;
    return poured;
  }

  /// Drops what was added: after a pour() that overflowed.
  void clear() {
    for (const NodeId node : waiting_.ids()) {
      waiting_[node] = Amount(0);
      latency_ps_[node] = kNoWay;
    }
    sources_.clear();
  }

 private:
  static constexpr std::int64_t kNoWay = -1;

  // The longest way of each node, nearest nodes first.
  void measure(const WaysTo& ways, NodeId target) {
    latency_ps_[target] = 0;
    for (std::size_t i = ways.nodes.size(); i-- > 0;) {
      std::int64_t longest_ps = 0;
      for (const LinkId link : ways.links_of(i))
        longest_ps = std::max(
            longest_ps, fabric_.latency_ps(link) + latency_ps_[fabric_.topology().head(link)]);
      latency_ps_[ways.nodes[i]] = longest_ps;
    }
  }

  void split(const WaysTo& ways) {
    for (std::size_t i = 0; i < ways.nodes.size(); ++i) {
      Amount& waiting = waiting_[ways.nodes[i]];
      if (waiting == Amount(0)) continue;
      const auto links = ways.links_of(i);
      const Amount part = links.size() == 1 ? waiting : waiting / Amount(std::ssize(links));
      for (const LinkId link : links) {
        waiting_[fabric_.topology().head(link)] += part;
        loads_.push_back({link, part});
      }
      waiting = Amount(0);
    }
  }

  void forget(NodeId target) {
    latency_ps_[target] = kNoWay;
    waiting_[target] = Amount(0);
    for (const NodeId from : sources_) waiting_[from] = Amount(0);
    sources_.clear();
  }

  const Fabric& fabric_;
  IdVector<NodeId, Amount> waiting_;
  IdVector<NodeId, std::int64_t> latency_ps_;
  std::vector<NodeId> sources_;
  std::vector<LinkAmount> loads_;
};

/// Minimum number of messages to one node for which pouring takes less time than their routes.
inline std::int64_t fewest_to_pour(const Topology& topology) {
  constexpr std::int64_t kPart = 8;
  return std::max<std::int64_t>(2, topology.node_count() / kPart);
}

}  // namespace weft::network
