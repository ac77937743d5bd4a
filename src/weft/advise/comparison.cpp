#include "weft/advise/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "weft/advise/comparison/check_startup.hpp"
#include "weft/advise/comparison/entry.hpp"
#include "weft/advise/comparison/mark_winners.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/compare_rows.hpp"
#include "weft/evaluate/comparison_progress.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/flow_factor.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/simulation/size_factors.hpp"

namespace weft::advise {

namespace {

using algorithm::Algorithm;

std::vector<std::string> names_of(const CompareOptions& options, const Collective& collective) {
  if (!options.blocks) return options.algorithms;
  return evaluate::names_for_unequal(options.algorithms, collective.kind);
}

/// What the work brings before the limit of this thread, or that it came first.
template <typename Work>
ComparedEntry in_time(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const OutOfTime&) {
    ComparedEntry entry;
    entry.dropped = evaluate::too_late(name);
    return entry;
  }
}

/// Moves what can be compared into the comparison, and notes the rest.
std::vector<Candidate> admit(std::vector<ComparedEntry> entries, Comparison& comparison) {
  std::vector<Candidate> candidates;
  for (ComparedEntry& entry : entries) {
    if (entry.dropped) {
      comparison.dropped.push_back(*std::move(entry.dropped));
      continue;
    }
    for (ComparisonRow& row : entry.rows) {
      row.contender = comparison.contenders.size();
      comparison.rows.push_back(std::move(row));
    }
    comparison.contenders.push_back(std::move(entry.contender));
    candidates.push_back(std::move(*entry.candidate));
  }
  return candidates;
}

// Simulates who may win at each size.
void hold_contest(std::span<Candidate> candidates, const Network& network,
                  const CompareOptions& options, double left_s, Comparison& comparison,
                  evaluate::ComparisonProgress& progress) {
  std::vector<std::int64_t> sizes_B = options.sizes_B;
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  const evaluate::ContestRules rules{.most_work = options.most_work};
  simulation::SimulationOptions simulation = options.simulation;
  simulation.accuracy = kAccuracy;
  const evaluate::ContestResult found = [&] {
    const TimeLimit limit(left_s);
    return evaluate::contest(candidates, comparison.contenders, sizes_B, network, simulation, rules,
                             &progress);
  }();
  if (found.out_of_time && !options.time_limit_s) throw OutOfTime();  // the caller's
  evaluate::settle(candidates, found);
  for (std::size_t c = 0; c < candidates.size(); ++c) try {
      comparison.contenders[c].at_largest = at_largest(candidates[c], network, options.sizes_B);
    } catch (const std::overflow_error&) {  // that of the first choice stays
      continue;
    }
  comparison.complete = found.complete;
  comparison.open_sizes_B = found.open_sizes_B;
  comparison.out_of_work = found.out_of_work;
  comparison.out_of_time = found.out_of_time;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    for (const std::int64_t size_B : options.sizes_B)
      comparison.rows.push_back(
          found.rows[c][std::ranges::lower_bound(sizes_B, size_B) - sizes_B.begin()]);
}

// Schedules that are given have times also where they cannot win, as far as a budget of their own
// goes; then the bounds of the contest stay.
void time_given(std::span<const Candidate> candidates, const Network& network,
                const CompareOptions& options, double left_s, Comparison& comparison,
                evaluate::ComparisonProgress& progress) {
  simulation::SimulationOptions simulation = options.simulation;
  simulation.accuracy = kAccuracy;
  evaluate::Work work{.most = options.most_work};
  const TimeLimit limit(left_s);
  const std::size_t sizes = options.sizes_B.size();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (comparison.contenders[c].file.empty()) continue;
    const auto rows = std::span(comparison.rows).subspan(c * sizes, sizes);
    std::vector<std::int64_t> open_B;
    for (const ComparisonRow& row : rows)
      if (row.is_bound) open_B.push_back(row.size_B);
    if (open_B.empty()) continue;
    for (ComparisonRow& timed : evaluate::simulate_rows(
             candidates.subspan(c, 1), std::span(comparison.contenders).subspan(c, 1), open_B,
             network, simulation, &progress, &work)) {
      timed.contender = c;
      for (ComparisonRow& row : rows)
        if (!timed.is_bound && row.size_B == timed.size_B) row = timed;
    }
  }
}

