#include "cli/schedule/pricing.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "cli/answers/bounds.hpp"
#include "cli/answers/collective_ends.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/options/options.hpp"
#include "cli/options/paths.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/design/bounds/bound_parts.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

std::optional<advise::RoutingAdvice> advice_on(const Verified& verified, const Network& network) {
  const auto note = schedule::routing_note(verified.schedule(), network);
  return note ? advise::advise(*note, verified, network) : std::nullopt;
}

// Exact, where the chunks keep a schedule from it.
std::optional<Rational> if_lower(const std::optional<Rational>& exact, const Rational& factor) {
  return exact && *exact < factor ? exact : std::nullopt;
}

const Schedule& schedule_of(const Pricing& pricing) {
  return pricing.verified->schedule();
}

// A value of the network, the cost or the bounds.
template <class Get>
auto of_network(Get get) {
  return [get](const Pricing& pricing) { return get(pricing.network); };
}
template <class T>
auto of_cost(T Cost::*member) {
  return [member](const Pricing& pricing) -> const T& { return pricing.cost.*member; };
}
template <class T>
auto of_bounds(T evaluate::LowerBounds::*member) {
  return [member](const Pricing& pricing) -> const T& { return pricing.bounds.*member; };
}
// Of a schedule that was built.
template <class Get>
auto of_schedule(Get get) {
  return [get](const Pricing& pricing) { return std::invoke(get, schedule_of(pricing)); };
}

bool is_forecast(const Pricing& pricing) {
  return !pricing.is_built();
}

std::int64_t node_egress_Bps(const Network& network) {
  return network.fabric().node_egress_Bps();
}

std::string collective_text(const Pricing& pricing) {
  const Collective& collective = pricing.collective;
  return fmt::format("{} of {}{}", name_of(collective.kind), counted(collective.ranks, "rank"),
                     ends_text(collective));
}

std::string verified_text(const Pricing& pricing) {
  if (!pricing.is_built()) return "no; the schedule was not built";
  return pricing.verified->facts().keeps_order ? "yes; also for non-commutative operations"
                                               : "yes; needs commutative operations";
}

// Algorithms that can forecast their price move data a link a step, where no switch is between.
std::string steps_text(const Pricing& pricing) {
  const auto& [bounds, network] = std::tie(pricing.bounds, pricing.network);
  const std::string bound = pricing.is_built() ? text_of(pricing.least_steps)
                            : network.topology().has_switches()
                                ? steps_text(bounds, LinkSteps::none)
                                : text_of({.steps = bounds.steps, .one_link = true});
  return fmt::format("{}   (bound {})", pricing.cost.steps, bound);
}

std::string factor_text(const Pricing& pricing) {
  return fmt::format("{}   ({})", show(pricing.cost.bandwidth_factor), bound_text(pricing.bounds));
}

bool shows_segments(const Pricing& pricing) {
  return pricing.is_built() && schedule_of(pricing).segments().count > 1;
}

Parts<Pricing> setting_parts() {
  constexpr PartOf<Pricing> part;
  return {part(keys::kCollective, "collective",
               [](const Pricing& pricing) { return name_of(pricing.collective.kind); })
              .shown_as(collective_text),
          part(keys::kAlgorithm, "algorithm", &Pricing::algorithm),
          part(keys::kTopology, "topology",
               of_network([](const Network& network) { return network.topology().name(); })),
          part(keys::kRouting,
               of_network([](const Network& network) { return network.routing().name(); })),
          part.line("routing", of_network(routing_text)).when(&Pricing::is_built),
          part(keys::kRoutingReason, of_network(routing_reason)).when(&Pricing::is_built),
          part(keys::kRelayedPairs, of_network(relayed_pairs)),
          part(keys::kRanks, [](const Pricing& pricing) { return pricing.collective.ranks; }),
          part.line("verified", verified_text)};
}

Parts<Pricing> cost_parts() {
  constexpr PartOf<Pricing> part;
  return {
      part(keys::kLatencySteps, "steps T_L", of_cost(&Cost::steps)).shown_as(steps_text),
      part(keys::kMessages, of_cost(&Cost::messages)).when(&Pricing::is_built),
      part(keys::kBandwidthFactor, "bandwidth T_B", of_cost(&Cost::bandwidth_factor))
          .shown_as(factor_text),
      part.line("T_B, any division",
                [](const Pricing& pricing) { return show(*pricing.exact_bandwidth_factor); })
          .when([](const Pricing& pricing) { return pricing.exact_bandwidth_factor.has_value(); }),
      part.line("chunks per block",
                [](const Pricing& pricing) { return fmt::format("{}", pricing.units_per_block); })
          .when(is_forecast),
      part.line("B per node", of_network([](const Network& network) {
                  return format_bandwidth(node_egress_Bps(network));
                })),
      part.line("messages",
                [](const Pricing& pricing) { return fmt::format("{}", pricing.cost.messages); })
          .when(&Pricing::is_built),
      part(keys::kStepsBound, of_bounds(&evaluate::LowerBounds::steps)),
      part(keys::kLeastSteps, [](const Pricing& pricing) { return pricing.least_steps.steps; })
          .when(&Pricing::is_built),
      part("moore_steps", "", Unit::none,
           "lower bound on the diameter of one-way networks of this size and degree, or null",
           of_bounds(&evaluate::LowerBounds::moore_steps)),
      part("verified", "", Unit::none, "whether it was built and proved", &Pricing::is_built),
      part(keys::kMaxLinkLoad, "largest link load", of_cost(&Cost::max_link_load))
          .shown_as([](const Pricing& pricing) { return show(pricing.cost.max_link_load) + " M"; })
          .when(&Pricing::is_built),
      part(keys::kNodeBandwidthBps, of_network(node_egress_Bps)),
      part(keys::kUnitsPerBlock, &Pricing::units_per_block)};
}

