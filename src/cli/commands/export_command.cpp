// weft export: what weft has, in the files of other systems.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/foreign/collective_file.hpp"
#include "cli/foreign/source_file.hpp"
#include "cli/options/counts_option.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/files/outputs.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/format.hpp"
#include "weft/program/file.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::cli {

namespace {

struct ExportCommand {
  std::string what, to, output, size = "1MiB";
  CountsOption counts;
  bool cables = false;
  std::string profile, protocol, channel, min_size, max_size;
  int instances = 1;
  bool in_place = false, out_of_place = false, drop_paths = false, no_fuse = false;
  GivenFields said;
  OutputOptions common;
};

// Anything else is the expression of a network.
bool is_file(const std::string& what) {
  return what == "-" || what.ends_with(".weft") || is_regular_file(what);
}

// The size at which each unit of each segment is one byte.
std::int64_t size_of_units(const schedule::Schedule& schedule) {
  const std::int64_t all = schedule.units() * schedule.segments().count;
  return schedule.collective().size_is_block() ? all / schedule.collective().blocks() : all;
}

// A program, and its claim if nobody has proved it.
struct ProgramToWrite {
  Program program;
  std::optional<program::Claim> claim = {};
};

// The program of another system's file, with its own operations and no schedule made of them.
// Throws WrongFile for a file that is proved not to do what it says.
ProgramToWrite foreign_program(const ExportCommand& options, const format::Format& format,
                               format::ProgramSource source) {
  if (format.read_collective != nullptr) {
    const format::ReadCollective read = format.read_collective(source);
    if (const auto* const fault = std::get_if<program::ProgramFault>(&read.outcome))
      throw WrongFile(fault->text);
  }
  source.in_place = options.in_place;
  ProgramToWrite what{.program =
                          told_with(source.path, [&] { return format.read_program(source); })};
  if (format.read_claim != nullptr) what.claim = format.read_claim(source);
  if (format.read_collective == nullptr && what.claim)
    if (const auto proved = program::prove(what.program, *what.claim); !proved)
      throw WrongFile(fmt::format("{}: {}", source.path, proved.fault().text));
  return what;
}

// The format of another system's file that is written as it is.
const format::Format* foreign_format(const std::string& text) {
  for (const format::Format& format : format::formats())
    if (format.read_program != nullptr && format.recognises(text)) return &format;
  return nullptr;
}

ProgramToWrite program_of(const ExportCommand& options, const format::Format& format) {
  const format::ProgramSource source{.path = name_of_file(options.what),
                                     .read = reader_of(options.what)};
  const std::string bytes = source.read(source.path);
  if (program::is_program_file(bytes)) {
    require(options.counts.text.empty(),
            "--counts has no effect on {}, a program whose messages have sizes; leave it out",
            source.path);
    return {program::decode(bytes, source.path)};
  }
  if (format.by_unit && !schedule::is_schedule_file(bytes))
    if (const auto* const foreign = foreign_format(bytes))
      return foreign_program(options, *foreign, source);
  const Verified verified = verified_in(bytes, source.path);
  if (format.by_unit) return {lower(verified, {.size_B = size_of_units(verified.schedule())})};
  const Collective& collective = verified.schedule().collective();
  const auto counts = counts_of(options.counts, collective, options.common.seed);
  return {lower(verified, {.size_B = size_with_counts(options.counts, counts, collective,
                                                      one_size(options.size)),
                           .blocks = blocks_of(counts)})};
}

format::GpuTarget gpu_target(const ExportCommand& options) {
  format::GpuTarget target{.path = options.output,
                           .profile = options.profile,
                           .protocol = options.protocol,
                           .channel = options.channel,
                           .instances = options.instances,
                           .fuse = !options.no_fuse};
  require(!options.in_place || !options.out_of_place,
          "--in-place and --out-of-place cannot be combined; leave both out for either");
  if (options.in_place || options.out_of_place) target.in_place = options.in_place;
  if (!options.min_size.empty()) target.min_B = one_size(options.min_size);
  if (!options.max_size.empty()) target.max_B = one_size(options.max_size);
  require(target.max_B == 0 || target.min_B <= target.max_B, "--min-size {} is above --max-size {}",
          options.min_size, options.max_size);
  return target;
}

// A schedule for GPUs: its messages go as the network routes them.
std::vector<format::File> files_of_schedule(const ExportCommand& options,
                                            const format::Format& format,
                                            std::vector<std::string>& remarks) {
  Verified verified = load_verified(options.what);
  if (options.drop_paths && verified.schedule().route_count() > 0) {
    verified = schedule::verify_own(without_routes(verified.schedule()));
    remarks.emplace_back(
        "the paths of messages are dropped: GPU libraries route by themselves, so that times may "
        "differ from those of the schedule on its network");
  }
  return format.write_schedule(verified, gpu_target(options));
}

bool writes_files(const format::Format& format) {
  return format.write_schedule != nullptr || format.write_program != nullptr;
}
bool writes_networks(const format::Format& format) {
  return format.write_network != nullptr;
}

// Throws InvalidInput with the formats that fit, unless this one does.
void require_written(const format::Format& format, bool (*fits)(const format::Format&),
                     std::string_view what) {
  if (fits(format)) return;
  std::string known;
  for (const format::Format& other : format::formats())
    if (fits(other)) known += (known.empty() ? "" : ", ") + other.name;
  const std::string own = format.what_it_writes();
  reject("{} {}, but the export is of {}; use one of {}", format.name,
         own.empty() ? fmt::format("is an input format of {}", format.what_it_reads())
                     : fmt::format("is a format of {}", own),
         what, known);
}

std::vector<format::File> files_of(const ExportCommand& options, const format::Format& format,
                                   std::vector<std::string>& remarks) {
  if (is_file(options.what)) {
    require_written(format, writes_files, "a schedule or program");
    if (format.write_schedule != nullptr) return files_of_schedule(options, format, remarks);
    const ProgramToWrite what = program_of(options, format);
    return format.write_program(what.program, {.path = options.output,
                                               .host = fields::network_in(options.said.values).host,
                                               .claim = what.claim});
  }
  require_written(format, writes_networks, "a network");
  GivenFields said = options.said;
  said.values["topology"] = options.what;
  const Network network = make_network(said, options.common.seed);
  if (format.renamed != nullptr)
    if (const auto renamed = format.renamed(network); !renamed.empty())
      remarks.push_back(fmt::format(
          "{} does not take all names; called otherwise: {}{}", format.name, renamed.front(),
          renamed.size() > 1 ? fmt::format(" and {} more", renamed.size() - 1) : std::string()));
  return format.write_network(network, {.path = options.output, .shared_cables = options.cables});
}

// The fields of --machine that the file has no place for; nothing where it has all.
std::vector<std::string> left_out(const ExportCommand& options, const format::Format& format) {
  if (!options.said.machine) return {};
  const std::vector<std::string> kept =
      is_file(options.what) ? std::vector<std::string>{"copy-bandwidth", "reduce-bandwidth"}
                            : std::vector<std::string>{"link", "link-default"};
  std::string fields;
  for (const auto& [field, value] : options.said.machine->values)
    if (std::ranges::find(kept, field) == kept.end())
      fields += fmt::format("{}{}", fields.empty() ? "" : ", ",
                            field == "factors" ? "how speeds change with the size" : field);
  if (fields.empty()) return {};
  return {fmt::format("{} does not support some values of {}: {}", format.name,
                      options.said.machine->path, fields)};
}

/// What weft export answers.
struct Exported {
  std::string format, output;
  std::size_t files, bytes;
  std::vector<std::string> remarks;
};
answer::Parts<Exported> export_parts() {
  using answer::Unit;
  constexpr answer::PartOf<Exported> part;
  return {part(keys::kFormat, &Exported::format),
          part("output", "", Unit::none, "file that was written; the first of several",
               &Exported::output),
          part("files", "", Unit::none, "number of files", &Exported::files),
          part("bytes", "", Unit::bytes, "size of all files", &Exported::bytes),
          part("remarks", "", Unit::none, "what the format does not support", &Exported::remarks)};
}

void check(const Given& given, const ExportCommand& options) {
  const format::Format& format = format::find_format(options.to);
  if (format.write_schedule != nullptr) {
    require(is_file(options.what),
            "{} needs a schedule, but '{}' is not a file; write the schedule first with weft "
            "schedule",
            format.name, options.what);
    given.refuse(
        {"--counts"},
        fmt::format("on {}, whose blocks have one size; leave it out, or write --to chakra, "
                    "goal or simgrid-trace",
                    format.name));
    given.refuse({"--size", "--copy-bandwidth", "--reduce-bandwidth"},
                 "on a file for GPUs, which supports all sizes; leave it out");
    if (format.name == "mscclpp")
      given.refuse({"--profile", "--no-fuse"}, "on an MSCCL++ plan; leave it out");
    else
      given.refuse({"--channel"}, "on this format; leave it out, or use --to mscclpp");
  } else {
    std::vector<std::string> for_gpus = {"--profile",      "--protocol",   "--channel",
                                         "--instances",    "--min-size",   "--max-size",
                                         "--out-of-place", "--drop-paths", "--no-fuse"};
    if (!format.by_unit) for_gpus.emplace_back("--in-place");
    given.refuse(for_gpus, "on a format that is not for GPUs; leave it out, or use --to msccl");
  }
  given.refuse({"--copy-large", "--reduce-large"},
               "on files of other systems, which have one rate of copies and one of sums; leave it "
               "out");
  if (format.by_unit)
    given.refuse({"--size", "--counts"},
                 "on a text for all sizes; weft-bench run --sizes chooses them");
  if (is_file(options.what))
    given.refuse(all_of({{"--link", "--routing"}, placing_options(), {"--cables"}}),
                 "on a program, which has no network; leave it out");
  else
    given.refuse({"--size", "--counts", "--copy-bandwidth", "--reduce-bandwidth"},
                 "on a network; give a schedule or program file, or leave it out");
}

int run(const ExportCommand& options, Streams& streams) {
  const format::Format& format = format::find_format(options.to);
  require(options.output != "-", "an export can be several files; name the first with -o FILE");
  if (!format.has_prefix) require_writable(options.output);
  std::vector<std::string> remarks = left_out(options, format);
  const std::vector<format::File> files = files_of(options, format, remarks);
  for (const format::File& file : files) claim_beside(file.path, options.output);
  std::size_t bytes = 0;
  for (const format::File& file : files) {
    write_file(file.path, file.content);
    bytes += file.content.size();
  }
  streams.notes->add(NoteWeight::assumption, remarks);
  if (options.common.json) {
    print_json("export", Exported{format.name, options.output, files.size(), bytes, remarks},
               export_parts(), options.common, streams);
  } else if (!options.common.quiet) {
    streams.err << fmt::format("wrote {}: {}, {}, {}\n", options.output, format.name,
                               counted(std::ssize(files), "file"),
                               format_size(static_cast<std::int64_t>(bytes)));
  }
  return kFine;
}

void add_gpu_options(const Command& command, const OptionAdder& add, ExportCommand& options) {
  add("--profile", options.profile,
      "Reader of an MSCCL file, for its limits and attributes: msccl, msccl-executor or rccl "
      "[msccl-executor]");
  add("--protocol", options.protocol,
      "Protocol of GPU messages: Simple, LL, or LL128 (MSCCL XML only) [Simple]");
  add("--channel", options.channel,
      "Channel of an MSCCL++ plan: memory (GPUs write to each other's memory) or port (a proxy "
      "sends, also between machines) [memory]");
  command
      .add_option("--instances", options.instances,
                  "Number of copies of the schedule, each with its own share of the data and its "
                  "own channels, 1 to 32 [1]")
      .range(1, 32);
  add("--min-size", options.min_size,
      "Smallest size that the file serves, of the larger user buffer [0]");
  add("--max-size", options.max_size,
      "Largest size that the file serves, of the larger user buffer [no limit]");
  add.flag("--in-place", options.in_place,
           "Serve calls whose input and output share a buffer [MSCCL XML: both kinds; MSCCL++: if "
           "input and output have one size, except alltoall]");
  add.flag("--out-of-place", options.out_of_place,
           "Serve calls with separate buffers for input and output");
  add.flag("--drop-paths", options.drop_paths,
           "Drop the paths of the schedule's messages, because GPU libraries route by themselves");
  add.flag("--no-fuse", options.no_fuse,
           "Keep receptions and the sends of their data apart, for readers without fused steps");
}

}  // namespace

