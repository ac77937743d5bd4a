// The table of parts of what weft design answers.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "cli/design/design_answer.hpp"
#include "cli/machine/speeds.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/units.hpp"
#include "weft/design/design_parts.hpp"

namespace weft::cli {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Reader;
using answer::Unit;
using design::AnyNetworkBound;
using design::DesignedCall;
using design::DesignQuestion;
using design::DesignRow;
using design::NetworkDesign;
using order::MixEntry;

namespace {

/// A call of a row.
struct AnsweredCall {
  const DesignAnswer& of;
  const DesignRow& row;
  std::size_t i;

  const MixEntry& asked() const { return of.asked.calls[i]; }
  const DesignedCall& call() const { return row.calls[i]; }
  double time_s() const { return call().fluid_s.value_or(call().time_s); }
};
/// A candidate.
struct AnsweredRow {
  const DesignAnswer& of;
  const DesignRow& row;
};
/// What no network betters, of a call.
struct AnsweredBound {
  const MixEntry& asked;
  const AnyNetworkBound& bound;
};

std::vector<AnsweredCall> calls_of(const AnsweredRow& a) {
  std::vector<AnsweredCall> calls;
  for (std::size_t i = 0; i < a.row.calls.size(); ++i) calls.push_back({a.of, a.row, i});
  return calls;
}

std::vector<AnsweredRow> rows_of(const DesignAnswer& a) {
  std::vector<AnsweredRow> rows;
  for (const DesignRow& row : a.found.rows) rows.push_back({a, row});
  return rows;
}

std::vector<AnsweredBound> bounds_of(const DesignAnswer& a) {
  std::vector<AnsweredBound> bounds;
  for (std::size_t i = 0; i < a.found.bounds.size(); ++i)
    bounds.push_back({a.asked.calls[i], a.found.bounds[i]});
  return bounds;
}

Parts<AnsweredCall> call_parts() {
  constexpr PartOf<AnsweredCall> part;
  const auto of_asked = [](auto member) {
    return [member](const AnsweredCall& a) { return a.asked().*member; };
  };
  const auto of_call = [](auto member) {
    return [member](const AnsweredCall& a) { return a.call().*member; };
  };
  return {part(keys::kCollective, "collective",
               [](const AnsweredCall& a) { return name_of(a.asked().collective); })
              .shown_as([](const AnsweredCall& a) {
                return fmt::format("{} {}", name_of(a.asked().collective), a.asked().size_text);
              }),
          part(keys::kSize, of_asked(&MixEntry::size_B)),
          part(keys::kCalls, "calls", of_asked(&MixEntry::calls)),
          part(keys::kAlgorithm, of_call(&DesignedCall::algorithm)),
          part(keys::kSchedule, "algorithm", of_call(&DesignedCall::schedule)),
          part(keys::kSegments, of_call(&DesignedCall::segments)),
          part(keys::kSteps, "T_L", of_call(&DesignedCall::steps)),
          part(keys::kBandwidthFactor, "T_B", of_call(&DesignedCall::bandwidth_factor))
              .shown_as([](const AnsweredCall& a) {
                return fmt::format("{:.4f}", a.call().bandwidth_factor.to_double());
              }),
          part("time", "time", Unit::seconds,
               "time of a call, by the fluid model for finalists, else by the alpha-beta model",
               &AnsweredCall::time_s),
          part("alpha_beta_time", "", Unit::seconds, "time of a call by the alpha-beta model",
               of_call(&DesignedCall::time_s)),
          part(keys::kLeastTimeHere, of_call(&DesignedCall::least_s)),
          part("routed_time", "", Unit::seconds,
               "time of the fastest algorithm on the routes of the network, if this one is a flow, "
               "or null",
               of_call(&DesignedCall::routed_s)),
          part.line("x bound",
                    [](const AnsweredCall& a) {
                      return report::ratio_text(a.time_s(), a.call().least_s);
                    }),
          part.line("x any bound", [](const AnsweredCall& a) {
            return report::ratio_text(a.time_s(), a.of.found.bounds[a.i].time_s);
          })};
}

Parts<AnsweredRow> row_parts() {
  constexpr PartOf<AnsweredRow> part;
  Parts<AnsweredRow> shared = part.within(
      [](const AnsweredRow& a) {
        return design::DesignedRow{a.of.found, a.row};
      },
      design::designed_row_parts());
  for (answer::Part<AnsweredRow>& each : shared)
    if (each.text.key == "origin")
      each.shown = [](const AnsweredRow& a) { return report::kind_text(a.row); };
  return join(
      std::move(shared),
      {part.line("x bound",
                 [](const AnsweredRow& a) {
                   return report::ratio_text(a.row.time_s(), a.row.least_s());
                 }),
       part.line("x any bound",
                 [](const AnsweredRow& a) {
                   return report::ratio_text(a.row.time_s(), a.of.found.any_least_s(a.row));
                 }),
       part.line("cable failure",
                 [](const AnsweredRow& a) { return report::fragility_text(a.row.by_cables); }),
       part.line("node failure",
                 [](const AnsweredRow& a) { return report::fragility_text(a.row.by_nodes); }),
       part.list("calls", "the calls, in the order given", calls_of, call_parts())});
}

Parts<AnsweredBound> bound_parts() {
  constexpr PartOf<AnsweredBound> part;
  const auto of_bound = [](auto member) {
    return [member](const AnsweredBound& a) { return a.bound.*member; };
  };
  return {
      part(keys::kCollective, [](const AnsweredBound& a) { return name_of(a.asked.collective); }),
      part(keys::kSize, [](const AnsweredBound& a) { return a.asked.size_B; }),
      part("steps", "", Unit::none, "lower bound on the steps", of_bound(&AnyNetworkBound::links)),
      part("bandwidth_factor", "", Unit::none, "lower bound on T_B, in units of M/B",
           of_bound(&AnyNetworkBound::bandwidth_factor)),
      part(keys::kLeastTime, of_bound(&AnyNetworkBound::time_s))};
}

const DesignRow& chosen_in(const DesignAnswer& a) {
  return a.found.rows[a.found.chosen];
}

bool has_switches(const DesignAnswer& a) {
  return a.asked.build == design::Build::switches;
}

// A value of the question.
template <class Get>
auto of_asked(Get get) {
  return [get](const DesignAnswer& a) { return std::invoke(get, a.asked); };
}

Parts<DesignAnswer> asked_parts() {
  constexpr PartOf<DesignAnswer> part;
  return {part.object(
              "speeds", "speeds of the advised network, and where each is from",
              [](const DesignAnswer& a) { return speeds_of(a.network, a.said); }, speeds_parts()),
          part(keys::kNodes, of_asked(&DesignQuestion::nodes)),
          part(keys::kDegree, of_asked(&DesignQuestion::ports)),
          part("build", "", Unit::none, "equipment between the nodes",
               of_asked([](const DesignQuestion& asked) { return name_of(asked.build); })),
          part("radix", "", Unit::none, "ports of the advised switches",
               [](const DesignAnswer& a) { return chosen_in(a).switch_model.ports; })
              .when(has_switches),
          part("placement", "", Unit::none, "how hosts are distributed over spare places",
               of_asked(&DesignQuestion::placement))
              .when(has_switches),
          part("prices", "", Unit::none, "name of the price list",
               of_asked([](const DesignQuestion& asked) { return asked.prices.name; })),
          part("per_rack", "", Unit::none,
               "switches of a rack; nodes, if the network has no switches; null without racks",
               of_asked([](const DesignQuestion& asked) {
                 return asked.per_rack > 0 ? std::optional(asked.per_rack) : std::nullopt;
               })),
          part("hosts_per_rack", "", Unit::none, "hosts of a rack, or null",
               of_asked([](const DesignQuestion& asked) {
                 return asked.per_rack > 0 ? std::nullopt : std::optional(asked.hosts_per_rack);
               })),
          part("priced_bandwidth_Bps", "", Unit::bytes_per_second,
               "bandwidth of the cables of the price list",
               of_asked([](const DesignQuestion& asked) { return asked.prices.bandwidth_Bps; }))
              .when([](const DesignAnswer& a) { return a.asked.prices.bandwidth_Bps > 0; }),
          part(keys::kSwitchPart, [](const DesignAnswer& a) {
            return design::quoted_part(chosen_in(a).switch_model);
          }).when(has_switches)};
}

}  // namespace

Parts<DesignAnswer> design_parts() {
  constexpr PartOf<DesignAnswer> part;
  const auto of_found = [](auto member) {
    return [member](const DesignAnswer& a) { return a.found.*member; };
  };
  return join(
      asked_parts(),
      {part.list("bounds", "lower bounds of each call on any network", bounds_of, bound_parts()),
       part(keys::kAnyLeastTime,
            [](const DesignAnswer& a) { return a.found.any_least_s(chosen_in(a)); }),
       part("chosen", "", Unit::none, "topology expression of the advised network",
            [](const DesignAnswer& a) { return chosen_in(a).candidate.topology; }),
       part("reason", "", Unit::none, "why it is advised",
            [](const DesignAnswer& a) { return report::design_reason(a.found); }),
       part("flow_left_out", "", Unit::none,
            "command that tries a flow for a slow all-to-all, or null",
            [](const DesignAnswer& a) { return report::flow_command(a.asked, a.found, a.speeds); }),
       part.list("rows", "the candidates, finalists first, each part by its time", rows_of,
                 row_parts()),
       part("dropped", "", Unit::none, "candidates without a schedule, and why",
            of_found(&NetworkDesign::dropped)),
       part("untimed", "", Unit::none, "candidates that the time limit left out",
            of_found(&NetworkDesign::untimed)),
       part("unjudged", "", Unit::none, "finalists that the time limit left out",
            of_found(&NetworkDesign::unjudged)),
       part("hurried", "", Unit::none,
            "whether only a few quick algorithms of one candidate were in time",
            of_found(&NetworkDesign::hurried)),
       part("schedules", "", Unit::none, "files of the schedules, by call",
            &DesignAnswer::schedules)
           .when([](const DesignAnswer& a) { return !a.schedules.empty(); })});
}

answer::Cells call_cells(const DesignAnswer& a) {
  constexpr auto kColumns = std::to_array<Column>({{"collective"},
                                                   {"calls"},
                                                   {"schedule"},
                                                   {"steps"},
                                                   {"bandwidth_factor"},
                                                   {"time"},
                                                   {"x bound"},
                                                   {"x any bound"}});
  return answer::cells_of<AnsweredCall>(calls_of({a, chosen_in(a)}), call_parts(), kColumns,
                                        Reader::person);
}

answer::Cells row_cells(const DesignAnswer& a) {
  const char* of_nodes = a.found.rows.front().switches > 0 ? "switch failure" : "node failure";
  const auto columns = std::to_array<Column>({{"topology"},
                                              {"origin"},
                                              {"time"},
                                              {"x bound"},
                                              {"x any bound"},
                                              {"dollars"},
                                              {"cable failure"},
                                              {"node failure", of_nodes}});
  return answer::cells_of<AnsweredRow>(rows_of(a), row_parts(), columns, Reader::person);
}

}  // namespace weft::cli
