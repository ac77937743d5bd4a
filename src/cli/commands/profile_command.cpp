// weft profile: which collectives of an MPI program take its time, and what a plan would give.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <span>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/plan/profile.hpp"

namespace weft::cli {

namespace {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using plan::CallSummary;
using plan::Prediction;

struct ProfileCommand {
  std::string file, plan;
  OutputOptions common;
};

struct Row {
  CallSummary calls;
  std::optional<Prediction> there = {};
  std::optional<double> share = {};  // of the time of all rows
};

struct Answer {
  std::string file;
  std::int32_t ranks = 0;
  std::vector<Row> rows = {};
  double time_s = 0;                       // of a rank
  std::optional<double> plan_time_s = {};  // with the plan where it serves
};

Answer answer_of(const ProfileCommand& options) {
  const plan::Profile profile = plan::read_profile(options.file);
  std::optional<plan::Plan> plan;
  if (!options.plan.empty()) plan = plan::read_plan(options.plan);
  Answer answer{.file = options.file, .ranks = profile.ranks};
  if (plan) answer.plan_time_s = 0;
  for (CallSummary& calls : plan::summarise(profile)) {
    Row row{.calls = std::move(calls)};
    if (plan) row.there = plan::prediction(*plan, row.calls);
    answer.time_s += row.calls.time_s;
    if (plan)
      *answer.plan_time_s += row.there ? row.there->time_s * row.calls.calls : row.calls.time_s;
    answer.rows.push_back(std::move(row));
  }
  if (answer.time_s > 0)
    for (Row& row : answer.rows) row.share = row.calls.time_s / answer.time_s;
  return answer;
}

std::string sizes_text(const Row& row) {
  const std::int64_t from_B = row.calls.from_B;
  if (from_B == 0) return "none";
  return fmt::format("{}..{}", format_size(from_B), format_size(2 * from_B - 1));
}

std::string share_text(const Row& row) {
  return row.share ? fmt::format("{:.1f}%", 100 * *row.share) : "";
}

Parts<Row> row_parts() {
  constexpr PartOf<Row> part;
  const auto of_calls = [](auto member) {
    return [member](const Row& row) { return std::invoke(member, row.calls); };
  };
  return {
      part("communicator", "communicator", Unit::none, "name of the communicator",
           of_calls(&CallSummary::communicator)),
      part("members", "ranks", Unit::none, "number of its ranks", of_calls(&CallSummary::members)),
      part("collective", "collective", Unit::none, "MPI function",
           of_calls(&CallSummary::collective)),
      part("from", "sizes", Unit::bytes, "smallest size; the largest is below twice that",
           of_calls(&CallSummary::from_B))
          .shown_as(sizes_text),
      part("size", "", Unit::bytes, "mean size of a call", of_calls(&CallSummary::mean_B)),
      part("calls", "calls", Unit::none, "calls of a rank", of_calls(&CallSummary::calls)),
      part("time", "time", Unit::seconds, "time of a rank in these calls",
           of_calls(&CallSummary::time_s)),
      part.line("share", share_text),
      part("each", "each", Unit::seconds, "time of a call", of_calls(&CallSummary::each_s)),
      part("ran", "ran", Unit::none, "schedule of the plan, or native with the reason",
           of_calls(&CallSummary::ran)),
      part("plan_algorithm", "plan", Unit::none, "algorithm of the plan of --plan, or null",
           [](const Row& row) {
             return row.there ? std::optional(row.there->algorithm) : std::nullopt;
           }),
      part("plan_time", "predicted", Unit::seconds,
           "time of a call that the plan predicts, or null", [](const Row& row) {
             return row.there ? std::optional(row.there->time_s) : std::nullopt;
           })};
}

Parts<Answer> profile_parts() {
  constexpr PartOf<Answer> part;
  return {part("file", "", Unit::none, "file of the profile", &Answer::file),
          part("ranks", "", Unit::none, "ranks of the job", &Answer::ranks),
          part("time", "", Unit::seconds, "time of a rank in all collectives", &Answer::time_s),
          part("plan_time", "", Unit::seconds,
               "the same with the times of the plan where it has them, or null without --plan",
               &Answer::plan_time_s),
          part.list("rows", "calls of one collective and size, longest time first", &Answer::rows,
                    row_parts())};
}

constexpr auto kColumns = std::to_array<Column>({{"communicator"},
                                                 {"members"},
                                                 {"collective"},
                                                 {"from"},
                                                 {"calls"},
                                                 {"time"},
                                                 {"share"},
                                                 {"each"},
                                                 {"ran"},
                                                 {"plan_algorithm"},
                                                 {"plan_time"}});
constexpr std::size_t kColumnsOfPlan = 2;  // the last ones

int run(const ProfileCommand& options, Streams& streams) {
  const Answer found = answer_of(options);
  if (options.common.json) {
    print_json("profile", found, profile_parts(), options.common, streams);
    return kFine;
  }
  const std::size_t columns = kColumns.size() - (found.plan_time_s ? 0 : kColumnsOfPlan);
  const answer::Cells cells = answer::cells_of<Row>(
      found.rows, row_parts(), std::span(kColumns).first(columns), answer::Reader::person);
  streams.out << table_of(cells).text(screen_of(streams));
  streams.out << fmt::format("\n{} of a rank's time in collectives, the mean of {} ranks\n",
                             format_seconds(found.time_s), found.ranks);
  if (found.plan_time_s)
    streams.out << fmt::format("{} as the plan predicts for its network, where it serves them\n",
                               format_seconds(*found.plan_time_s));
  return kFine;
}

}  // namespace

std::vector<answer::Shape> profile_shapes() {
  return {{.parts = texts_of(profile_parts())}};
}

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
