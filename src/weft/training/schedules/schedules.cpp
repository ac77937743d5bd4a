// The best schedule for each size on one group, then, where groups share links, the best of a few
// with all groups at once. Nothing that is said of a size depends on which others are asked for.
#include "weft/training/schedules/schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/training/schedules/alone.hpp"
#include "weft/training/schedules/contestants.hpp"
#include "weft/training/schedules/guess.hpp"

namespace weft::training {

namespace {

constexpr std::size_t kMostTogether = 3;  // algorithms that are tried with all groups at once
constexpr std::int32_t kMostTried = 64;   // ranks, of all that apply
// Messages of all groups at once, where another algorithm sends fewer: the fluid model takes 10 s.
constexpr std::int64_t kMostMessages = std::int64_t{1} << 15;

// Of those named what serves the collective: steps have several kinds of them. Empty: all.
std::vector<std::string> serving(const Collective& collective, std::span<const Network> groups,
                                 const PriceOptions& asked) {
  std::vector<std::string> names;
  std::string reason;
  for (const std::string& name : asked.algorithms) {
    if (name == kAll) return asked.algorithms;
    const auto misfit =
        misfit_of_some(algorithm::find_algorithm(name), collective, groups, asked.algorithm);
    if (!misfit)
      names.push_back(name);
    else if (reason.empty())
      reason = fmt::format("{}: {}", name, *misfit);
  }
  // Messages go by all ways where collectives alone are named.
  if (schedule::traits_of(collective.kind).between_two()) return names;
  require(asked.algorithms.empty() || !names.empty(),
          "no named algorithm can run the {} of {} ranks ({}); add one that can, or name none",
          name_of(collective.kind), collective.ranks, reason);
  return names;
}

void require_some(const std::vector<Contestant>& contestants, const Collective& collective,
                  std::span<const Network> groups) {
  require(!contestants.empty(),
          "no algorithm can run the {} of {} ranks on each of {} groups, because they are "
          "placed differently; use groups isolated",
          name_of(collective.kind), collective.ranks, groups.size());
}

std::vector<Contestant> contestants_for(const Collective& collective,
                                        std::span<const Network> groups,
                                        const std::vector<std::int64_t>& sizes_B,
                                        const PriceOptions& asked) {
  std::vector<Contestant> contestants;
  if (asked.algorithms.empty() && collective.ranks > kMostTried) {
    contestants = estimate(collective, groups, sizes_B, asked);
    require_some(contestants, collective, groups);
    return contestants;
  }
  const auto names = serving(collective, groups, asked);
  const bool is_asked = !schedule::traits_of(collective.kind).between_two() || !names.empty();
  const auto options = is_asked ? asked.algorithm : algorithm::AlgorithmOptions{};
  for (const auto* algorithm :
       evaluate::chosen_algorithms(collective, groups.front(), names, options))
    if (!misfit_of_some(*algorithm, collective, groups.subspan(1), options))
      contestants.push_back(
          {.algorithm = algorithm, .at = std::vector<bool>(sizes_B.size(), true)});
  require_some(contestants, collective, groups);
  return contestants;
}

bool is_named(const algorithm::Algorithm& algorithm, const PriceOptions& asked) {
  return std::ranges::find(asked.algorithms, algorithm.name) != asked.algorithms.end();
}

// What takes long to build, and flows of an all-to-all, whose routes the network has to forward by.
std::vector<std::string> left_out_of_all(const Collective& collective, const Network& network,
                                         const PriceOptions& asked) {
  std::vector<std::string> names;
  if (schedule::traits_of(collective.kind).between_two()) return names;
  for (const Dropped& each :
       evaluate::too_long(collective, network, asked.algorithms, asked.algorithm))
    names.push_back(each.algorithm);
  const algorithm::Algorithm& flow = algorithm::made_by(algorithm::Making::optimal_paths);
  if (evaluate::are_all(asked.algorithms) && !is_named(flow, asked) &&
      flow.supports(collective.kind) && !algorithm::misfit(flow, {collective, &network, {}}))
    names.push_back(flow.name);
  return names;
}

std::vector<std::string> not_tried(const std::vector<Contestant>& contestants, std::size_t size,
                                   const std::vector<std::string>& left_out) {
  std::vector<std::string> names = left_out;
  for (const Contestant& contestant : contestants)
    if (!contestant.at[size]) names.push_back(contestant.algorithm->name);
  return names;
}

// Contestants in the order of their times at a size, as many as these; of several that take as long
// but for rounding, the first. Who wins is decided once all groups have run at once, so that this
// order only makes the choice of those that run independent of rounding.
std::vector<std::size_t> leaders_at(const std::vector<std::vector<TimedSchedule>>& timed,
                                    std::size_t size, std::size_t most) {
  constexpr double kRounding = 1e-9;
  const auto time_s = [&](std::size_t i) { return timed[i][size].time_s; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < timed.size(); ++i)
    if (time_s(i) < INFINITY) order.push_back(i);
  std::ranges::stable_sort(order, {}, time_s);
  for (auto first = order.begin(); first != order.end();) {
    const double least_s = time_s(*first);
    const auto last = std::find_if(
        first, order.end(), [&](std::size_t i) { return time_s(i) > least_s * (1 + kRounding); });
    std::sort(first, last);
    first = last;
  }
  if (order.size() > most) order.resize(most);
  return order;
}

// A schedule of each group, of one algorithm.
class Together {
 public:
  Together(const Contestant& first, const Collective& collective,
           const std::vector<Network>& groups, const OwnLinks& links, const PriceOptions& asked)
      : groups_(groups),
        links_(links),
        simulation_(asked.simulation),
        candidates_{*first.candidate} {
    WEFT_ASSERT(!groups.empty() && first.candidate != nullptr);
    simulation_.link_statistics = true;
    const auto options = algorithm::taken_by(*first.algorithm, asked.algorithm);
    for (std::size_t i = 1; i < groups.size(); ++i)
      candidates_.push_back(make_candidate(*first.algorithm, collective, groups[i], options));
  }

