#include "weft/advise/degrade/alike.hpp"

#include <algorithm>

#include "weft/base/id_vector.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::advise {

namespace {

using schedule::Agent;

bool are_single_cables(std::span<const Failure> failures) {
  return std::ranges::all_of(failures, [](const Failure& failure) {
    return failure.cables.size() == 1 && failure.nodes.empty();
  });
}

}  // namespace

std::unique_ptr<const AlikeCables> AlikeCables::of(const Program& program, const Network& whole,
                                                   std::span<const Failure> failures) {
  // Ways of all pairs are held against each other, a few hundred bytes and some microseconds each.
  constexpr std::int64_t kMostMessages = 1 << 18;
  if (program.symmetry().is_trivial() || program.message_count() > kMostMessages ||
      !program.translates_alike() || !are_single_cables(failures))
    return nullptr;
  auto action = schedule::link_action(program.symmetry(), program.nodes_on(whole), whole.fabric());
  if (!action) return nullptr;
  auto alike = std::unique_ptr<AlikeCables>(new AlikeCables(program, whole, std::move(*action)));
  alike->find_pairs(program);
  alike->find_origins(failures);
  return alike;
}

AlikeCables::AlikeCables(const Program& program, const Network& whole, schedule::LinkAction action)
    : topology_(whole.topology()),
      symmetry_(program.symmetry()),
      action_(std::move(action)),
      nodes_(program.nodes_on(whole)) {}

void AlikeCables::find_pairs(const Program& program) {
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.representatives(t, step);
    for (const program::Transfer& transfer : step.transfers)
      for (std::int32_t g = 0; g < symmetry_.order(); ++g)
        pairs_.try_emplace({symmetry_.apply(g, transfer.from), symmetry_.apply(g, transfer.to)},
                           pairs_.size());
  }
}

void AlikeCables::find_origins(std::span<const Failure> failures) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  IdVector<CableId, std::size_t> failure_of(topology_.cable_count(), kNone);
  for (std::size_t i = 0; i < failures.size(); ++i)
    failure_of[CableId(failures[i].cables.front())] = i;
  IdVector<CableId, LinkId> links(failure_of.size());
  for (const LinkId link : topology_.links()) links[topology_.cable(link)] = link;
  origins_.assign(failures.size(), {kNone, 0});
  for (std::size_t i = 0; i < failures.size(); ++i) {
    if (origins_[i].first != kNone) continue;
    origins_[i] = {i, 0};
    const LinkId link = links[CableId(failures[i].cables.front())];
    for (std::int32_t g = 1; g < symmetry_.order(); ++g) {
      const LinkId image = action_.translate(g, link);
      const std::size_t other = failure_of[topology_.cable(image)];
      if (other != kNone && origins_[other].first == kNone) origins_[other] = {i, g};
    }
  }
}

AlikeCables::Ways AlikeCables::ways(const Network& left, const Damage& damage) const {
  IdVector<LinkId, LinkId> in_whole;  // of what is left
  for (const LinkId link : topology_.links())
    if (damage.alive(link)) in_whole.push_back(link);
  std::vector<network::Flow> flows(pairs_.size());
  for (const auto& [pair, index] : pairs_)
    flows[index] = {damage.now(nodes_[pair.first]), damage.now(nodes_[pair.second])};
  network::RouteTable routes;
  left.routing().route(flows, routes);
  Ways ways(flows.size());
  for (std::int64_t i = 0; i < routes.size(); ++i) {
    Way& way = ways[static_cast<std::size_t>(i)];
    way.latency_ps = routes.latency_ps(i);
    const auto shares = routes.shares(i);
    const auto links = routes.links(i);
    for (std::size_t l = 0; l < links.size(); ++l)
      way.links.emplace_back(in_whole[links[l]], shares.empty() ? Rational(1) : shares[l]);
    std::ranges::sort(way.links, {}, [](const auto& link) { return link.first; });
  }
  return ways;
}

bool AlikeCables::moved(const Ways& past_first, const Ways& past_failure,
                        std::size_t failure) const {
  const std::int32_t g = origins_[failure].element;
  Way way;
  return std::ranges::all_of(pairs_, [&](const auto& entry) {
    const auto& [pair, index] = entry;
    way = past_first[index];
    for (auto& [link, share] : way.links) link = action_.translate(g, link);
    std::ranges::sort(way.links, {}, [](const auto& link) { return link.first; });
    return way == past_failure[pairs_.at(
                      {symmetry_.apply(g, pair.first), symmetry_.apply(g, pair.second)})];
  });
}

}  // namespace weft::advise