// The contender with the worst note, and the largest of its rows that count; nullptr where no row
// counts.
const ComparisonRow* worst_routed(const Comparison& comparison, const std::vector<char>& judged,
                                  bool winners_only) {
  const ComparisonRow* worst = nullptr;
  const auto factor = [&](const ComparisonRow& row) {
    return comparison.contenders[row.contender].routing_note->factor;
  };
  for (const ComparisonRow& row : comparison.rows) {
    if (!comparison.contenders[row.contender].routing_note || judged[row.contender] != 0 ||
        row.is_bound || row.size_B == 0 || (winners_only && !row.best))
      continue;
    if (worst == nullptr || factor(row) > factor(*worst) ||
        (row.contender == worst->contender && row.size_B > worst->size_B))
      worst = &row;
  }
  return worst;
}

// A simulation for each that is looked at, beside those of all rows.
void advise_on_routing(Comparison& comparison, std::span<const Candidate> candidates,
                       const Network& network, const CompareOptions& options,
                       evaluate::ComparisonProgress& progress) {
  constexpr std::int64_t kPart = 8;  // of the budget, for each simulation
  simulation::SimulationOptions simulation = options.simulation;
  if (options.effort == Effort::winners)
    simulation.most_work = std::min(simulation.most_work, options.most_work / kPart);
  const bool usual = network.routing().name() == default_routing(network.topology());
  std::vector<char> judged(comparison.contenders.size(), 0);
  for (int i = 0; i < evaluate::kMostJudgedRoutings && !comparison.advised; ++i) {
    const ComparisonRow* row = worst_routed(comparison, judged, usual);
    if (row == nullptr) return;
    judged[row->contender] = 1;
    const Candidate& candidate = candidates[row->contender];
    const auto shown = progress.doing("trying other routings for",
                                      comparison.contenders[row->contender].algorithm, row->size_B);
    const Verified verified = candidate.for_size(row->size_B);
    auto advice = advise(*comparison.contenders[row->contender].routing_note,
                         {.verified = verified,
                          .copies = candidate.copies_of(verified),
                          .size_B = row->size_B,
                          .time_s = row->result.lower_s(),
                          .shares = candidate.shares_at(verified.schedule(), row->size_B)},
                         network, simulation);
    if (advice) comparison.advised = {row->contender, std::move(*advice)};
  }
}

}  // namespace

Effort parse_effort(std::string_view name) {
  constexpr Names<Effort, 2> kEfforts{"effort", {"auto", "full"}};
  return kEfforts.value(name);
}

