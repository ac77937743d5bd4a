#include "weft/evaluate/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_symmetry.hpp"

namespace weft::evaluate {

using algorithm::Algorithm;
using algorithm::AlgorithmOptions;

double expected_s(const Candidate& candidate, const Cost& price, const Network& network,
                  std::int64_t size_B) try {
  if (candidate.sized)
    return SegmentChooser::as_it_is(candidate.for_size(size_B), network).choose(size_B).time_s;
  if (candidate.variants.empty())
    return SegmentChooser::as_it_is(candidate.verified, network, price).choose(size_B).time_s;
  return candidate.variants[candidate.choose(size_B).variant].chooser.choose(size_B).time_s;
} catch (const std::overflow_error&) {
  return 0;
}

double estimate_s(const Candidate& candidate, const Network& network, std::int64_t size_B) try {
  const bool is_priced = candidate.sized || !candidate.variants.empty();
  return expected_s(candidate, is_priced ? Cost() : price_of(candidate, network), network, size_B);
} catch (const std::overflow_error&) {
  return 0;
}

Cost price_of(const Candidate& candidate, const Network& network) {
  if (!candidate.variants.empty() && candidate.verified.schedule().segments().count == 1)
    return candidate.variants.front().chooser.first_price();
  return schedule::cost(candidate.verified, network);
}

bool are_all(const std::vector<std::string>& names) {
  return names.empty() || std::ranges::find(names, kAll) != names.end();
}

schedule::Verified Candidate::for_size(std::int64_t size_B) const {
  if (sized) {
    const auto known = settled.find(size_B);
    return known == settled.end() ? sized(size_B)
                                  : sized(size_B).with_segments(known->second.segments);
  }
  const Choice choice = choose(size_B);
  return chosen(choice).with_segments(choice.segments);
}

Candidate::Choice Candidate::choose(std::int64_t size_B) const {
  WEFT_ASSERT(!sized);
  if (const auto known = settled.find(size_B); known != settled.end()) return known->second;
  Choice best{0, verified.schedule().segments().count};
  double least_s = INFINITY;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const SegmentChooser::Choice choice = variants[i].chooser.choose(size_B);
    if (choice.whole_s() >= least_s) continue;
    least_s = choice.whole_s();
    best = {i, choice.segments};
  }
  WEFT_ASSERT(best.segments >= 1);
  return best;
}

namespace {

// Of a unit of a segment, rounded down.
std::int64_t unit_B(const Schedule& schedule, std::int64_t size_B) {
  WEFT_ASSERT(schedule.units() >= 1 && schedule.segments().count >= 1);
  return schedule.collective().total_bytes(size_B) / schedule.units() / schedule.segments().count;
}

}  // namespace

Shares Candidate::shares_at(const Schedule& of_size, std::int64_t size_B) const {
  if (blocks) return Shares::elements;
  constexpr std::int64_t kManyMessages = 1'000'000;  // some seconds each time
  constexpr std::int64_t kManyBytes = 16;            // of a unit; a byte more is 6 %
  const bool rounds = rounds_messages && of_size.message_count() > kManyMessages &&
                      unit_B(of_size, size_B) >= kManyBytes;
  return rounds ? Shares::equal : shares;
}

double Candidate::least_s(const Schedule& of_size, std::int64_t size_B, double time_s) const {
  WEFT_ASSERT(time_s >= 0);
  if (blocks) return 0;
  const std::int64_t whole_B = unit_B(of_size, size_B);
  const bool is_whole =
      of_size.collective().total_bytes(size_B) % (of_size.units() * of_size.segments().count) == 0;
  if (shares == Shares::equal || is_whole || shares_at(of_size, size_B) != Shares::equal) return 0;
  return time_s * static_cast<double>(whole_B) / static_cast<double>(whole_B + 1);
}

schedule::MessageSizes Candidate::messages_of(const schedule::Verified& of_size,
                                              const schedule::MessageUnits& units,
                                              std::int64_t size_B) const {
  if (!blocks) return schedule::message_sizes(of_size.schedule(), units, size_B);
  return program::message_sizes(lower(of_size, {.size_B = size_B, .blocks = blocks}));
}

std::shared_ptr<const program::CopyPlan> Candidate::copies_of(
    const schedule::Verified& of_size) const {
  const bool is_own =
      has_one_schedule() && of_size.schedule().segments() == verified.schedule().segments();
  return is_own ? copies : program::plan_copies(of_size, host);
}