  struct Programs {
    std::vector<program::Program> lowered;  // by group
    std::string schedule;                   // the first one's name, and its segments
    std::int64_t segments = 1;

    std::int64_t messages() const {
      std::int64_t sum = 0;
      for (const program::Program& each : lowered) sum += each.message_count();
      return sum;
    }
  };
  Programs programs(std::int64_t size_B) const {
    Programs all;
    for (const Candidate& candidate : candidates_) {
      const schedule::Verified verified = candidate.for_size(size_B);
      if (all.schedule.empty()) {
        all.schedule = verified.schedule().algorithm();
        all.segments = verified.schedule().segments().count;
      }
      all.lowered.push_back(lowered(candidate, verified, size_B));
    }
    return all;
  }

  // Of infinite time where it strays.
  TimedSchedule run(const Programs& all) const {
    WEFT_ASSERT(all.lowered.size() == groups_.size());
    std::vector<simulation::Job> jobs;
    for (std::size_t i = 0; i < groups_.size(); ++i) jobs.push_back({all.lowered[i], groups_[i]});
    auto results = simulation::simulate_together(jobs, simulation_);
    if (!links_.hold(results.front().link_bytes)) return {};
    return {results.front().run_s, all.schedule, std::move(results.front().link_bytes),
            all.segments};
  }

  std::vector<ClassBytes> bytes_of_each(const Programs& all) const {
    std::vector<ClassBytes> bytes;
    for (std::size_t i = 0; i < groups_.size(); ++i)
      bytes.push_back(class_bytes(
          bytes_of(std::span(all.lowered).subspan(i, 1), std::span(groups_).subspan(i, 1)),
          groups_[i].topology()));
    return bytes;
  }