std::vector<answer::Shape> export_shapes() {
  return {{"", texts_of(export_parts())}};
}

void add_export_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ExportCommand>();
  const Command command =
      program.add_command("export", "Write a schedule, program or network for another system");
  const OptionAdder add(command);
  add("what", options->what, "Schedule or program file (.weft), or a network such as torus:4x4")
      .required();
  add("--to", options->to, "Format of the file, such as msccl; see weft list formats").required();
  mark_output_prefix(add("-o,--output", options->output,
                         "File to write; the first one, if the format has several"))
      .required();
  add("--size", options->size,
      "Size of one call of a schedule; see weft list collectives for its meaning");
  add_counts_option(command, options->said, options->counts, "--size");
  add.flag("--cables", options->cables, "Let both directions of a cable share its bandwidth");
  add_gpu_options(command, add, *options);
  add_network_options(command, options->said, Need::optional);
  leave_out(command, {"--topology", "--names"});
  leave_out(command, but(host_options(), {"--copy-bandwidth", "--copy-large", "--reduce-bandwidth",
                                          "--reduce-large"}));
  add_output_options(command, options->common);
  command.most_used({"--to", "--output", "--size", "--profile", "--protocol"});
  command.advanced({"--counts", "--cables", "--channel", "--instances", "--min-size", "--max-size",
                    "--in-place", "--out-of-place", "--drop-paths", "--no-fuse"});
  command.footer(
      "Examples:\n"
      "  # Run a schedule on GPUs with MSCCL or MSCCL++\n"
      "  weft schedule allreduce -t torus:4x4 -a ring -o ring.weft\n"
      "  weft export ring.weft --to msccl --profile rccl --instances 2 -o ring.xml\n"
      "  weft export ring.weft --to mscclpp --protocol LL -o ring.json\n"
      "  # Simulate a schedule with SimGrid\n"
      "  weft export ring.weft --to simgrid-trace --size 64KiB -o traces\n"
      "  weft export torus:4x4 --to simgrid-platform --routing shortest -o platform.xml");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
