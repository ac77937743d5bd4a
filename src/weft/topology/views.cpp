#include "weft/topology/views.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::topology {

namespace {

// The facet of a kind, where the network is as whole as the caller wants it.
template <class F>
const F* facet(const Topology& topology, Damage damage) {
  const Facets& facets = topology.facets();
  return facets.holes && damage == Damage::none ? nullptr : facets.find<F>();
}

template <class F>
std::optional<F> view(const Topology& topology, Damage damage = Damage::none) {
  const F* found = facet<F>(topology, damage);
  return found ? std::optional(*found) : std::nullopt;
}

// Of single cables of this shape in every dimension.
template <class View>
std::optional<View> view_of_shape(const Topology& topology, LineShape shape, Damage damage) {
  const auto* coordinates = facet<Coordinates>(topology, damage);
  if (coordinates == nullptr) return std::nullopt;
  View result;
  for (const Dimension& dimension : coordinates->dimensions) {
    if (!dimension.is(shape) || dimension.parallel != 1) return std::nullopt;
    result.extents.push_back(dimension.extent);
  }
  return result;
}

// The first host of the whole network, and how many make a group: of the usual kind, and of all
// levels. No usual kind: 0.
struct HostBlocks {
  std::int64_t first = 0, size = 0;
  std::vector<std::int64_t> levels = {};
};

// Hosts below a switch of each level but the top.
std::vector<std::int64_t> hosts_below(const XgftView& tree) {
  std::vector<std::int64_t> below;
  std::int64_t hosts = 1;
  for (std::size_t level = 0; level + 1 < tree.children.size(); ++level)
    below.push_back(hosts *= tree.children[level]);
  return below;
}

HostBlocks host_blocks(const Topology& topology) {
  const Facets& facets = topology.facets();
  if (const auto* d = facets.find<DragonflyView>())
    return {
        std::int64_t{d->g} * d->a, std::int64_t{d->a} * d->p, {d->p, std::int64_t{d->a} * d->p}};
  if (const auto* d = facets.find<DragonflyPlusView>())
    return {std::int64_t{d->g} * d->group_size(),
            std::int64_t{d->l} * d->p,
            {d->p, std::int64_t{d->l} * d->p}};
  HostBlocks blocks;
  if (const auto* groups = facets.find<Groups>()) {
    blocks.size = groups->hosts;
    blocks.levels.assign(groups->levels.begin(), groups->levels.end());
    if (blocks.levels.empty()) blocks.levels = {blocks.size};
  }
  if (const auto* tree = facets.find<XgftView>()) blocks.levels = hosts_below(*tree);
  return blocks;
}

HostGroups in_blocks(const Topology& topology, std::int64_t first, std::int64_t size) {
  const auto& holes = topology.facets().holes;
  HostGroups groups;
  groups.of.resize(topology.node_count(), 0);
  for (const NodeId host : topology.hosts()) {
    const std::int64_t whole = holes ? holes->whole(host.value()) : host.value();
    const auto group = static_cast<std::int32_t>((whole - first) / size);
    groups.of[host] = group;
    groups.count = std::max(groups.count, group + 1);
  }
  return groups;
}

}  // namespace

std::int64_t Extents::size() const {
  std::int64_t nodes = 1;
  for (int extent : extents) nodes *= extent;
  return nodes;
}

int Extents::coordinate(std::int64_t node, int dimension) const {
  for (int d = 0; d < dimension; ++d) node /= extents[d];
  return static_cast<int>(node % extents[dimension]);
}

std::vector<int> Extents::coordinates(std::int64_t node) const {
  std::vector<int> result;
  for (int extent : extents) {
    result.push_back(static_cast<int>(node % extent));
    node /= extent;
  }
  return result;
}

std::int64_t Extents::node(std::span<const int> coordinates) const {
  WEFT_ASSERT(coordinates.size() == extents.size());
  std::int64_t result = 0;
  for (std::size_t d = extents.size(); d-- > 0;) result = result * extents[d] + coordinates[d];
  return result;
}

std::optional<HammingView> as_hamming(const Topology& topology, Damage damage) {
  return view_of_shape<HammingView>(topology, LineShape::complete, damage);
}

std::optional<HyperxView> as_hyperx(const Topology& topology, Damage damage) {
  const auto* coordinates = facet<Coordinates>(topology, damage);
  if (coordinates == nullptr) return std::nullopt;
  HyperxView result;
  for (const Dimension& dimension : coordinates->dimensions) {
    if (!dimension.is(LineShape::complete)) return std::nullopt;
    result.extents.push_back(dimension.extent);
    result.parallel.push_back(dimension.parallel);
  }
  return result;
}