std::optional<schedule::VerifiedFacts> facts_of(const Pricing& pricing) {
  return pricing.is_built() ? std::optional(pricing.verified->facts()) : std::nullopt;
}

Parts<Pricing> built_parts() {
  constexpr PartOf<Pricing> part;
  Parts<Pricing> begun{
      part(keys::kSegments,
           of_schedule([](const Schedule& schedule) { return schedule.segments().count; }))
          .when(&Pricing::is_built),
      part("symmetry_order", "", Unit::none, "order of the schedule's symmetry group",
           of_schedule([](const Schedule& schedule) { return schedule.symmetry().order(); }))
          .when(&Pricing::is_built)};
  return join(
      join(std::move(begun), part.within(facts_of, proof_parts())),
      {part(keys::kInNetwork,
            of_schedule([](const Schedule& schedule) { return schedule.helpers() > 0; }))
           .when(&Pricing::is_built),
       part.line("units per block",
                 [](const Pricing& pricing) { return fmt::format("{}", pricing.units_per_block); })
           .when([](const Pricing& pricing) {
             return pricing.is_built() && pricing.units_per_block > 1;
           }),
       part.line("segments", of_schedule([](const Schedule& schedule) {
                   return fmt::format("{}", schedule.segments().count);
                 }))
           .when(shows_segments)});
}

Parts<Pricing> routing_parts() {
  constexpr PartOf<Pricing> part;
  return {
      part("step_factors", "", Unit::none,
           "T_B of each step; empty if segments make too many steps", of_cost(&Cost::step_factors)),
      part.object(keys::kRoutingNote, &Pricing::advice, routing_advice_parts())
          .when(&Pricing::is_built),
      part(keys::kRoutingJudged,
           [](const Pricing& pricing) {
             return schedule::judges_routing(schedule_of(pricing), pricing.network);
           })
          .when(&Pricing::is_built),
      part.list(
              keys::kPaths,
              [](const Pricing& pricing) {
                return paths_of(schedule_of(pricing), pricing.network.topology());
              },
              path_parts())
          .when([](const Pricing& pricing) {
            return pricing.is_built() && has_paths(schedule_of(pricing));
          })};
}

}  // namespace

Pricing price(const Verified& verified, const Network& network, Notes& notes,
              const std::optional<Rational>& exact_bandwidth_factor) {
  const Schedule& schedule = verified.schedule();
  Pricing pricing{
      .collective = schedule.collective(),
      .network = network,
      .algorithm = schedule.algorithm(),
      .cost = schedule::cost(verified, network),
      .units_per_block = schedule.units_per_block(),
      .bounds = evaluate::lower_bounds(schedule.collective(), network, evaluate::Cuts::and_optimum,
                                       evaluate::combining_of(schedule)),
      .verified = &verified};
  pricing.exact_bandwidth_factor = if_lower(exact_bandwidth_factor, pricing.cost.bandwidth_factor);
  pricing.least_steps = evaluate::step_bound(schedule, network, pricing.bounds.steps);
  pricing.advice = advice_on(verified, network);
  if (pricing.advice) notes.add(NoteWeight::assumption, text_of(*pricing.advice));
  return pricing;
}

Pricing price(const algorithm::Forecast& forecast, std::string algorithm,
              const Collective& collective, const Network& network) {
  Pricing pricing{
      .collective = collective,
      .network = network,
      .algorithm = std::move(algorithm),
      .cost = {},
      .units_per_block = forecast.units_per_block,
      .bounds = evaluate::lower_bounds(collective, network, evaluate::Cuts::and_optimum)};
  pricing.cost.steps = forecast.steps;
  pricing.cost.bandwidth_factor = forecast.bandwidth_factor;
  pricing.cost.step_factors = forecast.step_factors;
  pricing.exact_bandwidth_factor =
      if_lower(forecast.exact_bandwidth_factor, forecast.bandwidth_factor);
  return pricing;
}

Parts<schedule::VerifiedFacts> proof_parts() {
  using schedule::VerifiedFacts;
  constexpr PartOf<VerifiedFacts> part;
  return {part(keys::kKeepsOrder, &VerifiedFacts::keeps_order),
          part(keys::kOverwrites, &VerifiedFacts::overwrites),
          part(keys::kCombinedMessages, &VerifiedFacts::combined_messages)};
}

Parts<Pricing> pricing_parts() {
  constexpr PartOf<Pricing> part;
  return join(
      join(join(setting_parts(), cost_parts()),
           join(built_parts(), part.within(&Pricing::bounds, design::bounds_parts()))),
      join(join({part("exact_bandwidth_factor", "", Unit::none,
                      "T_B if blocks could be divided at will", &Pricing::exact_bandwidth_factor)
                     .left_out()},
                part.within(
                    [](const Pricing& pricing) -> const Collective& { return pricing.collective; },
                    ends_parts())),
           routing_parts()));
}

std::string paths_text(const Pricing& pricing, const Screen& screen) {
  const Schedule& schedule = schedule_of(pricing);
  return has_paths(schedule) ? text_of_paths(schedule, pricing.network.topology(), screen) : "";
}

}  // namespace weft::cli
