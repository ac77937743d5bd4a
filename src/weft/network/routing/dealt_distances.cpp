#include "weft/network/routing/dealt_distances.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/network/routing/dealing.hpp"
#include "weft/network/routing/distances.hpp"
#include "weft/network/routing/shortest_table.hpp"

namespace weft::network {

namespace {

constexpr auto kFar = std::numeric_limits<std::uint16_t>::max();

std::uint16_t narrowed(std::int32_t distance) {
  return distance == graph::kUnreached ? kFar : static_cast<std::uint16_t>(distance);
}

}  // namespace

DealtDistances::DealtDistances(const Wiring& wiring, std::string_view routing)
    : wiring_(wiring), numbers_(number_by_router(wiring.node_count(), [&](std::int32_t node) {
        return wiring.router[place(node)];
      })) {
  std::vector<std::int32_t> routers;
  for (std::int32_t node = 0; node < wiring.node_count(); ++node) {
    const bool leaf = wiring.leaves[place(node)].up != kNone;
    row_of_.push_back(leaf ? kNone : static_cast<std::int32_t>(routers.size()));
    if (!leaf) routers.push_back(node);
  }
  rows_ = routers.size();
  check_table(rows_, sizeof(std::uint16_t), routing);  // so that distances are below kFar
  distances_.reserve(rows_ * rows_);
  for (const std::int32_t target : routers) {
    const std::vector<std::int32_t> towards = distances_towards(wiring, target);
    for (const std::int32_t node : routers) {
      const std::uint16_t distance = narrowed(towards[place(node)]);
      require(distance != kFar || !wiring.topology.has_switches() ||
                  wiring.topology.is_host(NodeId(target)) || wiring.topology.is_host(NodeId(node)),
              "node {} cannot be reached from node {} (packets pass through no host); routing {} "
              "needs a connected network, or use --model fluid",
              target, node, routing);
      if (distance != kFar) longest_ = std::max<int>(longest_, distance);
      distances_.push_back(distance);
    }
  }
}

std::int32_t DealtDistances::next(std::int32_t node, std::int32_t router,
                                  std::int32_t destination) const {
  const std::uint16_t distance = distances_[entry(node, router)];
  if (distance == kFar) return kNone;
  const auto leads = [&](LinkId link) {
    const std::int32_t head = wiring_.topology.head(link).value();
    return row_of_[place(head)] != kNone && distances_[entry(head, router)] == distance - 1 &&
           leads_plainly(wiring_, link, NodeId(router));
  };
  const auto links = wiring_.topology.out_links(NodeId(node));
  std::int32_t count = 0;
  for (const LinkId link : links) count += leads(link) ? 1 : 0;
  std::int32_t left = dealt(numbers_[place(destination)], count, distance);
  for (const LinkId link : links)
    if (leads(link) && left-- == 0) return link.value();
  return kNone;
}

}  // namespace weft::network
