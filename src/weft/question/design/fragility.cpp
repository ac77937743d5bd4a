#include "weft/question/design/fragility.hpp"

#include <algorithm>

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

FailuresAsked failures_of(const network::Network& network, FailingPart part) {
  const topology::Topology& topology = network.topology();
  const std::int64_t ranks = network.ranks();
  if (part == FailingPart::cables) return {.cables = trials_of(topology.cable_count(), ranks)};
  const auto nodes =
      topology.has_switches() ? std::ssize(topology.switches()) : std::ssize(topology.hosts());
  return {.cables = {.kind = Trials::Kind::none}, .nodes = trials_of(nodes, ranks)};
}

}  // namespace

Fragility fragility(const std::vector<ServedCall>& calls, const network::Network& network,
                    FailingPart part) {
  double whole_s = 0;
  std::vector<double> past_s;  // by failure
  std::vector<char> serves;    // likewise
  std::vector<char> remade;    // likewise
  std::int64_t possible = 0;
  std::vector<std::string> names;  // likewise
  for (const ServedCall& call : calls) {
    const Degradation found = degrade(call.collective, network,
                                      {.algorithms = {call.algorithm},
                                       .size_B = call.size_B,
                                       .failures = failures_of(network, part),
                                       .simulation = {.model = simulation::Model::alpha_beta}});
    if (names.empty()) {
      past_s.assign(found.failures.size(), 0);
      serves.assign(found.failures.size(), 1);
      remade.assign(found.failures.size(), 0);
      possible = found.possible;
      for (const Failure& failure : found.failures) names.push_back(failure.name);
    }
    WEFT_ASSERT(names.size() == found.failures.size());  // they do not depend on the collective
    const auto times = static_cast<double>(call.calls);
    whole_s += times * found.best.time_s;
    std::vector<char> is_possible(names.size(), 0);
    for (const DegradedRow& row : found.rows) {
      is_possible[row.failure] = row.fate != Fate::impossible;
      if (row.fate == Fate::rebuilt) remade[row.failure] = 1;
      past_s[row.failure] += times * row.time_s;
    }
    for (std::size_t i = 0; i < serves.size(); ++i)
      serves[i] = serves[i] != 0 && is_possible[i] != 0;
  }
  Fragility result{.possible = possible, .tried = std::ssize(names)};
  double sum = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (serves[i] == 0) {
      ++result.cut;
      continue;
    }
    result.remade += remade[i];
    const double slowdown = whole_s > 0 ? past_s[i] / whole_s : 1;
    sum += slowdown;
    if (slowdown <= result.worst_slowdown) continue;
    result.worst_slowdown = slowdown;
    result.worst = names[i];
  }
  if (result.cut < result.tried)
    result.mean_slowdown = sum / static_cast<double>(result.tried - result.cut);
  return result;
}

}  // namespace weft::question
