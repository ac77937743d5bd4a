#include "weft/experiment/comparison.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/experiment/candidate.hpp"

namespace weft::experiment {

namespace {

using algorithm::Algorithm;

std::vector<const Algorithm*> chosen_algorithms(const Collective& collective,
                                                const Network& network,
                                                const CompareOptions& options) {
  std::vector<const Algorithm*> chosen;
  for (const std::string& name : options.algorithms) {
    const Algorithm& algorithm = algorithm::find_algorithm(name);
    const auto reason = algorithm::misfit(
        algorithm, {collective, &network, options_for(algorithm, options.algorithm)});
    require(!reason, "{} does not fit {} on {} ({})", algorithm.name, name_of(collective.kind),
            network.topology().name(), reason.value_or(""));
    chosen.push_back(&algorithm);
  }
  if (chosen.empty()) chosen = algorithm::applicable(collective, &network);
  require(!chosen.empty(),
          "no algorithm for {} applies to {}; weft list algorithms shows what serves what",
          name_of(collective.kind), network.topology().name());
  return chosen;
}

ComparisonRow run(const Candidate& candidate, std::int64_t size_B, const Network& network,
                  const simulation::SimulationOptions& options) {
  ComparisonRow row{.size_B = size_B};
  const Verified verified = candidate.for_size(size_B);
  row.segments = verified.schedule().segments().count;
  row.steps = verified.schedule().steps();
  row.result = simulation::simulate(lower(verified, {.size_B = size_B}), network, options);
  return row;
}

void mark_winners(Comparison& comparison, std::size_t sizes) {
  for (std::size_t size = 0; size < sizes; ++size) {
    std::size_t best = size;
    for (std::size_t row = size; row < comparison.rows.size(); row += sizes)
      if (comparison.rows[row].result.time_s < comparison.rows[best].result.time_s) best = row;
    comparison.rows[best].best = true;
  }
}

}  // namespace

std::vector<const ComparisonRow*> Comparison::winners() const {
  std::vector<const ComparisonRow*> result;
  for (const ComparisonRow& row : rows)
    if (row.best) result.push_back(&row);
  std::stable_sort(
      result.begin(), result.end(),
      [](const ComparisonRow* a, const ComparisonRow* b) { return a->size_B < b->size_B; });
  return result;
}

Comparison compare(const Collective& collective, const Network& network,
                   const CompareOptions& options) {
  const auto algorithms = chosen_algorithms(collective, network, options);
  Comparison comparison;
  comparison.bounds = lower_bounds(collective, network);
  comparison.contenders.resize(algorithms.size());
  std::vector<std::optional<Candidate>> candidates(algorithms.size());
  const auto count = static_cast<std::int64_t>(algorithms.size());
  const auto sizes = static_cast<std::int64_t>(options.sizes_B.size());
  Progress progress("compare", count * (sizes + 1));

  parallel_for(count, [&](std::int64_t i) {
    const auto index = static_cast<std::size_t>(i);
    candidates[index] = make_candidate(*algorithms[index], collective, network, options.algorithm);
    const Candidate& candidate = *candidates[index];
    comparison.contenders[index] = {candidate.verified.schedule().algorithm(),
                                    schedule::cost(candidate.verified, network),
                                    candidate.chooser.has_value()};
    progress.advance();
  });

  comparison.rows.resize(static_cast<std::size_t>(count * sizes));
  parallel_for(count * sizes, [&](std::int64_t i) {
    // Large sizes and all algorithms of one size near each other: the work spreads evenly.
    const auto contender = static_cast<std::size_t>(i % count);
    const auto size = static_cast<std::size_t>(sizes - 1 - i / count);
    ComparisonRow row =
        run(*candidates[contender], options.sizes_B[size], network, options.simulation);
    row.contender = contender;
    comparison.rows[contender * static_cast<std::size_t>(sizes) + size] = std::move(row);
    progress.advance();
  });

  mark_winners(comparison, options.sizes_B.size());
  return comparison;
}

}  // namespace weft::experiment
