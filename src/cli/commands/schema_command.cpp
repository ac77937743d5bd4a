// weft schema COMMAND: the JSON schema of a command's answer.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answers/program_simulation.hpp"
#include "cli/answers/simulation_answer.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/compare/comparison_answer.hpp"
#include "cli/degrade/degrade_answer.hpp"
#include "cli/design/design_answer.hpp"
#include "cli/options/options.hpp"
#include "cli/order/order_answer.hpp"
#include "cli/plan/plan_answer.hpp"
#include "cli/together/together_answer.hpp"
#include "cli/train/trace_answer.hpp"
#include "cli/train/training_answer.hpp"
#include "weft/answer/json.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/design/economics/economics_answer.hpp"

namespace weft::cli {

namespace {

/// A command whose answer has a table of parts.
struct Described {
  std::string_view command;
  std::vector<answer::Shape> (*shapes)();
};
template <class T>
answer::Shape shape_of(const answer::Parts<T>& parts, const char* of = "") {
  return {of, answer::texts_of(parts)};
}

std::vector<answer::Shape> simulation_shapes() {
  std::vector<answer::Shape> shapes{shape_of(simulation_parts(), "a schedule"),
                                    shape_of(together_parts(), "several calls, of --together")};
  for (answer::Shape& shape : program_shapes()) shapes.push_back(std::move(shape));
  return shapes;
}

// In the order of the alphabet.
constexpr std::array kDescribed{
    Described{"calibrate", calibrate_shapes},
    Described{"compare", [] { return std::vector{shape_of(comparison_parts())}; }},
    Described{"cost", cost_shapes},
    Described{"degrade", [] { return std::vector{shape_of(degrade_parts())}; }},
    Described{"design", [] { return std::vector{shape_of(design_parts())}; }},
    Described{"draw", draw_shapes},
    Described{"economics", [] { return std::vector{shape_of(design::economics_parts())}; }},
    Described{"export", export_shapes},
    Described{"find", find_shapes},
    Described{"fit", fit_shapes},
    Described{"import", import_shapes},
    Described{"list", list_shapes},
    Described{"load-curve", load_curve_shapes},
    Described{"optimum", optimum_shapes},
    Described{"order",
              [] {
                return std::vector{shape_of(order_parts(), "one collective"),
                                   shape_of(order_mix_parts(), "several collectives, of --mix")};
              }},
    Described{"plan",
              [] {
                return std::vector{shape_of(made_plan_parts(), "a plan that was made"),
                                   shape_of(shown_plan_parts(), "a plan that is shown"),
                                   shape_of(checked_plan_parts(), "a plan that was checked")};
              }},
    Described{"profile", profile_shapes},
    Described{"reproduce", reproduce_shapes},
    Described{"results", results_shapes},
    Described{"schedule", schedule_shapes},
    Described{"simulate", simulation_shapes},
    Described{"sweep", sweep_shapes},
    Described{"synthesize", synthesize_shapes},
    Described{"testbed", testbed_shapes},
    Described{"throughput", throughput_shapes},
    Described{"topology", topology_shapes},
    Described{"train",
              [] {
                return std::vector{shape_of(training_parts(), "a step of training"),
                                   shape_of(trace_parts(), "a trace, of --trace")};
              }},
    Described{"verify", verify_shapes},
    Described{"where", where_shapes}};

struct SchemaCommand {
  const CommandLine* program = nullptr;
  std::string command;
  OutputOptions common;
};

// The schema is JSON, with and without --json.
int run(const SchemaCommand& options, Streams& streams) {
  const std::string& command = options.command;
  const auto described = std::ranges::find(kDescribed, command, &Described::command);
  if (described != kDescribed.end()) {
    streams.out << answer::schema_of(command, described->shapes()) << '\n';
    return kFine;
  }
  std::vector<std::string> known;
  for (const Command each : options.program->commands()) known.push_back(each.name());
  if (std::ranges::find(known, command) == known.end()) reject_unknown({"command", command}, known);
  std::string list;
  for (const Described& each : kDescribed)
    list += (list.empty() ? "" : ", ") + std::string(each.command);
  reject("weft {} has no schema; the commands with --json have one: {}", command, list);
}

}  // namespace

void add_schema_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<SchemaCommand>();
  options->program = &program;
  const Command command =
      program.add_command("schema", "Print the JSON schema of the answer of a command");
  const OptionAdder add(command);
  add("command", options->command, "Command whose answer with --json is described").required();
  add_output_options(command, options->common);
  draws_nothing(command);
  command.footer(
      "Examples:\n"
      "  # Which keys has the answer of weft find --json, and of which types are they?\n"
      "  weft schema find");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
