// Each node is a cut: the data that its ranks send to other nodes crosses its links out, and the
// data that they receive crosses its links in. A broadcast leaves the root's node at least once and
// reaches every other node once, a scatter leaves the root's node but for the blocks that stay and
// reaches each node with the blocks of its ranks; reduce and gather are the same in reverse. With
// one rank a node and equal links this is Collective::port_bound(). On uneven and one-way networks
// the slowest of these nodes decides, where B is the largest egress of all hosts.
#include "weft/evaluate/bounds/port_bound.hpp"

#include <algorithm>
#include <map>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::evaluate {

namespace {

// Collective::port_bound() where ranks share nodes: what stays within a node needs no port. Data
// that a node's ranks all want or all have goes in or out once.
Rational port_bound_of_equal_nodes(const Collective& collective,
                                   const std::map<NodeId, std::int64_t>& ranks_at) {
  const auto nodes = static_cast<std::int64_t>(ranks_at.size());
  WEFT_ASSERT(nodes >= 1 && nodes <= collective.ranks);
  if (nodes == collective.ranks) return collective.port_bound();
  if (collective.whole_buffer())  // nodes are the ranks of a collective of sums
    return Collective{collective.kind, static_cast<std::int32_t>(nodes)}.port_bound();
  std::int64_t least = collective.ranks;
  for (const auto& [node, ranks] : ranks_at) least = std::min(least, ranks);
  return {collective.ranks - least, collective.ranks};
}

class RootedPorts {
 public:
  RootedPorts(const Collective& collective, const Network& network,
              const std::map<NodeId, std::int64_t>& ranks_at)
      : collective_(collective),
        network_(network),
        ranks_at_(ranks_at),
        root_(network.placement().nodes[collective.root.index()]) {}

  Rational bound() const {
    const schedule::CollectiveTraits& traits = schedule::traits_of(collective_.kind);
    if (traits.between_two()) {
      const NodeId peer = network_.placement().nodes[collective_.peer.index()];
      if (peer == root_) return 0;
      return std::max(time(1, egress_Bps(root_)), time(1, ingress_Bps(peer)));
    }
    Rational longest = 0;
    for (const auto& [node, ranks] : ranks_at_) {
      const bool sends = (node == root_) != traits.to_root();
      longest = std::max(longest, time(share(node, ranks), sends ? egress_Bps(node)  //
                                                                 : ingress_Bps(node)));
    }
    return longest;
  }

 private:
  // Of M, what has to cross between the node and all others.
  Rational share(NodeId node, std::int64_t ranks) const {
    if (collective_.whole_buffer()) return ranks_at_.size() > 1 ? 1 : 0;
    return {node == root_ ? collective_.ranks - ranks : ranks, collective_.ranks};
  }

  // Nothing where the node has no link: such ranks are refused by name elsewhere.
  Rational time(const Rational& share, std::int64_t port_Bps) const {
    if (port_Bps == 0 || ranks_at_.size() == 1) return 0;
    return share * Rational(network_.fabric().node_egress_Bps(), port_Bps);
  }

  std::int64_t egress_Bps(NodeId node) const {
    std::int64_t sum = 0;
    for (const LinkId link : network_.topology().out_links(node))
      if (network_.topology().head(link) != node)
        sum = checked_add(sum, network_.fabric().bandwidth_Bps(link));
    return sum;
  }
  std::int64_t ingress_Bps(NodeId node) const {
    std::int64_t sum = 0;
    for (const LinkId link : network_.topology().in_links(node))
      if (network_.topology().tail(link) != node)
        sum = checked_add(sum, network_.fabric().bandwidth_Bps(link));
    return sum;
  }

  const Collective& collective_;
  const Network& network_;
  const std::map<NodeId, std::int64_t>& ranks_at_;
  NodeId root_;
};

}  // namespace

Rational port_bound(const Collective& collective, const Network& network) {
  WEFT_ASSERT(collective.ranks <= network.ranks());
  std::map<NodeId, std::int64_t> ranks_at;
  for (std::int32_t rank = 0; rank < collective.ranks; ++rank)
    ++ranks_at[network.placement().nodes[static_cast<std::size_t>(rank)]];
  if (collective.rooted()) return RootedPorts(collective, network, ranks_at).bound();
  return port_bound_of_equal_nodes(collective, ranks_at);
}

}  // namespace weft::evaluate
