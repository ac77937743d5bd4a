// What `weft schedule` and `weft cost` say of a schedule on a network.
#include <fmt/format.h>

#include "cli/answers/bounds.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/options/options.hpp"
#include "cli/options/paths.hpp"
#include "weft/base/units.hpp"
#include "weft/question/evaluation.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::cli {

std::string ends_text(const Collective& collective) {
  if (collective.kind == CollectiveKind::point_to_point)
    return fmt::format(", from {} to {}", collective.root.value(), collective.peer.value());
  return collective.rooted() ? fmt::format(", root {}", collective.root.value()) : "";
}

void add_ends(const Collective& collective, Json& json) {
  if (collective.kind == CollectiveKind::point_to_point) {
    json["from"] = collective.root.value();
    json["to"] = collective.peer.value();
  } else if (collective.rooted()) {
    json["root"] = collective.root.value();
  }
}

Json json_of(const std::optional<schedule::RoutingNote>& note) {
  if (!note) return nullptr;
  return {{"step", note->step},
          {"factor", note->factor},
          {"routing", note->routing},
          {"helps", note->helps}};
}

namespace {

std::optional<question::RoutingAdvice> advice_on(const Pricing& pricing) {
  const auto note = schedule::routing_note(pricing.verified.schedule(), pricing.network);
  return note ? question::advise(*note, pricing.verified, pricing.network) : std::nullopt;
}

}  // namespace

Json json_of(const Pricing& pricing) {
  const Schedule& schedule = pricing.verified.schedule();
  const Cost price = schedule::cost(pricing.verified, pricing.network);
  const auto bounds =
      question::lower_bounds(schedule.collective(), pricing.network, question::Cuts::taken);
  const auto& facts = pricing.verified.facts();
  Json json = {{"collective", std::string(name_of(schedule.collective().kind))},
               {"algorithm", schedule.algorithm()},
               {"topology", pricing.network.topology().name()},
               {"routing", std::string(pricing.network.routing().name())},
               {"routing_reason", routing_reason(pricing.network)},
               {"relayed_pairs", relayed_pairs(pricing.network)},
               {"ranks", schedule.collective().ranks},
               {"steps", price.steps},
               {"messages", price.messages},
               {"bandwidth_factor", to_string(price.bandwidth_factor)},
               {"steps_bound", bounds.steps},
               {"least_steps", question::step_bound(schedule, pricing.network, bounds.steps).steps},
               {"moore_steps", bounds.moore_steps ? Json(*bounds.moore_steps) : Json()},
               {"verified", true},
               {"max_link_load", to_string(price.max_link_load)},
               {"node_bandwidth_Bps", pricing.network.fabric().node_egress_Bps()},
               {"units_per_block", schedule.units_per_block()},
               {"segments", schedule.segments().count},
               {"symmetry_order", schedule.symmetry().order()},
               {"keeps_order", facts.keeps_order},
               {"overwrites", facts.overwrites},
               {"combined_messages", facts.combined_messages}};
  add_bounds(bounds, json);
  if (pricing.exact_bandwidth_factor)
    json["exact_bandwidth_factor"] = to_string(*pricing.exact_bandwidth_factor);
  add_ends(schedule.collective(), json);
  Json steps = Json::array();
  for (const Rational& factor : price.step_factors) steps.push_back(to_string(factor));
  json["step_factors"] = std::move(steps);
  json["routing_note"] = json_of(advice_on(pricing));
  json["routing_judged"] = schedule::judges_routing(schedule, pricing.network);
  if (has_paths(schedule)) json["paths"] = json_of_paths(schedule, pricing.network.topology());
  return json;
}

