#include "cli/schedule/pricing.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "cli/answers/bounds.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/options/options.hpp"
#include "cli/options/paths.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

std::string ends_text(const Collective& collective) {
  if (collective.kind == CollectiveKind::point_to_point)
    return fmt::format(", from {} to {}", collective.root.value(), collective.peer.value());
  return collective.rooted() ? fmt::format(", root {}", collective.root.value()) : "";
}

answer::Parts<Collective> ends_parts() {
  constexpr answer::PartOf<Collective> part;
  const auto two = [](const Collective& collective) {
    return collective.kind == CollectiveKind::point_to_point;
  };
  return {
      part("from", "", answer::Unit::none, "rank that sends, of point-to-point", &Collective::root)
          .when(two),
      part("to", "", answer::Unit::none, "rank that receives, of point-to-point", &Collective::peer)
          .when(two),
      part("root", "", answer::Unit::none, "root of the collective", &Collective::root)
          .when([two](const Collective& collective) {
            return !two(collective) && collective.rooted();
          })};
}

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
// Of a schedule that was built, and of what its proof found.
template <class Get>
auto of_schedule(Get get) {
  return [get](const Pricing& pricing) { return std::invoke(get, schedule_of(pricing)); };
}
template <class T>
auto of_proof(T schedule::VerifiedFacts::*member) {
  return [member](const Pricing& pricing) { return pricing.verified->facts().*member; };
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
  return {
      part("collective", "collective", Unit::none, "name of the collective",
           [](const Pricing& pricing) { return name_of(pricing.collective.kind); })
          .shown_as(collective_text),
      part("algorithm", "algorithm", Unit::none, "name of the algorithm", &Pricing::algorithm),
      part("topology", "topology", Unit::none, "topology expression, or name of its file",
           of_network([](const Network& network) { return network.topology().name(); })),
      part("routing", "", Unit::none, "routing of the network",
           of_network([](const Network& network) { return network.routing().name(); })),
      part.line("routing", of_network(routing_text)).when(&Pricing::is_built),
      part("routing_reason", "", Unit::none,
           "why it is not the usual routing of this network, or null", of_network(routing_reason))
          .when(&Pricing::is_built),
      part("relayed_pairs", "", Unit::none,
           "ordered pairs of ranks that only paths through other hosts connect",
           of_network(relayed_pairs)),
      part("ranks", "", Unit::none, "number of ranks",
           [](const Pricing& pricing) { return pricing.collective.ranks; }),
      part.line("verified", verified_text)};
}

Parts<Pricing> cost_parts() {
  constexpr PartOf<Pricing> part;
  return {
      part("steps", "steps T_L", Unit::none, "steps of the schedule (T_L)", of_cost(&Cost::steps))
          .shown_as(steps_text),
      part("messages", "", Unit::none, "messages sent", of_cost(&Cost::messages))
          .when(&Pricing::is_built),
      part("bandwidth_factor", "bandwidth T_B", Unit::none, "T_B, in units of M/B",
           of_cost(&Cost::bandwidth_factor))
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
      part("steps_bound", "", Unit::none, "lower bound on the steps, of one link each",
           of_bounds(&evaluate::LowerBounds::steps)),
      part("least_steps", "", Unit::none, "lower bound on the steps of such a schedule",
           [](const Pricing& pricing) { return pricing.least_steps.steps; })
          .when(&Pricing::is_built),
      part("moore_steps", "", Unit::none,
           "lower bound on the diameter of one-way networks of this size and degree, or null",
           of_bounds(&evaluate::LowerBounds::moore_steps)),
      part("verified", "", Unit::none, "whether it was built and proved", &Pricing::is_built),
      part("max_link_load", "largest link load", Unit::none,
           "load of the busiest link, in units of M", of_cost(&Cost::max_link_load))
          .shown_as([](const Pricing& pricing) { return show(pricing.cost.max_link_load) + " M"; })
          .when(&Pricing::is_built),
      part("node_bandwidth_Bps", "", Unit::bytes_per_second, "bandwidth out of a node (B)",
           of_network(node_egress_Bps)),
      part("units_per_block", "", Unit::none, "units of a block", &Pricing::units_per_block)};
}

Parts<Pricing> proof_parts() {
  constexpr PartOf<Pricing> part;
  return {
      part("segments", "", Unit::none, "segments of the schedule",
           of_schedule([](const Schedule& schedule) { return schedule.segments().count; }))
          .when(&Pricing::is_built),
      part("symmetry_order", "", Unit::none, "order of the schedule's symmetry group",
           of_schedule([](const Schedule& schedule) { return schedule.symmetry().order(); }))
          .when(&Pricing::is_built),
      part("keeps_order", "", Unit::none, "whether it serves non-commutative operations",
           of_proof(&schedule::VerifiedFacts::keeps_order))
          .when(&Pricing::is_built),
      part("overwrites", "", Unit::none, "whether messages replace data that a rank held",
           of_proof(&schedule::VerifiedFacts::overwrites))
          .when(&Pricing::is_built),
      part("combined_messages", "", Unit::none, "stored messages of several pieces",
           of_proof(&schedule::VerifiedFacts::combined_messages))
          .when(&Pricing::is_built),
      part("in_network", "", Unit::none, "whether switches combine messages",
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
          .when(shows_segments)};
}

Parts<Pricing> routing_parts() {
  constexpr PartOf<Pricing> part;
  return {
      part("step_factors", "", Unit::none,
           "T_B of each step; empty if segments make too many steps", of_cost(&Cost::step_factors)),
      part.object("routing_note", "a routing that is faster, or null", &Pricing::advice,
                  routing_advice_parts())
          .when(&Pricing::is_built),
      part("routing_judged", "", Unit::none, "whether the routing was judged",
           [](const Pricing& pricing) {
             return schedule::judges_routing(schedule_of(pricing), pricing.network);
           })
          .when(&Pricing::is_built),
      part.list(
              "paths", "paths of the message",
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

Parts<Pricing> pricing_parts() {
  constexpr PartOf<Pricing> part;
  return join(
      join(join(setting_parts(), cost_parts()),
           join(proof_parts(), part.within(&Pricing::bounds, bounds_parts()))),
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
