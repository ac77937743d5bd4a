// weft import: programs from the files of other systems.
#include <fmt/format.h>

#include <memory>

#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string file, from, output;
  double flops_per_s = 0;
  OutputOptions common;
};

int run(const Options& options, Streams& streams) {
  require(options.flops_per_s >= 0, "--flops {} is below 0", options.flops_per_s);
  require_writable(options.output);
  const format::Format& format = options.from.empty()
                                     ? format::recognise(read_file(options.file), options.file)
                                     : format::find_format(options.from);
  require(format.read_program != nullptr, "{} is not read; see weft list formats", format.name);
  const Program program =
      format.read_program({.path = options.file, .flops_per_s = options.flops_per_s});
  write_file(options.output, program::encode(program));
  if (options.common.json) {
    Json json = answer("import", options.common);
    json["format"] = format.name;
    json["output"] = options.output;
    json["ranks"] = program.ranks();
    json["operations"] = program.operations()->count();
    json["messages"] = program.message_count();
    json["message_bytes"] = program.payload_B();
    print(json, streams);
  } else if (!options.common.quiet) {
    streams.err << fmt::format("wrote {}: {} ranks, {} operations, {} messages\n", options.output,
                               program.ranks(), program.operations()->count(),
                               program.message_count());
  }
  return kFine;
}

}  // namespace

void add_import_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "import", "Read a program of another system, for weft simulate and weft export");
  const OptionAdder add(*command);
  add("file", options->file, "File, the first where there are several")->required();
  add("--from", options->from, "Format; see weft list formats [what fits]");
  add("-o,--output", options->output, "Program file (.weft)")->required();
  command->add_option("--flops", options->flops_per_s,
                      "Operations that a rank does in a second, where work is counted in them");
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft import traces --from simgrid-trace -o app.weft\n"
      "  weft simulate app.weft -t torus:4x4");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
