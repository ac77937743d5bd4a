// The best schedule for each size on one group, then, where groups share links, the best of a few
// with all groups at once.
#include "weft/question/training/schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/program/program.hpp"
#include "weft/question/comparison.hpp"
#include "weft/question/comparison/candidate.hpp"
#include "weft/question/training/foretold.hpp"

namespace weft::question {

namespace {

constexpr std::size_t kMostTogether = 3;  // algorithms that are tried with all groups at once

// Of those named what serves the collective: steps have several kinds of them. Empty: all.
std::vector<std::string> serving(const Collective& collective, const Network& group,
                                 const PriceOptions& asked) {
  if (collective.kind == CollectiveKind::point_to_point) return {};
  std::vector<std::string> names;
  std::string reason;
  for (const std::string& name : asked.algorithms) {
    if (name == kAll) return asked.algorithms;
    const auto& algorithm = algorithm::find_algorithm(name);
    const auto options = algorithm::taken_by(algorithm, asked.algorithm);
    const auto misfit = algorithm::misfit(algorithm, {collective, &group, options});
    if (!misfit)
      names.push_back(name);
    else if (reason.empty())
      reason = fmt::format("{}: {}", name, *misfit);
  }
  require(asked.algorithms.empty() || !names.empty(),
          "no algorithm named serves the {} of {} ranks ({}); add one that does, or leave out "
          "--algorithms",
          name_of(collective.kind), collective.ranks, reason);
  return names;
}

// Of a group alone.
Comparison compared(const Collective& collective, const Network& group,
                    const std::vector<std::int64_t>& sizes_B, const PriceOptions& asked) {
  const bool is_collective = collective.kind != CollectiveKind::point_to_point;
  CompareOptions options{
      .algorithms = serving(collective, group, asked),
      .sizes_B = sizes_B,
      .algorithm = is_collective ? asked.algorithm : algorithm::AlgorithmOptions{},
      .simulation = asked.simulation};
  options.simulation.link_statistics = true;
  return compare(collective, group, options);
}

std::vector<TimedSchedule> best_alone(const Comparison& comparison,
                                      const std::vector<std::int64_t>& sizes_B,
                                      const OwnLinks& links) {
  std::vector<TimedSchedule> best;
  for (const ComparisonRow* row : comparison.winners()) {
    const std::int64_t size_B = sizes_B[best.size()];
    const bool holds = links.hold(row->result.link_bytes);
    const ComparisonRow* taken = holds ? row : nullptr;
    for (const ComparisonRow& other : comparison.rows)
      if (!holds && other.size_B == size_B && links.hold(other.result.link_bytes) &&
          (taken == nullptr || other.result.time_s < taken->result.time_s))
        taken = &other;
    best.push_back(taken == nullptr
                       ? TimedSchedule{}
                       : TimedSchedule{taken->result.time_s,
                                       comparison.contenders[taken->contender].schedule,
                                       taken->result.link_bytes});
  }
  return best;
}

// The names that are worth a run with all groups at once.
std::vector<std::string> leaders_of(const Comparison& comparison, const OwnLinks& links) {
  std::vector<bool> strays(comparison.contenders.size(), false);
  for (const ComparisonRow& row : comparison.rows)
    if (!links.hold(row.result.link_bytes)) strays[row.contender] = true;
  std::vector<std::string> names;
  for (const std::size_t index : comparison.ranking())
    if (!strays[index] && names.size() < kMostTogether)
      names.push_back(comparison.contenders[index].algorithm);
  return names;
}

// A schedule of each group, of one algorithm.
class Together {
 public:
  Together(const std::string& name, const Collective& collective,
           const std::vector<Network>& groups, const PriceOptions& asked)
      : groups_(groups), simulation_(asked.simulation) {
    simulation_.link_statistics = true;
    const auto& algorithm = algorithm::find_algorithm(name);
    const auto options = algorithm::taken_by(algorithm, asked.algorithm);
    for (const Network& group : groups)
      candidates_.push_back(make_candidate(algorithm, collective, group, options));
  }

