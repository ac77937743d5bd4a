#include "weft/design/network/fragility.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "weft/advise/degradation.hpp"
#include "weft/algorithm/algorithm.hpp"

namespace weft::design {

namespace {

using advise::Degradation;
using advise::DegradedRow;
using advise::DegradeOptions;
using advise::Failure;
using advise::FailureOptions;
using advise::FailureOutcome;
using advise::ScheduleRepair;
using advise::Trials;
using algorithm::Making;

bool serves(const std::vector<ServedCall>& calls, Making making) {
  return std::ranges::count(calls, algorithm::made_by(making).name, &ServedCall::algorithm) > 0;
}

// How long schedules take to be made anew past a failure: trees are searched for seconds where
// there is no symmetry left, paths of flows for a tenth of one.
Making making_of(const std::vector<ServedCall>& calls) {
  for (const Making making : {Making::optimal_trees, Making::optimal_paths})
    if (serves(calls, making)) return making;
  return Making::written;
}

// The same for all calls, unlike `automatic`, which tries as many as the call's algorithm takes
// seconds for.
Trials trials_of(std::int64_t parts, std::int64_t ranks, Making making) {
  // Messages that ranks may exchange in pairs, in all trials.
  const std::int64_t pairs = std::int64_t{1} << (making == Making::written         ? 22
                                                 : making == Making::optimal_paths ? 14
                                                                                   : 10);
  constexpr std::int64_t kFewest = 4;
  const std::int64_t most = std::max(kFewest, pairs / (ranks * ranks));
  if (parts <= most) return {.kind = Trials::Kind::all};
  return {.kind = Trials::Kind::some, .count = most, .tells = Trials::Tells::its_kind};
}

// All calls past failures of one sort, cables or nodes. Each call has kinds of its own, so that a
// part is known where it is tried, or like one that is, for every call.
class Tally {
 public:
  enum class Sort : std::uint8_t { cables, nodes };

  explicit Tally(Sort sort) : sort_(sort) {}

  void add(const ServedCall& call, const Degradation& found) {
    ++calls_;
    const auto times = static_cast<double>(call.calls);
    whole_s_ += times * found.best.time_s;
    std::vector<const DegradedRow*> rows(found.failures.size(), nullptr);
    for (const DegradedRow& row : found.rows) rows[row.failure] = &row;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Failure& failure = found.failures[i];
      if (failure.cables.empty() != (sort_ == Sort::nodes)) continue;
      const std::int64_t own = failure.cables.empty() ? failure.nodes[0] : failure.cables[0];
      parts_[own].tried = true;
      const std::span<const std::int64_t> ids =
          failure.alike.empty() ? std::span(&own, 1) : std::span(failure.alike);
      for (const std::int64_t id : ids)
        parts_[id].add(rows[i], times, failure.stands_for / static_cast<double>(ids.size()));
    }
  }

  Fragility of(std::int64_t possible) const {
    Fragility result{.possible = possible};
    double sum = 0, served = 0;
    for (const auto& [id, part] : parts_) {
      result.tried += part.tried ? 1 : 0;
      if (part.calls < calls_) continue;  // the part was drawn for some calls alone
      ++result.judged;
      if (!part.serves) {
        ++result.cut;
        continue;
      }
      result.remade += part.remade ? 1 : 0;
      const double slowdown = whole_s_ > 0 ? part.past_s / whole_s_ : 1;
      sum += part.weight * slowdown;
      served += part.weight;
      result.worst_slowdown = std::max(result.worst_slowdown.value_or(0), slowdown);
    }
    if (served > 0) result.mean_slowdown = sum / served;
    return result;
  }

  // The first of those that are as bad as the worst, or nothing where none serves.
  std::optional<std::int64_t> worst() const {
    std::optional<std::int64_t> worst;
    for (const auto& [id, part] : parts_)
      if (part.calls == calls_ && part.serves && (!worst || part.past_s > parts_.at(*worst).past_s))
        worst = id;
    return worst;
  }

