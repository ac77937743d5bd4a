// From a draft to a topology with speeds, and tables.
#include <algorithm>
#include <map>

#include "draft.hpp"
#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"

namespace weft::format::simgrid {

namespace {

constexpr std::int64_t kWidest = kUnlimited / 8;  // of what nobody shares: sums can be counted

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return std::min(kUnlimited, a + b);
}

// Bandwidths of arcs: those of their resources, and of arcs that limit nothing as much as enters
// or leaves them at most.
class Widths {
 public:
  Widths(const Draft& draft, const Platform& platform, const std::vector<char>& wide)
      : draft_(draft), platform_(platform), wide_(wide), in_(draft.nodes.size(), 0), out_(in_) {
    WEFT_ASSERT(wide.size() == platform.resources.size());
    for (const Draft::Arc& arc : draft.arcs) {
      if (!arc.resource) continue;
      out_[arc.from] = sum(out_[arc.from], of_resource(*arc.resource));
      in_[arc.to] = sum(in_[arc.to], of_resource(*arc.resource));
      widest_ = std::max(widest_, of_resource(*arc.resource));
    }
  }

  std::int64_t bandwidth_Bps(const Draft::Arc& arc) const {
    if (arc.resource) return of_resource(*arc.resource);
    const std::int64_t in = in_[arc.from], out = out_[arc.to];
    if (in == 0 && out == 0) return widest_;
    return in == 0 ? out : out == 0 ? in : std::min(in, out);
  }

 private:
  std::int64_t of_resource(ResourceId id) const {
    const std::int64_t own = platform_.resources[static_cast<std::size_t>(id)].bandwidth_Bps;
    if (wide_[static_cast<std::size_t>(id)] == 0) return own;
    const auto hosts = static_cast<std::int64_t>(draft_.nodes_of_hosts.size());
    WEFT_ASSERT(own >= 0 && hosts > 0);
    return own > kWidest / hosts ? kWidest : own * hosts;
  }

  const Draft& draft_;
  const Platform& platform_;
  const std::vector<char>& wide_;
  std::vector<std::int64_t> in_, out_;  // of resources, by node
  std::int64_t widest_ = 1;
};

// Whether nodes are joined to a host, and some link among them.
std::vector<char> used_nodes(const Draft& draft) {
  UnionFind sets(draft.nodes.size());
  const auto number = [](std::size_t node) { return static_cast<std::int32_t>(node); };
  const auto set_of = [&](std::size_t node) {
    return static_cast<std::size_t>(sets.find(number(node)));
  };
  for (const Draft::Arc& arc : draft.arcs) sets.join(number(arc.from), number(arc.to));
  std::vector<char> has_host(draft.nodes.size(), 0), has_link(has_host), used(has_host);
  for (const std::size_t host : draft.nodes_of_hosts) has_host[set_of(host)] = 1;
  for (const Draft::Arc& arc : draft.arcs)
    if (arc.resource) has_link[set_of(arc.from)] = 1;
  for (std::size_t i = 0; i < used.size(); ++i)
    used[i] = has_host[set_of(i)] != 0 && has_link[set_of(i)] != 0 ? 1 : 0;
  return used;
}

// A single torus is one, with its coordinates, if its hosts are numbered as in the file.
bool is_torus(const Platform& platform) {
  const Zone* cluster = single_cluster(platform);
  return cluster != nullptr && cluster->kind == ZoneKind::torus && !cluster->shape.limiters;
}

class Realizing {
 public:
  Realizing(const FabricSource& source, const Draft& draft, const Platform& platform,
            const std::vector<char>& wide)
      : draft_(draft), platform_(platform), widths_(draft, platform, wide) {
    used_ = used_nodes(draft);
    FabricBuilder builder(source.file, source.options,
                          {.hosts_first = !is_torus(platform), .note_speeds = true});
    std::vector<std::size_t> nodes;  // of the builder, by node
    for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
      const Draft::Node& node = draft.nodes[i];
      const bool stays = used_[i] != 0 || node.kind == NodeKind::host;
      nodes.push_back(
          stays ? builder.node(node.name, fmt::format("point-{}", i), node.kind, node.line) : 0);
    }
    for (std::size_t i = 0; i < draft.arcs.size(); ++i) {
      const Draft::Arc& arc = draft.arcs[i];
      if (used_[arc.from] == 0 || (arc.back && *arc.back < i)) continue;
      FabricBuilder::Facts facts{.bandwidth_Bps = widths_.bandwidth_Bps(arc),
                                 .latency_ps = latency_ps(arc),
                                 .link_class = arc.link_class,
                                 .one_way = !arc.back};
      builder.cable(nodes[arc.from], arc.port, nodes[arc.to],
                    arc.back ? draft.arcs[*arc.back].port : std::string(), std::move(facts));
    }
    std::vector<std::optional<NodeId>> numbers;
    fabric_ = built(std::move(builder), &numbers);
    for (std::size_t i = 0; i < draft.nodes.size(); ++i)
      numbers_.push_back(used_[i] != 0 ? numbers[nodes[i]] : std::nullopt);
    find_links();
  }

