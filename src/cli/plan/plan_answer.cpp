#include "cli/plan/plan_answer.hpp"

#include <fmt/format.h>

#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

Json bound(std::int64_t size_B) {
  return size_B == plan::kNoEnd ? Json(nullptr) : Json(size_B);
}

Json json_of(const plan::PlannedRange& range, const plan::Plan& plan) {
  Json json{{"collective", std::string(name_of(range.kind))},
            {"root", nullptr},
            {"from", range.first_B},
            {"to", bound(range.last_B)},
            {"schedule", nullptr},
            {"algorithm", "native"},
            {"size", nullptr},
            {"time", nullptr}};
  if (range.root) json["root"] = range.root->value();
  if (!range.schedule) return json;
  json["schedule"] = *range.schedule;
  json["algorithm"] = plan.schedules[*range.schedule].algorithm;
  json["size"] = range.timed_B;
  json["time"] = range.time_s;
  return json;
}

Json json_of(const plan::PlannedSchedule& schedule) {
  return {
      {"collective", std::string(name_of(schedule.collective.kind))},
      {"algorithm", schedule.algorithm},
      {"steps", schedule.stored_steps + (schedule.segments.count - 1) * schedule.segments.stride},
      {"units_per_block", schedule.units_per_block},
      {"segments", schedule.segments.count},
      {"keeps_order", schedule.keeps_order},
      {"one_association", schedule.one_association},
      {"explicit_routes", schedule.has_routes}};
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

}  // namespace

Json json_of(const plan::Plan& plan) {
  Json json;
  json["different_bits"] = plan.allows_different_bits;
  json["host_names"] = plan.hosts;
  json["ranges"] = Json::array();
  for (const plan::PlannedRange& range : plan.ranges)
    json["ranges"].push_back(json_of(range, plan));
  json["schedules"] = Json::array();
  for (const plan::PlannedSchedule& each : plan.schedules)
    json["schedules"].push_back(json_of(each));
  return json;
}

Table table_of(const plan::Plan& plan) {
  Table table({"collective", "sizes", "schedule", "time", "at size"});
  for (const plan::PlannedRange& range : plan.ranges) {
    std::string collective(name_of(range.kind));
    if (range.root) collective += fmt::format(" from {}", range.root->value());
    if (range.kind == CollectiveKind::reduce || range.kind == CollectiveKind::gather)
      collective = fmt::format("{} to {}", name_of(range.kind), range.root->value());
    if (!range.schedule) {
      table.add({collective, sizes_text(range), "native", "", ""});
      continue;
    }
    const plan::PlannedSchedule& schedule = plan.schedules[*range.schedule];
    const std::string segments =
        schedule.segments.count == 1 ? "" : fmt::format(", {} segments", schedule.segments.count);
    table.add({collective, sizes_text(range), schedule.algorithm + segments,
               format_seconds(range.time_s), format_size(range.timed_B)});
  }
  return table;
}

int show_plan(const plan::Plan& plan, const std::string& path, const OutputOptions& common,
              Streams& streams) {
  Record record{answer("plan", common)};
  record.json["file"] = path;
  Json facts;
  for (const auto& [name, value] : plan.facts) {
    record.facts.add(name, value);
    facts[name] = value;
  }
  record.json["made_for"] = facts;
  record.add("ranks", plan.ranks, "ranks");
  record.facts.add("different bits", plan.allows_different_bits ? "allowed" : "not allowed");
  record.facts.add("hosts", plan.hosts.empty() ? "any; ranks in the order of the placement"
                                               : fmt::format("{}", fmt::join(plan.hosts, ",")));
  record.json.update(json_of(plan));
  record.below = '\n' + table_of(plan).text(screen_of(streams));
  print(record, common, streams, screen_of(streams));
  return kFine;
}

int check_plan(const plan::Plan& plan, const std::string& path, const OutputOptions& common,
               Streams& streams) {
  Json faults = Json::array();
  for (const plan::PlannedSchedule& each : plan.schedules)
    if (const auto fault = fault_of(each))
      faults.push_back({{"collective", std::string(name_of(each.collective.kind))},
                        {"algorithm", each.algorithm},
                        {"fault", *fault}});
  if (common.json) {
    Json json = answer("plan", common);
    json["file"] = path;
    json["checked"] = plan.schedules.size();
    json["faults"] = faults;
    print(json, streams);
  } else {
    for (const Json& fault : faults)
      streams.out << fmt::format("{} of {}: {}\n", fault["algorithm"].get<std::string>(),
                                 fault["collective"].get<std::string>(),
                                 fault["fault"].get<std::string>());
    if (faults.empty())
      streams.out << fmt::format("{}: {} proved correct\n", path,
                                 counted(std::ssize(plan.schedules), "schedule"));
  }
  return faults.empty() ? kFine : kNo;
}

}  // namespace weft::cli
