// Topology: the structure of a network, an immutable directed multigraph.
//
//   TopologyBuilder builder(4);                       // four hosts
//   for (auto u : ids<NodeId>(4)) builder.add_cable(u, NodeId((u.value() + 1) % 4));
//   Topology ring = std::move(builder).build(Expression{"ring", "4", {}});
//   for (LinkId link : ring.out_links(NodeId(0))) visit(ring.head(link));
//
// Nodes are hosts (they hold ranks) or switches. A link is one direction of a wire (an arc); a
// cable is a link together with its reverse, or a link alone where the wire is one-way. Which link
// is whose reverse is stored, never guessed, since parallel links and 2-cycles of one-way links
// look alike.
//
// Layout: links are numbered by tail, and within a tail in the order of insertion, so that the
// out-links of a node are a range of ids; in-links are an index array. Everything that is not
// structure (bandwidth, latency, load) is an array outside, indexed by id. Copies share one block
// of data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/expression.hpp"

namespace weft::topology {

using NodeId = Id<struct NodeTag>;
using LinkId = Id<struct LinkTag>;    // one direction
using CableId = Id<struct CableTag>;  // a link and its reverse, or a one-way link
using ClassId = Id<struct LinkClassTag>;

struct Facets;

enum class NodeKind : std::uint8_t { host, switch_node };

class Topology {
 public:
  std::int32_t node_count() const { return static_cast<std::int32_t>(data_->kinds.size()); }
  std::int32_t link_count() const { return static_cast<std::int32_t>(data_->heads.size()); }
  std::int32_t cable_count() const { return data_->cable_count; }
  IdRange<NodeId> nodes() const { return ids<NodeId>(node_count()); }
  IdRange<LinkId> links() const { return ids<LinkId>(link_count()); }

  NodeKind kind(NodeId node) const { return data_->kinds[node]; }
  bool is_host(NodeId node) const { return kind(node) == NodeKind::host; }
  /// The hosts in increasing order; the switches likewise.
  std::span<const NodeId> hosts() const { return data_->hosts; }
  std::span<const NodeId> switches() const { return data_->switches; }
  bool has_switches() const { return !data_->switches.empty(); }

  /// The links that leave a node are numbered in a row.
  IdRange<LinkId> out_links(NodeId node) const {
    WEFT_ASSERT(node.value() >= 0 && node.value() < node_count());
    return {LinkId(data_->first_out[node.index()]), LinkId(data_->first_out[node.index() + 1])};
  }
  std::span<const LinkId> in_links(NodeId node) const {
    WEFT_ASSERT(node.value() >= 0 && node.value() < node_count());
    const auto first = static_cast<std::size_t>(data_->first_in[node.index()]);
    const auto last = static_cast<std::size_t>(data_->first_in[node.index() + 1]);
    return std::span(data_->in_links).subspan(first, last - first);
  }
  std::int32_t out_degree(NodeId node) const { return out_links(node).size(); }
  std::int32_t in_degree(NodeId node) const {
    return static_cast<std::int32_t>(in_links(node).size());
  }

  NodeId tail(LinkId link) const { return data_->tails[link]; }
  NodeId head(LinkId link) const { return data_->heads[link]; }
  /// The other direction of the same cable, if the cable has one.
  std::optional<LinkId> reverse(LinkId link) const {
    const LinkId other = data_->reverses[link];
    return other == link ? std::nullopt : std::optional(other);
  }
  CableId cable(LinkId link) const { return data_->cables[link]; }
  ClassId link_class(LinkId link) const { return data_->classes[link]; }
  /// Names of the link classes: "terminal" (host to switch), "local", "global", "x", "y", ..., or
  /// "link".
  IdSpan<ClassId, const std::string> class_names() const { return data_->class_names; }

  /// The first link from `from` to `to`, if there is one. O(out-degree).
  std::optional<LinkId> find_link(NodeId from, NodeId to) const;

