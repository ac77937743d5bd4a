#include "cli/foreign/import_collective.hpp"

#include <fmt/format.h>

#include <optional>

#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/program/file.hpp"
#include "weft/schedule/file.hpp"

namespace weft::cli {

namespace {

// The facts that schedules and programs share.
struct Imported {
  std::string kind, bytes;
  std::int64_t ranks, steps, messages;
  std::optional<schedule::Collective> collective;  // proved
};

Imported imported(const Verified& verified) {
  const Schedule& schedule = verified.schedule();
  return {.kind = "schedule",
          .bytes = schedule::encode(schedule),
          .ranks = schedule.agents(),
          .steps = schedule.steps(),
          .messages = schedule.message_count(),
          .collective = schedule.collective()};
}

Imported imported(const Program& program) {
  return {.kind = "program",
          .bytes = program::encode(program),
          .ranks = program.ranks(),
          .steps = program.steps(),
          .messages = program.message_count(),
          .collective = program.collective()};
}

Json json_of(const format::Format& format, const OutputOptions& common) {
  Json json = answer("import", common);
  json["format"] = format.name;
  return json;
}

int tell_wrong(const format::Format& format, const std::string& file,
               const program::ProgramFault& fault, const OutputOptions& common, Streams& streams) {
  if (!common.json) {
    streams.out << fmt::format("{}: incorrect. {}\n", file, fault.text);
    return kNo;
  }
  Json json = json_of(format, common);
  json["output"] = nullptr;
  json["proved"] = false;
  json["fault"] = fault.text;
  print(json, streams);
  return kNo;
}

Json json_of(const Imported& what, const format::Format& format, const std::string& output,
             const std::string& note, const OutputOptions& common) {
  Json json = json_of(format, common);
  json["output"] = output;
  json["kind"] = what.kind;
  json["ranks"] = what.ranks;
  json["steps"] = what.steps;
  json["messages"] = what.messages;
  json["collective"] = what.collective ? Json(std::string(name_of(what.collective->kind))) : Json();
  json["proved"] = what.collective ? Json(true) : Json();
  json["note"] = note.empty() ? Json() : Json(note);
  return json;
}

std::string text_of(const Imported& what, const std::string& output) {
  return fmt::format(
      "wrote {}: a {} of {}, {}, {}{}\n", output, what.kind, counted(what.ranks, "rank"),
      counted(what.steps, "step"), counted(what.messages, "message"),
      what.collective ? fmt::format("; proved: {}", name_of(what.collective->kind)) : "");
}

}  // namespace

int import_collective(const format::Format& format, const format::ProgramSource& source,
                      const std::string& output, const OutputOptions& common, Streams& streams) {
  const auto read = format.read_collective(source);
  if (const auto* const fault = std::get_if<program::ProgramFault>(&read.outcome))
    return tell_wrong(format, source.path, *fault, common, streams);
  const auto* const verified = std::get_if<Verified>(&read.outcome);
  const Imported what =
      verified != nullptr ? imported(*verified) : imported(std::get<Program>(read.outcome));
  write_file(output, what.bytes);
  if (!read.note.empty())
    streams.notes->add(NoteWeight::detail,
                       fmt::format("the file is a program, not a schedule: {}", read.note));
  if (common.json)
    print(json_of(what, format, output, read.note, common), streams);
  else if (!common.quiet)
    streams.err << text_of(what, output);
  return kFine;
}

}  // namespace weft::cli
