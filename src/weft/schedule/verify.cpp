// Verification by following the data.
//
// The state of an agent is, for each unit, what it holds there: nothing, or a value, known by the
// set of ranks whose contributions are in it (without reductions there is only "the unit's data").
// Schedules move long runs of units alike, so a state is a line of runs (run_line.hpp), the sets
// are shared (contributors.hpp), only representatives' blocks are followed under a symmetry
// (orbit_line.hpp), and the line is cut into slabs that are checked in parallel (slabs.hpp): units
// never influence each other, so each slab is a proof of its own (slab_check.hpp).
#include "weft/schedule/verify.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "slabs/slab_check.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::schedule {

namespace {

template <class... Args>
Fault fault_at(std::int64_t step, std::int64_t message, std::int64_t unit,
               fmt::format_string<Args...> format, Args&&... args) {
  return {step, message, unit,
          fmt::format("step {}, message {}: {}", step, message,
                      fmt::format(format, std::forward<Args>(args)...))};
}

// Agents, pieces and representatives are in range: what the data structures of the proof rely on.
std::optional<Fault> malformed(const Schedule& schedule, std::int64_t step, std::int64_t m) {
  const Message& message = schedule.message(m);
  for (const Agent agent : {message.from, message.to})
    if (agent.value() < 0 || agent.value() >= schedule.agents())
      return fault_at(step, m, 0, "agent {} does not exist; agents are 0 to {}", agent.value(),
                      schedule.agents() - 1);
  if (!schedule.symmetry().is_representative(message.from))
    return fault_at(
        step, m, 0,
        "agent {} is not a representative of the symmetry, so its messages are not stored",
        message.from.value());
  for (const Piece& piece : schedule.pieces(m))
    if (piece.first < 0 || piece.count <= 0 || piece.first > schedule.units() - piece.count)
      return fault_at(step, m, piece.first, "units {} + {} are not on the unit line of {}",
                      piece.first, piece.count, schedule.units());
  if (message.route != kRouted &&
      (message.route.value() < 0 || message.route.value() >= schedule.route_count()))
    return fault_at(step, m, 0, "route {} does not exist (there are {} routes)",
                    message.route.value(), schedule.route_count());
  return std::nullopt;
}

// An explicit route is a chain of existing links between the nodes of sender and receiver.
std::optional<Fault> broken_route(const Schedule& schedule, const Topology& topology,
                                  std::int64_t step, std::int64_t m) {
  const Message& message = schedule.message(m);
  if (message.route == kRouted) return std::nullopt;
  NodeId at = schedule.binding().nodes[message.from.index()];
  for (const LinkId link : schedule.route(message.route)) {
    if (link.value() < 0 || link.value() >= topology.link_count())
      return fault_at(step, m, 0, "link {} does not exist; {} has {}", link.value(),
                      topology.name(), topology.link_count());
    if (topology.tail(link) != at)
      return fault_at(step, m, 0, "link {} starts at node {}, but the route is at node {}",
                      link.value(), topology.tail(link).value(), at.value());
    at = topology.head(link);
  }
  const NodeId goal = schedule.binding().nodes[message.to.index()];
  if (at != goal)
    return fault_at(step, m, 0, "the route ends at node {}, but agent {} is on node {}", at.value(),
                    message.to.value(), goal.value());
  return std::nullopt;
}

void require_topology(const Schedule& schedule, const Topology* topology) {
  if (schedule.route_count() == 0) return;
  require(topology != nullptr,
          "the schedule has explicit routes; verify it with the network it was made for ({})",
          schedule.binding().topology);
  require(topology->hash() == schedule.binding().hash,
          "the schedule has explicit routes on {}, not on {} (another graph)",
          schedule.binding().topology, topology->name());
  require(!schedule.binding().nodes.empty(),
          "the schedule has explicit routes but does not place its agents");
  for (const NodeId node : schedule.binding().nodes)
    require(node.value() >= 0 && node.value() < topology->node_count(),
            "the schedule places an agent on node {}, but {} has {} nodes", node.value(),
            topology->name(), topology->node_count());
  require(schedule.symmetry().is_trivial() ||
              LinkAction::of(schedule.symmetry(), schedule.binding().nodes, *topology),
          "the symmetry {} of the schedule is not a symmetry of {} with this placement, so "
          "explicit routes cannot be moved by it; write the messages of all agents out",
          schedule.symmetry().group().text(), topology->name());
}

}  // namespace

class Verifier {
 public:
  static VerifyResult run(const Schedule& schedule, const Topology* topology) {
    require_topology(schedule, topology);
    for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
      for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
        if (auto fault = malformed(schedule, t, m)) return *std::move(fault);
        if (topology != nullptr)
          if (auto fault = broken_route(schedule, *topology, t, m)) return *std::move(fault);
      }

    const OrbitLine line(schedule);
    const Slabs slabs(schedule, line);
    VerifiedFacts facts;
    std::vector<std::int64_t> kept(
        schedule.helpers() > 0 ? static_cast<std::size_t>(schedule.stored_messages()) : 0);
    std::optional<FoundFault> first;
    std::mutex mutex;
    parallel_for(slabs.count(), [&](std::int64_t slab) {
      SlabProof proof = prove_slab(schedule, line, slabs, slab);
      const std::scoped_lock lock(mutex);
      facts.keeps_order = facts.keeps_order && proof.keeps_order;
      facts.overwrites = facts.overwrites || proof.overwrites;
      for (const SlabProof::KeptUnits& units : proof.kept) kept[units.message] += units.units;
      if (proof.fault && (!first || comes_before(*proof.fault, *first)))
        first = std::move(proof.fault);
    });
    if (first) return std::move(first->fault);
    for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
      facts.combined_messages += schedule.pieces(m).size() > 1 ? 1 : 0;
    WEFT_ASSERT(facts.combined_messages <= schedule.stored_messages());
    if (std::ranges::any_of(kept, [](std::int64_t units) { return units > 0; }))
      facts.kept_units = std::make_shared<const std::vector<std::int64_t>>(std::move(kept));
    return Verified(schedule, std::move(facts));
  }

  static Verified rebound(const Verified& verified, Schedule schedule) {
    WEFT_ASSERT(schedule.stored_messages() == verified.schedule().stored_messages());
    return Verified(std::move(schedule), verified.facts());
  }
};

Verified Verified::with_segments(std::int64_t count) const {
  return Verifier::rebound(*this, schedule_.with_segments({count, schedule_.segments().stride}));
}

Verified Verified::with_binding(Binding binding) const {
  require(schedule_.route_count() == 0 || binding.hash == schedule_.binding().hash,
          "the schedule has explicit routes on {}, not on {} (another graph)",
          schedule_.binding().topology, binding.topology);
  require(schedule_.route_count() == 0 || binding.nodes == schedule_.binding().nodes,
          "the schedule has explicit routes, so its agents cannot be placed on other nodes");
  return Verifier::rebound(*this, schedule_.with_binding(std::move(binding)));
}

Verified Verified::without_routes(std::string algorithm) const {
  return Verifier::rebound(
      *this, schedule::without_routes(schedule_).with_algorithm(std::move(algorithm)));
}

VerifyResult verify(const Schedule& schedule, const Topology* topology) {
  return Verifier::run(schedule, topology);
}

Verified verify_own(const Schedule& schedule, const Topology* topology) {
  const VerifyResult result = verify(schedule, topology);
  if (!result)
    throw std::logic_error(fmt::format("internal error: {} {} is wrong: {}", schedule.algorithm(),
                                       name_of(schedule.collective().kind), result.fault().text));
  return *result;
}

}  // namespace weft::schedule