void print_facts(const Pricing& pricing, Streams& streams) {
  const Schedule& schedule = pricing.verified.schedule();
  const Cost price = schedule::cost(pricing.verified, pricing.network);
  const auto bounds =
      question::lower_bounds(schedule.collective(), pricing.network, question::Cuts::taken);
  const auto& facts = pricing.verified.facts();
  Facts table;
  table.add("collective",
            fmt::format("{} of {} ranks{}", name_of(schedule.collective().kind),
                        schedule.collective().ranks, ends_text(schedule.collective())));
  table.add("algorithm", schedule.algorithm());
  table.add("topology", pricing.network.topology().name());
  table.add("routing", routing_text(pricing.network));
  table.add("verified", facts.keeps_order ? "yes; serves operations that do not commute"
                                          : "yes; needs operations that commute");
  table.add("steps T_L",
            fmt::format("{}   (bound {})", price.steps,
                        text_of(question::step_bound(schedule, pricing.network, bounds.steps))));
  table.add("bandwidth T_B",
            fmt::format("{}   (bound {})", show(price.bandwidth_factor), bound_text(bounds)));
  if (pricing.exact_bandwidth_factor)
    table.add("T_B, cut at will", show(*pricing.exact_bandwidth_factor));
  table.add("B, of a node", format_bandwidth(pricing.network.fabric().node_egress_Bps()));
  table.add("messages", fmt::format("{}", price.messages));
  table.add("largest link load", show(price.max_link_load) + " M");
  if (schedule.units_per_block() > 1)
    table.add("units of a block", fmt::format("{}", schedule.units_per_block()));
  if (schedule.segments().count > 1)
    table.add("segments", fmt::format("{}", schedule.segments().count));
  if (const auto advice = advice_on(pricing)) table.add("note", text_of(*advice));
  streams.out << table.text(screen_of(streams));
  if (has_paths(schedule)) print_paths(schedule, pricing.network.topology(), streams);
}

Json json_of(const ForecastPricing& pricing) {
  const auto& [name, collective, network, forecast] = pricing;
  const auto bounds = question::lower_bounds(collective, network, question::Cuts::taken);
  Json json = {{"collective", std::string(name_of(collective.kind))},
               {"algorithm", name},
               {"topology", network.topology().name()},
               {"routing", std::string(network.routing().name())},
               {"relayed_pairs", relayed_pairs(network)},
               {"ranks", collective.ranks},
               {"steps", forecast.steps},
               {"bandwidth_factor", to_string(forecast.bandwidth_factor)},
               {"steps_bound", bounds.steps},
               {"moore_steps", bounds.moore_steps ? Json(*bounds.moore_steps) : Json()},
               {"verified", false},
               {"node_bandwidth_Bps", network.fabric().node_egress_Bps()},
               {"units_per_block", forecast.units_per_block}};
  add_bounds(bounds, json);
  if (forecast.exact_bandwidth_factor != forecast.bandwidth_factor)
    json["exact_bandwidth_factor"] = to_string(forecast.exact_bandwidth_factor);
  if (collective.rooted()) json["root"] = collective.root.value();
  Json steps = Json::array();
  for (const Rational& factor : forecast.step_factors) steps.push_back(to_string(factor));
  json["step_factors"] = std::move(steps);
  return json;
}

void print_facts(const ForecastPricing& pricing, Streams& streams) {
  const auto& [name, collective, network, forecast] = pricing;
  const auto bounds = question::lower_bounds(collective, network, question::Cuts::taken);
  Facts table;
  table.add("collective",
            fmt::format("{} of {} ranks", name_of(collective.kind), collective.ranks));
  table.add("algorithm", name);
  table.add("topology", network.topology().name());
  table.add("verified", "no; the schedule was not built");
  // Those that can tell their price move data a link a step, where no switch is between.
  const bool has_switches = network.topology().has_switches();
  table.add("steps T_L",
            fmt::format("{}   (bound {})", forecast.steps,
                        has_switches ? steps_text(bounds, LinkSteps::none)
                                     : text_of({.steps = bounds.steps, .one_link = true})));
  table.add("bandwidth T_B",
            fmt::format("{}   (bound {})", show(forecast.bandwidth_factor), bound_text(bounds)));
  if (forecast.exact_bandwidth_factor != forecast.bandwidth_factor)
    table.add("T_B, cut at will", show(forecast.exact_bandwidth_factor));
  table.add("chunks of a block", fmt::format("{}", forecast.units_per_block));
  table.add("B, of a node", format_bandwidth(network.fabric().node_egress_Bps()));
  streams.out << table.text(screen_of(streams));
}

}  // namespace weft::cli
