#include "weft/question/design/fragility.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/question/degradation.hpp"

namespace weft::question {

namespace {

// The same for all calls, unlike `automatic`, which tries as many as the call's algorithm takes
// seconds for.
Trials trials_of(std::int64_t parts, std::int64_t ranks) {
  constexpr std::int64_t kPairs = std::int64_t{1} << 22;  // that messages may join in all trials
  constexpr std::int64_t kFewest = 4;
  const std::int64_t most = std::max(kFewest, kPairs / (ranks * ranks));
  if (parts <= most) return {.kind = Trials::Kind::all};
  return {.kind = Trials::Kind::some, .count = most};
}

// All calls past failures.
class Tally {
 public:
  void add(const ServedCall& call, const Degradation& found) {
    if (failures_.empty()) {
      past_s_.assign(found.failures.size(), 0);
      serves_.assign(found.failures.size(), 1);
      remade_.assign(found.failures.size(), 0);
      failures_ = found.failures;
      for (const Failure& failure : found.failures) {
        of_nodes_.push_back(failure.cables.empty() ? 1 : 0);
      }
    }
    WEFT_ASSERT(failures_.size() == found.failures.size());  // they do not depend on the collective
    const auto times = static_cast<double>(call.calls);
    whole_s_ += times * found.best.time_s;
    std::vector<char> is_possible(failures_.size(), 0);
    for (const DegradedRow& row : found.rows) {
      is_possible[row.failure] = row.fate != Fate::impossible;
      if (row.fate == Fate::rebuilt) remade_[row.failure] = 1;
      past_s_[row.failure] += times * row.time_s;
    }
    for (std::size_t i = 0; i < serves_.size(); ++i)
      serves_[i] = serves_[i] != 0 && is_possible[i] != 0;
  }

  Fragility of(bool nodes, std::int64_t possible) const {
    Fragility result{.possible = possible};
    double sum = 0, served = 0;
    for (std::size_t i = 0; i < failures_.size(); ++i) {
      if ((of_nodes_[i] != 0) != nodes) continue;
      ++result.tried;
      if (serves_[i] == 0) {
        ++result.cut;
        continue;
      }
      result.remade += remade_[i];
      const double slowdown = whole_s_ > 0 ? past_s_[i] / whole_s_ : 1;
      sum += failures_[i].stands_for * slowdown;
      served += failures_[i].stands_for;
      if (slowdown <= result.worst_slowdown) continue;
      result.worst_slowdown = slowdown;
      result.worst = failures_[i].name;
    }
    if (result.cut < result.tried) result.mean_slowdown = sum / served;
    return result;
  }

  const Failure* named(const std::string& name) const {
    const auto found = std::ranges::find(failures_, name, &Failure::name);
    return found == failures_.end() ? nullptr : &*found;
  }

 private:
  double whole_s_ = 0;
  std::vector<Failure> failures_;
  std::vector<double> past_s_;                    // by failure
  std::vector<char> serves_, remade_, of_nodes_;  // likewise
};

// To the time without it; nothing where an algorithm does not serve what is left.
std::optional<double> slowdown_anew(const std::vector<ServedCall>& calls,
                                    const network::Network& network, const Failure& failure) {
  double whole_s = 0, past_s = 0;
  for (const ServedCall& call : calls) {
    const Degradation found = degrade(call.collective, network,
                                      {.algorithms = {call.algorithm},
                                       .size_B = call.size_B,
                                       .failures = {.schedules = Upkeep::rebuilt},
                                       .given = {failure},
                                       .simulation = {.model = simulation::Model::alpha_beta}});
    if (found.rows.empty() || found.rows.front().fate == Fate::impossible) return std::nullopt;
    whole_s += static_cast<double>(call.calls) * found.best.time_s;
    past_s += static_cast<double>(call.calls) * found.rows.front().time_s;
  }
  return whole_s > 0 ? std::optional(past_s / whole_s) : std::nullopt;
}

}  // namespace

Fragilities fragilities(const std::vector<ServedCall>& calls, const network::Network& network) {
  const topology::Topology& topology = network.topology();
  const std::int64_t cables = topology.cable_count();
  const std::int64_t nodes =
      topology.has_switches() ? std::ssize(topology.switches()) : std::ssize(topology.hosts());
  constexpr Trials kNone{.kind = Trials::Kind::none};
  const Trials all_cables = trials_of(cables, network.ranks());
  const Trials all_nodes = trials_of(nodes, network.ranks());
  // Cables that are alike are told only where nothing else fails, which saves most of many trials;
  // of few, what is whole is better built and timed once.
  constexpr std::int64_t kFew = 64;
  std::vector<FailuresAsked> asked{{.cables = all_cables, .nodes = all_nodes}};
  if (all_cables.kind == Trials::Kind::all || all_cables.count > kFew)
    asked = {{.cables = all_cables, .nodes = kNone}, {.cables = kNone, .nodes = all_nodes}};
  std::vector<Tally> tallies(asked.size());
  for (const ServedCall& call : calls)
    for (std::size_t i = 0; i < asked.size(); ++i)
      tallies[i].add(call, degrade(call.collective, network,
                                   {.algorithms = {call.algorithm},
                                    .size_B = call.size_B,
                                    .failures = asked[i],
                                    .simulation = {.model = simulation::Model::alpha_beta}}));
  Fragilities found{tallies.front().of(false, cables), tallies.back().of(true, nodes)};
  const auto make_anew = [&](Fragility& fragility, const Tally& tally) {
    if (const Failure* worst = tally.named(fragility.worst))
      fragility.worst_anew = slowdown_anew(calls, network, *worst);
  };
  make_anew(found.cables, tallies.front());
  make_anew(found.nodes, tallies.back());
  return found;
}

}  // namespace weft::question
