#include "weft/simulation/packet/routing/grid_map.hpp"

#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

namespace {

struct Found {
  GridShape shape;
  topology::Extents extents;
};

std::optional<Found> find_grid(const Topology& topology, topology::Damage damage) {
  if (const auto view = as_hyperx(topology, damage)) return Found{GridShape::hamming, *view};
  if (const auto view = as_mesh(topology, damage)) return Found{GridShape::mesh, *view};
  if (const auto view = as_torus(topology, damage)) return Found{GridShape::torus, *view};
  return std::nullopt;
}

}  // namespace

GridMap::GridMap(const Wiring& wiring, const char* routing, topology::Damage damage) {
  const Topology& topology = wiring.topology;
  const auto grid = find_grid(topology, damage);
  require(grid.has_value(),
          "routing {} needs a torus, mesh, Hamming or HyperX network ({} is none); use "
          "shortest-table",
          routing, topology.name());
  shape_ = grid->shape;
  const auto& holes = topology.facets().holes;
  damaged_ = holes.has_value();
  for (const int extent : grid->extents.extents) {
    extents_.push_back(extent);
    first_slot_.push_back(slots_);
    slots_ += shape_ == GridShape::hamming ? extent : 2;
  }
  std::int32_t nodes = 0;  // of the grid; hosts on its switches come behind
  for (; nodes < topology.node_count(); ++nodes) {
    const std::int32_t whole = holes ? holes->whole(nodes) : nodes;
    if (whole >= grid->extents.size()) break;
    for (const int c : grid->extents.coordinates(whole)) coordinates_.push_back(c);
  }
  std::vector<std::vector<std::int32_t>> by_slot(place(nodes) * place(slots_));
  for (const LinkId link : topology.links()) {
    const std::int32_t tail = topology.tail(link).value(), head = topology.head(link).value();
    if (tail >= nodes || head >= nodes) continue;  // to a host
    const std::size_t at = place(tail) * place(slots_) + place(slot_of(tail, head));
    by_slot[at].push_back(link.value());
  }
  first_link_.push_back(0);
  for (const auto& links : by_slot) {
    has_parallel_links_ = has_parallel_links_ || links.size() > 1;
    links_.insert(links_.end(), links.begin(), links.end());
    first_link_.push_back(static_cast<std::int32_t>(links_.size()));
  }
  links_.push_back(kNone);  // so that a span may end at the last
}

bool GridMap::leads(const Topology& topology, std::int32_t node, std::int32_t d, std::int32_t to,
                    bool up) const {
  while (coordinate(node, d) != to) {
    const auto there = links(node, d, to, up);
    if (there.empty()) return false;
    node = topology.head(LinkId(there.front())).value();
  }
  return true;
}

/// Where a ring has two nodes its one link goes up.
std::int32_t GridMap::slot_of(std::int32_t tail, std::int32_t head) const {
  for (std::int32_t d = 0; d < dimensions(); ++d) {
    const std::int32_t from = coordinate(tail, d), to = coordinate(head, d);
    if (from == to) continue;
    if (shape_ == GridShape::hamming) return first_slot_[place(d)] + to;
    const bool up = shape_ == GridShape::mesh ? to > from : (from + 1) % extent(d) == to;
    return first_slot_[place(d)] + (up ? 1 : 0);
  }
  WEFT_ASSERT(false);
  return 0;
}

}  // namespace weft::simulation::packet