 private:
  const std::vector<Network>& groups_;
  const OwnLinks& links_;
  simulation::SimulationOptions simulation_;
  std::vector<Candidate> candidates_;
};

std::vector<Fastest> best_together(std::vector<Contestant>& contestants,
                                   const std::vector<std::vector<TimedSchedule>>& timed,
                                   const Collective& collective, const std::vector<Network>& groups,
                                   const std::vector<std::int64_t>& sizes_B, BytesOf told,
                                   const OwnLinks& links, const PriceOptions& asked) {
  WEFT_ASSERT(timed.size() == contestants.size());
  std::vector<std::vector<std::size_t>> sizes_of(contestants.size());
  for (std::size_t size = 0; size < sizes_B.size(); ++size)
    for (const std::size_t i : leaders_at(timed, size, kMostTogether)) sizes_of[i].push_back(size);
  struct Ran {
    std::size_t contestant;
    Fastest fastest;
  };
  std::vector<std::vector<Ran>> ran(sizes_B.size());
  const auto run = [&](const Together& together, std::size_t contestant,
                       const Together::Programs& programs, std::size_t size) {
    TimedSchedule all = together.run(programs);
    if (all.time_s == INFINITY) return;
    Fastest& fastest = ran[size].emplace_back(Ran{contestant, {}}).fastest;
    fastest.time_s = all.time_s;
    fastest.schedule = std::move(all.schedule);
    fastest.segments = all.segments;
    if (told == BytesOf::each)
      fastest.bytes = together.bytes_of_each(programs);
    else
      fastest.bytes = {class_bytes(all.link_bytes, groups.front().topology())};
  };
  std::vector<std::vector<std::size_t>> long_to_run(contestants.size());
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (sizes_of[i].empty()) continue;
    const Together together(contestants[i], collective, groups, links, asked);
    const bool in_any_case = is_named(*contestants[i].algorithm, asked);
    for (const std::size_t size : sizes_of[i])
      if (const auto programs = together.programs(sizes_B[size]);
          in_any_case || programs.messages() <= kMostMessages)
        run(together, i, programs, size);
      else
        long_to_run[i].push_back(size);
  }
  for (std::size_t i = 0; i < contestants.size(); ++i)
    for (const std::size_t size : long_to_run[i]) {
      contestants[i].at[size] = ran[size].empty();
      if (!contestants[i].at[size]) continue;
      const Together together(contestants[i], collective, groups, links, asked);
      run(together, i, together.programs(sizes_B[size]), size);
    }
  std::vector<Fastest> best(sizes_B.size());
  for (std::size_t size = 0; size < sizes_B.size(); ++size) {
    std::vector<double> times_s;
    for (const Ran& each : ran[size]) times_s.push_back(each.fastest.time_s);
    const std::size_t winner = evaluate::winner_of(times_s, [&](std::size_t k) {
      return evaluate::estimate_s(*contestants[ran[size][k].contestant].candidate, groups.front(),
                                  sizes_B[size]);
    });
    if (winner < times_s.size()) best[size] = std::move(ran[size][winner].fastest);
  }
  return best;
}

bool in_network(const Contestant& contestant) {
  return contestant.candidate != nullptr &&
         combining_of(contestant.candidate->verified.schedule()) == Combining::in_network;
}

}  // namespace

std::vector<double> bytes_of(std::span<const program::Program> programs,
                             std::span<const Network> groups) {
  WEFT_ASSERT(programs.size() <= groups.size());
  simulation::SimulationOptions formula;
  formula.model = simulation::Model::alpha_beta;
  formula.link_statistics = true;
  std::vector<double> sum;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto bytes = simulation::simulate(programs[i], groups[i], formula).link_bytes;
    WEFT_ASSERT(sum.empty() || sum.size() == bytes.size());
    sum.resize(bytes.size(), 0);
    for (std::size_t link = 0; link < bytes.size(); ++link) sum[link] += bytes[link];
  }
  return sum;
}

std::vector<Fastest> fastest(const Collective& collective, const std::vector<Network>& groups,
                             const std::vector<std::int64_t>& sizes_B, BytesOf told,
                             const OwnLinks& links, const PriceOptions& options) {
  WEFT_ASSERT(!groups.empty());
  const Network& first = groups.front();
  std::vector<Contestant> contestants = contestants_for(collective, groups, sizes_B, options);
  const Alone alone(collective, first, sizes_B, links, options);
  alone.build(contestants);
  auto best = groups.size() == 1 ? alone.fastest(contestants)
                                 : best_together(contestants, alone.times(contestants), collective,
                                                 groups, sizes_B, told, links, options);
  WEFT_ASSERT(best.size() == sizes_B.size());
  const auto left_out = left_out_of_all(collective, first, options);
  for (std::size_t size = 0; size < sizes_B.size(); ++size) {
    best[size].not_tried = not_tried(contestants, size, left_out);
    if (std::ranges::any_of(contestants, [&](const Contestant& contestant) {
          return contestant.at[size] && in_network(contestant);
        }))
      best[size].combining = Combining::in_network;
  }
  return best;
}

}  // namespace weft::training
