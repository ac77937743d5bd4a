#include "cli/design/design_answer.hpp"

#include <fmt/format.h>

#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/report/design_page.hpp"

namespace weft::cli {

namespace {

using advise::DesignedCall;
using advise::DesignRow;
using advise::Fragility;
using advise::MixEntry;

Json json_of(const std::optional<Fragility>& fragility) {
  if (!fragility) return nullptr;
  return {{"possible", fragility->possible},
          {"judged", fragility->judged},
          {"tried", fragility->tried},
          {"cut", fragility->cut},
          {"remade", fragility->remade},
          {"mean_slowdown", fragility->mean_slowdown},
          {"worst_slowdown", fragility->worst_slowdown},
          {"worst", fragility->worst},
          {"worst_anew", fragility->worst_anew ? Json(*fragility->worst_anew) : Json(nullptr)}};
}

Json part_of(const advise::SwitchModel& model) {
  return model.part.empty() ? Json(nullptr) : Json(model.part);
}

Json json_of(const DesignedCall& call, const MixEntry& asked) {
  return {{"collective", std::string(name_of(asked.collective))},
          {"size", asked.size_B},
          {"calls", asked.calls},
          {"algorithm", call.algorithm},
          {"schedule", call.schedule},
          {"segments", call.segments},
          {"steps", call.steps},
          {"bandwidth_factor", call.bandwidth_factor},
          {"time", call.fluid_s.value_or(call.time_s)},
          {"alpha_beta_time", call.time_s},
          {"least_time", call.least_s},
          {"routed_time", call.routed_s ? Json(*call.routed_s) : Json(nullptr)}};
}

Json json_of(const DesignRow& row, const advise::DesignAsked& asked) {
  Json json{{"topology", row.candidate.topology},
            {"also", row.also},
            {"origin", row.candidate.origin},
            {"baseline", row.candidate.baseline},
            {"finalist", row.is_finalist()},
            {"efficient", row.efficient},
            {"hosts", row.hosts},
            {"room", row.room},
            {"switches", row.switches},
            {"switch_ports", row.switches > 0 ? Json(row.switch_model.ports) : Json(nullptr)},
            {"switch_part", row.switches > 0 ? part_of(row.switch_model) : Json(nullptr)},
            {"cables", row.cables},
            {"ports", row.ports},
            {"time", row.time_s()},
            {"alpha_beta_time", row.alpha_beta_s()},
            {"least_time", row.least_s()},
            {"dollars", row.bill.dollars()},
            {"switch_dollars", row.bill.parts.switch_dollars},
            {"cable_dollars", row.bill.parts.electrical.dollars + row.bill.parts.optical.dollars},
            {"panel_ports", row.bill.panel_ports},
            {"panels", row.bill.panels},
            {"panel_dollars", row.bill.panel_dollars},
            {"cables_failed", json_of(row.by_cables)},
            {"nodes_failed", json_of(row.by_nodes)}};
  Json& calls = json["calls"] = Json::array();
  for (std::size_t i = 0; i < row.calls.size(); ++i)
    calls.push_back(json_of(row.calls[i], asked.calls[i]));
  return json;
}

}  // namespace

Json json_of(const DesignAnswer& answer, Json json) {
  const auto& [asked, found, speeds, schedules] = answer;
  json["nodes"] = asked.nodes;
  json["degree"] = asked.ports;
  json["build"] = std::string(name_of(asked.build));
  const DesignRow& advised = found.rows[found.chosen];
  if (asked.build == advise::Build::switches) {
    json["radix"] = advised.switch_model.ports;
    json["placement"] = asked.placement;
  }
  json["prices"] = asked.prices.name;
  json["per_rack"] = asked.per_rack > 0 ? Json(asked.per_rack) : Json(nullptr);
  json["hosts_per_rack"] = asked.per_rack > 0 ? Json(nullptr) : Json(asked.hosts_per_rack);
  if (asked.prices.bandwidth_Bps > 0) json["priced_bandwidth_Bps"] = asked.prices.bandwidth_Bps;
  if (asked.build == advise::Build::switches) json["switch_part"] = part_of(advised.switch_model);
  json["bounds"] = Json::array();
  for (std::size_t i = 0; i < found.bounds.size(); ++i)
    json["bounds"].push_back({{"collective", std::string(name_of(asked.calls[i].collective))},
                              {"size", asked.calls[i].size_B},
                              {"steps", found.bounds[i].links},
                              {"bandwidth_factor", found.bounds[i].bandwidth_factor},
                              {"time", found.bounds[i].time_s}});
  json["any_least_time"] = found.any_least_s(advised);
  json["chosen"] = advised.candidate.topology;
  json["reason"] = report::design_reason(found);
  const auto flow = report::flow_command(asked, found, speeds);
  json["flow_left_out"] = flow ? Json(*flow) : Json(nullptr);
  json["rows"] = Json::array();
  for (const DesignRow& row : found.rows) json["rows"].push_back(json_of(row, asked));
  json["dropped"] = found.dropped;
  json["untimed"] = found.untimed;
  json["unjudged"] = found.unjudged;
  json["hurried"] = found.hurried;
  if (!schedules.empty()) json["schedules"] = schedules;
  return json;
}

std::string late_note(const advise::NetworkDesign& found) {
  std::string text = "the time limit was reached";
  if (!found.untimed.empty())
    text += fmt::format("; {} not timed", counted(std::ssize(found.untimed), "network"));
  if (found.unjudged > 0)
    text += fmt::format("; {} neither simulated nor tried with failures",
                        counted(found.unjudged, "finalist"));
  if (found.hurried)
    text += "; the simulated finalist uses the best of a few quick algorithms for each call";
  return text + '\n';
}

std::string text_of(const DesignAnswer& answer, const Screen& screen) {
  const auto& [asked, found, speeds, schedules] = answer;
  Facts facts;
  for (const auto& [name, value] : report::design_facts(asked, found, speeds))
    facts.add(name, value);
  std::string text = facts.text(screen);
  Table calls({"collective", "calls", "algorithm", "T_L", "T_B", "time", "x bound", "x any bound"});
  const DesignRow& chosen = found.rows[found.chosen];
  for (std::size_t i = 0; i < asked.calls.size(); ++i) {
    const DesignedCall& call = chosen.calls[i];
    const double time_s = call.fluid_s.value_or(call.time_s);
    calls.add({fmt::format("{} {}", name_of(asked.calls[i].collective), asked.calls[i].size_text),
               fmt::format("{}", asked.calls[i].calls), call.schedule,
               fmt::format("{}", call.steps),
               fmt::format("{:.4f}", call.bandwidth_factor.to_double()), format_seconds(time_s),
               report::ratio_text(time_s, call.least_s),
               report::ratio_text(time_s, found.bounds[i].time_s)});
  }
  text += '\n' + calls.text(screen) + '\n';
  Table rows({"network", "kind", "time", "x bound", "x any bound", "$", "cable failure",
              found.rows.front().switches > 0 ? "switch failure" : "node failure"});
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const DesignRow& row = found.rows[i];
    rows.add({row.candidate.topology, report::kind_text(row),
              format_seconds(row.time_s()) + (row.is_finalist() ? "" : "~"),
              report::ratio_text(row.time_s(), row.least_s()),
              report::ratio_text(row.time_s(), found.any_least_s(row)),
              fmt::format("{:.0f}", row.bill.dollars()), report::fragility_text(row.by_cables),
              report::fragility_text(row.by_nodes)});
    if (i == found.chosen) rows.emphasise(0);
  }
  text += rows.text(screen);
  text +=
      "~: estimated by the alpha-beta model; other times are by the fluid model\n"
      "x bound: time over the lower bound on this network; x any bound: over that of any network "
      "of these nodes and ports\n"
      "failure: worst slowdown of a single one, by alpha-beta; rebuilt: with new schedules after "
      "that failure; stops: the calls cannot run\n";
  for (const std::string& note : report::design_notes(found)) text += note + '\n';
  return text;
}

}  // namespace weft::cli
