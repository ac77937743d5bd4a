#include "weft/simulation/shortcuts/orbits.hpp"

#include <iterator>

#include "weft/base/error.hpp"

namespace weft::simulation {

namespace {

/// Where the check of the network costs more than simulating every message, it is not worth it.
bool worth_checking(const Program& program, const Topology& topology) {
  const auto generators = static_cast<std::int64_t>(program.symmetry().group().generators().size());
  return program.message_count() >= generators * topology.link_count() / 4;
}

}  // namespace

std::unique_ptr<const Orbits> Orbits::of(const Program& program, const Network& network) {
  if (program.symmetry().is_trivial()) return nullptr;
  if (!worth_checking(program, network.topology()) || !program.translates_alike()) return nullptr;
  auto action = program.moves_on(network);
  if (!action) return nullptr;
  return std::unique_ptr<const Orbits>(new Orbits(program, network, std::move(*action)));
}

Orbits::Orbits(const Program& program, const Network& network, schedule::LinkAction action)
    : program_(&program),
      symmetry_(&program.symmetry()),
      topology_(&network.topology()),
      action_(std::move(action)) {
  const auto nodes = program.nodes_on(network);
  WEFT_ASSERT(std::ssize(nodes) % order() == 0);
  for (std::size_t agent = 0; agent < nodes.size(); agent += static_cast<std::size_t>(order())) {
    first_.push_back(static_cast<std::int32_t>(links_.size()));
    for (const LinkId link : topology_->out_links(nodes[agent])) links_.push_back(link);
  }
}

LinkId Orbits::orbit(LinkId link) const {
  WEFT_ASSERT(link.value() >= 0 && link.value() < topology_->link_count());
  const schedule::Agent tail = action_.agent(topology_->tail(link));
  const std::int32_t element = symmetry_->element(tail);
  const LinkId representative =
      element == 0 ? link : action_.translate(symmetry_->inverse(element), link);
  const auto first = first_[symmetry_->orbit(tail)];
  const LinkId of_first = links_[first];
  return LinkId(first + representative.value() - of_first.value());
}

void Orbits::step(std::int64_t t, program::StepProgram& out) const {
  program_->representatives(t, out);
}

void Orbits::expand(const Network& network, SimulationResult& result) const {
  WEFT_ASSERT(result.agent_times_s.size() == first_.size());
  WEFT_ASSERT(result.link_bytes.empty() || result.link_bytes.size() == links_.size());
  std::vector<double> times;
  times.reserve(result.agent_times_s.size() * static_cast<std::size_t>(order()));
  for (const double time : result.agent_times_s)
    times.insert(times.end(), static_cast<std::size_t>(order()), time);
  result.agent_times_s = std::move(times);
  if (result.link_bytes.empty()) return;
  std::vector<double> bytes(network.topology().link_count());
  for (const LinkId link : network.topology().links())
    bytes[link.index()] = result.link_bytes[orbit(link).index()];
  result.link_bytes = std::move(bytes);
}

}  // namespace weft::simulation
