#include "cli/foreign/import_collective.hpp"

#include <fmt/format.h>

#include "cli/answers/parts.hpp"
#include "cli/foreign/import_answer.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/program/file.hpp"
#include "weft/schedule/file.hpp"

namespace weft::cli {

namespace {

// What the file held, and the bytes to write.
struct Imported {
  ImportedCollective answer;
  std::string bytes;
};

Imported imported(const Verified& verified) {
  const Schedule& schedule = verified.schedule();
  return {.answer = {.written = {},
                     .kind = "schedule",
                     .ranks = schedule.agents(),
                     .steps = schedule.steps(),
                     .messages = schedule.message_count(),
                     .proved = schedule.collective().kind},
          .bytes = schedule::encode(schedule)};
}

Imported imported(const Program& program) {
  Imported what{.answer = {.written = {},
                           .kind = "program",
                           .ranks = program.ranks(),
                           .steps = program.steps(),
                           .messages = program.message_count()},
                .bytes = program::encode(program)};
  if (const auto& proved = program.collective()) what.answer.proved = proved->kind;
  return what;
}

int tell_wrong(const format::Format& format, const std::string& file,
               const program::ProgramFault& fault, const OutputOptions& common, Streams& streams) {
  if (common.json)
    print_json("import", IncorrectImport{{format.name, {}}, fault.text}, incorrect_import_parts(),
               common, streams);
  else
    streams.out << fmt::format("{}: incorrect. {}\n", file, fault.text);
  return kNo;
}

std::string text_of(const ImportedCollective& what, const std::string& output) {
  return fmt::format("wrote {}: a {} of {}, {}, {}{}\n", output, what.kind,
                     counted(what.ranks, "rank"), counted(what.steps, "step"),
                     counted(what.messages, "message"),
                     what.proved ? fmt::format("; proved: {}", name_of(*what.proved)) : "");
}

}  // namespace

int import_collective(const format::Format& format, const format::ProgramSource& source,
                      const std::string& output, const OutputOptions& common, Streams& streams) {
  const auto read = format.read_collective(source);
  if (const auto* const fault = std::get_if<program::ProgramFault>(&read.outcome))
    return tell_wrong(format, source.path, *fault, common, streams);
  const auto* const verified = std::get_if<Verified>(&read.outcome);
  Imported what =
      verified != nullptr ? imported(*verified) : imported(std::get<Program>(read.outcome));
  write_file(output, what.bytes);
  if (!read.note.empty())
    streams.notes->add(NoteWeight::detail,
                       fmt::format("the file is a program, not a schedule: {}", read.note));
  what.answer.written = {format.name, output};
  what.answer.note = read.note;
  if (common.json)
    print_json("import", what.answer, imported_collective_parts(), common, streams);
  else if (!common.quiet)
    streams.err << text_of(what.answer, output);
  return kFine;
}

}  // namespace weft::cli