  /// The degree that cost formulas use: given by the family (self-loops and parallel links counted,
  /// unchanged by failures), else the largest out-degree over switches (terminal links apart) or
  /// hosts.
  int nominal_degree() const { return data_->nominal_degree; }

  /// The expression that built this topology; its text is the topology's name.
  const Expression& expression() const { return data_->expression; }
  std::string name() const { return expression().to_string(); }

  /// What is known of the structure, by kind of it (facets.hpp).
  const Facets& facets() const { return *data_->facets; }

  /// A 64-bit hash of nodes, kinds, links, reverses and classes: what explicit routes and files are
  /// bound to.
  std::uint64_t hash() const { return data_->hash; }

 private:
  friend class TopologyBuilder;
  struct Data {
    IdVector<NodeId, NodeKind> kinds;
    std::vector<NodeId> hosts, switches;
    std::vector<std::int32_t> first_out, first_in;  // node_count + 1
    IdVector<LinkId, NodeId> tails, heads;
    std::vector<LinkId> in_links;
    IdVector<LinkId, LinkId> reverses;  // a one-way link names itself
    IdVector<LinkId, CableId> cables;
    IdVector<LinkId, ClassId> classes;
    IdVector<ClassId, std::string> class_names;
    std::int32_t cable_count = 0;
    int nominal_degree = 0;
    Expression expression;
    std::shared_ptr<const Facets> facets;
    std::uint64_t hash = 0;
  };
  explicit Topology(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

/// Collects nodes and links, then is consumed by build().
class TopologyBuilder {
 public:
  /// A handle on a link while it is being built; build() renumbers.
  using Handle = std::int32_t;

  /// `node_count` hosts. Throws InvalidInput above 2^31 - 1 or below 1.
  explicit TopologyBuilder(std::int64_t node_count);

  /// Makes the node a switch (nodes start as hosts).
  TopologyBuilder& set_kind(NodeId node, NodeKind kind);
  /// The id of a class of links, made when new. Links belong to "link" unless told otherwise.
  ClassId link_class(std::string_view name);

  /// A one-way link. Throws InvalidInput when there would be more than 2^31 - 1.
  Handle add_link(NodeId tail, NodeId head, ClassId link_class = ClassId(0));
  /// A cable: two links that are each other's reverse; returns the one from u to v, the other is
  /// next.
  Handle add_cable(NodeId u, NodeId v, ClassId link_class = ClassId(0));
  /// Declares two one-way links each other's reverse; the head of one is the tail of the other.
  void pair(Handle link, Handle reverse);

  /// Fixes the nominal degree (see Topology::nominal_degree).
  void set_nominal_degree(int degree) { nominal_degree_ = degree; }

  /// What is known of the structure; nothing unless it is said.
  void set_facets(Facets facets);
  /// The same as of `other`, whose nodes these are.
  void keep_facets(const Topology& other) { facets_ = other.data_->facets; }

  std::int64_t link_count() const { return static_cast<std::int64_t>(links_.size()); }

  /// The topology, named by the expression. `ids_of_handles`, when given, receives the LinkId of
  /// each handle. O(nodes + links).
  Topology build(Expression expression, std::vector<LinkId>* ids_of_handles = nullptr) &&;

 private:
  struct Link {
    NodeId tail, head;
    Handle reverse;
    ClassId link_class;
  };
  IdVector<NodeId, NodeKind> kinds_;
  std::vector<Link> links_;
  std::vector<std::string> class_names_;
  bool default_class_named_ = false;
  int nominal_degree_ = -1;
  std::shared_ptr<const Facets> facets_;
};

}  // namespace weft::topology

namespace weft {
using topology::CableId;
using topology::ClassId;
using topology::LinkId;
using topology::NodeId;
using topology::NodeKind;
using topology::Topology;
using topology::TopologyBuilder;
}  // namespace weft