  void add(const SavedRoutes& routes) {
    Topology& topology = fabric_->network.topology;
    std::vector<std::size_t> row(static_cast<std::size_t>(topology.node_count()), 0);
    for (std::size_t i = 0; i < topology.switches().size(); ++i)
      row[topology.switches()[i].index()] = i;
    std::vector<std::size_t> addresses;
    topology::ForwardingTables tables;
    for (std::size_t i = 0; i < routes.hosts.size(); ++i)
      if (const auto host = numbers_[draft_.nodes_of_hosts[routes.hosts[i]]]) {
        addresses.push_back(i);
        tables.hosts.push_back(*host);
      }
    tables.next.assign(topology.switches().size() * addresses.size(),
                       topology::ForwardingTables::kNone);
    for (std::size_t i = 0; i < addresses.size(); ++i)
      for (std::size_t node = 0; node < draft_.nodes.size(); ++node) {
        const std::int32_t arc = routes.next[addresses[i]][node];
        WEFT_ASSERT(arc < std::ssize(links_));
        if (arc < 0 || !numbers_[node] || !links_[static_cast<std::size_t>(arc)]) continue;
        tables.next[row[numbers_[node]->index()] * addresses.size() + i] =
            links_[static_cast<std::size_t>(arc)]->value();
      }
    topology = topology::with_tables(topology, std::move(tables), "routes");
  }

  void add_coordinates() {
    if (!is_torus(platform_)) return;
    Topology& topology = fabric_->network.topology;
    if (topology.node_count() != static_cast<std::int32_t>(platform_.points.size())) return;
    std::vector<int> extents;
    for (const std::int64_t extent : single_cluster(platform_)->shape.extents)
      if (extent > 1) extents.push_back(static_cast<int>(extent));
    if (extents.empty()) return;
    topology::Facets facets = topology.facets();
    facets.facets.emplace_back(topology::coordinates(extents, topology::LineShape::ring));
    topology = topology::with_facets(topology, std::move(facets), topology.expression());
  }

  Realized take() && {
    std::vector<NodeId> hosts;
    for (const std::size_t node : draft_.nodes_of_hosts)
      hosts.push_back(numbers_[node].value_or(NodeId(-1)));
    return {std::move(*fabric_), std::move(hosts), std::move(resources_)};
  }

 private:
  std::int64_t latency_ps(const Draft::Arc& arc) const {
    return arc.resource ? platform_.resources[static_cast<std::size_t>(*arc.resource)].latency_ps
                        : 0;
  }

  // The builder numbers links anew: those between two nodes, as fast, are one another's.
  void find_links() {
    const Topology& topology = fabric_->network.topology;
    const auto& speeds = fabric_->network.speeds;
    using Likeness = std::tuple<NodeId, NodeId, std::int64_t, std::int64_t>;
    std::map<Likeness, std::vector<LinkId>> free;
    for (const LinkId link : topology.links())
      free[{topology.tail(link), topology.head(link), speeds.bandwidth_Bps[link].value_or(0),
            speeds.latency_ps[link].value_or(0)}]
          .push_back(link);
    resources_.resize(static_cast<std::size_t>(topology.link_count()));
    links_.resize(draft_.arcs.size());
    for (std::size_t i = 0; i < draft_.arcs.size(); ++i) {
      const Draft::Arc& arc = draft_.arcs[i];
      if (!numbers_[arc.from] || !numbers_[arc.to]) continue;
      const Draft::Arc& first = arc.back && *arc.back < i ? draft_.arcs[*arc.back] : arc;
      const auto found = free.find({*numbers_[arc.from], *numbers_[arc.to],
                                    widths_.bandwidth_Bps(first), latency_ps(first)});
      if (found == free.end() || found->second.empty()) continue;
      links_[i] = found->second.back();
      found->second.pop_back();
      resources_[links_[i]->index()] = arc.resource;
    }
  }

  const Draft& draft_;
  const Platform& platform_;
  Widths widths_;
  std::vector<char> used_;
  std::vector<std::optional<NodeId>> numbers_;        // by node
  std::vector<std::optional<LinkId>> links_;          // by arc
  std::vector<std::optional<ResourceId>> resources_;  // by link
  std::optional<ImportedFabric> fabric_;
};

}  // namespace

Realized realize(const FabricSource& source, const Draft& draft, const Platform& platform,
                 const std::vector<char>& wide, const SavedRoutes* routes) {
  Realizing realizing(source, draft, platform, wide);
  if (routes != nullptr) realizing.add(*routes);
  realizing.add_coordinates();
  return std::move(realizing).take();
}

}  // namespace weft::format::simgrid