std::vector<const Algorithm*> chosen_algorithms(const Collective& collective,
                                                const Network& network,
                                                const std::vector<std::string>& names,
                                                const AlgorithmOptions& options) {
  std::vector<const Algorithm*> chosen;
  for (const std::string& name : names) {
    if (name == kAll || name == kNone) continue;
    const Algorithm& algorithm = algorithm::find_algorithm(name, collective.kind);
    const auto reason = algorithm::misfit(
        algorithm, {collective, &network, algorithm::taken_by(algorithm, options)});
    require(!reason, "{} cannot run {} on {} ({})", algorithm.name, name_of(collective.kind),
            network.topology().name(), reason.value_or(""));
    chosen.push_back(&algorithm);
  }
  if (are_all(names))
    for (const Algorithm* each : algorithm::applicable(collective, &network, options))
      if (std::ranges::find(chosen, each) == chosen.end()) chosen.push_back(each);
  require(!chosen.empty() || std::ranges::find(names, kNone) != names.end(),
          "no algorithm can run {} on {}; weft list algorithms shows what each algorithm "
          "supports",
          name_of(collective.kind), network.topology().name());
  algorithm::require_taken(chosen, {collective, &network, options});
  return chosen;
}

std::vector<Dropped> too_long(const Collective& collective, const Network& network,
                              const std::vector<std::string>& names,
                              const AlgorithmOptions& options) {
  std::vector<Dropped> dropped;
  if (!are_all(names)) return dropped;
  for (const Algorithm& known : algorithm::algorithms()) {
    const algorithm::Context context{collective, &network, algorithm::taken_by(known, options)};
    if (known.too_long == nullptr || known.named_only ||
        std::ranges::find(names, known.name) != names.end() || algorithm::misfit(known, context))
      continue;
    if (auto reason = known.too_long(context))
      dropped.push_back({known.name, std::move(*reason),
                         fmt::format("name it to include it: --algorithms all,{}", known.name)});
  }
  return dropped;
}

Dropped overflown(const std::string& algorithm, const std::string& reason) {
  return {algorithm, reason, "round bandwidths, e.g. to whole Gbps"};
}

Dropped too_late(const std::string& algorithm) {
  return {algorithm, "the time limit ended first", "give more time: --time-limit", true};
}

Dropped refused(const Algorithm& algorithm, std::string_view refusal) {
  const std::size_t end = refusal.rfind("; ");  // then what to do instead
  const bool has_remedy = end != std::string_view::npos;
  return {algorithm.name, std::string(refusal.substr(0, end)),
          std::string(has_remedy ? refusal.substr(end + 2) : "take another network")};
}

bool all_in_time(const std::vector<Dropped>& dropped) {
  return std::ranges::none_of(dropped, &Dropped::is_late);
}

bool moves_with(const schedule::Schedule& schedule, const Network& network) {
  if (schedule.symmetry().is_trivial()) return false;
  const auto nodes = schedule::nodes_of_agents(schedule, network);
  const auto action = schedule::link_action(schedule.symmetry(), nodes, network.fabric());
  return action && schedule::routes_move_with(*action, schedule, nodes, network);
}

namespace {

BuiltSchedules built_with(const AlgorithmOptions& own, const algorithm::Algorithm& algorithm,
                          const Collective& collective, const Network& network) {
  const Stopwatch watch;
  BuiltSchedules built{&algorithm, own, {}, 0};
  built.variants = algorithm::build_variants(algorithm.name, collective, &network, own);
  WEFT_ASSERT(!built.variants.empty());
  built.build_s = watch.seconds();
  return built;
}

// Whole bytes differ among translates, so that every message would be looked at.
Shares shares_of(const schedule::Verified& verified, const Network& network) {
  const bool is_large =
      network.ranks() > kManyRanks && verified.schedule().message_count() > kMostMessagesOneByOne;
  const bool has_orbits =
      is_large && network.host().copies_are_free() && moves_with(verified.schedule(), network);
  return has_orbits ? Shares::equal : Shares::elements;
}

}  // namespace

BuiltSchedules build_schedules(const Algorithm& algorithm, const Collective& collective,
                               const Network& network, const AlgorithmOptions& options) {
  return built_with(algorithm::taken_by(algorithm, options), algorithm, collective, network);
}

namespace {

bool tries_both_routes(const BuiltSchedules& built) {
  WEFT_ASSERT(built.algorithm != nullptr);
  return built.algorithm->takes(algorithm::kRoutes) && !built.algorithm->sized &&
         !algorithm::kRoutes.given(built.options);
}

bool differs_from_network(const Schedule& schedule, const Network& network) {
  return schedule::has_own_paths(schedule) && !schedule::routes_are_networks(schedule, network);
}

}  // namespace

ProvedSchedules prove(const BuiltSchedules& built, const Network& network) {
  const Stopwatch watch;
  ProvedSchedules proved;
  for (const schedule::Schedule& each : built.variants)
    proved.variants.push_back(schedule::verify_own(each, &network.topology()));
  if (tries_both_routes(built))
    for (std::size_t i = 0; i < built.variants.size(); ++i)
      if (differs_from_network(built.variants[i], network))
        proved.variants.push_back(proved.variants[i].without_routes(
            algorithm::name_over_network(built.variants[i].algorithm())));
  proved.verify_s = watch.seconds();
  return proved;
}