std::optional<TorusView> as_torus(const Topology& topology, Damage damage) {
  return view_of_shape<TorusView>(topology, LineShape::ring, damage);
}

std::optional<MeshView> as_mesh(const Topology& topology, Damage damage) {
  return view_of_shape<MeshView>(topology, LineShape::path, damage);
}

std::optional<KautzView> as_kautz(const Topology& topology) {
  return view<KautzView>(topology);
}

std::optional<DragonflyView> as_dragonfly(const Topology& topology, Damage damage) {
  return view<DragonflyView>(topology, damage);
}

std::optional<DragonflyPlusView> as_dragonfly_plus(const Topology& topology, Damage damage) {
  return view<DragonflyPlusView>(topology, damage);
}

std::optional<SlimflyView> as_slimfly(const Topology& topology) {
  return view<SlimflyView>(topology);
}

std::optional<PolarflyView> as_polarfly(const Topology& topology) {
  return view<PolarflyView>(topology);
}

std::optional<XpanderView> as_xpander(const Topology& topology) {
  return view<XpanderView>(topology);
}

std::optional<XgftView> as_xgft(const Topology& topology, Damage damage) {
  return view<XgftView>(topology, damage);
}

std::optional<DamagedXgft> as_damaged_xgft(const Topology& topology) {
  const auto* tree = facet<XgftView>(topology, Damage::allowed);
  if (tree == nullptr || !topology.facets().holes) return std::nullopt;
  DamagedXgft damaged{*tree, {}};
  for (std::int32_t node = 0; node < tree->first_of_level.back(); ++node)
    damaged.now.push_back(topology.facets().holes->now(node).value_or(-1));
  return damaged;
}

std::optional<SwitchGroups> switch_groups_of(const Topology& topology) {
  if (const auto* groups = topology.facets().find<SwitchGroups>()) return *groups;
  if (const auto dragonfly = as_dragonfly(topology, Damage::allowed))
    return SwitchGroups{dragonfly->a, dragonfly->g, {0}};
  return std::nullopt;
}

std::optional<HostGroups> as_host_groups(const Topology& topology) {
  const HostBlocks blocks = host_blocks(topology);
  if (blocks.size == 0) return std::nullopt;
  return in_blocks(topology, blocks.first, blocks.size);
}

std::optional<GroupsOfSwitches> as_groups_of_switches(const Topology& topology) {
  const auto facet = switch_groups_of(topology);
  if (!facet) return std::nullopt;
  const auto& holes = topology.facets().holes;
  GroupsOfSwitches found{std::vector<std::int32_t>(topology.node_count(), -1)};
  for (const NodeId node : topology.switches()) {
    const std::int32_t whole = holes ? holes->whole(node.value()) : node.value();
    const auto after = std::ranges::upper_bound(facet->first, whole);
    if (after == facet->first.begin()) continue;
    const auto copy = static_cast<std::int32_t>(after - facet->first.begin()) - 1;
    const std::int32_t group = (whole - facet->first[copy]) / facet->switches;
    if (group < facet->groups) found.of[node] = copy * facet->groups + group;
  }
  return found;
}

std::vector<std::int64_t> nested_group_sizes(const Topology& topology) {
  std::vector<std::int64_t> sizes = host_blocks(topology).levels;
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());  // a level of single children
  return sizes;
}

std::vector<HostGroups> as_nested_host_groups(const Topology& topology) {
  const std::int64_t first = host_blocks(topology).first;
  std::vector<HostGroups> levels;
  for (const std::int64_t size : nested_group_sizes(topology))
    levels.push_back(in_blocks(topology, first, size));
  return levels;
}

std::optional<HostAttachment> as_attached_hosts(const Topology& topology) {
  if (topology.hosts().empty()) return std::nullopt;
  HostAttachment attachment;
  attachment.switch_of.resize(topology.node_count());
  for (NodeId host : topology.hosts()) {
    const auto links = topology.out_links(host);
    if (links.size() != 1 || topology.in_degree(host) != 1) return std::nullopt;
    const LinkId link = links[0];
    if (topology.is_host(topology.head(link)) || !topology.reverse(link)) return std::nullopt;
    attachment.switch_of[host] = topology.head(link);
  }
  return attachment;
}

}  // namespace weft::topology
