// What `weft schedule` and `weft cost` say of a schedule on a network.
#include <fmt/format.h>

#include "cli/answers/bounds.hpp"
#include "cli/answers/parts.hpp"
#include "cli/answers/routing_text.hpp"
#include "cli/options/options.hpp"
#include "cli/options/paths.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/routing_work.hpp"

namespace weft::cli {

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

std::optional<advise::RoutingAdvice> advice_on(const Pricing& pricing) {
  const auto note = schedule::routing_note(pricing.verified.schedule(), pricing.network);
  return note ? advise::advise(*note, pricing.verified, pricing.network) : std::nullopt;
}

}  // namespace

Record record_of(const Pricing& pricing, Json begun, const Screen& screen, Notes& notes) {
  const Schedule& schedule = pricing.verified.schedule();
  const Collective& collective = schedule.collective();
  const Network& network = pricing.network;
  const Cost price = schedule::cost(pricing.verified, network);
  const auto bounds = evaluate::lower_bounds(collective, network, evaluate::Cuts::and_optimum,
                                             evaluate::combining_of(schedule));
  const auto least_steps = evaluate::step_bound(schedule, network, bounds.steps);
  const auto& learnt = pricing.verified.facts();
  const std::int64_t egress_Bps = network.fabric().node_egress_Bps();
  const std::int64_t units = schedule.units_per_block(), segments = schedule.segments().count;
  const auto advice = advice_on(pricing);
  Record record{std::move(begun)};
  auto& [json, facts, below] = record;
  record.add("collective", name_of(collective.kind), "collective",
             fmt::format("{} of {}{}", name_of(collective.kind), counted(collective.ranks, "rank"),
                         ends_text(collective)));
  record.add("algorithm", schedule.algorithm(), "algorithm");
  record.add("topology", network.topology().name(), "topology");
  record.add("routing", network.routing().name(), "routing", routing_text(network));
  json["routing_reason"] = routing_reason(network);
  json["relayed_pairs"] = relayed_pairs(network);
  json["ranks"] = collective.ranks;
  facts.add("verified", learnt.keeps_order ? "yes; also for non-commutative operations"
                                           : "yes; needs commutative operations");
  record.add("steps", price.steps, "steps T_L",
             fmt::format("{}   (bound {})", price.steps, text_of(least_steps)));
  json["messages"] = price.messages;
  record.add("bandwidth_factor", price.bandwidth_factor, "bandwidth T_B",
             fmt::format("{}   ({})", show(price.bandwidth_factor), bound_text(bounds)));
  const bool cut =
      pricing.exact_bandwidth_factor.value_or(price.bandwidth_factor) < price.bandwidth_factor;
  if (cut) facts.add("T_B, any division", show(*pricing.exact_bandwidth_factor));
  facts.add("B per node", format_bandwidth(egress_Bps));
  facts.add("messages", fmt::format("{}", price.messages));
  json.update({{"steps_bound", bounds.steps},
               {"least_steps", least_steps.steps},
               {"moore_steps", bounds.moore_steps},
               {"verified", true}});
  record.add("max_link_load", price.max_link_load, "largest link load",
             show(price.max_link_load) + " M");
  json.update({{"node_bandwidth_Bps", egress_Bps},
               {"units_per_block", units},
               {"segments", segments},
               {"symmetry_order", schedule.symmetry().order()},
               {"keeps_order", learnt.keeps_order},
               {"overwrites", learnt.overwrites},
               {"combined_messages", learnt.combined_messages},
               {"in_network", schedule.helpers() > 0}});
  if (units > 1) facts.add("units per block", fmt::format("{}", units));
  if (segments > 1) facts.add("segments", fmt::format("{}", segments));
  if (advice) notes.add(NoteWeight::assumption, text_of(*advice));
  json.update(json_of(bounds, bounds_parts()));
  if (cut) json["exact_bandwidth_factor"] = *pricing.exact_bandwidth_factor;
  json.update(json_of(collective, ends_parts()));
  json["step_factors"] = price.step_factors;
  json["routing_note"] = advice ? json_of(*advice, routing_advice_parts()) : Json();
  json["routing_judged"] = schedule::judges_routing(schedule, network);
  if (has_paths(schedule)) {
    json["paths"] = Json::array();
    for (const Path& path : paths_of(schedule, network.topology()))
      json["paths"].push_back(json_of(path, path_parts()));
    below = text_of_paths(schedule, network.topology(), screen);
  }
  return record;
}

Record record_of(const ForecastPricing& pricing, Json begun) {
  const auto& [name, collective, network, forecast] = pricing;
  const auto bounds = evaluate::lower_bounds(collective, network, evaluate::Cuts::and_optimum);
  const std::int64_t egress_Bps = network.fabric().node_egress_Bps();
  const bool cut = forecast.exact_bandwidth_factor < forecast.bandwidth_factor;
  Record record{std::move(begun)};
  Json& json = record.json;
  Facts& facts = record.facts;
  record.add("collective", name_of(collective.kind), "collective",
             fmt::format("{} of {}", name_of(collective.kind), counted(collective.ranks, "rank")));
  record.add("algorithm", name, "algorithm");
  record.add("topology", network.topology().name(), "topology");
  json["routing"] = network.routing().name();
  json["relayed_pairs"] = relayed_pairs(network);
  json["ranks"] = collective.ranks;
  facts.add("verified", "no; the schedule was not built");
  // Those that can tell their price move data a link a step, where no switch is between.
  record.add("steps", forecast.steps, "steps T_L",
             fmt::format("{}   (bound {})", forecast.steps,
                         network.topology().has_switches()
                             ? steps_text(bounds, LinkSteps::none)
                             : text_of({.steps = bounds.steps, .one_link = true})));
  record.add("bandwidth_factor", forecast.bandwidth_factor, "bandwidth T_B",
             fmt::format("{}   ({})", show(forecast.bandwidth_factor), bound_text(bounds)));
  if (cut) facts.add("T_B, any division", show(forecast.exact_bandwidth_factor));
  facts.add("chunks per block", fmt::format("{}", forecast.units_per_block));
  facts.add("B per node", format_bandwidth(egress_Bps));
  json["steps_bound"] = bounds.steps;
  json["moore_steps"] = bounds.moore_steps;
  json["verified"] = false;
  json["node_bandwidth_Bps"] = egress_Bps;
  json["units_per_block"] = forecast.units_per_block;
  json.update(json_of(bounds, bounds_parts()));
  if (cut) json["exact_bandwidth_factor"] = forecast.exact_bandwidth_factor;
  if (collective.rooted()) json["root"] = collective.root.value();
  json["step_factors"] = forecast.step_factors;
  return record;
}

}  // namespace weft::cli
