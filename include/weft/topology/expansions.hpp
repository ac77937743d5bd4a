// Expansions: small networks made large ones, with the numbering that their schedules rely on.
//
// A schedule of X is expanded beside X, so that the numbers of the new nodes and links must follow
// from the old ones. Below, N and L are X's nodes and links. All three refuse switches: attach
// hosts to the result, hosts(k, line(X)).
//
//   line(X)           node e is the link e of X (self-loops and parallel links included), and
//                     there is a link e -> f for every f in out_links(head(e)), in that order
//   degree(n, X)      node v + i * N is copy i of node v; out-links by link of X, then by copy of
//                     the head
//   bidirectional(X)  nodes as in X; the out-links of v are its out-links in X, in order, then the
//                     reverses of its in-links in X, in order
#pragma once

#include <cstdint>

#include "weft/base/error.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::topology {

/// line(X): the line digraph. All of its links are one-way and of class "link"; the nominal degree
/// stays X's, the diameter grows by one where X has two or more links at every node. No speeds of a
/// file carry over, since a link of it is no link of X. Throws InvalidInput where X has switches or
/// no links. O(links of the result). Source: Zhao et al., Definition 12; Harary and Norman 1960.
BuiltTopology line_graph(const BuiltTopology& inner);

/// degree(n, X): n copies of X, in which every copy of u is linked with every copy of v where X
/// links u with v; n * N nodes, n times the nominal degree. Cables, classes and a file's speeds are
/// those of the links copied. Throws InvalidInput unless copies >= 1, and where X has switches or
/// self-loops. Source: Zhao et al., Definition 13.
BuiltTopology degree_expansion(int copies, const BuiltTopology& inner);

/// bidirectional(X): X together with its transpose on the same nodes. Every link of X, also one
/// that has a reverse, becomes a cable of its own; twice the nominal degree. Throws InvalidInput
/// where X has switches. Source: Zhao et al., section A.6.
BuiltTopology bidirectional(const BuiltTopology& inner);

/// Where the expansions put things; `inner` is X.
/// The link of line(X) from node `first` to node `second`, two links of X of which the second
/// begins where the first ends.
inline LinkId line_link(const Topology& inner, const Topology& line, LinkId first, LinkId second) {
  const std::int32_t start = inner.out_links(inner.head(first))[0].value();
  return line.out_links(NodeId(first.value()))[second.value() - start];
}

/// Copy `copy` of `node` in degree(n, X).
inline NodeId copy_of_node(const Topology& inner, NodeId node, int copy) {
  WEFT_ASSERT(copy >= 0);
  return NodeId(node.value() + std::int64_t{copy} * inner.node_count());
}

/// The link of degree(copies, X) from copy `from` of the tail of `link` to copy `to` of its head.
inline LinkId copy_of_link(const Topology& inner, int copies, LinkId link, int from, int to) {
  WEFT_ASSERT(from >= 0 && from < copies && to >= 0 && to < copies);
  return LinkId((std::int64_t{from} * inner.link_count() + link.value()) * copies + to);
}

/// The link of bidirectional(X) that goes the way of `link`; its reverse is the one added.
inline LinkId forward_link(const Topology& inner, const Topology& both, LinkId link) {
  const NodeId tail = inner.tail(link);
  return both.out_links(tail)[link.value() - inner.out_links(tail)[0].value()];
}

}  // namespace weft::topology

namespace weft {
using topology::bidirectional;
using topology::copy_of_link;
using topology::copy_of_node;
using topology::degree_expansion;
using topology::forward_link;
using topology::line_graph;
using topology::line_link;
}  // namespace weft
