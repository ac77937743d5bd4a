#include "weft/evaluate/step_bound.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/serial_startups.hpp"

namespace weft::evaluate {

namespace {

// The least s with (p + 1)^s >= ranks.
std::int64_t steps_to_all(std::int64_t ranks, std::int64_t p) {
  WEFT_ASSERT(ranks >= 1 && p >= 0);
  std::int64_t steps = 0;
  for (std::int64_t known = 1; known < ranks && p > 0; ++steps)
    known = known > ranks / (p + 1) ? ranks : known * (p + 1);
  return steps;
}

bool are_neighbours(const Topology& topology, NodeId from, NodeId to) {
  for (const LinkId link : topology.out_links(from))
    if (topology.head(link) == to) return true;
  return from == to;
}

bool crosses_one_link(const Schedule& schedule, const Network& network) {
  const IdVector<schedule::Agent, NodeId> nodes = schedule::nodes_of_agents(schedule, network);
  const schedule::Symmetry& symmetry = schedule.symmetry();
  // Automorphisms take neighbours to neighbours.
  const bool one_for_all = schedule::link_action(symmetry, nodes, network.fabric()).has_value();
  const std::int32_t elements = one_for_all ? 1 : symmetry.order();
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (const schedule::Message& message : schedule.messages(t))
      for (std::int32_t g = 0; g < elements; ++g)
        if (!are_neighbours(network.topology(), nodes[symmetry.apply(g, message.from)],
                            nodes[symmetry.apply(g, message.to)]))
          return false;
  return true;
}

}  // namespace

StepBound step_bound(const Schedule& schedule, const Network& network, std::int64_t links) {
  WEFT_ASSERT(links >= 0);
  const Collective& collective = schedule.collective();
  const std::int64_t sent = schedule::most_at_once(schedule, schedule::MessageEnd::sender);
  const std::int64_t received = schedule::most_at_once(schedule, schedule::MessageEnd::receiver);
  StepBound bound{.one_link = crosses_one_link(schedule, network)};
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  bound.at_once = traits.from_root() ? sent
                  : traits.to_root() ? received
                                     : std::min(sent, received);
  bound.steps = steps_to_all(traits.between_two() ? 2 : collective.ranks, bound.at_once);
  if (bound.one_link) bound.steps = std::max(bound.steps, links);
  return bound;
}

}  // namespace weft::evaluate
