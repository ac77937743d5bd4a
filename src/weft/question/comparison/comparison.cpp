#include "weft/question/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/compare_rows.hpp"
#include "weft/evaluate/comparison_progress.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/question/comparison/check_startup.hpp"
#include "weft/question/comparison/mark_winners.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::question {

namespace {

using algorithm::Algorithm;

/// One algorithm on its way into the comparison: a candidate with its price, or why there is none.
struct Entry {
  std::optional<Candidate> candidate;
  Contender contender;
  std::optional<Dropped> dropped;
  bool is_too_large = false;        // that is why
  std::string refusal = {};         // or this is
  std::vector<ComparisonRow> rows;  // as the only contender
};

std::optional<evaluate::Pipelined> at_largest(const Candidate& candidate, const Network& network,
                                              const std::vector<std::int64_t>& sizes_B) {
  if (candidate.variants.empty() || sizes_B.empty()) return std::nullopt;
  const Verified chosen = candidate.for_size(*std::ranges::max_element(sizes_B));
  return evaluate::Pipelined{chosen.schedule().segments().count, schedule::cost(chosen, network)};
}

/// With the options that it chose; where sizes have schedules that it chose others for, without.
std::string schedule_name(const Candidate& candidate, const std::string& asked) {
  const std::string name = candidate.verified.schedule().algorithm();
  const bool is_one =
      std::ranges::all_of(candidate.variants, [&](const evaluate::Variant& variant) {
        return variant.verified.schedule().algorithm() == name;
      });
  return is_one ? name : asked;
}

// Whether a simulation takes so long that bounds and limits are worth their while.
bool is_contest(const CompareOptions& options) {
  return options.effort == Effort::winners &&
         options.simulation.model == simulation::Model::fluid &&
         !options.simulation.link_statistics;
}

bool is_named(const Algorithm& algorithm, const CompareOptions& options) {
  return std::ranges::any_of(options.algorithms, [&](const std::string& name) {
    return name != kAll && &algorithm::find_algorithm(name) == &algorithm;
  });
}

// Leaves out an algorithm that nobody named if it has too many messages to price one by one. A
// proof may take long, too, so this comes before.
std::optional<Dropped> too_many_messages(const Algorithm& algorithm, const Schedule& schedule,
                                         const Network& network, const CompareOptions& options) {
  constexpr std::int64_t kMostMessages = 4'000'000;  // some 10 s
  const std::int64_t messages = schedule.message_count() / schedule.segments().count;
  if (!is_contest(options) || messages <= kMostMessages || is_named(algorithm, options) ||
      evaluate::moves_with(schedule, network))
    return std::nullopt;
  return Dropped{algorithm.name,
                 fmt::format("{} million messages have no symmetry of the network, and take long "
                             "one by one",
                             messages / 1'000'000),
                 fmt::format("--algorithms all,{} takes it", algorithm.name)};
}

// Leaves out an algorithm that nobody named if each number of segments has its price, which takes
// as long as there are links in each of its steps, and no symmetry makes them few.
std::optional<Dropped> too_many_links(const Algorithm& algorithm, const Schedule& schedule,
                                      const Network& network, const CompareOptions& options) {
  constexpr std::int64_t kMostLinks = 2'000'000;  // some 10 s
  const std::int64_t links = network.topology().link_count();
  if (!is_contest(options) || links <= kMostLinks || is_named(algorithm, options) ||
      !algorithm.segments_by_size(schedule.collective().kind, options.algorithm) ||
      !schedule.symmetry().is_trivial())
    return std::nullopt;
  return Dropped{
      algorithm.name,
      fmt::format("to choose its segments takes long on {} million links", links / 1'000'000),
      fmt::format("--algorithms all,{} takes it", algorithm.name)};
}

// Whether messages are simulated by classes, whose messages have one length.
bool may_round_messages(const CompareOptions& options, const network::HostParameters& host) {
  const simulation::SimulationOptions& simulation = options.simulation;
  return is_contest(options) && simulation.sync != simulation::Sync::dataflow &&
         simulation.factors == nullptr && host.ports == 0 && host.copy_bandwidth_Bps == 0 &&
         host.reduce_bandwidth_Bps == 0 && host.startup_receive_ps == 0;
}

Entry entry_of(const Algorithm& algorithm, const Collective& collective, const Network& network,
               const CompareOptions& options, std::int64_t links) {
  Entry entry;
  try {
    const Stopwatch watch;
    const evaluate::BuiltSchedules built =
        evaluate::build_schedules(algorithm, collective, network, options.algorithm);
    const Schedule& first = built.variants.front();
    entry.dropped = too_many_links(algorithm, first, network, options);
    if (!entry.dropped) entry.dropped = too_many_messages(algorithm, first, network, options);
    entry.is_too_large = entry.dropped.has_value();
    if (entry.is_too_large) return entry;
    const evaluate::ProvedSchedules proved = evaluate::prove(built, network);
    entry.candidate = evaluate::candidate_of(built, proved, network);
    entry.candidate->rounds_messages = may_round_messages(options, network.host());
    const Candidate& candidate = *entry.candidate;
    const auto taken = algorithm::taken_by(algorithm, options.algorithm);
    const std::string name = algorithm::name_with(algorithm, taken);
    entry.contender = {name,
                       schedule_name(candidate, name),
                       evaluate::price_of(candidate, network),
                       candidate.pipelined,
                       at_largest(candidate, network, options.sizes_B),
                       evaluate::step_bound(candidate.verified.schedule(), network, links),
                       combining_of(candidate.verified.schedule()),
                       program::layout_of(candidate.copies),
                       schedule::routing_note(candidate.verified.schedule(), network),
                       schedule::judges_routing(candidate.verified.schedule(), network),
                       {.build_s = candidate.build_s, .verify_s = candidate.verify_s}};
    entry.contender.spent.cost_s = watch.seconds() - candidate.build_s - candidate.verify_s;
  } catch (const std::overflow_error& error) {
    entry.dropped = evaluate::overflown(algorithm, error.what());
  } catch (const InvalidInput& error) {
    if (is_named(algorithm, options) || !options.algorithm.values.empty()) throw;
    entry.dropped = evaluate::refused(algorithm, error.what());
    entry.refusal = error.what();
  }
  return entry;
}

/// What the work brings before the limit of this thread, or that it came first.
template <typename Work>
Entry in_time(const Algorithm& algorithm, const Work& work) {
  try {
    return work(algorithm);
  } catch (const OutOfTime&) {
    Entry entry;
    entry.dropped = evaluate::too_late(algorithm);
    return entry;
  }
}

/// Moves what can be compared into the comparison, and notes the rest.
std::vector<Candidate> admit(std::vector<Entry> entries, Comparison& comparison) {
  std::vector<Candidate> candidates;
  for (Entry& entry : entries) {
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
void hold_contest(std::span<const Candidate> candidates, const Network& network,
                  const CompareOptions& options, double left_s, Comparison& comparison,
                  evaluate::ComparisonProgress& progress) {
  std::vector<std::int64_t> sizes_B = options.sizes_B;
  std::ranges::sort(sizes_B);
  sizes_B.erase(std::unique(sizes_B.begin(), sizes_B.end()), sizes_B.end());
  const evaluate::ContestRules rules{.most_work = options.most_work};
  simulation::SimulationOptions simulation = options.simulation;
  simulation.accuracy = kAccuracy;
  const TimeLimit limit(left_s);
  const evaluate::ContestResult found = evaluate::contest(
      candidates, comparison.contenders, sizes_B, network, simulation, rules, &progress);
  if (found.out_of_time && !options.time_limit_s) throw OutOfTime();  // the caller's
  comparison.complete = found.complete;
  comparison.open_sizes_B = found.open_sizes_B;
  comparison.out_of_work = found.out_of_work;
  comparison.out_of_time = found.out_of_time;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    for (const std::int64_t size_B : options.sizes_B)
      comparison.rows.push_back(
          found.rows[c][std::ranges::lower_bound(sizes_B, size_B) - sizes_B.begin()]);
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
  constexpr int kMostJudged = 2;
  constexpr std::int64_t kPart = 8;  // of the budget, for each simulation
  simulation::SimulationOptions simulation = options.simulation;
  if (options.effort == Effort::winners)
    simulation.most_work = std::min(simulation.most_work, options.most_work / kPart);
  const bool usual = network.routing().name() == default_routing(network.topology());
  std::vector<char> judged(comparison.contenders.size(), 0);
  for (int i = 0; i < kMostJudged && !comparison.advised; ++i) {
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
  constexpr Names<Effort, 2> kEfforts{"unknown effort '{}'; {}", {"auto", "full"}};
  return kEfforts.value(name);
}

namespace {

// Flows of an all-to-all run by their name alone; where no other comes near the optimum that is
// worth a note.
void note_optimal_flow(const Collective& collective, const Network& network,
                       Comparison& comparison) {
  const Rational kNear(21, 20);
  const algorithm::Algorithm& flow = algorithm::find_algorithm("flow");
  if (!flow.supports(collective.kind) || !comparison.bounds.optimum ||
      algorithm::misfit(flow, {collective, &network, {}}))
    return;
  const Rational optimum = comparison.bounds.optimum->bandwidth_factor;
  for (const Contender& each : comparison.contenders) {
    const Cost& cost = each.at_largest ? each.at_largest->cost : each.cost;
    if (each.algorithm.starts_with(flow.name) || cost.bandwidth_factor <= kNear * optimum) return;
  }
  comparison.dropped.push_back(
      {flow.name,
       "the network has to forward by its routes; it alone comes near the optimum of T_B",
       fmt::format("--algorithms all,{} takes it", flow.name)});
}

// Each is simulated as soon as it is built, while others still are. From the end, unless time is
// short: what takes long to build, trees and what a search finds, stands last among the algorithms.
std::vector<Entry> entries_of(const std::vector<const Algorithm*>& algorithms,
                              const Collective& collective, const Network& network,
                              const CompareOptions& options, double left_s, std::int64_t links,
                              evaluate::ComparisonProgress& progress) {
  struct Counted {  // also when the time limit ends it
    evaluate::ComparisonProgress& progress;
    ~Counted() { progress.built(); }
  };
  const auto entry_with = [&](const Algorithm& algorithm) {
    const auto shown = progress.doing("building", algorithm.name);
    const Counted counted{progress};
    return entry_of(algorithm, collective, network, options, links);
  };
  const auto entry_with_rows = [&](const Algorithm& algorithm) {
    TimeLimit::check();
    Entry entry = entry_with(algorithm);
    if (!entry.dropped && !is_contest(options))
      entry.rows =
          evaluate::simulate_rows(std::span(&*entry.candidate, 1), std::span(&entry.contender, 1),
                                  options.sizes_B, network, options.simulation, &progress);
    return entry;
  };
  std::vector<Entry> entries(algorithms.size());
  const bool is_limited = options.time_limit_s.has_value();
  const TimeLimit limit(left_s);
  // Each keeps to itself, so that its seconds hold no other's.
  parallel_for(std::ssize(algorithms), [&](std::int64_t i) {
    const std::int64_t place = is_limited ? i : std::ssize(algorithms) - 1 - i;
    const Algorithm& algorithm = *algorithms[static_cast<std::size_t>(place)];
    isolated([&] {
      entries[static_cast<std::size_t>(place)] =
          is_limited ? in_time(algorithm, entry_with_rows) : entry_with_rows(algorithm);
    });
  });
  return entries;
}

}  // namespace

Comparison compare(const Collective& collective, const Network& network,
                   const CompareOptions& options) {
  const auto algorithms =
      evaluate::chosen_algorithms(collective, network, options.algorithms, options.algorithm);
  const Stopwatch watch;
  const auto left_s = [&] {
    const double limit_s = options.time_limit_s.value_or(std::numeric_limits<double>::infinity());
    return std::max(0.0, limit_s - watch.seconds());
  };
  evaluate::ComparisonProgress progress(options.sizes_B, std::ssize(algorithms),
                                        options.time_limit_s);
  Comparison comparison;
  comparison.dropped =
      evaluate::too_long(collective, network, options.algorithms, options.algorithm);
  {
    const auto shown = progress.doing("computing lower bounds");
    comparison.bounds = lower_bounds(collective, network, Cuts::and_optimum);
  }

  std::vector<Entry> entries =
      entries_of(algorithms, collective, network, options,
                 is_contest(options) ? left_s() / 2 : left_s(), comparison.bounds.steps, progress);
  const bool is_too_large = std::ranges::any_of(entries, &Entry::is_too_large);
  const auto refused_one =
      std::ranges::find_if(entries, [](const Entry& entry) { return !entry.refusal.empty(); });
  const std::string refusal = refused_one == entries.end() ? "" : refused_one->refusal;
  const std::vector<Candidate> candidates = admit(std::move(entries), comparison);
  if (candidates.empty()) {  // the bounds are all that there is
    comparison.out_of_time = !all_in_time(comparison.dropped);
    if (comparison.out_of_time && !options.time_limit_s) throw OutOfTime();
    if (!comparison.out_of_time && !is_too_large && !refusal.empty()) reject("{}", refusal);
    if (!comparison.out_of_time && !is_too_large)
      throw std::overflow_error(comparison.dropped.back().reason);
    comparison.complete = false;
    return comparison;
  }
  if (evaluate::are_all(options.algorithms)) note_optimal_flow(collective, network, comparison);
  const auto in_network = [](const Contender& c) { return c.combining == Combining::in_network; };
  if (std::ranges::any_of(comparison.contenders, in_network))
    comparison.in_network =
        lower_bounds(collective, network, Cuts::and_optimum, Combining::in_network);
  if (is_contest(options))
    hold_contest(candidates, network, options, left_s(), comparison, progress);
  mark_winners(candidates, network, options.sizes_B.size(), comparison);
  comparison.out_of_time = comparison.out_of_time || !all_in_time(comparison.dropped);
  comparison.complete = comparison.complete && !comparison.out_of_time;
  if (!comparison.complete) return comparison;
  try {
    const TimeLimit limit(left_s());
    advise_on_routing(comparison, candidates, network, options, progress);
    if (options.check_startup_ps > 0 && network.host().startup_ps == 0)
      comparison.startup_check = check_startup(candidates, comparison.rows, network, options,
                                               options.check_startup_ps, progress);
  } catch (const OutOfTime&) {  // the answer is complete without advice
    if (!options.time_limit_s) throw;
  }
  return comparison;
}

}  // namespace weft::question
