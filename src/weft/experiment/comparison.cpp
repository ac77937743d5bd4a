#include "weft/experiment/comparison.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/experiment/candidate.hpp"
#include "weft/experiment/check_startup.hpp"

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
  row.result = simulation::simulate(
      lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)}), network,
      options);
  return row;
}

/// One algorithm on its way into the comparison: a candidate with its price, or why there is none.
struct Entry {
  std::optional<Candidate> candidate;
  Contender contender;
  std::string overflow;
};

Entry entry_of(const Algorithm& algorithm, const Collective& collective, const Network& network,
               const CompareOptions& options) {
  Entry entry;
  try {
    entry.candidate = make_candidate(algorithm, collective, network, options.algorithm);
    const Candidate& candidate = *entry.candidate;
    entry.contender = {candidate.verified.schedule().algorithm(),
                       schedule::cost(candidate.verified, network), candidate.chooser.has_value(),
                       program::layout_of(candidate.copies)};
  } catch (const std::overflow_error& error) {
    entry.overflow = error.what();
  }
  return entry;
}

/// Moves what can be compared into the comparison, and notes the rest.
std::vector<Candidate> admit(const std::vector<const Algorithm*>& algorithms,
                             std::vector<Entry> entries, Comparison& comparison) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry& entry = entries[i];
    if (!entry.overflow.empty()) {
      comparison.dropped.push_back({algorithms[i]->name, entry.overflow});
      continue;
    }
    comparison.contenders.push_back(std::move(entry.contender));
    candidates.push_back(std::move(*entry.candidate));
  }
  if (candidates.empty()) throw std::overflow_error(comparison.dropped.front().reason);
  return candidates;
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
  const auto sizes = static_cast<std::int64_t>(options.sizes_B.size());
  Progress progress("compare", std::ssize(algorithms) * (sizes + 1));

  std::vector<Entry> entries(algorithms.size());
  parallel_for(std::ssize(algorithms), [&](std::int64_t i) {
    const auto index = static_cast<std::size_t>(i);
    entries[index] = entry_of(*algorithms[index], collective, network, options);
    progress.advance();
  });
  const std::vector<Candidate> candidates = admit(algorithms, std::move(entries), comparison);

  const auto count = std::ssize(candidates);
  comparison.rows.resize(static_cast<std::size_t>(count * sizes));
  parallel_for(count * sizes, [&](std::int64_t i) {
    // Large sizes and all algorithms of one size near each other: the work spreads evenly.
    const auto contender = static_cast<std::size_t>(i % count);
    const auto size = static_cast<std::size_t>(sizes - 1 - i / count);
    ComparisonRow row =
        run(candidates[contender], options.sizes_B[size], network, options.simulation);
    row.contender = contender;
    comparison.rows[contender * static_cast<std::size_t>(sizes) + size] = std::move(row);
    progress.advance();
  });

  mark_winners(comparison, options.sizes_B.size());
  if (options.check_startup_ps > 0 && network.host().startup_ps == 0)
    comparison.startup_check =
        check_startup(candidates, comparison.rows, network, options, options.check_startup_ps);
  return comparison;
}

}  // namespace weft::experiment
