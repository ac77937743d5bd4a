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

// The first host of the whole network, and how many make a group.
struct HostBlocks {
  std::int64_t first, size;
};

std::optional<HostBlocks> host_blocks(const Topology& topology) {
  const Facets& facets = topology.facets();
  if (const auto* d = facets.find<DragonflyView>())
    return HostBlocks{std::int64_t{d->g} * d->a, std::int64_t{d->a} * d->p};
  if (const auto* d = facets.find<DragonflyPlusView>())
    return HostBlocks{std::int64_t{d->g} * d->group_size(), std::int64_t{d->l} * d->p};
  if (const auto* groups = facets.find<Groups>()) return HostBlocks{0, groups->hosts};
  return std::nullopt;
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

bool is_damaged_grid(const Topology& topology) {
  return topology.facets().holes && facet<Coordinates>(topology, Damage::allowed) != nullptr;
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

std::optional<HostGroups> as_host_groups(const Topology& topology) {
  const auto blocks = host_blocks(topology);
  if (!blocks) return std::nullopt;
  const auto& holes = topology.facets().holes;
  HostGroups groups;
  groups.of.resize(static_cast<std::size_t>(topology.node_count()), 0);
  for (const NodeId host : topology.hosts()) {
    const std::int64_t whole = holes ? holes->whole(host.value()) : host.value();
    const auto group = static_cast<std::int32_t>((whole - blocks->first) / blocks->size);
    groups.of[host.index()] = group;
    groups.count = std::max(groups.count, group + 1);
  }
  return groups;
}

std::optional<HostAttachment> as_attached_hosts(const Topology& topology) {
  if (topology.hosts().empty()) return std::nullopt;
  HostAttachment attachment;
  attachment.switch_of.resize(static_cast<std::size_t>(topology.node_count()));
  for (NodeId host : topology.hosts()) {
    const auto links = topology.out_links(host);
    if (links.size() != 1 || topology.in_degree(host) != 1) return std::nullopt;
    const LinkId link = links[0];
    if (topology.is_host(topology.head(link)) || !topology.reverse(link)) return std::nullopt;
    attachment.switch_of[host.index()] = topology.head(link);
  }
  return attachment;
}

}  // namespace weft::topology
