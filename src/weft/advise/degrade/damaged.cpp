#include "weft/advise/degrade/damaged.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/fabric_speeds.hpp"
#include "weft/topology/functions.hpp"

namespace weft::advise {

namespace {

std::shared_ptr<const network::Routing> routing_there(std::string_view name, const Fabric& fabric,
                                                      std::uint64_t seed) {
  try {
    return make_routing(name, fabric, seed);
  } catch (const InvalidInput&) {  // it does not fit what is left
    return make_routing("auto", fabric, seed);
  }
}

}  // namespace

Intact::Intact(const Network& network, std::uint64_t seed)
    : network_(network),
      seed_(seed),
      built_{network.topology(), topology::speeds_of(network.fabric())},
      automatic_(network.routing().name() == default_routing(network.topology())) {}

Network Intact::without(const Failure& failure, const Damage& damage) const {
  const Fabric fabric(topology::remove_failed(
      {.cables = failure.cables, .links = {}, .nodes = failure.nodes}, built_));
  WEFT_ASSERT(
      fabric.topology().link_count() ==
      std::ranges::count_if(damage.links_now(), [](LinkId link) { return link.value() >= 0; }));
  topology::Placement placement;
  for (const NodeId node : network_.placement().nodes)
    if (damage.alive(node)) placement.nodes.push_back(damage.now(node));
  const std::string_view name = automatic_ ? "auto" : network_.routing().name();
  return {fabric, std::move(placement), network_.host(), routing_there(name, fabric, seed_)};
}

std::optional<Collective> among_those_left(const Collective& collective, const Failure& failure) {
  Collective left = collective;
  left.ranks -= static_cast<std::int32_t>(failure.lost.size());
  const auto is_lost = [&](Rank rank) { return std::ranges::binary_search(failure.lost, rank); };
  const auto renumber = [&](Rank& rank) {
    rank =
        Rank(rank.value() - (std::ranges::lower_bound(failure.lost, rank) - failure.lost.begin()));
  };
  const bool between_two = schedule::traits_of(collective.kind).between_two();
  if ((collective.rooted() || between_two) && is_lost(collective.root)) return std::nullopt;
  if (between_two && is_lost(collective.peer)) return std::nullopt;
  renumber(left.root);
  renumber(left.peer);
  return left.ranks >= 2 ? std::optional(left) : std::nullopt;
}

ScheduleOfWhole::ScheduleOfWhole(schedule::Verified verified, std::int64_t size_B,
                                 std::shared_ptr<const program::CopyPlan> copies,
                                 const Network& whole)
    : verified_(std::move(verified)),
      size_B_(size_B),
      program_(lower(verified_, {.size_B = size_B, .copies = std::move(copies)})) {
  if (verified_.schedule().route_count() > 0)
    routed_ = schedule::expand_symmetry(verified_.schedule(), &whole.topology());
}

std::optional<schedule::Verified> ScheduleOfWhole::moved(const Network& damaged,
                                                         const Damage& damage) const {
  const schedule::Schedule& made = routed_ ? *routed_ : verified_.schedule();
  schedule::Binding binding = made.binding();
  for (NodeId& node : binding.nodes) {
    if (!damage.alive(node)) return std::nullopt;
    node = damage.now(node);
  }
  binding.topology = damaged.topology().name();
  binding.hash = damaged.topology().hash();
  if (!routed_) return verified_.with_binding(std::move(binding));
  for (std::int32_t route = 0; route < made.route_count(); ++route)
    for (const LinkId link : made.route(schedule::RouteId(route)))
      if (!damage.alive(link)) return std::nullopt;
  std::vector<schedule::Agent> same(made.agents());
  for (std::size_t agent = 0; agent < same.size(); ++agent) same[agent] = schedule::Agent(agent);
  return schedule::verify_own(
      schedule::relabel(made, same, damage.links_now()).with_binding(std::move(binding)),
      &damaged.topology());
}

std::optional<Program> ScheduleOfWhole::on(const Network& damaged, const Damage& damage) const {
  // Nothing but ranks and where they go: the network routes the messages.
  if (!routed_ && verified_.schedule().helpers() == 0) return program_;
  const auto there = moved(damaged, damage);
  if (!there) return std::nullopt;
  return lower(*there, {.size_B = size_B_, .copies = program::plan_copies(*there, damaged.host())});
}

}  // namespace weft::advise
