// The tables of parts of what weft design answers of each candidate.
#include "weft/design/design_parts.hpp"

#include <functional>
#include <utility>

#include "weft/answer/keys.hpp"
#include "weft/base/units.hpp"

namespace weft::design {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

Parts<Fragility> fragility_parts() {
  constexpr PartOf<Fragility> part;
  return {
      part(keys::kPossible, &Fragility::possible),
      part("judged", "", Unit::none, "failures with a known result", &Fragility::judged),
      part(keys::kTriedFailures, &Fragility::tried),
      part("cut", "", Unit::none, "failures after which the calls cannot go on", &Fragility::cut),
      part("remade", "", Unit::none, "failures after which a schedule was built again",
           &Fragility::remade),
      part("mean_slowdown", "", Unit::none,
           "mean time of all calls after a failure, relative to the time without, or null if the "
           "calls can go on after none of those judged",
           &Fragility::mean_slowdown),
      part("worst_slowdown", "", Unit::none,
           "longest time of all calls after a failure, relative to the time without, or null "
           "likewise",
           &Fragility::worst_slowdown),
      part("worst", "", Unit::none, "the worst failure, as without(...) takes it, or null likewise",
           &Fragility::worst),
      part("worst_anew", "", Unit::none,
           "slowdown after it with all schedules built again, or null", &Fragility::worst_anew)};
}

Parts<DesignedRow> equipment_parts() {
  constexpr PartOf<DesignedRow> part;
  const auto of_row = [](auto member) {
    return [member](const DesignedRow& a) { return a.row.*member; };
  };
  return {part(keys::kHosts, of_row(&DesignRow::hosts)),
          part("room", "", Unit::none, "number of hosts that fit", of_row(&DesignRow::room)),
          part(keys::kSwitches, of_row(&DesignRow::switches)),
          part("switch_ports", "", Unit::none, "ports of a switch, or null without switches",
               [](const DesignedRow& a) {
                 return a.row.switches > 0 ? std::optional(a.row.switch_model.ports) : std::nullopt;
               }),
          part(keys::kSwitchPart,
               [](const DesignedRow& a) {
                 return a.row.switches > 0 ? quoted_part(a.row.switch_model) : std::nullopt;
               }),
          part(keys::kCables, of_row(&DesignRow::cables)),
          part("ports", "", Unit::none, "largest number of ports in use at a node",
               of_row(&DesignRow::ports))};
}

Parts<DesignedRow> price_parts() {
  constexpr PartOf<DesignedRow> part;
  const auto of_bill = [](auto get) {
    return [get](const DesignedRow& a) { return std::invoke(get, a.row.bill); };
  };
  return {part(keys::kDollars, "$", of_bill(&DesignBill::dollars)).decimals(0),
          part("switch_dollars", "", Unit::dollars, "price of the switches",
               of_bill([](const DesignBill& bill) { return bill.parts.switch_dollars; })),
          part("cable_dollars", "", Unit::dollars, "price of the cables",
               of_bill([](const DesignBill& bill) {
                 return bill.parts.electrical.dollars + bill.parts.optical.dollars;
               })),
          part("panel_ports", "", Unit::none, "ports at panels", of_bill(&DesignBill::panel_ports)),
          part("panels", "", Unit::none, "number of panels", of_bill(&DesignBill::panels)),
          part("panel_dollars", "", Unit::dollars, "price of the panels",
               of_bill(&DesignBill::panel_dollars))};
}

template <class Get>
auto of_row(Get get) {
  return [get](const DesignedRow& a) { return std::invoke(get, a.row); };
}

// Of failures that were tried; null where none was, and where the calls never go on.
auto worst_of(std::optional<Fragility> DesignRow::*failures) {
  return [failures](const DesignedRow& a) {
    const std::optional<Fragility>& tried = a.row.*failures;
    return tried ? tried->worst_slowdown : std::nullopt;
  };
}
auto cut_of(std::optional<Fragility> DesignRow::*failures) {
  return [failures](const DesignedRow& a) {
    const std::optional<Fragility>& tried = a.row.*failures;
    return tried ? std::optional(tried->cut) : std::nullopt;
  };
}

}  // namespace

