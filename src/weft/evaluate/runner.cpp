#include "weft/evaluate/runner.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/bounds/single_ranks.hpp"
#include "weft/evaluate/few_segments.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::evaluate {

namespace {

// What a schedule promises before it is simulated. Of one whose exact price does not fit in 128
// bits nothing is known, so that it may win until it is simulated.
class Outlook {
 public:
  /// `chooser`: of its segments; nothing where it is taken as it is. `known`: its price, or null.
  Outlook(const Verified& verified, std::optional<SegmentChooser> chooser, const Network& network,
          const Cost* known = nullptr)
      : units_(static_cast<double>(verified.schedule().units())),
        segments_(verified.schedule().segments().count),
        collective_(verified.schedule().collective()),
        chooser_(std::move(chooser)) {
    try {
      std::optional<Cost> priced;
      if (known == nullptr) known = &priced.emplace(schedule::cost(verified, network));
      if (!chooser_) chooser_ = SegmentChooser::as_it_is(verified, network, *known);
      WEFT_ASSERT(std::ssize(known->link_loads) == network.topology().link_count());
      for (const LinkId link : network.topology().links())
        busiest_s_per_B_ = std::max(busiest_s_per_B_,
                                    known->link_loads[link.index()].to_double() /
                                        static_cast<double>(network.fabric().bandwidth_Bps(link)));
    } catch (const std::overflow_error&) {
      busiest_s_per_B_ = 0;
    }
  }

  double expected_s(std::int64_t size_B) const {
    return chooser_ ? chooser_->choose(size_B).time_s : 0;
  }
  double with_sums_s(std::int64_t size_B) const {
    return chooser_ ? chooser_->choose(size_B).whole_s() : 0;
  }
  /// Of its busiest link. A unit of a segment has a byte less than its share at most.
  double least_s(std::int64_t size_B) const {
    const auto bytes = static_cast<double>(collective_.total_bytes(size_B));
    const double units =
        units_ * static_cast<double>(chooser_ ? chooser_->best(size_B) : segments_);
    const double whole = bytes > units ? 1 - units / bytes : 0;
    return whole * busiest_s_per_B_ * bytes_of_m(collective_, size_B);
  }

 private:
  double units_;
  std::int64_t segments_;
  double busiest_s_per_B_ = 0;  // of M
  Collective collective_;
  std::optional<SegmentChooser> chooser_;
};

}  // namespace

Runner::Runner(const Candidate& from, Contender& told, std::size_t index,
               std::span<const std::int64_t> sizes_B, const Network& network)
    : candidate(from),
      contender(told),
      recall(std::make_shared<simulation::Recall>(network)),
      seen_alone(sizes_B.size(), false),
      seen_otherwise(sizes_B.size(), false) {
  std::vector<Outlook> outlooks;
  for (const Variant& variant : candidate.variants)
    outlooks.emplace_back(variant.verified, variant.chooser, network,
                          variant.verified.schedule().segments().count == 1
                              ? &variant.chooser.first_price()
                              : nullptr);
  // The contender's price is that of the only schedule; where nobody prices contenders it has none.
  const Cost* const priced = contender.cost.link_loads.empty() ? nullptr : &contender.cost;
  if (outlooks.empty() && !candidate.sized)
    outlooks.emplace_back(candidate.verified, std::nullopt, network, priced);
  const schedule::MessageUnits units = schedule::message_units(candidate.verified.schedule());
  for (const std::int64_t size_B : sizes_B) {
    const Verified verified = candidate.for_size(size_B);
    const std::size_t variant = candidate.sized ? 0 : candidate.choose(size_B).variant;
    std::optional<Outlook> own;
    if (candidate.sized) own.emplace(verified, std::nullopt, network);
    WEFT_ASSERT(own || variant < outlooks.size());
    const Outlook& at_size = own ? *own : outlooks[variant];
    expected_s.push_back(at_size.expected_s(size_B));
    with_sums_s.push_back(at_size.with_sums_s(size_B));
    // Loads of blocks that are alike bound no others; single ranks do.
    busy_s.push_back(candidate.blocks ? 0 : at_size.least_s(size_B));
    const schedule::Schedule& schedule = verified.schedule();
    rows.push_back(
        {.contender = index,
         .size_B = size_B,
         .schedule = schedule.algorithm(),
         .segments = schedule.segments().count,
         .steps = schedule.steps(),
         .messages = candidate.messages_of(
             verified, candidate.has_one_schedule() ? units : schedule::message_units(schedule),
             size_B),
         .is_bound = true});
    rows.back().result.time_s = busy_s.back();
  }
}

