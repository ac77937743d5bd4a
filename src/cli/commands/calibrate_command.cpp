// weft calibrate FILE...: a machine's speeds and start-ups from measured tables.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/answers/parts.hpp"
#include "cli/calibrate/fit_chart.hpp"
#include "cli/calibrate/fit_profile.hpp"
#include "cli/calibrate/fitted_links.hpp"
#include "cli/calibrate/forced_input.hpp"
#include "cli/calibrate/measured_tables.hpp"
#include "cli/calibrate/netgauge_profile.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/calibrate/calibration.hpp"
#include "weft/calibrate/link_patterns.hpp"
#include "weft/calibrate/physical_limit.hpp"
#include "weft/libraries/library.hpp"
#include "weft/plan_reader/host_names.hpp"
#include "weft/report/chart.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using calibrate::Calibration;
using calibrate::MeasuredTable;
using calibrate::PlacedTable;

struct CalibrateCommand {
  std::vector<std::string> files;
  GivenFields said;
  std::int32_t ranks = 0, hold_out = 0;
  std::string where, plot, output, machine, library;
  bool pairs = false, tables = false, strict = false;
  OutputOptions common;
};

// A table, and the hosts that the user named behind its file: FILE@HOST,HOST.
struct Named {
  MeasuredTable table;
  std::string hosts;
};

std::vector<Named> read_all(const CalibrateCommand& options, std::vector<std::string>& remarks) {
  std::vector<Named> all;
  for (const std::string& argument : options.files) {
    std::string file = argument, hosts;
    if (const std::size_t at = argument.rfind('@');
        at != std::string::npos && !is_there(argument)) {
      file = argument.substr(0, at);
      hosts = argument.substr(at + 1);
      require(!hosts.empty(), "'{}' names no hosts after the @; write FILE@HOST,HOST", argument);
    }
    auto read = calibrate::read_measured_tables(read_file(file), file, options.strict);
    remarks.insert(remarks.end(), read.remarks.begin(), read.remarks.end());
    for (MeasuredTable& table : read.tables) all.push_back({std::move(table), hosts});
  }
  return all;
}

// Those that the table needs; 0 where neither it nor the user says so.
std::int32_t ranks_of(const Named& named, const CalibrateCommand& options) {
  if (named.table.ranks > 0) return named.table.ranks;
  return options.ranks;
}

fields::NetworkSpec network_of(const CalibrateCommand& options, const std::vector<Named>& tables) {
  fields::NetworkSpec spec = fields::network_in(options.said.values);
  for (const Named& named : tables) {
    const std::string& own = named.table.topology;
    if (options.said.of("topology") || own.empty()) continue;
    require(spec.topology.empty() || spec.topology == own,
            "{} was measured on {}, but another table on {}; give --topology", named.table.path,
            own, spec.topology);
    spec.topology = own;
  }
  if (spec.topology.empty()) {
    std::int32_t most = 2;
    for (const Named& named : tables) {
      require(named.hosts.empty(), "{}@{} names hosts without a network; give --topology",
              named.table.path, named.hosts);
      require(ranks_of(named, options) > 0,
              "{}: the table does not state the number of ranks; give --ranks N", named.table.path);
      most = std::max(most, ranks_of(named, options));
    }
    spec.topology = fmt::format("complete:{}", most);
  }
  return spec;
}

std::vector<std::int32_t> hosts_named(const MeasuredTable& table, const Topology& topology) {
  const auto all = topology.hosts();
  std::vector<std::string_view> names(table.hosts.begin(), table.hosts.end()), known;
  for (const NodeId host : all) known.emplace_back(topology::name_of(topology, host));
  std::vector<std::int32_t> hosts;
  for (const std::string_view name : plan::matching_hosts(names, known)) {
    if (name.empty()) return {};
    hosts.push_back(static_cast<std::int32_t>(std::ranges::find(known, name) - known.begin()));
  }
  return hosts;
}

