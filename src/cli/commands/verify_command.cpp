// weft verify FILE: proves a schedule from a file, or names the first thing wrong with it.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/foreign/collective_file.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/options/options.hpp"
#include "cli/schedule/pricing.hpp"
#include "cli/schedule/schedule_dump.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

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

/// The first fault. Of the network that a file names, and in a program, only its text is known.
struct ReportedFault {
  std::string text;
  std::optional<std::int64_t> step = {}, message = {}, unit = {};
};
Parts<ReportedFault> fault_parts() {
  constexpr PartOf<ReportedFault> part;
  return {part(keys::kFaultStep, &ReportedFault::step),
          part("message", "", Unit::none, "stored message, or null if it is not known",
               &ReportedFault::message),
          part("unit", "", Unit::none, "unit of the data, or null if it is not known",
               &ReportedFault::unit),
          part(keys::kFaultText, &ReportedFault::text)};
}

std::optional<ReportedFault> fault_of(const Judgement& judgement) {
  if (judgement.is_right()) return std::nullopt;
  if (judgement.binding_fault) return ReportedFault{*judgement.binding_fault};
  const schedule::Fault& fault = judgement.result->fault();
  return ReportedFault{fault.text, fault.step, fault.message, fault.unit};
}

/// What weft verify answers of a schedule.
struct JudgedSchedule {
  const Schedule& schedule;
  const Judgement& judgement;
};

Parts<JudgedSchedule> judged_parts() {
  constexpr PartOf<JudgedSchedule> part;
  const auto of_schedule = [](auto get) {
    return [get](const JudgedSchedule& judged) { return std::invoke(get, judged.schedule); };
  };
  return join(
      {part(keys::kCollective,
            of_schedule([](const Schedule& s) { return name_of(s.collective().kind); })),
       part(keys::kAlgorithm, of_schedule(&Schedule::algorithm)),
       part("topology", "", Unit::none, "topology that the file names; may be empty",
            of_schedule([](const Schedule& s) { return s.binding().topology; })),
       part("network_checked", "", Unit::none, "whether that topology was built and compared",
            [](const JudgedSchedule& judged) { return judged.judgement.network_checked; }),
       part(keys::kRanks, of_schedule([](const Schedule& s) { return s.collective().ranks; })),
       part(keys::kSteps, of_schedule(&Schedule::steps)),
       part(keys::kAllMessages, of_schedule(&Schedule::message_count)),
       part(keys::kVerified,
            [](const JudgedSchedule& judged) { return judged.judgement.is_right(); }),
       part.object(
               keys::kFirstFault,
               [](const JudgedSchedule& judged) { return fault_of(judged.judgement); },
               fault_parts())
           .left_out()},
      part.within(
          [](const JudgedSchedule& judged) {
            return judged.judgement.is_right() ? std::optional((*judged.judgement.result)->facts())
                                               : std::nullopt;
          },
          proof_parts()));
}

/// What it answers of a file that holds a program, or an incorrect collective.
struct JudgedProgram {
  bool proved;
  std::optional<ReportedFault> fault;
  std::optional<std::string> note;
};
Parts<JudgedProgram> program_parts() {
  constexpr PartOf<JudgedProgram> part;
  return {part(keys::kVerified, &JudgedProgram::proved),
          part.object(keys::kFirstFault, &JudgedProgram::fault, fault_parts()).left_out(),
          part("note", "", Unit::none, "why it is a program, not a schedule", &JudgedProgram::note)
              .left_out()};
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
    print_json("verify", JudgedSchedule{schedule, judgement}, judged_parts(), options.common,
               streams);
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
    JudgedProgram judged{.proved = proved, .fault = {}, .note = {}};
    if (fault != nullptr) judged.fault = ReportedFault{fault->text};
    if (program != nullptr) judged.note = read.note;
    print_json("verify", judged, program_parts(), options.common, streams);
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

std::vector<answer::Shape> verify_shapes() {
  return {
      {"a schedule", texts_of(judged_parts())},
      {"another system's file without a schedule", texts_of(program_parts())},
      {.of = "the messages of a schedule, of --dump", .parts = dump_parts(), .has_notes = false}};
}

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
