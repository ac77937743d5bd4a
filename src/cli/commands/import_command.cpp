// weft import: programs and fabrics from the files of other systems.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/foreign/import_answer.hpp"
#include "cli/foreign/import_collective.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/msccl/msccl_findings.hpp"
#include "cli/msccl/mscclpp_findings.hpp"
#include "cli/options/options.hpp"
#include "weft/analysis/forwarding_report.hpp"
#include "weft/analysis/recognition.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

struct ImportCommand {
  std::string file, from, routes, cards, output, size = "1MiB";
  double flops_per_s = 0;
  bool recognise = false, rail = false;
  topology::ImportOptions reading;
  int boxes = 0;  // 0: not given
  std::vector<int> uplinks;
  MscclCheck msccl;
  OutputOptions common;
};

// The proof of the program, or why there is none, for the end of a line.
std::string performs_text(const format::Format& format,
                          const std::optional<program::Claim>& claim) {
  if (claim)
    return fmt::format("; proved: {} of {}", name_of(claim->collective.kind),
                       format_size(claim->size_B));
  if (format.read_claim == nullptr) return {};
  return "; the files do not name the bytes that move, so it can be simulated but not proved";
}

// A file that says what it is not; nothing is written.
int tell_fault(const ImportCommand& options, const format::Format& format, const Program& program,
               const program::Claim& claim, const program::ProgramFault& fault, Streams& streams) {
  if (options.common.json) {
    print_json("import",
               IncorrectImport{.written = {format.name, {}},
                               .fault = fault.text,
                               .ranks = program.ranks(),
                               .claimed = claim.collective.kind},
               incorrect_import_parts(), options.common, streams);
  } else {
    streams.out << fmt::format("{}: incorrect. It does not perform {} of {}: {}\n",
                               name_of_file(options.file), name_of(claim.collective.kind),
                               format_size(claim.size_B), fault.text);
  }
  return kNo;
}

void require_no_fabric(const ImportCommand& options, const format::Format& format) {
  require(options.routes.empty() && !options.recognise && options.boxes == 0 &&
              options.uplinks.empty() && !options.rail && !options.reading.strict &&
              options.reading.part.empty() && !options.reading.join,
          "--routes, --recognise, --boxes, --rail, --uplinks, --strict, --part and "
          "--join apply to networks, but {} is a format of programs",
          format.name);
}

int import_program(const ImportCommand& options, const format::Format& format,
                   const format::ProgramSource& source, Streams& streams) {
  Program program = told_with(source.path, [&] { return format.read_program(source); });
  const auto claim =
      format.read_claim != nullptr ? format.read_claim(source) : std::optional<program::Claim>();
  if (claim) {
    auto result = program::prove(program, *claim);
    if (!result) return tell_fault(options, format, program, *claim, result.fault(), streams);
    program = *result;
  }
  write_file(options.output, program::encode(program));
  if (options.common.json) {
    ImportedProgram imported{{format.name, options.output}, program, {}};
    if (claim) imported.proved = claim->collective.kind;
    print_json("import", imported, imported_program_parts(), options.common, streams);
  } else if (!options.common.quiet) {
    streams.err << fmt::format(
        "wrote {}: {}, {}, {}{}\n", options.output, counted(program.ranks(), "rank"),
        counted(program.operations()->count(), "operation"),
        counted(program.message_count(), "message"), performs_text(format, claim));
  }
  return kFine;
}

// Reports table entries that lead nowhere. A pair without a route is refused when it is used.
std::string remark_of(const topology::TableFaults& faults) {
  const std::int64_t all = faults.dropped + faults.loops + faults.astray;
  if (all == 0) return {};
  return fmt::format("{} ways of the tables lead nowhere or to another host: {}", all,
                     faults.first);
}

// Renumbers the fabric as the family that it is, whose expression it returns; empty: of none.
std::string recognised(format::ImportedFabric& fabric) {
  auto found = analysis::recognise(fabric.network);
  if (!found) {
    fabric.remarks.emplace_back("the network matches no family of weft; it keeps its own numbers");
    return {};
  }
  fabric.network = std::move(found->network);
  fabric.remarks.push_back(fmt::format("the fabric is {}", found->family));
  for (const std::string& cable : found->missing)
    fabric.remarks.push_back("but for a missing cable: " + cable);
  return found->family;
}

