#include "weft/topology/topology.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

namespace {

// FNV-1a over 64-bit words, finished by a mix so that near graphs differ in all bits.
class Hasher {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3ull; }
  std::uint64_t finish() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdull;
    z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return z ^ (z >> 33);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

// Start of each node's range when items are sorted by node: counts, then running sums.
template <class NodeOf>
std::vector<std::int32_t> range_starts(std::size_t nodes, std::size_t items, NodeOf node_of) {
  std::vector<std::int32_t> first(nodes + 1, 0);
  for (std::size_t i = 0; i < items; ++i) ++first[node_of(i).index() + 1];
  for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
  return first;
}

// The most links that a node has to its own kind, terminal links apart. Data is Topology's own.
template <class Data>
int largest_degree(const Data& data) {
  int largest = 0;
  for (const NodeId node : data.switches.empty() ? data.hosts : data.switches) {
    int degree = 0;
    for (std::int32_t l = data.first_out[node.index()]; l < data.first_out[node.index() + 1]; ++l)
      if (data.kinds[node] == data.kinds[data.heads[LinkId(l)]]) ++degree;
    largest = std::max(largest, degree);
  }
  return largest;
}

template <class Data>
std::uint64_t hash_of(const Data& data) {
  Hasher hasher;
  hasher.add(data.kinds.size());
  hasher.add(data.tails.size());
  for (NodeKind kind : data.kinds) hasher.add(static_cast<std::uint64_t>(kind));
  for (const LinkId link : data.tails.ids()) {
    hasher.add(static_cast<std::uint64_t>(data.tails[link].value()) << 32 |
               static_cast<std::uint64_t>(data.heads[link].value()));
    hasher.add(static_cast<std::uint64_t>(data.reverses[link].value()) << 32 |
               static_cast<std::uint64_t>(data.classes[link].value()));
  }
  return hasher.finish();
}

// The ports of names come by handle, as speeds do.
std::shared_ptr<const Facets> renumbered(std::shared_ptr<const Facets> facets,
                                         const std::vector<LinkId>& id_of) {
  if (!facets->names || facets->names->ports.empty()) return facets;
  Facets result = *facets;
  std::vector<std::string> ports(id_of.size());
  for (std::size_t i = 0; i < std::min(id_of.size(), facets->names->ports.size()); ++i)
    ports[id_of[i].index()] = facets->names->ports[i];
  result.names = std::make_shared<const Names>(Names{facets->names->nodes, std::move(ports)});
  return std::make_shared<const Facets>(std::move(result));
}

}  // namespace

std::optional<LinkId> Topology::find_link(NodeId from, NodeId to) const {
  for (LinkId link : out_links(from))
    if (head(link) == to) return link;
  return std::nullopt;
}

TopologyBuilder::TopologyBuilder(std::int64_t node_count)
    : class_names_{"link"}, facets_(std::make_shared<const Facets>()) {
  require(node_count >= 1, "a network of {} is too small (needs 1 or more)",
          counted(node_count, "node"));
  require(node_count <= std::numeric_limits<std::int32_t>::max(),
          "a network of {} nodes is too large (at most 2^31 - 1)", node_count);
  kinds_.resize(node_count, NodeKind::host);
}

namespace {

void require_node(NodeId node, std::int32_t nodes) {
  require(node.value() >= 0 && node.value() < nodes, "node {} does not exist; nodes are 0 to {}",
          node.value(), nodes - 1);
}

}  // namespace

TopologyBuilder& TopologyBuilder::set_kind(NodeId node, NodeKind kind) {
  require_node(node, kinds_.size());
  kinds_[node] = kind;
  return *this;
}

ClassId TopologyBuilder::link_class(std::string_view name) {
  const auto known = std::find(class_names_.begin(), class_names_.end(), name);
  if (known != class_names_.end()) {
    default_class_named_ = true;
    return ClassId(known - class_names_.begin());
  }
  if (links_.empty() && class_names_.size() == 1 && !default_class_named_) {
    class_names_[0] = name;  // nothing uses the default class yet
    default_class_named_ = true;
    return ClassId(0);
  }
  class_names_.emplace_back(name);
  return ClassId(class_names_.size() - 1);
}

