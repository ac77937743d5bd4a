#include "weft/simulation/packet/grid_map.hpp"

#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

namespace {

struct Found {
  GridShape shape;
  topology::Extents extents;
};

std::optional<Found> find_grid(const Topology& topology) {
  if (const auto view = as_hamming(topology)) return Found{GridShape::hamming, *view};
  if (const auto view = as_hyperx(topology)) return Found{GridShape::hamming, *view};
  if (const auto view = as_mesh(topology)) return Found{GridShape::mesh, *view};
  if (const auto view = as_torus(topology)) return Found{GridShape::torus, *view};
  return std::nullopt;
}

}  // namespace

GridMap::GridMap(const Wiring& wiring, const char* routing) {
  const Topology& topology = wiring.topology;
  const auto grid = find_grid(topology);
  require(grid.has_value(),
          "routing {} needs a torus, mesh, Hamming or HyperX network ({} is none); use "
          "shortest-table",
          routing, topology.name());
  shape_ = grid->shape;
  const auto nodes = static_cast<std::int32_t>(grid->extents.size());
  for (const int extent : grid->extents.extents) {
    extents_.push_back(extent);
    first_slot_.push_back(slots_);
    slots_ += shape_ == GridShape::hamming ? extent : 2;
  }
  for (std::int32_t node = 0; node < nodes; ++node)
    for (const int c : grid->extents.coordinates(node)) coordinates_.push_back(c);
  std::vector<std::vector<std::int32_t>> by_slot(place(nodes) * place(slots_));
  for (const LinkId link : topology.links()) {
    const std::int32_t tail = topology.tail(link).value(), head = topology.head(link).value();
    if (tail >= nodes || head >= nodes) continue;  // to a host
    const std::size_t at = place(tail) * place(slots_) + place(slot_of(tail, head));
    by_slot[at].push_back(link.value());
  }
  first_link_.push_back(0);
  for (const auto& links : by_slot) {
    links_.insert(links_.end(), links.begin(), links.end());
    first_link_.push_back(static_cast<std::int32_t>(links_.size()));
  }
  links_.push_back(kNone);  // so that a span may end at the last
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
