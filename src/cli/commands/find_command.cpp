// weft find: the Pareto-efficient networks of N nodes and d ports.
#include <fmt/format.h>

#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/find/find_answer.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/optimum/curve.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/design/find/find_answer.hpp"
#include "weft/report/chart.hpp"
#include "weft/search/catalogue_builder.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/found_graphs.hpp"
#include "weft/search/samples.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using design::FindAnswer;
using design::FindQuestion;

struct FindCommand {
  GivenFields said =
      {};              // what is asked; of its throughput, limits; of its time, links and start-ups
  std::string search;  // a time; empty: only where known networks are far from the bound
  std::string found_file = cache_file("found.csv");
  std::string csv, steps_chart;  // empty: none
  std::string build_folder;
  std::vector<int> build_degrees = search::BuildOptions().degrees;
  OutputOptions common;
};

FindQuestion asked_in(const FindCommand& options) {
  const GivenFields& said = options.said;
  if (said.of("size")) one_size(said.text("size"));
  FindQuestion asked;
  set_members(asked, design::find_members(), said.values);
  set_members(asked.limits, fields::throughput_members(), said.values);
  if (said.of("time-limit")) asked.throughputs_s = asked.limits.time_limit_s;
  asked.network = fields::network_in(said.values);
  asked.kept_throughputs = cache_file("throughput.txt");
  if (!said.machine) return asked;
  const topology::LinkDefault& open = asked.network.links.defaults.all;
  const bool has_all = said.machine->all_links || said.machine->classes.empty();
  if (!asked.network.links.all && said.of("link-default") && has_all)
    asked.network.links.all = {
        std::llround(static_cast<double>(open.line.bandwidth_Bps) * open.payload),
        open.line.latency_ps};  // no switch is on the way
  require(!asked.size_B || asked.network.links.all.has_value(),
          "{} has no [links.all], but weft find needs one class of links; give --link instead",
          said.machine->path);
  if (!said.by_user("link")) asked.network.links.by_class.clear();  // of the machine's networks
  return asked;
}

int build(const FindCommand& options, const FindQuestion& asked, Streams& streams) {
  search::BuildOptions build{.degrees = options.build_degrees, .seed = options.common.seed};
  if (!asked.nodes.empty()) build.nodes = static_cast<int>(asked.nodes.back());
  search::build_catalogue(options.build_folder, build, [&](const std::string& piece) {
    if (!options.common.quiet) streams.err << piece << '\n';
  });
  return kFine;
}

// Before any work.
void check(const FindCommand& options, const FindQuestion& asked) {
  require(!asked.nodes.empty(), "--nodes is missing; write --nodes 1024 or --nodes 2..2000");
  require(options.search.empty() || parse_seconds(options.search) >= 0,
          "invalid --search value '{}' (expected seconds such as 60, or 0 for no search)",
          options.search);
  require(!(options.common.json && options.csv == "-"),
          "--json and --csv - both write to standard output; name a file for one of them");
  require(options.steps_chart.empty() || asked.steps,
          "--steps-chart has no effect without --steps; write --steps 3..");
  require(options.csv.empty() || !asked.steps,
          "--steps has no effect on the lines of --csv; leave it out, or use --json");
  for (const char* field : {"gap", "time-limit"})
    require(!options.said.of(field) || asked.wants_throughput(),
            "--{} has no effect without a throughput; add --throughput or --for alltoall", field);
  design::require_findable(asked);
  if (!options.steps_chart.empty()) report::require_chart_path(options.steps_chart);
}

bool searches_first(const FindCommand& options) {
  return !options.search.empty() && parse_seconds(options.search) > 0;
}

void search_first(const FindCommand& options, const FindQuestion& asked, Streams& streams) {
  require(asked.single(), "--search supports one size at a time, not {}; name one with --nodes",
          options.said.text("nodes"));
  const int added =
      search::search_into(options.found_file, {.nodes = static_cast<int>(asked.nodes.front()),
                                               .degree = static_cast<int>(asked.degree),
                                               .direction = asked.direction(),
                                               .seed = options.common.seed,
                                               .seconds = parse_seconds(options.search)});
  if (!options.common.quiet)
    streams.err << fmt::format("{} found; {} has them\n", counted(added, "graph"),
                               options.found_file);
}