// Where each rank was: as the user says, else the table, else in the order of hosts.
PlacedTable place(Named named, const CalibrateCommand& options, const Topology& topology,
                  std::vector<std::string>& remarks) {
  const auto all = topology.hosts();
  std::int32_t ranks = ranks_of(named, options);
  std::vector<std::int32_t> hosts =
      named.hosts.empty()
          ? hosts_named(named.table, topology)
          : topology::parse_hosts(named.hosts, topology, named.table.path + '@' + named.hosts);
  const std::string& path = named.table.path;
  if (!named.table.hosts.empty() && hosts.empty()) {
    const auto& own = named.table.hosts;
    const bool devices = named.table.benchmark.starts_with("nccl");  // each a host of its own
    const bool one =
        !devices && std::ranges::all_of(own, [&](const auto& host) { return host == own[0]; });
    std::string remark = fmt::format(
        "{}: its ranks ran on {}, but {} does not have these hosts; the first hosts are "
        "assumed{}",
        path, own[0], topology.name(),
        one && own.size() > 1 ? ", though messages within one host do not use the network" : "");
    if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(std::move(remark));
  }
  if (ranks == 0 && hosts.empty()) {
    ranks = static_cast<std::int32_t>(all.size());
    remarks.push_back(
        fmt::format("{}: the table does not state the number of ranks; all {} hosts are assumed; "
                    "--ranks N sets it",
                    path, ranks));
  }
  if (ranks == 0) ranks = static_cast<std::int32_t>(hosts.size());
  if (hosts.empty())
    for (std::int32_t h = 0; h < std::min(ranks, static_cast<std::int32_t>(all.size())); ++h)
      hosts.push_back(h);
  require(std::ssize(hosts) == ranks,
          "{}: {} ranks on {} hosts; name the host of each rank: {}@HOST,HOST", path, ranks,
          hosts.size(), path);
  require(ranks >= 2,
          "{}: this table is on one rank and needs 2 or more; check --ranks and the hosts after @",
          path);
  PlacedTable placed{std::move(named.table), {}};
  for (const std::int32_t host : hosts) placed.nodes.push_back(all[host]);
  return placed;
}

std::string where_of(const CalibrateCommand& options, const std::vector<PlacedTable>& tables) {
  if (!options.where.empty()) return options.where;
  for (const PlacedTable& placed : tables)
    if (!placed.table.where.empty()) return placed.table.where;
  return "";
}

// What weft-bench is to measure on the network.
int print_pairs(const CalibrateCommand& options, Streams& streams) {
  fields::NetworkSpec spec = fields::network_in(options.said.values);
  spec.placing.ranks = options.ranks;
  const Network network = fields::make_network(spec, build_topology(spec.topology), {});
  const std::string text = calibrate::pairs_text(calibrate::link_patterns(network), network);
  if (options.output.empty() || options.output == "-")
    streams.out << text;
  else
    write_file(options.output, text);
  return kFine;
}

// A machine file is TOML, so another extension would hide what is in it.
void require_machine_path(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  require(extension.empty() || lower(extension) == ".toml",
          "weft calibrate writes a machine file in TOML, not '{}'; write -o {}.toml", extension,
          std::filesystem::path(path).replace_extension().string());
}

void check(const Given& given, const CalibrateCommand& options) {
  if (options.pairs) {
    require(options.files.empty(), "--pairs uses a network and reads no tables; remove '{}'",
            options.files.empty() ? "" : options.files.front());
    require(given("--topology"), "--pairs needs a network; give --topology");
    given.refuse({"--json", "--plot", "--where", "--link", "--strict"},
                 "with --pairs, which only prints pairs; leave it out");
    return;
  }
  if (options.tables)
    given.refuse({"--plot", "--where", "--link", "--topology", "--output"},
                 "with --tables, which only prints tables; leave it out");
  require(!options.files.empty(),
          "no table is given; name files of measured tables, or give --pairs to see what "
          "weft-bench would measure");
  if (options.output != "-") require_machine_path(options.output);
  if (options.output == "-")
    given.refuse(
        {"--json"},
        "with -o - (the machine file is the answer); name a file, or leave one of them out");
}

