#include "weft/training/schedules/alone.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/winner.hpp"

namespace weft::training {

program::Program lowered(const Candidate& candidate, const schedule::Verified& verified,
                         std::int64_t size_B) {
  return candidate.program_of(verified, size_B);
}

Alone::Alone(const Collective& collective, const Network& group,
             const std::vector<std::int64_t>& sizes_B, const OwnLinks& links,
             const PriceOptions& asked)
    : collective_(collective),
      group_(group),
      sizes_B_(sizes_B),
      links_(links),
      asked_(asked),
      simulation_(asked.simulation) {
  WEFT_ASSERT(std::ranges::adjacent_find(sizes_B, std::ranges::greater_equal{}) == sizes_B.end());
  // What is sent does not depend on when. Without it the fluid model has quicker ways.
  simulation_.link_statistics = simulation_.model != simulation::Model::fluid || !links.own.empty();
}

// From the end: what takes long stands last among the algorithms.
namespace {

// Contests of a step have no budget, and schedules over the network's routes take long to simulate.
void keep_own_paths(Candidate& candidate) {
  if (candidate.variants.empty() ||
      candidate.variants.front().verified.schedule().route_count() == 0)
    return;
  std::erase_if(candidate.variants, [](const evaluate::Variant& each) {
    return each.verified.schedule().route_count() == 0;
  });
}

}  // namespace

void Alone::build(std::vector<Contestant>& contestants) const {
  std::vector<std::string> overflows(contestants.size());
  Progress progress("collectives", std::ssize(contestants));
  parallel_for(std::ssize(contestants), [&](std::int64_t i) {
    const std::size_t at = contestants.size() - 1 - static_cast<std::size_t>(i);
    Contestant& contestant = contestants[at];
    isolated([&] {
      try {
        if (contestant.candidate == nullptr &&
            std::ranges::find(contestant.at, true) != contestant.at.end()) {
          Candidate candidate =
              make_candidate(*contestant.algorithm, collective_, group_,
                             algorithm::taken_by(*contestant.algorithm, asked_.algorithm));
          if (collective_.ranks > evaluate::kMostRanksOfBothRoutes) keep_own_paths(candidate);
          contestant.candidate = std::make_shared<Candidate>(std::move(candidate));
        }
      } catch (const std::overflow_error& error) {
        overflows[at] = error.what();
      }
    });
    progress.advance();
  });
  if (std::ranges::none_of(overflows, &std::string::empty))
    throw std::overflow_error(overflows.back());
}

std::vector<std::vector<TimedSchedule>> Alone::times(
    const std::vector<Contestant>& contestants) const {
  std::vector<std::vector<TimedSchedule>> timed(contestants.size());
  parallel_for(std::ssize(contestants), [&](std::int64_t i) {
    const std::size_t at = contestants.size() - 1 - static_cast<std::size_t>(i);
    isolated([&] {
      try {
        timed[at] = times_of(contestants[at]);
      } catch (const std::overflow_error&) {
        timed[at].assign(sizes_B_.size(), {});
      }
    });
  });
  return timed;
}

std::vector<TimedSchedule> Alone::times_of(const Contestant& contestant) const {
  std::vector<TimedSchedule> timed(sizes_B_.size());
  WEFT_ASSERT(contestant.at.size() == sizes_B_.size());
  if (contestant.candidate == nullptr) return timed;
  simulation::SimulationOptions simulation = simulation_;
  simulation.recall = std::make_shared<simulation::Recall>(group_);
  parallel_for(std::ssize(sizes_B_), [&](std::int64_t i) {
    const auto size = static_cast<std::size_t>(i);
    if (contestant.at[size])
      timed[size] = time_of(*contestant.candidate, sizes_B_[size], simulation);
  });
  return timed;
}

TimedSchedule Alone::time_of(const Candidate& candidate, std::int64_t size_B,
                             const simulation::SimulationOptions& simulation) const {
  const schedule::Verified verified = candidate.for_size(size_B);
  auto result = simulation::simulate(lowered(candidate, verified, size_B), group_, simulation);
  if (!links_.hold(result.link_bytes)) return {};
  return {result.time_s, verified.schedule().algorithm(), std::move(result.link_bytes),
          verified.schedule().segments().count};
}

std::vector<double> Alone::link_bytes(const Candidate& candidate, std::int64_t size_B) const {
  const schedule::Verified verified = candidate.for_size(size_B);
  return bytes_of(std::array{lowered(candidate, verified, size_B)}, std::span(&group_, 1));
}

std::vector<Fastest> Alone::fastest(const std::vector<Contestant>& contestants) const {
  if (simulation_.model == simulation::Model::fluid) return fastest_by_contest(contestants);
  auto timed = times(contestants);
  std::vector<Fastest> best(sizes_B_.size());
  parallel_for(std::ssize(sizes_B_), [&](std::int64_t i) {
    const auto size = static_cast<std::size_t>(i);
    best[size] = fastest_by_times(contestants, timed, size);
  });
  return best;
}

Fastest Alone::fastest_by_times(const std::vector<Contestant>& contestants,
                                std::vector<std::vector<TimedSchedule>>& timed,
                                std::size_t size) const {
  WEFT_ASSERT(timed.size() == contestants.size() && size < sizes_B_.size());
  std::vector<double> times_s;
  for (const std::vector<TimedSchedule>& each : timed) times_s.push_back(each[size].time_s);
  const std::size_t winner = evaluate::winner_of(times_s, [&](std::size_t i) {
    return evaluate::estimate_s(*contestants[i].candidate, group_, sizes_B_[size]);
  });
  if (winner == contestants.size()) return {};
  TimedSchedule& leader = timed[winner][size];
  return {.time_s = leader.time_s,
          .schedule = std::move(leader.schedule),
          .segments = leader.segments,
          .bytes = {class_bytes(leader.link_bytes, group_.topology())}};
}

bool Alone::is_worth_a_run(const Contestant& contestant, std::size_t size) const {
  WEFT_ASSERT(size < contestant.at.size());
  return contestant.candidate != nullptr && contestant.at[size] &&
         (links_.own.empty() || links_.hold(link_bytes(*contestant.candidate, sizes_B_[size])));
}

std::vector<Fastest> Alone::fastest_by_contest(const std::vector<Contestant>& contestants) const {
  std::vector<std::vector<std::size_t>> at_size(sizes_B_.size());  // contestants
  parallel_for(std::ssize(sizes_B_), [&](std::int64_t i) {
    const auto size = static_cast<std::size_t>(i);
    for (std::size_t e = 0; e < contestants.size(); ++e)
      if (is_worth_a_run(contestants[e], size)) at_size[size].push_back(e);
  });
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> contests;  // sizes by contestants
  for (std::size_t size = 0; size < sizes_B_.size(); ++size)
    if (!at_size[size].empty()) contests[at_size[size]].push_back(size);
  simulation::SimulationOptions simulation = simulation_;
  simulation.link_statistics = false;
  std::vector<Fastest> best(sizes_B_.size());
  std::vector<std::size_t> not_own;  // sizes whose winner takes links of others
  for (const auto& [taking_part, sizes] : contests) {
    std::vector<Candidate> candidates;
    for (const std::size_t e : taking_part) candidates.push_back(*contestants[e].candidate);
    std::vector<std::int64_t> sizes_B;
    for (const std::size_t size : sizes) sizes_B.push_back(sizes_B_[size]);
    std::vector<Contender> contenders(candidates.size());
    const evaluate::ContestResult found = evaluate::contest(candidates, contenders, sizes_B, group_,
                                                            simulation, {.each_size_alone = true});
    if (found.out_of_time) throw OutOfTime();
    evaluate::settle(candidates, found);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      WEFT_ASSERT(found.winners[k] < candidates.size());  // no budget ends such a contest
      const Candidate& winner = candidates[found.winners[k]];
      const evaluate::ComparisonRow& row = found.rows[found.winners[k]][k];
      const std::vector<double> bytes = link_bytes(winner, sizes_B[k]);
      if (!links_.own.empty() && !links_.hold(bytes)) {  // another set of its trees does
        not_own.push_back(sizes[k]);
        continue;
      }
      best[sizes[k]] = {.time_s = row.result.time_s,
                        .schedule = row.schedule,
                        .segments = row.segments,
                        .bytes = {class_bytes(bytes, group_.topology())}};
    }
  }
  if (not_own.empty()) return best;
  auto timed = times(contestants);
  for (const std::size_t size : not_own) best[size] = fastest_by_times(contestants, timed, size);
  return best;
}

}  // namespace weft::training