// Of one size or a few; those of a long range would take minutes.
void take_samples(const FindQuestion& asked, search::Catalogue& catalogue, Streams& streams) {
  if (asked.nodes.back() <= search::kMostSearchedNodes) return;
  if (asked.nodes.size() <= design::kFewSizes)
    add_samples(catalogue, asked.nodes, static_cast<int>(asked.degree));
  else
    streams.notes->add(
        NoteWeight::doubt,
        fmt::format("the sizes above {} nodes have networks of families and expansions only; name "
                    "at most {} sizes with --nodes to search each of them",
                    search::kMostSearchedNodes, design::kFewSizes));
}

search::Catalogue catalogue_for(const FindCommand& options, const FindQuestion& asked,
                                Streams& streams) {
  if (searches_first(options)) search_first(options, asked, streams);
  search::Catalogue catalogue =
      search::load_catalogue(options.found_file, static_cast<int>(asked.nodes.front()),
                             static_cast<int>(asked.nodes.back()));
  take_samples(asked, catalogue, streams);
  if (search::catalogue_folder().empty())
    streams.notes->add(
        NoteWeight::incomplete,
        "no catalogue was found (neither ./share/catalogue nor an installed one), so "
        "the answer has networks by rule only; set WEFT_CATALOGUE to its folder");
  return catalogue;
}

// Two nodes with the speeds of all found networks, which have one kind of link.
Network network_of_speeds(const FindQuestion& asked) {
  NetworkSpec spec = asked.network;
  spec.topology = "ring:2";
  // The time of a line counts start-ups and latencies alone.
  spec.host = {.startup_ps = spec.host.startup_ps,
               .startup_receive_ps = spec.host.startup_receive_ps,
               .latency_ps = spec.host.latency_ps};
  return fields::make_network(spec, topology::build_topology(spec.topology), {});
}

/// The answer, and the speeds of its times.
struct FindOutput {
  design::FindReport report;
  std::optional<Speeds> speeds = {};  // with --size
};

answer::Parts<FindOutput> output_parts() {
  constexpr answer::PartOf<FindOutput> part;
  return join(join(part.within(&FindOutput::report, design::find_asked_parts()),
                   {part.object("speeds", "speeds in use and their origin", &FindOutput::speeds,
                                speeds_parts())
                        .left_out()}),
              part.within(&FindOutput::report, design::find_found_parts()));
}

void print_answer(const FindQuestion& asked, const FindAnswer& found, const std::string& catalogue,
                  const FindCommand& options, Streams& streams) {
  FindOutput output{{asked, found, catalogue}};
  std::optional<Network> network;
  if (asked.size_B) {
    network.emplace(network_of_speeds(asked));
    output.speeds.emplace(speeds_of(*network, options.said));
  }
  print_json("find", output, output_parts(), options.common, streams);
}

void draw(const design::FoundSize& size, const std::string& path) {
  std::vector<NetworkCurve> curves;
  for (const design::FoundNetwork& network : size.front)
    curves.push_back({network.line.expression, network.curve});
  draw_curves("allgather", curves, path);
}