  TimedSchedule run(std::int64_t size_B) const {
    std::vector<program::Program> programs;
    std::string schedule;
    for (const Candidate& candidate : candidates_) {
      const schedule::Verified verified = candidate.for_size(size_B);
      if (schedule.empty()) schedule = verified.schedule().algorithm();
      programs.push_back(
          program::lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)}));
    }
    std::vector<simulation::Job> jobs;
    for (std::size_t i = 0; i < programs.size(); ++i) jobs.push_back({programs[i], groups_[i]});
    const auto results = simulation::simulate_together(jobs, simulation_);
    return {results.front().run_s, std::move(schedule), results.front().link_bytes};
  }

 private:
  const std::vector<Network>& groups_;
  simulation::SimulationOptions simulation_;
  std::vector<Candidate> candidates_;
};

std::vector<TimedSchedule> best_together(const Comparison& first, const Collective& collective,
                                         const std::vector<Network>& groups,
                                         const std::vector<std::int64_t>& sizes_B,
                                         const OwnLinks& links, const PriceOptions& asked) {
  std::vector<TimedSchedule> best(sizes_B.size());
  for (const std::string& name : leaders_of(first, links)) {
    const Together together(name, collective, groups, asked);
    for (std::size_t i = 0; i < sizes_B.size(); ++i) {
      TimedSchedule timed = together.run(sizes_B[i]);
      if (timed.time_s < best[i].time_s && links.hold(timed.link_bytes)) best[i] = std::move(timed);
    }
  }
  return best;
}

}  // namespace

bool Fastest::is_whole() const {
  return std::ranges::all_of(by_size,
                             [](const TimedSchedule& one) { return one.time_s < INFINITY; });
}

namespace {

Fastest fastest_of(const Collective& collective, const std::vector<Network>& groups,
                   const std::vector<std::int64_t>& sizes_B, const OwnLinks& links,
                   const PriceOptions& options) {
  const Comparison first = compared(collective, groups.front(), sizes_B, options);
  return {.by_size = groups.size() == 1
                         ? best_alone(first, sizes_B, links)
                         : best_together(first, collective, groups, sizes_B, links, options),
          // Those of helpers hold for all.
          .bounds = first.in_network ? *first.in_network : first.bounds};
}

// With these algorithms, which take what they can of the options.
PriceOptions naming(const std::vector<std::string>& names, PriceOptions options) {
  options.algorithms = names;
  std::erase_if(options.algorithm.values, [&](const auto& value) {
    return std::ranges::none_of(names, [&](const std::string& name) {
      return algorithm::find_algorithm(name).option(value.first) != nullptr;
    });
  });
  return options;
}

}  // namespace

Fastest fastest(const Collective& collective, const std::vector<Network>& groups,
                const std::vector<std::int64_t>& sizes_B, const OwnLinks& links,
                const PriceOptions& options) {
  constexpr std::int32_t kMostTried = 64;  // ranks, of all that apply
  if (!options.algorithms.empty() || collective.ranks <= kMostTried)
    return fastest_of(collective, groups, sizes_B, links, options);
  Foretold foretold = foretell(collective, groups.front(), sizes_B, options);
  std::map<std::vector<std::string>, std::vector<std::size_t>> sizes_of;
  for (std::size_t i = 0; i < sizes_B.size(); ++i) sizes_of[foretold.by_size[i]].push_back(i);
  Fastest all{.by_size = std::vector<TimedSchedule>(sizes_B.size()),
              .bounds = {},
              .not_tried = std::move(foretold.not_tried)};
  for (const auto& [names, indices] : sizes_of) {
    std::vector<std::int64_t> of_names;
    for (const std::size_t i : indices) of_names.push_back(sizes_B[i]);
    Fastest some = fastest_of(collective, groups, of_names, links, naming(names, options));
    for (std::size_t k = 0; k < indices.size(); ++k)
      all.by_size[indices[k]] = std::move(some.by_size[k]);
    if (all.bounds.combining == Combining::at_ranks) all.bounds = std::move(some.bounds);
  }
  return all;
}

}  // namespace weft::question