ProvedSchedules over_network_routes(const BuiltSchedules& built, const ProvedSchedules& proved,
                                    const Network& network) {
  ProvedSchedules routed{{}, proved.verify_s};
  for (const schedule::Verified& each : proved.variants) {
    const Schedule& schedule = each.schedule();
    if (!schedule::has_own_paths(schedule))
      routed.variants.push_back(each);
    else if (!tries_both_routes(built) || !differs_from_network(schedule, network))
      routed.variants.push_back(each.without_routes(schedule.algorithm()));
  }
  return routed;
}

namespace {

double least_estimate_s(std::span<const Variant> variants, std::int64_t size_B) {
  double least_s = INFINITY;
  for (const Variant& each : variants)
    least_s = std::min(least_s, each.chooser.choose(size_B).time_s);
  return least_s;
}

// Above kMostRanksOfBothRoutes the variants after the first `own` ones, which go over the network's
// routes, stay only if the estimate clearly prefers one at some size.
void leave_unpromising(std::size_t own, bool has_segments_priced, const Network& network,
                       Candidate& candidate) {
  constexpr double kClearly = 0.98;
  constexpr std::int64_t kLeast_B = 64, kMost_B = std::int64_t{1} << 30;
  WEFT_ASSERT(own >= 1);
  std::vector<Variant>& variants = candidate.variants;
  if (network.ranks() <= kMostRanksOfBothRoutes || variants.size() <= own) return;
  const std::span<const Variant> all(variants);
  for (std::int64_t size_B = kLeast_B; size_B <= kMost_B; size_B *= 4)
    if (least_estimate_s(all.subspan(own), size_B) <
        kClearly * least_estimate_s(all.first(own), size_B))
      return;
  variants.erase(variants.begin() + static_cast<std::ptrdiff_t>(own), variants.end());
  if (own == 1 && !has_segments_priced) variants.clear();
}

}  // namespace

Candidate candidate_of(const BuiltSchedules& built, const ProvedSchedules& proved,
                       const Network& network) {
  const std::vector<schedule::Verified>& verified = proved.variants;
  WEFT_ASSERT(verified.size() >= built.variants.size());
  const Collective collective = built.variants.at(0).collective();
  const bool is_priced = built.algorithm->segments_by_size(collective.kind, built.options);
  Candidate candidate{verified.at(0),
                      {},
                      built.algorithm->leaves_segments_free(built.options),
                      nullptr,
                      nullptr,
                      network.host(),
                      shares_of(verified.at(0), network),
                      false,
                      nullptr,
                      built.build_s,
                      proved.verify_s};
  if (is_priced || verified.size() > 1)
    for (const schedule::Verified& each : verified)
      candidate.variants.push_back({each, is_priced ? SegmentChooser(each, network)
                                                    : SegmentChooser::as_it_is(each, network)});
  if (built.algorithm->sized)
    candidate.sized = [name = built.algorithm->name, collective, own = built.options,
                       &network](std::int64_t size_B) {
      AlgorithmOptions asked = own;
      asked.size_B = size_B;
      return schedule::verify_own(algorithm::build_schedule(name, collective, &network, asked),
                                  &network.topology());
    };
  leave_unpromising(built.variants.size(), is_priced, network, candidate);
  if (candidate.has_one_schedule())
    candidate.copies = program::plan_copies(candidate.verified, network.host());
  return candidate;
}

Candidate given_candidate(const schedule::Verified& verified, const Network& network) {
  schedule::nodes_of_agents(verified.schedule(), network);  // refuses what does not fit
  return {.verified = verified,
          .copies = program::plan_copies(verified, network.host()),
          .host = network.host(),
          .shares = shares_of(verified, network)};
}

Candidate make_candidate(const Algorithm& algorithm, const Collective& collective,
                         const Network& network, const AlgorithmOptions& options) {
  const BuiltSchedules built = build_schedules(algorithm, collective, network, options);
  return candidate_of(built, prove(built, network), network);
}

schedule::Verified schedule_for_size(std::string_view name, const Collective& collective,
                                     const Network& network, const AlgorithmOptions& options,
                                     std::int64_t size_B,
                                     const simulation::SimulationOptions& simulation,
                                     std::shared_ptr<const program::BlockSizes> blocks) {
  const algorithm::Algorithm& algorithm = algorithm::find_algorithm(name, collective.kind);
  if (!algorithm.sized || algorithm.leaves_segments_free(options)) {
    const BuiltSchedules built = built_with(options, algorithm, collective, network);
    Candidate candidate = candidate_of(built, prove(built, network), network);
    candidate.blocks = std::move(blocks);
    settle_alone(candidate, {size_B}, network, simulation);
    return candidate.for_size(size_B);
  }
  AlgorithmOptions asked = options;
  asked.size_B = size_B;
  return schedule::verify_own(algorithm::build_schedule(name, collective, &network, asked),
                              &network.topology());
}

}  // namespace weft::evaluate