ContestRun Runner::run_at(std::size_t size) const {
  WEFT_ASSERT(size < rows.size());
  const std::int64_t size_B = rows[size].size_B;
  Verified verified = candidate.for_size(size_B);
  auto copies = candidate.copies_of(verified);
  return {std::move(verified), size_B, std::move(copies), busy_s[size]};
}

std::int64_t Runner::raise_by_single_ranks(std::size_t size, const Network& network,
                                           std::int64_t most_work,
                                           const std::function<bool()>& is_open) {
  constexpr std::int64_t kOfMessage = 64;  // work of a simulation that solves for all messages
  const schedule::Schedule& schedule = candidate.verified.schedule();
  const std::int64_t messages =
      schedule.first_message(schedule.stored_steps()) * rows[size].segments;
  if (seen_alone[size] || messages > most_work / kOfMessage) return 0;
  seen_alone[size] = true;
  const ContestRun run = run_at(size);
  // At a smaller size of whole units no message is longer, and one rank per orbit is enough.
  const std::int64_t size_B = candidate.shares == Shares::equal || candidate.blocks
                                  ? run.size_B
                                  : whole_size_B(run.verified.schedule(), run.size_B);
  const Program program = candidate.program_of(run.verified, size_B, run.copies);
  const SingleRanksTime on_one_link = single_ranks_time(program, network, SingleRankWays::one_link);
  raise(size, on_one_link.time_s);
  if (!is_open()) return on_one_link.work;
  const SingleRanksTime alone = single_ranks_time(program, network);
  raise(size, alone.time_s);
  for (std::size_t s = size + 1; s < rows.size(); ++s)
    if (holds_at(size, s, program.has_whole_units())) raise(s, alone.time_s);
  return on_one_link.work + alone.work;
}

std::int64_t Runner::time_otherwise(std::size_t size, const Network& network,
                                    const simulation::SimulationOptions& options) {
  if (seen_otherwise[size]) return 0;
  seen_otherwise[size] = true;
  return time_by_few_segments(size, network, options);
}

std::int64_t Runner::time_by_few_segments(std::size_t size, const Network& network,
                                          const simulation::SimulationOptions& options) {
  if (!has_many_segments(size) || candidate.blocks) return 0;
  const Stopwatch watch;
  const ContestRun run = run_at(size);
  const SegmentedRun timed(run, network, options);
  if (!timed.has_many()) return 0;
  const auto [seen, work] = timed.by_few();
  spend(work, watch.seconds());
  if (!seen) return work;
  const schedule::Schedule& schedule = run.verified.schedule();
  simulation::SimulationResult result;
  result.least_s = std::max(least_s(size), seen->time_s * (1 - kFewSegmentsError));
  result.time_s = std::max(result.least_s, seen->time_s * (1 + kFewSegmentsError));
  result.messages = schedule.message_count();
  result.algorithm_bandwidth_Bps = static_cast<double>(run.size_B) / result.time_s;
  result.bus_bandwidth_Bps =
      result.algorithm_bandwidth_Bps * simulation::bus_factor(schedule.collective());
  know(size, std::move(result));
  return work;
}

bool Runner::holds_at(std::size_t size, std::size_t larger, bool whole) const {
  WEFT_ASSERT(size < larger && larger < rows.size());
  const std::int64_t size_B = rows[size].size_B, larger_B = rows[larger].size_B;
  return !candidate.sized && !candidate.blocks && size_B > 0 && (whole || larger_B % size_B == 0) &&
         rows[larger].segments == rows[size].segments &&
         candidate.choose(larger_B).variant == candidate.choose(size_B).variant;
}

std::vector<Runner> runners_of(std::span<const Candidate> candidates,
                               std::span<Contender> contenders,
                               std::span<const std::int64_t> sizes_B, const Network& network) {
  WEFT_ASSERT(candidates.size() == contenders.size());
  std::vector<std::optional<Runner>> made(candidates.size());
  parallel_for(std::ssize(candidates), [&](std::int64_t c) {
    isolated([&] {
      const TimeLimit none{TimeLimit::End()};  // bounds are the least that there is to answer
      const auto index = static_cast<std::size_t>(c);
      made[index].emplace(candidates[index], contenders[index], index, sizes_B, network);
    });
  });
  std::vector<Runner> runners;
  for (std::optional<Runner>& runner : made) runners.push_back(*std::move(runner));
  return runners;
}

std::int64_t whole_size_B(const schedule::Schedule& schedule, std::int64_t size_B) {
  const Collective& collective = schedule.collective();
  const std::int64_t parts = checked_mul(schedule.units(), schedule.segments().count);
  WEFT_ASSERT(parts >= 1);
  const std::int64_t whole_B = collective.total_bytes(size_B) / parts * parts;
  if (whole_B == 0) return size_B;
  return collective.size_is_block() ? whole_B / collective.blocks() : whole_B;
}

}  // namespace weft::evaluate
