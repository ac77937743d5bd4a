// weft verify FILE: proves a schedule from a file, or names the first thing wrong with it.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/answers/schedule_dump.hpp"
#include "cli/commands/commands.hpp"
#include "cli/foreign/collective_file.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

struct VerifyCommand {
  std::string file;
  bool dump = false, expand = false;
  OutputOptions common;
};

/// What is said of a file: the first fault, of its binding or of its messages, or the proof.
struct Judgement {
  std::optional<std::string> binding_fault = {};  // of the network that the file names
  std::optional<schedule::VerifyResult> result;   // where the binding is right
  bool network_checked = false;                   // the file names a network, and it was built

  bool is_right() const { return !binding_fault && *result; }
};

/// The network that the schedule names, where it names one that can be built. What has explicit
/// routes can't be judged without it: its error is thrown then, else added to the notes.
std::optional<BuiltTopology> named_network(const Schedule& schedule, const VerifyCommand& options,
                                           Streams& streams) {
  const std::string& name = schedule.binding().topology;
  if (name.empty() && schedule.route_count() == 0) return std::nullopt;
  const std::string file = name_of_file(options.file);
  try {
    require(!name.empty(), "it has explicit routes, but names no topology; make it again");
    return build_topology_for(name, schedule.agents());
  } catch (const InvalidInput& error) {
    if (schedule.route_count() > 0) throw;
    streams.notes->add(NoteWeight::doubt,
                       fmt::format("'{}': the network that the file names was not checked: {}",
                                   file, error.what()));
    return std::nullopt;
  }
}

Judgement judge(const Schedule& schedule, const VerifyCommand& options, Streams& streams) {
  const auto network = named_network(schedule, options, streams);
  Judgement judgement;
  judgement.network_checked = network.has_value();
  if (network) judgement.binding_fault = binding_fault(schedule, network->topology);
  if (!judgement.binding_fault)
    judgement.result = verify(schedule, network ? &network->topology : nullptr);
  return judgement;
}

Json json_of_fault(const Judgement& judgement) {
  if (judgement.binding_fault)
    return {{"step", nullptr},
            {"message", nullptr},
            {"unit", nullptr},
            {"text", *judgement.binding_fault}};
  const schedule::Fault& fault = judgement.result->fault();
  return {{"step", fault.step},
          {"message", fault.message ? Json(*fault.message) : Json()},
          {"unit", fault.unit},
          {"text", fault.text}};
}

Json json_of(const Schedule& schedule, const Judgement& judgement, const OutputOptions& common) {
  Json json = answer("verify", common);
  json["collective"] = std::string(name_of(schedule.collective().kind));
  json["algorithm"] = schedule.algorithm();
  json["topology"] = schedule.binding().topology;
  json["network_checked"] = judgement.network_checked;
  json["ranks"] = schedule.collective().ranks;
  json["steps"] = schedule.steps();
  json["messages"] = schedule.message_count();
  json["verified"] = judgement.is_right();
  if (!judgement.is_right()) {
    json["fault"] = json_of_fault(judgement);
    return json;
  }
  const schedule::VerifiedFacts& facts = (*judgement.result)->facts();
  json["keeps_order"] = facts.keeps_order;
  json["overwrites"] = facts.overwrites;
  json["combined_messages"] = facts.combined_messages;
  return json;
}

void print_text(const Schedule& schedule, const Judgement& judgement, const VerifyCommand& options,
                Streams& streams) {
  if (!judgement.is_right()) {
    streams.out << fmt::format(
        "{}: incorrect. {}\n", options.file,
        judgement.binding_fault ? *judgement.binding_fault : judgement.result->fault().text);
    return;
  }
  streams.out << fmt::format(
      "{}: correct. {} of {} by {}: {}, {}{}\n", options.file, name_of(schedule.collective().kind),
      counted(schedule.collective().ranks, "rank"), schedule.algorithm(),
      counted(schedule.steps(), "step"), counted(schedule.message_count(), "message"),
      (*judgement.result)->facts().keeps_order ? "" : "; needs commutative operations");
}

int tell(const Schedule& schedule, const Judgement& judgement, const VerifyCommand& options,
         Streams& streams) {
  if (options.common.json)
    print(json_of(schedule, judgement, options.common), streams);
  else
    print_text(schedule, judgement, options, streams);
  return judgement.is_right() ? kFine : kNo;
}

int dump(const Schedule& schedule, const VerifyCommand& options, Streams& streams) {
  dump_schedule(options.expand ? expanded_for_dump(schedule) : schedule, options.common, streams);
  return kFine;
}

// A file that is not a schedule: an incorrect one, or a program that was checked.
int tell_program(const format::ReadCollective& read, const VerifyCommand& options,
                 Streams& streams) {
  const auto* const fault = std::get_if<program::ProgramFault>(&read.outcome);
  const auto* const program = std::get_if<Program>(&read.outcome);
  const bool proved = program != nullptr && program->collective();
  if (options.common.json) {
    Json json = answer("verify", options.common);
    json["verified"] = proved;
    if (fault != nullptr)
      json["fault"] = {
          {"step", nullptr}, {"message", nullptr}, {"unit", nullptr}, {"text", fault->text}};
    if (program != nullptr) json["note"] = read.note;
    print(json, streams);
  } else if (fault != nullptr) {
    streams.out << fmt::format("{}: incorrect. {}\n", options.file, fault->text);
  } else {
    streams.out << fmt::format("{}: {}. It is a program of {}, not a schedule: {}\n", options.file,
                               proved ? "correct" : "not proved", counted(program->ranks(), "rank"),
                               read.note);
  }
  return proved ? kFine : kNo;
}

int run(const VerifyCommand& options, Streams& streams) {
  require(options.dump || !options.expand, "--expand needs --dump; give both");
  const std::string bytes = read_file(options.file);
  const std::string name = name_of_file(options.file);
  if (const auto read = collective_in(bytes, name)) {
    const auto* const verified = std::get_if<Verified>(&read->outcome);
    if (options.dump) return dump(schedule_of(*read, name).schedule(), options, streams);
    if (verified == nullptr) return tell_program(*read, options, streams);
    return tell(verified->schedule(), {.result = *verified}, options, streams);
  }
  const Schedule schedule = schedule_in(bytes, name);
  return told_with(name, [&] {
    if (options.dump) return dump(schedule, options, streams);
    return tell(schedule, judge(schedule, options, streams), options, streams);
  });
}

}  // namespace

void add_verify_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<VerifyCommand>();
  const Command command = program.add_command(
      "verify",
      "Prove that a schedule file is correct, or print its fault and end with exit code 1");
  const OptionAdder add(command);
  add("file", options->file, "Schedule file (.weft or MSCCL XML); - is standard input").required();
  add.flag("--dump", options->dump,
           "Print the schedule, one line for each message; with --json as JSON");
  add.flag("--expand", options->expand,
           "Print the messages of all ranks, instead of one for each symmetry orbit, with --dump");
  add_output_options(command, options->common);
  command.footer(
      "Examples:\n"
      "  # Is a schedule correct?\n"
      "  weft schedule alltoall -t kautz:4,2 -a bruck -o bruck.weft\n"
      "  weft verify bruck.weft\n"
      "  # Which messages does a schedule send?\n"
      "  weft schedule allreduce -t ring:8 -a ring -o - | weft verify - --dump --expand");
  draws_nothing(command);
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
