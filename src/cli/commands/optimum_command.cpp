// weft optimum COLLECTIVE: the least T_B of any schedule, the cut that proves it, and how near
// schedules come.
#include "weft/question/optimum.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/algorithm_list.hpp"
#include "cli/options/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

struct Options {
  Said said;
  std::string size;        // empty: no time
  std::string algorithms;  // empty: the usual ones, where that is quick
  std::int64_t segments = 64;
  OutputOptions common;
};

// Whether the data leaves the side that is named inside.
bool leaves(const Collective& collective) {
  return collective.kind == CollectiveKind::reduce ||
         collective.kind == CollectiveKind::reduce_scatter ||
         collective.kind == CollectiveKind::scatter;
}

std::string data_text(const flow::RankCut& cut, const Collective& collective) {
  switch (collective.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return "all data";
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::scatter:
      return fmt::format("what is for {} ranks", cut.lacking);
    default:
      return fmt::format("what {} ranks have", cut.lacking);
  }
}

std::string parts_text(const flow::RankCut& cut, const Collective& collective) {
  const bool by_flow = collective.kind == CollectiveKind::scatter ||
                       collective.kind == CollectiveKind::gather;
  if (cut.trees == 0)
    return fmt::format("more than 2^20 of each {} would fill the cut", by_flow ? "block" : "root");
  if (collective.rooted() && !by_flow) return fmt::format("{} fill the cut", cut.trees);
  return fmt::format("{} of each {} fill the cut", cut.trees, by_flow ? "block" : "rank");
}

std::string text_of(const flow::RankCut& cut, const Collective& collective,
                    const Network& network) {
  const std::string there =
      cut.inside.size() == 1
          ? fmt::format("node {}", topology::node_text(network.topology(), cut.inside.front()))
          : fmt::format("{} nodes, {} among them", cut.inside.size(),
                        topology::node_text(network.topology(), cut.inside.front()));
  return fmt::format("{} {} {} over {} link{} of {} together",
                     data_text(cut, collective),
                     leaves(collective) ? "leaves" : "enters", there, cut.links.size(),
                     cut.links.size() == 1 ? "" : "s",
                     format_rate(static_cast<double>(cut.bandwidth_Bps)));
}

// The side whose data crosses the cut, by ranks and by the nodes without one that pass data on.
Json json_of(const flow::RankCut& cut, const Network& network) {
  std::vector<char> outside(static_cast<std::size_t>(network.topology().node_count()), 0);
  for (const NodeId node : cut.outside) outside[node.index()] = 1;
  Json ranks = Json::array(), switches = Json::array(), links = Json::array();
  const auto& places = network.placement().nodes;
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    if (outside[places[rank].index()] != 0) ranks.push_back(rank);
  for (const NodeId node : places) outside[node.index()] = 0;
  for (const NodeId node : cut.outside)
    if (outside[node.index()] != 0) switches.push_back(node.value());
  for (const LinkId link : cut.links) links.push_back(link.value());
  return {{"ranks", std::move(ranks)},
          {"switches", std::move(switches)},
          {"links", std::move(links)},
          {"bandwidth_Bps", cut.bandwidth_Bps}};
}

// It takes a second for so many, and minutes for a few times as many.
constexpr std::int32_t kMostShown = 128;

bool are_left_out(const Options& options, const Network& network) {
  return options.algorithms.empty() && network.ranks() > kMostShown;
}

std::vector<std::string> algorithms_of(const Options& options, const Collective& collective,
                                       const Network& network) {
  if (lower(options.algorithms) == "none" || are_left_out(options, network)) return {};
  return options.algorithms.empty() ? question::usual_algorithms(collective, network)
                                    : algorithms_in(options.algorithms);
}

void check(const Given& given, const Options& options) {
  question::require_known_optimum(schedule::parse_collective(options.said.text("collective")));
  const bool none = lower(options.algorithms) == "none";
  if (!options.algorithms.empty() && !none && algorithms_in(options.algorithms).empty())
    reject("--algorithms {}: name those to hold against the optimum, as packing,bfb",
           options.algorithms);
  if (none) given.refuse({"--segments"}, "without schedules; leave it out");
  if (!options.size.empty()) one_size(options.size);
}

