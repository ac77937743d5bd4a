// weft export: what weft has, in the files of other systems.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/outputs.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"

namespace weft::cli {

namespace {

struct ExportCommand {
  std::string what, to, output, size = "1MiB";
  bool cables = false;
  Said said;
  OutputOptions common;
};

// What is no file is an expression.
bool is_file(const std::string& what) {
  return what == "-" || what.ends_with(".weft") || std::filesystem::is_regular_file(what);
}

Program program_of(const ExportCommand& options) {
  const std::string bytes = read_file(options.what);
  if (program::is_program_file(bytes)) return program::decode(bytes, options.what);
  return lower(load_verified(options.what), {.size_B = one_size(options.size)});
}

std::vector<format::File> files_of(const ExportCommand& options, const format::Format& format) {
  if (is_file(options.what)) {
    require(format.write_program != nullptr, "{} is no format of programs; see weft list formats",
            format.name);
    return format.write_program(
        program_of(options),
        {.path = options.output, .host = question::network_in(options.said.values).host});
  }
  require(format.write_network != nullptr, "{} is no format of networks; see weft list formats",
          format.name);
  Said said = options.said;
  said.values["topology"] = options.what;
  return format.write_network(make_network(said, options.common.seed),
                              {.path = options.output, .shared_cables = options.cables});
}

// Of what --machine says, that which the file cannot have; nothing where it has all.
std::vector<std::string> left_out(const ExportCommand& options, const format::Format& format) {
  if (!options.said.machine) return {};
  const std::vector<std::string> kept =
      is_file(options.what) ? std::vector<std::string>{"copy-bandwidth", "reduce-bandwidth"}
                            : std::vector<std::string>{"link"};
  std::string fields;
  for (const auto& [field, value] : options.said.machine->values)
    if (std::ranges::find(kept, field) == kept.end())
      fields += fmt::format("{}{}", fields.empty() ? "" : ", ",
                            field == "factors" ? "how speeds change with the size" : field);
  if (fields.empty()) return {};
  return {fmt::format("{} has no place for what {} says of: {}", format.name,
                      options.said.machine->path, fields)};
}

void check(const Given& given, const ExportCommand& options) {
  if (is_file(options.what))
    given.refuse({"--link", "--routing", "--placement", "--ranks", "--hosts", "--cables"},
                 "on a program, which knows of no network; leave it out");
  else
    given.refuse({"--size", "--copy-bandwidth", "--reduce-bandwidth"},
                 "on a network; give a schedule or program file, or leave it out");
}

int run(const ExportCommand& options, Streams& streams) {
  const format::Format& format = format::find_format(options.to);
  require(options.output != "-", "an export may be several files; name the first with -o FILE");
  if (!format.has_prefix) require_writable(options.output);
  const std::vector<format::File> files = files_of(options, format);
  for (const format::File& file : files) claim_beside(file.path, options.output);
  std::size_t bytes = 0;
  for (const format::File& file : files) {
    write_file(file.path, file.content);
    bytes += file.content.size();
  }
  const std::vector<std::string> remarks = left_out(options, format);
  if (options.common.json) {
    Json json = answer("export", options.common);
    json["format"] = format.name;
    json["output"] = options.output;
    json["files"] = files.size();
    json["bytes"] = bytes;
    json["remarks"] = remarks;
    print(json, streams);
  } else if (!options.common.quiet) {
    for (const std::string& remark : remarks) streams.err << "note: " << remark << '\n';
    streams.err << fmt::format("wrote {}: {}, {}, {}\n", options.output, format.name,
                               counted(std::ssize(files), "file"),
                               format_size(static_cast<std::int64_t>(bytes)));
  }
  return kFine;
}

}  // namespace

void add_export_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ExportCommand>();
  const Command command =
      program.add_command("export", "Write a schedule, a program or a network for another system");
  const OptionAdder add(command);
  add("what", options->what, "Schedule or program file (.weft), or the expression of a network")
      .required();
  add("--to", options->to, "Format; see weft list formats").required();
  mark_output_prefix(add("-o,--output", options->output, "File, the first where there are several"))
      .required();
  add("--size", options->size, "Of a schedule: what one call is given; see weft list collectives");
  add.flag("--cables", options->cables, "Let both directions of a cable share its bandwidth");
  add_network_options(command, options->said, Need::optional);
  leave_out(command, {"--topology", "--names", "--alpha", "--alpha-receive", "--alpha-per",
                      "--ports", "--layout"});
  add_output_options(command, options->common);
  command.footer(
      "Examples:\n"
      "  weft schedule allreduce -t torus:4x4 -a ring -o ring.weft\n"
      "  weft export ring.weft --to simgrid-trace --size 64KiB -o traces\n"
      "  weft export ring.weft --to chakra --size 1MB -o ring\n"
      "  weft export torus:4x4 --to simgrid-platform --routing shortest -o platform.xml");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