TopologyBuilder::Handle TopologyBuilder::add_link(NodeId tail, NodeId head, ClassId link_class) {
  require_node(tail, kinds_.size());
  require_node(head, kinds_.size());
  require(link_class.value() >= 0 && link_class.index() < class_names_.size(),
          "link class {} does not exist; classes are 0 to {}", link_class.value(),
          class_names_.size() - 1);
  require(links_.size() < static_cast<std::size_t>(std::numeric_limits<Handle>::max()),
          "the network has more than 2^31 - 1 links");
  const auto handle = static_cast<Handle>(links_.size());
  constexpr Handle kBetweenChecks = 1 << 16;
  if (handle % kBetweenChecks == 0) TimeLimit::check();
  links_.push_back({tail, head, handle, link_class});
  return handle;
}

TopologyBuilder::Handle TopologyBuilder::add_cable(NodeId u, NodeId v, ClassId link_class) {
  const Handle forth = add_link(u, v, link_class);
  pair(forth, add_link(v, u, link_class));
  return forth;
}

void TopologyBuilder::pair(Handle link, Handle reverse) {
  for (const Handle handle : {link, reverse})
    require(handle >= 0 && static_cast<std::size_t>(handle) < links_.size(),
            "link {} does not exist; links are 0 to {}", handle, link_count() - 1);
  Link& forth = links_[link];
  Link& back = links_[reverse];
  WEFT_ASSERT(forth.tail == back.head && forth.head == back.tail);
  forth.reverse = reverse;
  back.reverse = link;
}

void TopologyBuilder::set_facets(Facets facets) {
  facets_ = std::make_shared<const Facets>(std::move(facets));
}

Topology TopologyBuilder::build(Expression expression, std::vector<LinkId>* ids_of_handles) && {
  auto data = std::make_shared<Topology::Data>();
  const std::size_t nodes = kinds_.size(), links = links_.size();
  TimeLimit::check();

  data->kinds = std::move(kinds_);
  for (NodeId node : ids<NodeId>(static_cast<std::int64_t>(nodes)))
    (data->kinds[node] == NodeKind::host ? data->hosts : data->switches).push_back(node);

  data->first_out = range_starts(nodes, links, [&](std::size_t i) { return links_[i].tail; });
  std::vector<LinkId> id_of(links);
  {
    std::vector<std::int32_t> next(data->first_out.begin(), data->first_out.end() - 1);
    for (std::size_t i = 0; i < links; ++i) id_of[i] = LinkId(next[links_[i].tail.index()]++);
  }
  data->tails.resize(links);
  data->heads.resize(links);
  data->reverses.resize(links);
  data->classes.resize(links);
  for (std::size_t i = 0; i < links; ++i) {
    const LinkId id = id_of[i];
    data->tails[id] = links_[i].tail;
    data->heads[id] = links_[i].head;
    data->reverses[id] = id_of[links_[i].reverse];
    data->classes[id] = links_[i].link_class;
  }

  data->first_in =
      range_starts(nodes, links, [&](std::size_t i) { return data->heads[LinkId(i)]; });
  data->in_links.resize(links);
  {
    std::vector<std::int32_t> next(data->first_in.begin(), data->first_in.end() - 1);
    for (const LinkId link : data->heads.ids())
      data->in_links[next[data->heads[link].index()]++] = link;
  }

  // Cables are numbered by their first link, so that a copy of the links has the same cables.
  data->cables.resize(links);
  for (const LinkId id : data->reverses.ids()) {
    const LinkId reverse = data->reverses[id];
    data->cables[id] = reverse < id ? data->cables[reverse] : CableId(data->cable_count++);
  }

  data->class_names = std::move(class_names_);
  data->nominal_degree = nominal_degree_ < 0 ? largest_degree(*data) : nominal_degree_;
  data->hash = hash_of(*data);
  data->expression = std::move(expression);
  data->facets = renumbered(std::move(facets_), id_of);
  if (ids_of_handles != nullptr) *ids_of_handles = std::move(id_of);
  return Topology(std::move(data));
}

}  // namespace weft::topology
