// Sends: an allgather schedule in the words of the paper, ((v, C), link, t): in step t the link
// carries chunk C of node v.
//
// Links are named by their ids, so that parallel links stay apart. Read `against` the same form is
// an allgather of the transposed network: every link is crossed from its head to its tail. Nodes
// and links then keep their numbers, which is why a reduce-scatter (the allgather of the transpose,
// reversed) needs no isomorphism.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/algorithm/expansion.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

struct Send {
  std::int32_t step, link, source;
  std::int32_t first, count;  // units of the source's block
};

struct Sends {
  std::int64_t units = 1;  // units per block
  std::int32_t steps = 0;
  std::vector<Send> list;  // in any order
};

/// A network read one way: `leaving` and `arrival` of `against` are those of the transpose.
class View {
 public:
  View(const Topology& topology, graph::Sense sense) : topology_(topology), sense_(sense) {}

  const Topology& topology() const { return topology_; }
  graph::Sense sense() const { return sense_; }
  bool is_forward() const { return sense_ == graph::Sense::along; }
  NodeId arrival(LinkId link) const {
    return is_forward() ? topology_.head(link) : topology_.tail(link);
  }
  template <class Visit>
  void leaving(NodeId node, Visit&& visit) const {
    is_forward() ? each_out(node, visit) : each_in(node, visit);
  }
  template <class Visit>
  void arriving(NodeId node, Visit&& visit) const {
    is_forward() ? each_in(node, visit) : each_out(node, visit);
  }
  std::int32_t arriving_count(NodeId node) const {
    return is_forward() ? topology_.in_degree(node) : topology_.out_degree(node);
  }

 private:
  template <class Visit>
  void each_out(NodeId node, Visit& visit) const {
    for (const LinkId link : topology_.out_links(node)) visit(link);
  }
  template <class Visit>
  void each_in(NodeId node, Visit& visit) const {
    for (const LinkId link : topology_.in_links(node)) visit(link);
  }

  const Topology& topology_;
  graph::Sense sense_;
};

/// The sends of each link in each step together.
class SendsByLink {
 public:
  /// O(sends + steps * links).
  SendsByLink(const Sends& sends, std::int32_t links);
  std::span<const Send> of(std::int32_t step, LinkId link) const;

 private:
  std::int32_t links_;
  std::vector<std::size_t> first_;
  std::vector<Send> sorted_;
};

/// Read from a schedule whose rank v is on node v and whose messages cross one link each; parallel
/// links as its explicit routes say. Throws InvalidInput for messages of more links.
Sends sends_of(const Schedule& allgather, const Topology& topology);

/// The allgather (`forward`), or the reduce-scatter of which the sends of the transposed network
/// are the reverse (`against`). `rank_of_node`: the rank on each node.
Schedule to_schedule(const Sends& sends, const View& view, std::span<const Rank> rank_of_node,
                     const schedule::Binding& binding);

/// What is seen of the network without a schedule: nodes, degree, regular, loops, parallel and
/// branching.
Prediction describe(const View& view);

/// As many links from u to v as from v to u, for all nodes u and v.
bool is_undirected(const Topology& topology);

/// What the sends cost on the network, measured on them. O(sends + steps * links), more where
/// `tight` is hard to see.
Prediction measure(const Sends& sends, const View& view);

/// The largest load of a link in each step, in shares of a block.
std::vector<Rational> step_loads(const Sends& sends, const Topology& topology);

}  // namespace weft::algorithm