ProfileCommand profile_command(const CalibrateCommand& options) {
  return {.files = options.files,
          .machine = options.machine,
          .topology = options.said.of("topology") ? options.said.text("topology") : "",
          .output = options.output,
          .ranks = options.ranks,
          .library = options.library,
          .hold_out = options.hold_out};
}

void refuse_options_of_links(const CalibrateCommand& options, std::string_view what) {
  const std::pair<bool, std::string_view> without_effect[] = {
      {options.tables, "--tables"},        {!options.plot.empty(), "--plot"},
      {options.said.of("link"), "--link"}, {options.said.of("routing"), "--routing"},
      {!options.where.empty(), "--where"}, {options.strict, "--strict"}};
  for (const auto& [given, name] : without_effect)
    require(!given, "{} has no effect on {}, {}; leave it out", name, options.files.front(), what);
}

// A fault of the file comes before an option that has no effect on it.
int fit_forced(const CalibrateCommand& options, Streams& streams) {
  const ProfileCommand command = profile_command(options);
  const calibrate::ForcedTable table = read_forced_tables(command);
  refuse_options_of_links(options, "a table of forced algorithms");
  return fit_profile(command, table, options.common, streams);
}

int fit_netgauge(const CalibrateCommand& options, Streams& streams) {
  const std::string& path = options.files.front();
  std::vector<calibrate::LogGPRow> rows = calibrate::read_loggp_table(read_file(path), path);
  refuse_options_of_links(options, "LogGP parameters of netgauge");
  const std::pair<bool, std::string_view> of_forced[] = {
      {options.hold_out > 0, "--hold-out"},
      {!options.library.empty(), "--library"},
      {options.ranks > 0, "--ranks"},
      {options.said.of("topology"), "--topology"}};
  for (const auto& [given, name] : of_forced)
    require(!given, "{} has no effect on {}, LogGP parameters of two hosts; leave it out", name,
            options.files.front());
  return netgauge_profile(profile_command(options), std::move(rows), options.common, streams);
}

int run(const CalibrateCommand& options, Streams& streams) {
  if (options.pairs) return print_pairs(options, streams);
  if (is_netgauge(options.files)) return fit_netgauge(options, streams);
  if (!options.library.empty() || are_forced_tables(options.files))
    return fit_forced(options, streams);
  std::vector<std::string> remarks;
  std::vector<Named> named = read_all(options, remarks);
  if (!options.plot.empty()) report::require_chart_path(options.plot);
  require(options.machine.empty(),
          "--machine applies to tables of forced algorithms (columns collective, algorithm, "
          "ranks, size, time), but {} is not one; leave it out",
          options.files.front());
  require(options.hold_out == 0,
          "--hold-out applies to tables of forced algorithms, but {} is not one; leave it out",
          options.files.front());
  if (options.tables) {
    std::vector<MeasuredTable> tables;
    for (Named& each : named) tables.push_back(std::move(each.table));
    return print_tables({tables, remarks}, options.common, streams);
  }
  const fields::NetworkSpec spec = network_of(options, named);
  const BuiltTopology built = build_topology(spec.topology);
  const Network network = fields::make_network(spec, built, {});
  std::vector<PlacedTable> tables;
  for (Named& each : named)
    tables.push_back(place(std::move(each), options, network.topology(), remarks));
  const Network limits = fields::make_network(spec, calibrate::with_open_speeds(built), {});
  if (const auto wrong = calibrate::faster_than_network(tables, limits)) reject("{}", *wrong);
  Calibration fit = calibrate::calibrate(tables, network);
  if (const auto wrong = calibrate::faster_than_links(fit, tables, limits)) reject("{}", *wrong);
  fit.remarks.insert(fit.remarks.begin(), remarks.begin(), remarks.end());
  if (!options.plot.empty()) draw_fit(fit, network.topology().name(), options.plot);
  if (!options.output.empty())
    write_file(options.output, calibrate::machine_text(fit, where_of(options, tables)));
  if (options.output == "-") return kFine;  // the file is the answer
  streams.notes->add(NoteWeight::assumption, fit.remarks);
  if (options.common.json)
    print_json("calibrate", FittedLinks{fit, network}, fitted_links_parts(), options.common,
               streams);
  else
    print_links(fit, network, streams);
  return kFine;
}

}  // namespace