int run(const FindCommand& options, Streams& streams) {
  const FindQuestion asked = asked_in(options);
  if (options.said.machine) fields::require_classes(*options.said.machine);
  if (!options.build_folder.empty()) return build(options, asked, streams);
  check(options, asked);
  search::Catalogue catalogue = catalogue_for(options, asked, streams);
  const FindAnswer found = options.search.empty() ? design::find_with_search(asked, catalogue)
                                                  : design::find(asked, catalogue);
  const bool none = found.none(), quiet = options.common.quiet;
  const design::FoundSize& size = found.sizes.front();
  if (none)
    streams.err << none_text(asked, found);
  else if (asked.single())
    streams.notes->add(NoteWeight::doubt, idle_text(asked, size));
  streams.notes->add(NoteWeight::detail, search_text(asked, found));
  if (options.said.of("time-limit"))
    streams.notes->add(NoteWeight::detail, stored_throughputs_text(found));
  const std::string late = late_throughputs_text(asked, found);
  streams.err << late;
  const std::string too_few_steps = none ? "" : too_few_steps_text(asked, size);
  streams.err << too_few_steps;
  if (!options.steps_chart.empty() && !none && too_few_steps.empty()) {
    draw(size, options.steps_chart);
    if (!quiet) streams.err << "wrote " << options.steps_chart << '\n';
  }
  if (!options.csv.empty()) {
    write_file(options.csv,
               table_of(design::found_cells(asked, found, answer::Reader::program)).csv());
    if (!quiet && options.csv != "-") streams.err << "wrote " << options.csv << '\n';
  }
  if (options.common.json) {
    print_answer(asked, found, fmt::format("{:08x}", catalogue.hash()), options, streams);
  } else if (options.csv.empty() && !none) {
    if (asked.size_B) streams.out << speeds_text(network_of_speeds(asked), options.said) << "\n\n";
    print_tables(asked, found, streams);
    if (asked.steps) print_curves(size, streams);
  }
  return none || !too_few_steps.empty() || !late.empty() ? kNo : kFine;
}

}  // namespace

std::vector<answer::Shape> find_shapes() {
  return {{"", texts_of(output_parts())}};
}

void add_find_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<FindCommand>();
  const Command command = program.add_command(
      "find", "Find the networks of N nodes and degree d with the best all-gather or all-to-all");
  const OptionAdder add(command);
  for (const auto& [field, set] : design::find_members())
    add.field(options->said, *field,
              field->name == "nodes"    ? "--nodes,-n"
              : field->name == "degree" ? "--degree,-d"
              : field->name == "size"   ? "--size,--sizes"
                                        : "");
  for (const auto& member : fields::throughput_members())
    if (member.field->name != "method")
      add.field(options->said, *member.field)
          .description(member.field->name == "gap"
                           ? "Relative gap to the upper bound at which --throughput stops"
                           : "Time limit of --throughput for all networks together; if it is not "
                             "set, the limit of each network is");
  add("--search", options->search,
      "Seconds to search for new graphs of this size, which are saved; 0 searches none [a few, if "
      "known networks take over twice the minimum number of steps]");
  add("--catalogue", options->found_file,
      "File of the graphs that searches found [weft/found.csv in the cache folder]");
  const Option size = command.option("--size");
  static const fields::Field every_link =
      field_of_every_link("Bandwidth,latency of every link, for --size");
  add.field(options->said, every_link).needs(size);
  const auto machine = add_machine_option(command, nullptr, "generic");
  command.option("--machine")
      .description(
          "Machine for the times of --size: a name from weft list machines, a file, or ideal (only "
          "links cost time) [generic]")
      .needs(size);
  command.after_reading([options, machine] {
    options->said.has_default_machine = options->said.of("size");
    take_machine(*machine, options->said);
  });
  add.output("--steps-chart", options->steps_chart,
             "Chart of --steps: FILE.svg or FILE.png [none]");
  add.output("--csv", options->csv, "CSV file for the rows; - is standard output [none]");
  const Option build_folder =
      add("--build-catalogue", options->build_folder,
          "Folder of a catalogue to complete, up to the last size of --nodes [2000 nodes]");
  add("--build-degrees", options->build_degrees,
      "Degrees for --build-catalogue, in order, comma-separated")
      .delimiter(',')
      .needs(build_folder);
  add_output_options(command, options->common);
  command.most_used({"--nodes", "--degree", "--for", "--size", "--one-way"});
  command.advanced({"--gap", "--search", "--catalogue", "--build-catalogue", "--build-degrees"});
  command.footer(
      "Examples:\n"
      "  # Which networks of 1,024 nodes with four ports have the fastest all-gather?\n"
      "  weft find --nodes 1024 --degree 4\n"
      "  # Which have the highest all-to-all throughput?\n"
      "  weft find --nodes 64 --degree 4 --for alltoall\n"
      "  # How long does an all-gather of 1 MiB take on each?\n"
      "  weft find --nodes 256 --degree 8 --size 1MiB --link 25Gbps,10us\n"
      "  # How many steps do the best networks of each size take?\n"
      "  weft find --nodes 2..2000 --degree 4 --csv all.csv");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
