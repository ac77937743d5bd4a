// Functions of topologies: what stands before the brackets of an expression.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::topology {

/// hosts(k, X): every node of X becomes a switch with k hosts. The switches keep their numbers;
/// host i of switch s is node S + s * k + i. Host links are of class "terminal" and come last among
/// a switch's links; the nominal degree stays X's. A file's speeds stay with X's links. Throws
/// InvalidInput when X mixes hosts and switches already.
BuiltTopology attach_hosts(int hosts_per_switch, const BuiltTopology& inner);

/// What `without` removes, by the ids in the inner topology.
struct Failures {
  std::vector<std::int64_t> cables, links, nodes;
};

/// without(cable=3, link=5, node=7, X): X less these cables, links (one direction) and nodes with
/// all their links. The nodes and links that stay are renumbered in their old order; the nominal
/// degree stays X's. Throws InvalidInput for an unknown id and when no node would stay.
BuiltTopology remove_failed(const Failures& failures, const BuiltTopology& inner);

/// X * Y * ...: nodes (x, y, ...) with x varying fastest; a link of a factor for every setting of
/// the other coordinates. A node's links stand by factor, in the factor's order. Links are of
/// classes "x", "y", "z", "d4", ... counted through the factors' classes. Throws InvalidInput where
/// a factor has switches.
BuiltTopology cartesian_product(std::span<const BuiltTopology> factors);

/// power(n, X): the Cartesian product of n copies of X; exponent in [1, 64]. Throws InvalidInput.
BuiltTopology power(int exponent, const BuiltTopology& inner);

/// What `splice` cuts, by the ids in the inner topology.
struct Splice {
  std::vector<std::int64_t> links, cables;
};

/// splice(link=3, link=5, X): X with one more node w, the last; every named link a -> b becomes a
/// -> w and w -> b (a cable both ways), so that a node of degree d comes of d links, and all other
/// degrees stay. Links keep their ids, w's come last, in the order of those cut; the nominal degree
/// stays X's. Throws InvalidInput for an unknown id, a link named twice, one way of a cable, and X
/// with switches.
BuiltTopology splice_node(const Splice& splice, const BuiltTopology& inner);

/// exchange(a, b, c, d, ..., X): the heads of links a and b exchanged, then those of c and d, and
/// so on; links keep their ids and all degrees stay. Throws InvalidInput for an odd number of
/// links, an unknown one and one with a reverse.
BuiltTopology exchange_heads(std::span<const int> links, const BuiltTopology& inner);

/// transpose(X): every link reversed; a node's links stand in the order of its in-links in X.
BuiltTopology transpose(const BuiltTopology& inner);

/// idle(k, X): X at nodes that have k more ports, in which no cable is: links and their ids are
/// X's, the nominal degree is k more, so that costs are in units of the bandwidth of all ports.
/// Throws InvalidInput for k < 1.
BuiltTopology with_idle_ports(int ports, const BuiltTopology& inner);

/// Which hosts of X the cards of boxes are plugged into: card j of box i into host i * cards + j of
/// the only X, or into host i of the j-th X.
enum class Wiring : std::uint8_t { flat, rail };

/// The network cards of a box, each of as many neighbouring hosts.
struct Cards {
  int count = 0;
  std::optional<std::int64_t> bandwidth_Bps = {};  // of each direction; nothing: the default
};

/// boxes(n, BOX, X): n copies of BOX, whose hosts are GPUs; `outside` is X, none: a switch for each
/// X. GPU j of box i is host i * GPUs + j; then come the boxes' switches, then those of X, copy by
/// copy. `cards` are the boxes', nothing: those that BOX has itself, switches that links of class
/// "card" alone lead to, or else one a GPU. A card of several GPUs is a switch of its box, behind
/// the others, to which links of class "card" lead; links of X without a speed are as fast as the
/// fastest card. Boxes are groups; what is called NAME in box 3 is box3-NAME, but host GPU5 (core5,
/// pu5) box3:5, a slot of a host as launchers know it. Links in boxes keep their classes, but "box"
/// for "link" and "box-NAME" for a name that X has. Throws InvalidInput where X has not as many
/// hosts.
BuiltTopology join_boxes(int boxes, Wiring wiring, const BuiltTopology& box,
                         const BuiltTopology* outside,
                         const std::optional<Cards>& cards = std::nullopt);

/// planes(k, X): k in [1, 64] copies of X's switches and links share its hosts. The hosts come
/// first, then the switches, plane by plane. Groups of hosts stay. Throws InvalidInput where X has
/// no switches.
BuiltTopology join_planes(int planes, const BuiltTopology& inner);

}  // namespace weft::topology