namespace {

// Flows of an all-to-all run by their name alone, which is said unless another is known to come
// near the optimum, or near the least that any paths bring.
void note_optimal_flow(const Collective& collective, const Network& network,
                       Comparison& comparison) {
  const Rational kNear(21, 20);
  const evaluate::LowerBounds& bounds = comparison.bounds;
  const algorithm::Algorithm& flow = algorithm::made_by(algorithm::Making::optimal_paths);
  if (!flow.supports(collective.kind) || algorithm::misfit(flow, {collective, &network, {}}))
    return;
  std::optional<Rational> best;
  for (const Contender& each : comparison.contenders) {
    if (each.algorithm.starts_with(flow.name)) return;
    const Cost& cost = each.at_largest ? each.at_largest->cost : each.cost;
    best = best ? std::min(*best, cost.bandwidth_factor) : cost.bandwidth_factor;
  }
  const Rational least =
      bounds.optimum ? bounds.optimum->bandwidth_factor : bounds.bandwidth_factor;
  if (!best || *best <= kNear * least) return;
  std::string what = "only its T_B is close to the optimum";
  if (!bounds.optimum) {
    const auto factor = evaluate::least_flow_factor(collective, network);
    if (factor && best->to_double() <= kNear.to_double() * *factor) return;
    what =
        fmt::format("its T_B may be {}; other algorithms have {:.4g} or more",
                    factor ? fmt::format("as low as {:.4g}", *factor) : "lower", best->to_double());
  }
  comparison.dropped.push_back(
      {flow.name, "it needs a network that forwards along its paths; " + what,
       fmt::format("name it to include it: --algorithms all,{}", flow.name)});
}

// What compares each variant: the options, with its name and its parameters.
std::vector<CompareOptions> options_of_variants(const Collective& collective,
                                                const Network& network,
                                                const CompareOptions& options) {
  std::vector<CompareOptions> own;
  for (const NamedVariant& variant : options.variants) {
    (void)evaluate::chosen_algorithms(collective, network, {variant.algorithm},
                                      variant.parameters);  // refuses what does not fit
    own.push_back(options);
    own.back().algorithms = {variant.algorithm};
    own.back().algorithm.values = variant.parameters.values;
    own.back().algorithm.values.insert(options.algorithm.values.begin(),
                                       options.algorithm.values.end());
  }
  return own;
}

void require_taken_by_variants(const Collective& collective, const Network& network,
                               const CompareOptions& options) {
  std::vector<const Algorithm*> run;
  for (const NamedVariant& variant : options.variants)
    run.push_back(&algorithm::find_algorithm(variant.algorithm));
  algorithm::require_taken(run, {collective, &network, options.algorithm});
}

// Each is simulated as soon as it is built, while others still are. From the end, unless time is
// short: what takes long to build, trees and what a search finds, stands last among the algorithms.
std::vector<ComparedEntry> entries_of(const std::vector<const Algorithm*>& algorithms,
                                      const std::vector<CompareOptions>& variants,
                                      const Collective& collective, const Network& network,
                                      const CompareOptions& options, double left_s,
                                      std::int64_t links, evaluate::ComparisonProgress& progress) {
  const std::size_t built = algorithms.size() + variants.size();  // then come those that are given
  struct Counted {  // also when the time limit ends it
    evaluate::ComparisonProgress& progress;
    ~Counted() { progress.built(); }
  };
  const auto entry_at = [&](std::size_t place) {
    if (place < algorithms.size())
      return entry_of(*algorithms[place], collective, network, options, links);
    if (place >= built) return entry_of(options.schedules[place - built], network, options, links);
    const CompareOptions& own = variants[place - algorithms.size()];
    return entry_of(algorithm::find_algorithm(own.algorithms.front()), collective, network, own,
                    links);
  };
  const auto name_at = [&](std::size_t place) -> const std::string& {
    if (place >= built) return options.schedules[place - built].name;
    return place < algorithms.size() ? algorithms[place]->name
                                     : variants[place - algorithms.size()].algorithms.front();
  };
  const auto entry_with_rows = [&](std::size_t place) {
    TimeLimit::check();
    ComparedEntry entry;
    {
      const auto shown = progress.doing("building", name_at(place));
      const Counted counted{progress};
      entry = entry_at(place);
    }
    if (!entry.dropped && !is_contest(options)) {
      evaluate::settle_alone(*entry.candidate, options.sizes_B, network, options.simulation);
      entry.contender.at_largest = at_largest(*entry.candidate, network, options.sizes_B);
      entry.rows =
          evaluate::simulate_rows(std::span(&*entry.candidate, 1), std::span(&entry.contender, 1),
                                  options.sizes_B, network, options.simulation, &progress);
    }
    return entry;
  };
  std::vector<ComparedEntry> entries(built + options.schedules.size());
  const bool is_limited = options.time_limit_s.has_value();
  const TimeLimit limit(left_s);
  // Each keeps to itself, so that its seconds hold no other's.
  parallel_for(std::ssize(entries), [&](std::int64_t i) {
    const auto place = static_cast<std::size_t>(is_limited ? i : std::ssize(entries) - 1 - i);
    isolated([&] {
      entries[place] = is_limited ? in_time(name_at(place), [&] { return entry_with_rows(place); })
                                  : entry_with_rows(place);
    });
  });
  return entries;
}

// Bounds are the least that there is to answer, so that they have some time whatever the limit is.
double limit_of_bounds_s(const CompareOptions& options) {
  constexpr double kLeast_s = 0.5;
  return std::max(kLeast_s, options.time_limit_s.value_or(std::numeric_limits<double>::infinity()));
}

}  // namespace

