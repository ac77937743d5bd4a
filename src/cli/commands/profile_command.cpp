// weft profile: which collectives of an MPI program take its time, and what a plan would give.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/plan/profile.hpp"

namespace weft::cli {

namespace {

struct ProfileCommand {
  std::string file, plan;
  OutputOptions common;
};

struct Row {
  plan::CallSummary calls;
  std::optional<plan::Prediction> there;
};

struct Answer {
  std::int32_t ranks = 0;
  std::vector<Row> rows;
  double time_s = 0, plan_time_s = 0;  // of a rank; the second with the plan where it serves
};

Answer answer_of(const ProfileCommand& options) {
  const plan::Profile profile = plan::read_profile(options.file);
  std::optional<plan::Plan> plan;
  if (!options.plan.empty()) plan = plan::read_plan(options.plan);
  Answer answer{.ranks = profile.ranks, .rows = {}};
  for (plan::CallSummary& calls : plan::summarise(profile)) {
    Row row{.calls = std::move(calls), .there = {}};
    if (plan) row.there = plan::prediction(*plan, row.calls);
    answer.time_s += row.calls.time_s;
    if (row.there)
      answer.plan_time_s += row.there->time_s * row.calls.calls;
    else
      answer.plan_time_s += row.calls.time_s;
    answer.rows.push_back(std::move(row));
  }
  return answer;
}

std::string sizes_text(std::int64_t from_B) {
  if (from_B == 0) return "none";
  return fmt::format("{}..{}", format_size(from_B), format_size(2 * from_B - 1));
}

std::string share_text(const Row& row, const Answer& answer) {
  return answer.time_s > 0 ? fmt::format("{:.1f}%", 100 * row.calls.time_s / answer.time_s) : "";
}

Table table_of(const Answer& answer, bool has_plan) {
  std::vector<std::string> names = {"communicator", "ranks", "collective", "sizes", "calls",
                                    "time",         "share", "each",       "ran"};
  if (has_plan) names.insert(names.end(), {"plan", "predicted"});
  Table table(std::move(names));
  for (const Row& row : answer.rows) {
    const plan::CallSummary& calls = row.calls;
    std::vector<std::string> cells = {
        calls.communicator,       fmt::format("{}", calls.members),   calls.collective,
        sizes_text(calls.from_B), fmt::format("{:.6g}", calls.calls), format_seconds(calls.time_s),
        share_text(row, answer),  format_seconds(calls.each_s()),     calls.ran};
    if (has_plan) {
      cells.push_back(row.there ? row.there->algorithm : "");
      cells.push_back(row.there ? format_seconds(row.there->time_s) : "");
    }
    table.add(std::move(cells));
  }
  return table;
}

Json json_of(const Row& row) {
  Json json{{"communicator", row.calls.communicator},
            {"members", row.calls.members},
            {"collective", row.calls.collective},
            {"from", row.calls.from_B},
            {"size", row.calls.mean_B},
            {"calls", row.calls.calls},
            {"time", row.calls.time_s},
            {"each", row.calls.each_s()},
            {"ran", row.calls.ran},
            {"plan_algorithm", nullptr},
            {"plan_time", nullptr}};
  if (!row.there) return json;
  json["plan_algorithm"] = row.there->algorithm;
  json["plan_time"] = row.there->time_s;
  return json;
}

int run(const ProfileCommand& options, Streams& streams) {
  const Answer found = answer_of(options);
  if (options.common.json) {
    Json json = answer("profile", options.common);
    json["file"] = options.file;
    json["ranks"] = found.ranks;
    json["time"] = found.time_s;
    json["plan_time"] = nullptr;
    if (!options.plan.empty()) json["plan_time"] = found.plan_time_s;
    json["rows"] = Json::array();
    for (const Row& row : found.rows) json["rows"].push_back(json_of(row));
    print(json, streams);
    return kFine;
  }
  streams.out << table_of(found, !options.plan.empty()).text(screen_of(streams));
  streams.out << fmt::format("\n{} of a rank's time in collectives, the mean of {} ranks\n",
                             format_seconds(found.time_s), found.ranks);
  if (!options.plan.empty())
    streams.out << fmt::format("{} as the plan predicts for its network, where it serves them\n",
                               format_seconds(found.plan_time_s));
  return kFine;
}

}  // namespace

void add_profile_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ProfileCommand>();
  const Command command = program.add_command(
      "profile",
      "Show which collectives of an MPI program take its time, and how much a plan would save");
  const OptionAdder add(command);
  add("file", options->file, "Profile of a program that ran with WEFT_PROFILE=FILE").required();
  add("--plan", options->plan,
      "Plan whose predicted times are printed next to the measured times [none]");
  add_output_options(command, options->common);
  draws_nothing(command);
  command.footer(
      "Examples:\n"
      "  # Which collectives take the time of a program?\n"
      "  weft profile examples/job.profile\n"
      "  # How much would a plan save?\n"
      "  weft plan -t 2dfc:2x2 --collectives allreduce,allgather -o square.plan\n"
      "  weft profile examples/job.profile --plan square.plan");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
