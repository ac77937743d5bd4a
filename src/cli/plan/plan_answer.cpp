#include "cli/plan/plan_answer.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "cli/answers/network_parts.hpp"
#include "cli/answers/parts.hpp"
#include "cli/plan/left_out.hpp"
#include "weft/advise/plan/plan_parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

constexpr const char* kForwarding = "hosts without a rank that forward messages";

/// A schedule of a plan that was made, and the hosts without ranks that its messages pass.
struct MadeSchedule {
  const plan::PlannedSchedule& schedule;
  const std::vector<NodeId>& forwarding_hosts;
};

std::vector<MadeSchedule> schedules_of(const MadePlan& a) {
  std::vector<MadeSchedule> schedules;
  for (std::size_t i = 0; i < a.chosen.plan.schedules.size(); ++i)
    schedules.push_back({a.chosen.plan.schedules[i], a.chosen.forwarding_hosts[i]});
  return schedules;
}

Parts<MadeSchedule> made_schedule_parts() {
  constexpr PartOf<MadeSchedule> part;
  return join(part.within(
                  [](const MadeSchedule& a) -> const auto& { return a.schedule; },
                  advise::planned_schedule_parts()),
              {part("forwarding_hosts", "", Unit::none, kForwarding,
                    [](const MadeSchedule& a) { return a.forwarding_hosts; })});
}

// What plans that are made and read have in common.
Parts<plan::Plan> plan_parts() {
  constexpr PartOf<plan::Plan> part;
  return {part("different_bits", "different bits", Unit::none,
               "whether results of floating-point allreduces may differ from rank to rank",
               &plan::Plan::allows_different_bits)
              .shown_as([](const plan::Plan& plan) {
                return plan.allows_different_bits ? "allowed" : "not allowed";
              }),
          part("host_names", "hosts", Unit::none, "host of each rank; empty: rank i is on node i",
               &plan::Plan::hosts)
              .shown_as([](const plan::Plan& plan) {
                return plan.hosts.empty() ? "any; ranks in the order of the placement"
                                          : fmt::format("{}", fmt::join(plan.hosts, ","));
              }),
          part.list("ranges", "what runs at which size", advise::ranges_of, advise::range_parts())};
}

Parts<PlanFault> fault_parts() {
  constexpr PartOf<PlanFault> part;
  return {part(keys::kCollective,
               [](const PlanFault& fault) { return name_of(fault.schedule.collective.kind); }),
          part(keys::kAlgorithm, [](const PlanFault& fault) { return fault.schedule.algorithm; }),
          part("fault", "", Unit::none, "what is wrong with the schedule", &PlanFault::text)};
}

// Why the programs differ from the properties in the plan; nothing if they agree.
std::optional<std::string> fault_of(const plan::PlannedSchedule& planned) {
  try {
    const schedule::VerifyResult result = schedule::verify(plan::lift(planned));
    if (!result) return result.fault().text;
    const plan::PlannedSchedule again = plan::planned(*result);
    if (again.programs != planned.programs)
      return "the reductions do not follow the order of the schedule";
    if (planned.keeps_order && !again.keeps_order)
      return "the plan states that it keeps the order of ranks, but it does not";
    if (planned.one_association && !again.one_association)
      return "the plan states one association of all ranks, but their reductions differ";
    return std::nullopt;
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

std::vector<PlanFault> faults_of(const plan::Plan& plan) {
  std::vector<PlanFault> faults;
  for (const plan::PlannedSchedule& each : plan.schedules)
    if (const auto fault = fault_of(each)) faults.push_back({each, *fault});
  return faults;
}

}  // namespace

Parts<MadePlan> made_plan_parts() {
  constexpr PartOf<MadePlan> part;
  return join(
      join(part.within(
               [](const MadePlan& a) {
                 return UsedNetwork{a.network, a.said};
               },
               network_parts_of_jobs()),
           {part("output", "", Unit::none, "file of the plan",
                 [](const MadePlan& a) { return a.output; }),
            part("bytes", "", Unit::bytes, "size of the file", &MadePlan::file_B)}),
      join(part.within(
               [](const MadePlan& a) -> const auto& { return a.chosen.plan; }, plan_parts()),
           {part.list("schedules", "the schedules", schedules_of, made_schedule_parts()),
            part("remarks", "", Unit::none, "what the plan does not have, and why",
                 [](const MadePlan& a) { return a.remarks; }),
            part.list(
                "left_out", "algorithms that some collectives are planned without",
                [](const MadePlan& a) { return grouped(a.chosen.left_out); }, left_out_parts()),
            part("forwarding_hosts", "", Unit::none, kForwarding, &MadePlan::forwarding_hosts)}));
}

Parts<ReadPlan> shown_plan_parts() {
  constexpr PartOf<ReadPlan> part;
  const auto plan = [](const ReadPlan& a) -> const auto& {
    return a.plan;
  };
  return join(
      join({part("file", "", Unit::none, "file of the plan",
                 [](const ReadPlan& a) { return a.path; }),
            part("made_for", "", Unit::none, "network, speeds and model that it was made for",
                 [](const ReadPlan& a) { return a.plan.facts; }),
            part(keys::kRanks, "ranks", [](const ReadPlan& a) { return a.plan.ranks; })},
           part.within(plan, plan_parts())),
      {part.list(
          "schedules", "the schedules",
          [](const ReadPlan& a) -> const auto& { return a.plan.schedules; },
          advise::planned_schedule_parts())});
}

Parts<CheckedPlan> checked_plan_parts() {
  constexpr PartOf<CheckedPlan> part;
  return {part("file", "", Unit::none, "file of the plan",
               [](const CheckedPlan& a) { return a.read.path; }),
          part("checked", "", Unit::none, "schedules that were checked",
               [](const CheckedPlan& a) { return a.read.plan.schedules.size(); }),
          part.list("faults", "schedules that do not do what the plan states", &CheckedPlan::faults,
                    fault_parts())};
}

Table table_of(const plan::Plan& plan) {
  constexpr auto kColumns =
      std::to_array<answer::Column>({{"collective"}, {"sizes"}, {"algorithm"}, {"time"}, {"size"}});
  return table_of(answer::cells_of<advise::AnsweredRange>(
      advise::ranges_of(plan), advise::range_parts(), kColumns, answer::Reader::person));
}

int show_plan(const ReadPlan& read, const OutputOptions& common, Streams& streams) {
  if (common.json) {
    print_json("plan", read, shown_plan_parts(), common, streams);
    return kFine;
  }
  Facts facts;
  for (const auto& [name, value] : read.plan.facts) facts.add(name, value);
  for (const auto& [name, value] : answer::facts_of(read, shown_plan_parts()))
    facts.add(name, value);
  const Screen screen = screen_of(streams);
  streams.out << facts.text(screen) << '\n' << table_of(read.plan).text(screen);
  return kFine;
}

int check_plan(const ReadPlan& read, const OutputOptions& common, Streams& streams) {
  const CheckedPlan checked{read, faults_of(read.plan)};
  if (common.json) {
    print_json("plan", checked, checked_plan_parts(), common, streams);
  } else {
    for (const PlanFault& fault : checked.faults)
      streams.out << fmt::format("{} of {}: {}\n", fault.schedule.algorithm,
                                 name_of(fault.schedule.collective.kind), fault.text);
    if (checked.faults.empty())
      streams.out << fmt::format("{}: {} proved correct\n", read.path,
                                 counted(std::ssize(read.plan.schedules), "schedule"));
  }
  return checked.faults.empty() ? kFine : kNo;
}

}  // namespace weft::cli