Comparison compare(const Collective& collective, const Network& network,
                   const CompareOptions& options) {
  const Stopwatch watch;
  std::vector<const Algorithm*> algorithms;
  std::vector<CompareOptions> variants;
  {
    const TimeLimit limit(limit_of_bounds_s(options));
    variants = options_of_variants(collective, network, options);
    if (variants.empty() || options.algorithms != std::vector{std::string(kNone)})
      algorithms = evaluate::chosen_algorithms(collective, network, names_of(options, collective),
                                               options.algorithm);
    else
      require_taken_by_variants(collective, network, options);
  }
  const auto left_s = [&] {
    const double limit_s = options.time_limit_s.value_or(std::numeric_limits<double>::infinity());
    return std::max(0.0, limit_s - watch.seconds());
  };
  evaluate::ComparisonProgress progress(
      options.sizes_B,
      std::ssize(algorithms) + std::ssize(variants) + std::ssize(options.schedules),
      options.time_limit_s);
  const double best_bandwidth = simulation::best_factor(options.simulation.factors.get()).bandwidth;
  Comparison comparison;
  {
    const TimeLimit limit(std::max(0.0, limit_of_bounds_s(options) - watch.seconds()));
    comparison.dropped =
        evaluate::too_long(collective, network, names_of(options, collective), options.algorithm);
    const auto shown = progress.doing("computing lower bounds");
    comparison.bounds =
        lower_bounds(collective, network, options.blocks ? Cuts::left_out : options.cuts);
    comparison.bounds.best_bandwidth = best_bandwidth;
    if (options.blocks)
      for (const std::int64_t size_B : options.sizes_B) {
        if (comparison.unequal.contains(size_B)) continue;
        evaluate::UnequalBound bound =
            evaluate::unequal_bound(collective, network, *options.blocks->at(collective, size_B));
        bound.time_s /= best_bandwidth;
        comparison.unequal.emplace(size_B, std::move(bound));
      }
  }

  std::vector<ComparedEntry> entries =
      entries_of(algorithms, variants, collective, network, options,
                 is_contest(options) ? left_s() / 2 : left_s(), comparison.bounds.steps, progress);
  const bool is_too_large = std::ranges::any_of(entries, &ComparedEntry::is_too_large);
  const auto refused_one = std::ranges::find_if(
      entries, [](const ComparedEntry& entry) { return !entry.refusal.empty(); });
  const std::string refusal = refused_one == entries.end() ? "" : refused_one->refusal;
  std::vector<Candidate> candidates = admit(std::move(entries), comparison);
  if (candidates.empty()) {  // the bounds are all that there is
    comparison.out_of_time = !all_in_time(comparison.dropped);
    if (comparison.out_of_time && !options.time_limit_s) throw OutOfTime();
    if (!comparison.out_of_time && !is_too_large && !refusal.empty()) reject("{}", refusal);
    if (!comparison.out_of_time && !is_too_large)
      throw std::overflow_error(comparison.dropped.back().reason);
    comparison.complete = false;
    return comparison;
  }
  if (evaluate::are_all(options.algorithms) && !options.blocks)
    note_optimal_flow(collective, network, comparison);
  const auto in_network = [](const Contender& c) { return c.combining == Combining::in_network; };
  if (std::ranges::any_of(comparison.contenders, in_network))
    comparison.in_network = lower_bounds(
        collective, network, options.blocks ? Cuts::left_out : options.cuts, Combining::in_network);
  if (comparison.in_network) comparison.in_network->best_bandwidth = best_bandwidth;
  if (is_contest(options))
    hold_contest(candidates, network, options, left_s(), comparison, progress);
  time_given(candidates, network, options, left_s(), comparison, progress);
  mark_winners(candidates, network, options.sizes_B.size(), comparison);
  comparison.out_of_time = comparison.out_of_time || !all_in_time(comparison.dropped);
  comparison.complete = comparison.complete && !comparison.out_of_time;
  if (!comparison.complete) return comparison;
  try {
    const TimeLimit limit(left_s());
    if (options.advice == Advice::given && !options.blocks)
      advise_on_routing(comparison, candidates, network, options, progress);
    if (options.check_startup_ps > 0 && network.host().send_ps() == 0)
      comparison.startup_check = check_startup(candidates, comparison.rows, network, options,
                                               options.check_startup_ps, progress);
  } catch (const OutOfTime&) {  // the answer is complete without advice
    if (!options.time_limit_s) throw;
  }
  return comparison;
}

}  // namespace weft::advise