std::optional<std::string> quoted_part(const SwitchModel& model) {
  return model.part.empty() ? std::nullopt : std::optional(model.part);
}

Parts<DesignedRow> designed_row_parts() {
  constexpr PartOf<DesignedRow> part;
  const auto of_candidate = [](auto member) {
    return [member](const DesignedRow& a) { return a.row.candidate.*member; };
  };
  Parts<DesignedRow> begun{
      part("topology", "network", Unit::none,
           "topology expression; without(...) leaves unused places free",
           of_candidate(&CandidateNetwork::topology)),
      part("also", "", Unit::none, "other candidates that are the same network",
           of_row(&DesignRow::also)),
      part("origin", "kind", Unit::none, "where it is from",
           of_candidate(&CandidateNetwork::origin)),
      part("baseline", "", Unit::none, "whether it is a standard choice",
           of_candidate(&CandidateNetwork::baseline)),
      part("finalist", "", Unit::none, "whether it was simulated and tested with failures",
           of_row(&DesignRow::is_finalist)),
      part("efficient", "", Unit::none,
           "whether no other candidate is as good in time and dollars and better in one of them",
           of_row(&DesignRow::efficient))};
  Parts<DesignedRow> times{
      part("time", "time", Unit::seconds,
           "time of all calls, by the fluid model for finalists, else by the alpha-beta model",
           of_row(&DesignRow::time_s))
          .shown_as([](const DesignedRow& a) {
            return format_seconds(a.row.time_s()) + (a.row.is_finalist() ? "" : "~");
          }),
      part("alpha_beta_time", "", Unit::seconds, "time of all calls by the alpha-beta model",
           of_row(&DesignRow::alpha_beta_s)),
      part(keys::kLeastTimeHere, of_row(&DesignRow::least_s))};
  return join(
      join(join(std::move(begun), equipment_parts()), join(std::move(times), price_parts())),
      {part.object("cables_failed", "results with each cable failed, or null unless a finalist",
                   of_row(&DesignRow::by_cables), fragility_parts()),
       part.object("nodes_failed",
                   "results with each node failed, or each switch if there are some, or null "
                   "unless a finalist",
                   of_row(&DesignRow::by_nodes), fragility_parts())});
}

Parts<DesignedRow> design_row_parts() {
  constexpr PartOf<DesignedRow> part;
  return join(
      designed_row_parts(),
      {part(keys::kAnyLeastTime, [](const DesignedRow& a) { return a.of.any_least_s(a.row); }),
       part("cable_worst_slowdown", "", Unit::none,
            "longest time of all calls after the failure of a cable, relative to the time without",
            worst_of(&DesignRow::by_cables)),
       part("cable_cut", "", Unit::none, "cables after whose failure the calls cannot go on",
            cut_of(&DesignRow::by_cables)),
       part("node_worst_slowdown", "", Unit::none,
            "longest time of all calls after the failure of a node, or of a switch if there are "
            "some, relative to the time without",
            worst_of(&DesignRow::by_nodes)),
       part("node_cut", "", Unit::none,
            "nodes, or switches if there are some, after whose failure the calls cannot go on",
            cut_of(&DesignRow::by_nodes)),
       part("candidates", "", Unit::none, "networks that were timed",
            [](const DesignedRow& a) { return std::ssize(a.of.rows); })});
}

std::vector<Column> design_row_columns() {
  return {{"topology", "best"},
          {"origin"},
          {"time"},
          {"alpha_beta_time"},
          {"least_time"},
          {"any_least_time"},
          {"dollars"},
          {"switch_dollars"},
          {"cable_dollars"},
          {"panel_dollars"},
          {"hosts"},
          {"switches"},
          {"switch_ports"},
          {"cables"},
          {"ports", "ports_used"},
          {"cable_worst_slowdown"},
          {"cable_cut"},
          {"node_worst_slowdown"},
          {"node_cut"},
          {"candidates"}};
}

}  // namespace weft::design