 private:
  struct Part {
    bool tried = false, serves = true, remade = false;
    std::int64_t calls = 0;
    double past_s = 0, weight = 1;

    void add(const DegradedRow* row, double times, double share) {
      ++calls;
      weight = std::max(weight, share);
      serves = serves && row != nullptr && row->fate != FailureOutcome::impossible;
      if (row == nullptr) return;
      remade = remade || row->fate == FailureOutcome::rebuilt;
      past_s += times * row->time_s;
    }
  };

  Sort sort_;
  std::int64_t calls_ = 0;
  double whole_s_ = 0;
  std::map<std::int64_t, Part> parts_;
};

// To the time without it; nothing where an algorithm does not serve what is left.
std::optional<double> slowdown_anew(const std::vector<ServedCall>& calls,
                                    const network::Network& network, const Failure& failure,
                                    const simulation::SimulationOptions& simulation) {
  double whole_s = 0, past_s = 0;
  for (const ServedCall& call : calls) {
    DegradeOptions options{.algorithms = {call.algorithm},
                           .size_B = call.size_B,
                           .failures = {.schedules = ScheduleRepair::rebuilt},
                           .given = {failure}};
    options.simulation = simulation;
    const Degradation found = advise::degrade(call.collective, network, options);
    if (found.rows.empty() || found.rows.front().fate == FailureOutcome::impossible)
      return std::nullopt;
    whole_s += static_cast<double>(call.calls) * found.best.time_s;
    past_s += static_cast<double>(call.calls) * found.rows.front().time_s;
  }
  return whole_s > 0 ? std::optional(past_s / whole_s) : std::nullopt;
}

}  // namespace

Fragilities fragilities(const std::vector<ServedCall>& calls, const network::Network& network,
                        simulation::SimulationOptions simulation) {
  simulation.model = simulation::Model::alpha_beta;
  const topology::Topology& topology = network.topology();
  const std::int64_t cables = topology.cable_count();
  const std::int64_t nodes =
      topology.has_switches() ? std::ssize(topology.switches()) : std::ssize(topology.hosts());
  constexpr Trials kNone{.kind = Trials::Kind::none};
  // Trees are kept past a cable, whose messages take other ways; without a node they are not.
  const Trials all_cables =
      trials_of(cables, network.ranks(),
                serves(calls, Making::optimal_paths) ? Making::optimal_paths : Making::written);
  const Trials all_nodes = trials_of(nodes, network.ranks(), making_of(calls));
  // Cables that are alike are told only where nothing else fails, which saves most of many trials;
  // of few, what is whole is better built and timed once.
  constexpr std::int64_t kFew = 64;
  std::vector<FailureOptions> asked{{.cables = all_cables, .nodes = all_nodes}};
  if (all_cables.kind == Trials::Kind::all || all_cables.count > kFew)
    asked = {{.cables = all_cables, .nodes = kNone}, {.cables = kNone, .nodes = all_nodes}};
  Tally of_cables(Tally::Sort::cables), of_nodes(Tally::Sort::nodes);
  for (const ServedCall& call : calls)
    for (const FailureOptions& failures : asked) {
      DegradeOptions options{
          .algorithms = {call.algorithm}, .size_B = call.size_B, .failures = failures};
      options.simulation = simulation;
      const Degradation found = advise::degrade(call.collective, network, options);
      if (failures.cables.kind != Trials::Kind::none) of_cables.add(call, found);
      if (failures.nodes.kind != Trials::Kind::none) of_nodes.add(call, found);
    }
  Fragilities found{of_cables.of(cables), of_nodes.of(nodes)};
  const auto make_anew = [&](Fragility& fragility, const Failure& worst) {
    fragility.worst = worst.name;
    fragility.worst_anew = slowdown_anew(calls, network, worst, simulation);
  };
  if (const auto worst = of_cables.worst())
    make_anew(found.cables, advise::failure_of(topology, CableId(*worst)));
  if (const auto worst = of_nodes.worst())
    make_anew(found.nodes, advise::failure_of(topology, NodeId(*worst)));
  return found;
}

}  // namespace weft::design