// Options that the format has no use for are refused, not ignored.
void require_fitting(const ImportCommand& options, const format::Format& format) {
  require(options.flops_per_s == 0, "--flops applies to programs, but {} is a format of networks",
          format.name);
  require(lower(options.output).ends_with(".json"),
          "invalid output {} (networks are JSON files); write -o fabric.json", options.output);
  require(options.uplinks.empty() || format.takes_uplinks,
          "--uplinks applies to formats that do not count cables, but {} counts them", format.name);
  require(options.boxes == 0 || format.is_machine,
          "--boxes connects machines, but {} is a format of whole networks", format.name);
  require(options.cards.empty() || format.is_machine,
          "--cards applies to machines, but {} is a format of whole networks", format.name);
  require(options.boxes > 0 || !options.rail,
          "--rail needs --boxes N, the number of machines to connect");
}

// Its copies, joined by their cards: each in one switch, or card j of all in switch j.
BuiltTopology joined(const BuiltTopology& machine, const ImportCommand& options) {
  const auto wiring = options.rail ? topology::Wiring::rail : topology::Wiring::flat;
  return topology::join_boxes(options.boxes, wiring, machine, nullptr);
}

int import_fabric(const ImportCommand& options, const format::Format& format, std::string_view text,
                  Streams& streams) {
  require_fitting(options, format);
  format::ImportedFabric fabric =
      format.read_fabric({text, name_of_file(options.file), options.uplinks, options.reading});
  if (!options.cards.empty())
    fabric.network =
        format::with_cards(fabric.network, topology::expand_names(options.cards, "--cards"));
  if (options.boxes > 0) fabric.network = joined(fabric.network, options);
  if (!options.routes.empty()) {
    Topology& topology = fabric.network.topology;
    topology = with_forwarding(fabric, read_file(options.routes), options.routes);
    const auto faults = topology::faults_of(topology, *topology.facets().tables);
    if (const std::string remark = remark_of(faults); !remark.empty())
      fabric.remarks.push_back(remark);
  }
  std::optional<std::string> family;
  if (options.recognise) family = recognised(fabric);
  if (const Topology& topology = fabric.network.topology; !options.routes.empty())
    fabric.remarks.emplace_back(
        analysis::summary_of(analysis::forwarding_report(topology, {}), topology));
  format::keep_remarks(fabric);
  topology::write_topology(fabric.network, options.output);
  const Topology& topology = fabric.network.topology;
  for (const topology::ImportNote& remark : fabric.remarks)
    streams.notes->add(NoteWeight::assumption, remark.text);
  if (options.common.json) {
    print_json("import", ImportedNetwork{{format.name, options.output}, fabric, family},
               imported_network_parts(), options.common, streams);
  } else if (!options.common.quiet) {
    streams.err << fmt::format("wrote {}: {}, {}, {}{}\n", options.output,
                               counted(std::ssize(topology.hosts()), "host"),
                               counted(std::ssize(topology.switches()), "switch", "switches"),
                               counted(topology.cable_count(), "cable"),
                               topology.facets().tables ? ", with forwarding tables" : "");
  }
  return kFine;
}

// Plans of MSCCL++ are JSON, and MSCCL files XML.
bool is_plan(const ImportCommand& options, std::string_view text) {
  if (!options.from.empty()) return lower(options.from) == "mscclpp";
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

// Checks a file, and makes no program of it.
int run_check(const ImportCommand& options, Streams& streams) {
  require(
      options.from.empty() || lower(options.from) == "msccl" || lower(options.from) == "mscclpp",
      "--verify and --fix check files of formats msccl and mscclpp, but --from is {}",
      options.from);
  const std::string text = read_file(options.file);
  if (!is_plan(options, text))
    return check_msccl(name_of_file(options.file), text, options.output, options.msccl,
                       options.common, streams);
  require(!options.msccl.fix && options.msccl.profile.empty(),
          "--fix and --profile apply to MSCCL XML files, but {} is an MSCCL++ plan",
          name_of_file(options.file));
  require(options.output.empty(), "--verify writes no file; remove -o");
  return check_mscclpp(name_of_file(options.file), text, options.msccl.named_root(), options.common,
                       streams);
}

int import_file(const ImportCommand& options, const format::Format& format,
                format::ProgramSource source, Streams& streams) {
  const bool has_root = format.name == "msccl" || format.name == "mscclpp";
  require(has_root || !options.msccl.named_root(),
          "--root applies to MSCCL XML files and MSCCL++ plans, but {} has format {}", source.path,
          format.name);
  if (format.read_fabric != nullptr)
    return import_fabric(options, format, source.read(source.path), streams);
  require_no_fabric(options, format);
  if (format.read_collective == nullptr) return import_program(options, format, source, streams);
  source.size_B = one_size(options.size);
  source.root = options.msccl.named_root();
  return import_collective(format, source, options.output, options.common, streams);
}

int run(const ImportCommand& options, Streams& streams) {
  if (options.msccl.wanted()) return run_check(options, streams);
  require(options.msccl.profile.empty(), "--profile needs --verify or --fix");
  require(!options.output.empty(), "the output file is missing; give -o FILE");
  require(options.flops_per_s >= 0, "invalid --flops value {} (expected 0 or more)",
          options.flops_per_s);
  const format::ProgramSource source{.path = name_of_file(options.file),
                                     .flops_per_s = options.flops_per_s,
                                     .read = reader_of(options.file)};
  if (options.from.empty())
    return import_file(options, format::recognise(source.read(source.path), source.path), source,
                       streams);
  const format::Format& format = format::find_format(options.from);
  require(format.reads(), "{} is not an input format; see weft list formats", format.name);
  return import_file(options, format, source, streams);
}

}  // namespace

