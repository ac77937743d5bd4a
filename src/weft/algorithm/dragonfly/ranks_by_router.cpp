#include "ranks_by_router.hpp"

#include <algorithm>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm::dragonfly {

namespace {

bool by_groups(const GlobalLink& x, const GlobalLink& y) {
  return std::tie(x.from_group, x.to_group) < std::tie(y.from_group, y.to_group);
}

std::vector<GlobalLink> global_links(const Topology& topology, std::int32_t routers_a_group) {
  WEFT_ASSERT(routers_a_group >= 1);
  std::vector<GlobalLink> links;
  for (const NodeId router : topology.switches())
    for (const LinkId link : topology.out_links(router)) {
      const NodeId other = topology.head(link);
      const GlobalLink found{router.value() / routers_a_group, other.value() / routers_a_group,
                             router.value(), other.value()};
      if (!topology.is_host(other) && found.from_group != found.to_group) links.push_back(found);
    }
  std::stable_sort(links.begin(), links.end(), by_groups);
  return links;
}

}  // namespace

RanksByRouter::RanksByRouter(const Network& network) {
  const Topology& topology = network.topology();
  const auto view = topology::as_dragonfly(topology);
  const auto attached = topology::as_attached_hosts(topology);
  WEFT_ASSERT(view && attached);
  routers_a_group_ = view->a;
  on_router_.resize(topology.switches().size());
  first_in_group_.resize(view->g);
  routers_.resize(view->g);
  for (const Rank rank : ids<Rank>(network.ranks())) {
    const NodeId router = attached->switch_of[network.placement().nodes[rank.index()]];
    router_of_.push_back(router.value());
    on_router_[router.index()].push_back(rank);
  }
  for (std::size_t router = 0; router < on_router_.size(); ++router) {
    if (on_router_[router].empty()) continue;
    const auto group = router / static_cast<std::size_t>(routers_a_group_);
    const Rank first = on_router_[router].front();
    first_in_group_[group] =
        routers_[group].empty() ? first : std::min(first_in_group_[group], first);
    routers_[group].push_back(static_cast<std::int32_t>(router));
  }
  for (std::int32_t group = 0; group < view->g; ++group)
    if (!routers(group).empty()) groups_.push_back(group);
  links_ = global_links(topology, routers_a_group_);
}

std::span<const GlobalLink> RanksByRouter::links(std::int32_t from_group,
                                                 std::int32_t to_group) const {
  const auto [first, last] = std::equal_range(links_.begin(), links_.end(),
                                              GlobalLink{from_group, to_group, 0, 0}, by_groups);
  return {first, last};
}

Rank RanksByRouter::receiver(Rank sender, std::int32_t to_group) const {
  std::optional<Rank> found;
  for (const GlobalLink& link : links(group(sender), to_group)) {
    if (on_router(link.to_router).empty()) continue;
    const Rank there = on_router(link.to_router).front();
    if (link.from_router == router(sender)) return there;
    if (!found) found = there;
  }
  return found.value_or(first_in_group(to_group));
}

std::optional<std::string> misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  if (!topology::as_dragonfly(context.network->topology())) return "it needs a Dragonfly";
  return std::nullopt;
}

std::vector<std::int32_t> cyclic_from(std::span<const std::int32_t> list, std::int32_t start) {
  std::vector<std::int32_t> turned(list.begin(), list.end());
  std::rotate(turned.begin(), std::lower_bound(turned.begin(), turned.end(), start), turned.end());
  return turned;
}

}  // namespace weft::algorithm::dragonfly