int run(const Options& options, Streams& streams) {
  const Network network = make_network(options.said, options.common.seed);
  const Collective collective = make_collective(options.said, network);
  require_used(options.said, collective);
  if (!options.common.quiet) streams.err << overridden_note(options.said);
  const question::Optimum best = question::optimum(collective, network);
  Record record{answer("optimum", options.common)};
  record.json.update(json_of(network, options.said));
  record.add("collective", std::string(name_of(collective.kind)), "collective");
  if (collective.rooted()) record.json["root"] = collective.root.value();
  record.facts.add("topology",
                   fmt::format("{}, {} ranks", network.topology().name(), network.ranks()));
  record.add("bandwidth_factor", best.bandwidth_factor, "least T_B", show(best.bandwidth_factor));
  if (!options.size.empty()) {
    const std::int64_t size_B = one_size(options.size);
    const double time_s = best.time_s(collective, network, size_B);
    record.json["size"] = size_B;
    record.add("time", time_s, "time", fmt::format("{} at least", format_seconds(time_s)));
  }
  record.facts.add("because", text_of(best.cut, collective, network));
  record.json["trees"] = best.cut.trees > 0 ? Json(best.cut.trees) : Json();
  record.facts.add("trees", parts_text(best.cut, collective));
  record.json["node_bandwidth_Bps"] = network.fabric().node_egress_Bps();
  Json& places = record.json["places"] = Json::array();
  for (const NodeId node : network.placement().nodes) places.push_back(node.value());
  record.json["certificate"]["cut"] = json_of(best.cut, network);
  Table table({"schedule", "T_L", "T_B", "x least"});
  Json& schedules = record.json["schedules"] = Json::array();
  for (const auto& row : question::priced_schedules(algorithms_of(options, collective, network),
                                                    collective, network, options.segments)) {
    schedules.push_back({{"algorithm", row.schedule},
                         {"steps", row.steps},
                         {"bandwidth_factor", row.bandwidth_factor}});
    table.add({row.schedule, fmt::format("{}", row.steps), show(row.bandwidth_factor),
               fmt::format("{:.3f}", (row.bandwidth_factor / best.bandwidth_factor).to_double())});
  }
  if (!schedules.empty()) record.below += table.text(screen_of(streams));
  print(record, options.common, streams, screen_of(streams));
  if (are_left_out(options, network) && !options.common.quiet)
    streams.err << fmt::format(
        "weft: no schedule is held against it above {} ranks; name some: --algorithms packing\n",
        kMostShown);
  return kFine;
}

}  // namespace

void add_optimum_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "optimum", "The least T_B of any schedule on a network, and the cut that proves it");
  const OptionAdder add(*command);
  add_collective_options(*command, options->said, "collective");
  add("--size", options->size, "Adds the time of a call of this size: 64MiB");
  add("-a,--algorithm,--algorithms", options->algorithms,
      "Algorithms whose schedules are held against it, or none [packing or, where it does not "
      "serve, all that apply; up to 128 ranks]");
  add("--segments", options->segments, "Of schedules that are pipelined, beside one segment")
      ->check(CLI::Range(std::int64_t{1}, schedule::kMaxSegments));
  add_network_options(*command, options->said);
  leave_out(*command, {"--alpha", "--alpha-receive", "--alpha-per", "--ports", "--copy-bandwidth",
                       "--layout", "--reduce-bandwidth", "--from", "--to"});
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft optimum allgather --topology genkautz:4,32 --json\n"
      "  weft optimum allgather -t torus:4x4 -a packing,bfb,ring\n"
      "  weft optimum reduce-scatter -t \"boxes(2, network:dgx-a100)\" --size 64MiB");
  on_chosen(*command, options, run, action, check);
}

}  // namespace weft::cli