std::vector<answer::Shape> import_shapes() {
  return {{"a network", texts_of(imported_network_parts())},
          {"a program", texts_of(imported_program_parts())},
          {"a file of one collective", texts_of(imported_collective_parts())},
          {"a file that is incorrect", texts_of(incorrect_import_parts())},
          {"the check of an MSCCL XML file", msccl_check_parts()},
          {"the check of an MSCCL++ plan", mscclpp_check_parts()}};
}

void add_import_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ImportCommand>();
  const Command command =
      program.add_command("import", "Read a network, schedule or program from another system");
  const OptionAdder add(command);
  add("file", options->file, "File to read; the first one, if the format has several").required();
  add("--from", options->from, "Format of the file; see weft list formats [detected]");
  add("--routes", options->routes,
      "Forwarding tables of an InfiniBand fabric, as dump_fts prints them [none]");
  add.flag("--recognise", options->recognise,
           "Renumber the fabric as its topology family, so that algorithms know its structure");
  add.output("-o,--output", options->output,
             "File for the program (.weft) or network (.json) [none]");
  add("--cards", options->cards,
      "Network cards that take part, such as mlx5_[0-7], of each machine [all]");
  command
      .add_option("--boxes", options->boxes,
                  "Number of copies of a machine, joined by their cards [1]")
      .range(1, 1'000'000);
  add.flag("--rail", options->rail,
           "Connect card j of every box to switch j, with --boxes [all cards to one switch]");
  command
      .add_option("--uplinks", options->uplinks,
                  "Number of cables from a switch to its parent, if the file has none: one number, "
                  "or one for each level from the leaves, such as 4,2 [1]")
      .delimiter(',')
      .one_value_each()
      .type_name("N,..")
      .range(1, 1000);
  add.flag("--strict", options->reading.strict,
           "Refuse content that would otherwise be dropped or repaired with a note");
  add("--part", options->reading.part,
      "Host or switch whose part is read, if cables do not join all parts of the network [none]");
  add.flag("--join", options->reading.join,
           "Join the parts of such a network by a switch that the file does not have");
  command.add_option(
      "--flops", options->flops_per_s,
      "Operations that a rank does in a second, for programs that count work in operations");
  add_msccl_options(add, command, options->msccl);
  add("--size", options->size, "Size of one call, for a collective that no schedule can express");
  add_output_options(command, options->common);
  command.most_used({"--from", "--output", "--routes", "--recognise", "--verify"});
  command.advanced({"--part", "--join", "--flops", "--profile", "--root", "--size", "--strict"});
  command.footer(
      "Examples:\n"
      "  # Which allreduce is fastest on my InfiniBand fabric?\n"
      "  ibnetdiscover > net.ibnet && dump_fts > net.lfts\n"
      "  weft import net.ibnet --routes net.lfts --recognise -o fabric.json\n"
      "  weft compare allreduce -t file:fabric.json --sizes 1KiB:1MiB\n"
      "  # Read a Slurm topology or a machine's NCCL topology\n"
      "  weft import examples/topology.conf --uplinks 4 -o tree.json\n"
      "  weft import examples/nccl-topology.xml --boxes 4 --rail -o rails.json\n"
      "  # Does an MSCCL file have races?\n"
      "  weft import examples/msccl/race.xml --verify  # exit 1: two steps race");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
