#include "weft/advise/comparison/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/evaluate/step_bound.hpp"
#include "weft/schedule/routing_work.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::advise {

bool is_contest(const CompareOptions& options) {
  return options.effort == Effort::winners &&
         options.simulation.model == simulation::Model::fluid &&
         !options.simulation.link_statistics;
}

std::optional<evaluate::Pipelined> at_largest(const Candidate& candidate, const Network& network,
                                              const std::vector<std::int64_t>& sizes_B) {
  if (candidate.sized || sizes_B.empty()) return std::nullopt;
  const std::int64_t largest_B = *std::ranges::max_element(sizes_B);
  const bool is_settled = candidate.settled.contains(largest_B);
  if (candidate.variants.empty() && !is_settled) return std::nullopt;
  const Verified chosen = candidate.for_size(largest_B);
  return evaluate::Pipelined{chosen.schedule().algorithm(), chosen.schedule().segments().count,
                             schedule::cost(chosen, network)};
}

namespace {

using algorithm::Algorithm;

/// With the options that it chose; where sizes have schedules that it chose others for, without.
std::string schedule_name(const Candidate& candidate, const std::string& asked) {
  const std::string name = candidate.verified.schedule().algorithm();
  const bool is_one =
      std::ranges::all_of(candidate.variants, [&](const evaluate::Variant& variant) {
        return variant.verified.schedule().algorithm() == name;
      });
  return is_one ? name : asked;
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
  const std::int64_t messages = schedule.message_count() / schedule.segments().count;
  if (!is_contest(options) || messages <= evaluate::kMostMessagesOneByOne ||
      is_named(algorithm, options) || evaluate::moves_with(schedule, network))
    return std::nullopt;
  return Dropped{algorithm.name,
                 fmt::format("its {} million messages without a symmetry take long to price",
                             messages / 1'000'000),
                 fmt::format("name it to include it: --algorithms all,{}", algorithm.name)};
}

// Leaves out an algorithm that nobody named if each number of segments has its price, which takes
// as long as there are links in each of its steps, and no symmetry makes them few.
std::optional<Dropped> too_many_links(const Algorithm& algorithm, const Schedule& schedule,
                                      const Network& network, const CompareOptions& options) {
  const std::int64_t links = network.topology().link_count();
  if (!is_contest(options) || links <= evaluate::kMostPricedLinks || is_named(algorithm, options) ||
      !algorithm.segments_by_size(schedule.collective().kind, options.algorithm) ||
      !schedule.symmetry().is_trivial())
    return std::nullopt;
  return Dropped{
      algorithm.name,
      fmt::format("its segments take long to choose on {} million links", links / 1'000'000),
      fmt::format("name it to include it: --algorithms all,{}", algorithm.name)};
}

// Whether messages are simulated by classes, whose messages have one length.
bool may_round_messages(const CompareOptions& options, const Collective& collective,
                        const Network& network) {
  if (!is_contest(options)) return false;
  const simulation::Features features = simulation::features_of(options.simulation, network);
  return covers(simulation::Shortcut::equal_messages,
                collective.reduces() ? features : features - simulation::kReductionCosts);
}

// Of the schedules for all sizes. `price`: of the candidate's first schedule.
std::vector<NodeId> forwarding_hosts(const Candidate& candidate, const Cost& price,
                                     const Network& network, const CompareOptions& options) {
  std::vector<NodeId> hosts = evaluate::forwarding_hosts(price, network);
  const auto add = [&](const Verified& verified) {
    std::ranges::copy(evaluate::forwarding_hosts(verified, network), std::back_inserter(hosts));
  };
  for (const evaluate::Variant& variant : candidate.variants) add(variant.verified);
  if (candidate.sized)
    for (const std::int64_t size_B : options.sizes_B) add(candidate.for_size(size_B));
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

// Prices the candidate of the entry under this name.
void admit(const std::string& name, const Network& network, const CompareOptions& options,
           std::int64_t links, ComparedEntry& entry) {
  entry.candidate->blocks = options.blocks;
  entry.candidate->rounds_messages =
      may_round_messages(options, entry.candidate->verified.schedule().collective(), network);
  const Candidate& candidate = *entry.candidate;
  const Schedule& schedule = candidate.verified.schedule();
  entry.contender = {.algorithm = name,
                     .schedule = schedule_name(candidate, name),
                     .cost = evaluate::price_of(candidate, network),
                     .at_largest = at_largest(candidate, network, options.sizes_B),
                     .step_bound = evaluate::step_bound(schedule, network, links),
                     .combining = combining_of(schedule),
                     .layout = program::layout_of(candidate.copies),
                     .routing_note = schedule::routing_note(schedule, network),
                     .routing_judged = schedule::judges_routing(schedule, network),
                     .spent = {.build_s = candidate.build_s, .verify_s = candidate.verify_s}};
  if (!evaluate::idle_relays(network).empty())
    entry.contender.forwarding_hosts =
        forwarding_hosts(candidate, entry.contender.cost, network, options);
}

}  // namespace

ComparedEntry entry_of(const Algorithm& algorithm, const Collective& collective,
                       const Network& network, const CompareOptions& options, std::int64_t links) {
  ComparedEntry entry;
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
    const auto taken = algorithm::taken_by(algorithm, options.algorithm);
    admit(algorithm::name_with(algorithm, taken), network, options, links, entry);
    entry.contender.spent.cost_s =
        watch.seconds() - entry.candidate->build_s - entry.candidate->verify_s;
  } catch (const std::overflow_error& error) {
    entry.dropped = evaluate::overflown(algorithm.name, error.what());
  } catch (const InvalidInput& error) {
    if (is_named(algorithm, options) || !options.algorithm.values.empty()) throw;
    entry.dropped = evaluate::refused(algorithm, error.what());
    entry.refusal = error.what();
  }
  return entry;
}

ComparedEntry entry_of(const GivenSchedule& given, const Network& network,
                       const CompareOptions& options, std::int64_t links) {
  ComparedEntry entry;
  try {
    const Stopwatch watch;
    entry.candidate = evaluate::given_candidate(given.verified, network);
    admit(given.name, network, options, links, entry);
    entry.contender.schedule = given.name;
    entry.contender.file = given.file;
    entry.contender.spent.cost_s = watch.seconds();
  } catch (const std::overflow_error& error) {
    entry.dropped = evaluate::overflown(given.name, error.what());
  }
  return entry;
}

}  // namespace weft::advise
