// weft verify FILE: proves a schedule from a file, or names the first thing wrong with it.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "weft/schedule/file.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string file;
  bool dump = false;
  OutputOptions common;
};

Json json_of(const Schedule& schedule, const schedule::VerifyResult& result,
             const OutputOptions& common) {
  Json json = answer("verify", common);
  json["collective"] = std::string(name_of(schedule.collective().kind));
  json["algorithm"] = schedule.algorithm();
  json["topology"] = schedule.binding().topology;
  json["ranks"] = schedule.collective().ranks;
  json["steps"] = schedule.steps();
  json["messages"] = schedule.message_count();
  json["verified"] = static_cast<bool>(result);
  if (result) {
    json["keeps_order"] = result->facts().keeps_order;
    json["overwrites"] = result->facts().overwrites;
    json["combined_messages"] = result->facts().combined_messages;
    return json;
  }
  const schedule::Fault& fault = result.fault();
  json["fault"] = {{"step", fault.step},
                   {"message", fault.message ? Json(*fault.message) : Json()},
                   {"unit", fault.unit},
                   {"text", fault.text}};
  return json;
}

int run(const Options& options, Streams& streams) {
  const Schedule schedule = schedule::load(options.file);
  if (options.dump) {
    streams.out << schedule::dump(schedule);
    return kFine;
  }
  std::optional<BuiltTopology> built;
  if (schedule.route_count() > 0) built = topology_of(schedule);
  const auto result = verify(schedule, built ? &built->topology : nullptr);
  if (options.common.json) {
    print(json_of(schedule, result, options.common), streams);
  } else if (result) {
    streams.out << fmt::format("{}: right. {} of {} ranks by {}: {} steps, {} messages{}\n",
                               options.file, name_of(schedule.collective().kind),
                               schedule.collective().ranks, schedule.algorithm(), schedule.steps(),
                               schedule.message_count(),
                               result->facts().keeps_order ? "" : "; operations must commute");
  } else {
    streams.out << fmt::format("{}: wrong. {}\n", options.file, result.fault().text);
  }
  return result ? kFine : kNo;
}

}  // namespace

void add_verify_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "verify", "Prove a schedule file right, or say what is wrong (exit 1)");
  command->add_option("file", options->file, "Schedule file (.weft); - is standard input")
      ->required();
  command->add_flag("--dump", options->dump, "Print the schedule as text instead");
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft verify bruck.weft\n"
      "  weft schedule allreduce -t ring:8 -a ring -o - | weft verify -");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
