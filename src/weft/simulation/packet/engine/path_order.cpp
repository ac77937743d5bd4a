#include "weft/simulation/packet/engine/path_order.hpp"

#include <limits>
#include <optional>

#include "weft/graph/breadth_first.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

// Links between hosts and switches begin and end paths.
std::optional<std::int64_t> terminal_number(const Topology& topology, LinkId link) {
  const bool from_host = topology.is_host(topology.tail(link));
  if (from_host == topology.is_host(topology.head(link))) return std::nullopt;
  return from_host ? kFirst : kLast;
}

template <class Number>
std::vector<std::int64_t> number_links(const Topology& topology, Number&& number) {
  std::vector<std::int64_t> numbers(topology.link_count());
  for (const LinkId link : topology.links()) {
    const auto terminal = terminal_number(topology, link);
    numbers[link.index()] = terminal ? *terminal : number(link);
  }
  return numbers;
}

std::vector<std::int64_t> of_tree(const Topology& topology, const topology::XgftView& tree) {
  const auto height = static_cast<std::int64_t>(tree.children.size());
  const auto level = [&](NodeId node) {
    std::int64_t l = 0;
    while (l < height && node.value() >= tree.first_of_level[static_cast<std::size_t>(l) + 1]) ++l;
    return l;
  };
  return number_links(topology, [&](LinkId link) {
    const std::int64_t from = level(topology.tail(link)), to = level(topology.head(link));
    return to > from ? from : 2 * height - from;
  });
}

// Of each dimension the links upwards by where they begin, then those downwards; across a Hamming
// network a packet has one link in each.
std::vector<std::int64_t> of_grid(const Topology& topology, const topology::Extents& grid,
                                  bool hamming) {
  return number_links(topology, [&](LinkId link) -> std::int64_t {
    const std::int64_t tail = topology.tail(link).value(), head = topology.head(link).value();
    std::int64_t base = 0;
    for (int d = 0; d < grid.dimensions(); ++d) {
      const std::int64_t k = grid.extents[d];
      const int from = grid.coordinate(tail, d), to = grid.coordinate(head, d);
      if (from != to) {
        if (hamming) return base;
        const bool up = (to - from + k) % k == 1;
        return up ? base + from : base + 2 * k - 1 - from;
      }
      base += 2 * k;
    }
    return base;
  });
}

std::vector<std::int64_t> of_groups(const Topology& topology) {
  return number_links(topology, [&](LinkId link) {
    const auto name = topology.class_names()[topology.link_class(link)];
    return std::int64_t{name == "global" ? 1 : 0};
  });
}

// Towards node 0 and, among as near nodes, the lower; then away.
std::vector<std::int64_t> of_any(const Topology& topology) {
  const std::int64_t n = topology.node_count();
  const graph::BreadthFirst search(topology.node_count(), 0, [&](std::int32_t at, auto&& reach) {
    for (const LinkId link : topology.out_links(NodeId(at))) reach(topology.head(link).value());
  });
  const auto height = [&](NodeId node) {
    const std::int64_t level = search.distances()[node.index()];
    return (level == graph::kUnreached ? n : level) * (n + 1) + node.value();
  };
  return number_links(topology, [&](LinkId link) {
    const std::int64_t from = height(topology.tail(link)), to = height(topology.head(link));
    return to < from ? -from : from;
  });
}

std::vector<std::int64_t> numbers_of(const Topology& topology) {
  if (const auto tree = topology::as_xgft(topology)) return of_tree(topology, *tree);
  if (const auto grid = topology::as_hamming(topology)) return of_grid(topology, *grid, true);
  if (const auto grid = topology::as_hyperx(topology)) return of_grid(topology, *grid, true);
  if (const auto grid = topology::as_mesh(topology)) return of_grid(topology, *grid, false);
  if (const auto grid = topology::as_torus(topology)) return of_grid(topology, *grid, false);
  if (topology::as_dragonfly(topology)) return of_groups(topology);
  return of_any(topology);
}

}  // namespace

PathOrder::PathOrder(const Topology& topology) : numbers_(numbers_of(topology)) {}

}  // namespace weft::simulation::packet