std::vector<answer::Shape> calibrate_shapes() {
  return {{"speeds of links", texts_of(fitted_links_parts())},
          {"tables, of --tables", texts_of(read_tables_parts())},
          {"a profile fitted to forced algorithms", texts_of(profile_fit_parts())},
          {"a profile of LogGP parameters", texts_of(loggp_parts())}};
}

void add_calibrate_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<CalibrateCommand>();
  const Command command = program.add_command(
      "calibrate", "Fit latency, bandwidth and start-up of a machine to measured tables");
  const OptionAdder add(command);
  add("files", options->files,
      "Measured tables: OSU, IMB, nccl-tests, weft-probe, weft-bench, netgauge LogGP, or CSV and "
      "pico files of forced algorithms. FILE@HOST,HOST names the hosts of the ranks, "
      "FILE:ALGORITHM the algorithm");
  for (const auto& [field, set] : fields::network_members())
    if (field->name == "topology")
      add.field(options->said, *field, "-t,--topology");
    else if (field->name == "link" || field->name == "routing")
      add.field(options->said, *field);
  command
      .add_option("--ranks", options->ranks,
                  "Number of ranks of collectives, for tables that do not contain it [all hosts]")
      .range(2, 1 << 20)
      .type_name("N");
  add("--library", options->library,
      "Library whose rules chose the algorithms of benchmark tables: " +
          libraries::library_names() + " [none]");
  command
      .add_option("--hold-out", options->hold_out,
                  "Step N for tables of forced algorithms: every Nth size is predicted instead of "
                  "fitted, and its error is printed [none]")
      .range(2, 1000)
      .type_name("N");
  add.flag("--pairs", options->pairs,
           "Print the pairs of ranks that weft-bench links measures, and fit nothing");
  add.flag("--tables", options->tables, "Print the tables that the files contain, and fit nothing");
  add.flag("--strict", options->strict,
           "Refuse lines of other programs, which are otherwise skipped with a note");
  add("--machine", options->machine,
      "Machine whose line rates are limits and whose values fill gaps, for tables of forced "
      "algorithms: a name or a file [the network's own, else generic]");
  add("--where", options->where,
      "Place of the measurement, recorded in the machine file [from the tables]");
  add.output("--plot", options->plot,
             "Chart of measured and modelled times: FILE.svg or FILE.png [none]");
  add.output("-o,--output", options->output,
             "TOML file for the machine, to use as --machine, or file for the list of pairs; - is "
             "standard output [none]");
  add_output_options(command, options->common);
  command.most_used({"--topology", "--output", "--plot", "--machine", "--ranks"});
  command.advanced({"--link", "--routing", "--library", "--hold-out", "--pairs", "--tables",
                    "--strict", "--where"});
  command.footer(
      "Examples:\n"
      "  # Which latency and bandwidth follow from OSU's tables?\n"
      "  weft calibrate examples/osu/latency.txt\n"
      "  # Describe a machine in a file, and use it\n"
      "  weft calibrate examples/osu/latency.txt@0,2 examples/osu/mbw_mr.txt -t \"hosts(2, "
      "complete:2)\" \\\n"
      "    -o machine.toml --plot fit.svg\n"
      "  weft compare allreduce -t \"hosts(2, complete:2)\" --machine machine.toml");
  draws_nothing(command);
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
