#include "weft/simulation/orbits.hpp"

#include "weft/base/checked.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_symmetry.hpp"

namespace weft::simulation {

namespace {

using schedule::Schedule;

/// Where the check of the network costs more than simulating every message, it is not worth it.
bool worth_checking(const Schedule& schedule, const Topology& topology) {
  const auto generators =
      static_cast<std::int64_t>(schedule.symmetry().group().generators().size());
  return schedule.message_count() >= generators * topology.link_count() / 4;
}

}  // namespace

bool blocks_divide_evenly(const Program& program) {
  const Schedule& schedule = program.schedule();
  const std::int64_t parts = checked_mul(schedule.collective().blocks(), schedule.segments().count);
  return checked_mul(program.offset_B(schedule.units_per_block()), parts) ==
         schedule.collective().total_bytes(program.size_B());
}

std::unique_ptr<const Orbits> Orbits::of(const Program& program, const Network& network) {
  const Schedule& schedule = program.schedule();
  const Topology& topology = network.topology();
  // What an agent copies depends on its number: where its blocks wrap around.
  if (schedule.symmetry().is_trivial() || network.host().copy_bandwidth_Bps > 0) return nullptr;
  if (!worth_checking(schedule, topology) || !blocks_divide_evenly(program)) return nullptr;
  const auto nodes = schedule::nodes_of_agents(schedule, network);
  auto action = schedule::link_action(schedule.symmetry(), nodes, network.fabric());
  if (!action || !schedule::routes_move_with(*action, schedule, nodes, network)) return nullptr;
  return std::unique_ptr<const Orbits>(new Orbits(program, network, std::move(*action)));
}

Orbits::Orbits(const Program& program, const Network& network, schedule::LinkAction action)
    : program_(&program), topology_(&network.topology()), action_(std::move(action)) {
  const auto nodes = schedule::nodes_of_agents(program.schedule(), network);
  for (std::size_t agent = 0; agent < nodes.size(); agent += static_cast<std::size_t>(order())) {
    first_.push_back(static_cast<std::int32_t>(links_.size()));
    for (const LinkId link : topology_->out_links(nodes[agent])) links_.push_back(link);
  }
}

LinkId Orbits::orbit(LinkId link) const {
  const schedule::Symmetry& symmetry = program_->schedule().symmetry();
  const schedule::Agent tail = action_.agent(topology_->tail(link));
  const LinkId representative = action_.translate(symmetry.inverse(symmetry.element(tail)), link);
  const auto first = first_[static_cast<std::size_t>(symmetry.orbit(tail))];
  const LinkId of_first = links_[static_cast<std::size_t>(first)];
  return LinkId(first + representative.value() - of_first.value());
}

void Orbits::step(std::int64_t t, program::StepProgram& out) const {
  out.transfers.clear();
  out.work.clear();
  program_->each_stored_message(t, [&](std::int64_t m, std::int64_t segment) {
    const schedule::Message& message = program_->schedule().message(m);
    const std::int64_t bytes = program_->bytes(m, segment);
    if (bytes == 0) return;
    if (message.arrival == schedule::Arrival::reduce)
      out.work.push_back({message.to, program::WorkKind::reduce,
                          program::WorkPhase::after_receiving,
                          static_cast<std::int32_t>(out.transfers.size()), bytes});
    out.transfers.push_back({message.from, message.to, message.route, message.arrival,
                             static_cast<std::int32_t>(segment), bytes, m, 0});
  });
}

void Orbits::expand(const Network& network, SimulationResult& result) const {
  std::vector<double> times;
  times.reserve(result.agent_times_s.size() * static_cast<std::size_t>(order()));
  for (const double time : result.agent_times_s)
    times.insert(times.end(), static_cast<std::size_t>(order()), time);
  result.agent_times_s = std::move(times);
  result.messages *= order();
  if (result.link_bytes.empty()) return;
  std::vector<double> bytes(static_cast<std::size_t>(network.topology().link_count()));
  for (const LinkId link : network.topology().links())
    bytes[link.index()] = result.link_bytes[orbit(link).index()];
  result.link_bytes = std::move(bytes);
}

}  // namespace weft::simulation
