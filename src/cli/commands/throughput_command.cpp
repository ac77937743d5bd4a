// weft throughput EXPRESSION: how fast every host, or every rank, can send to every other at once.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/idle_relays.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/rows/kind.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

struct ThroughputCommand {
  Said said;
  OutputOptions common;
};

std::vector<std::int64_t> capacities(const Fabric& fabric) {
  std::vector<std::int64_t> capacity;
  for (const LinkId link : fabric.topology().links())
    capacity.push_back(fabric.bandwidth_Bps(link));
  return capacity;
}

// The hosts of ranks as --placement, --ranks and --hosts say; none where they say nothing.
std::vector<NodeId> places_of(const Said& said, const fields::NetworkSpec& spec, std::uint64_t seed,
                              const Topology& topology) {
  const std::vector<std::int32_t> hosts = hosts_of(said, topology);
  if (spec.placement.empty() && spec.ranks == 0 && hosts.empty()) return {};
  topology::PlacementOptions options{.ranks = spec.ranks, .seed = seed};
  if (!spec.placement.empty()) options.policy = spec.placement;
  return topology::place(topology, options, hosts).nodes;
}

std::string value_text(const flow::Throughput& result) {
  return (result.exact ? show(*result.exact) + ", exact"
                       : fmt::format("{:.6g}", result.throughput)) +
         " (between every pair, link = 1)";
}

// `at_one`: T_B at a throughput of 1.
void add_interval(Record& record, const flow::Throughput& result, double at_one) {
  record.add("throughput", result.throughput, "throughput", value_text(result));
  record.json["upper_bound"] = result.upper_bound;
  record.json["gap"] = result.gap();
  record.json["method"] = flow::to_string(result.method);
  record.json["exact"] = result.exact;
  if (!result.exact)
    record.facts.add("upper bound",
                     fmt::format("{:.6g} (gap {:.3g}%)", result.upper_bound, 100 * result.gap()));
  record.add("distance_bound", result.distance_bound, "distance bound",
             fmt::format("{:.6g} ({:.2f}% of it reached)", result.distance_bound,
                         100 * result.throughput / result.distance_bound));
  const double factor = at_one / result.throughput;
  record.add("bandwidth_factor", factor, "all-to-all T_B", fmt::format("{:.6g} M/B", factor));
}

// The same keys where the time limit came before any flow.
void add_bound_alone(Record& record, const flow::Throughput& result, double at_one) {
  record.add("throughput", nullptr, "throughput", "none found");
  record.json["upper_bound"] = result.upper_bound;
  record.json["gap"] = nullptr;
  record.json["method"] = flow::to_string(result.method);
  record.json["exact"] = nullptr;
  record.add("distance_bound", result.distance_bound, "distance bound",
             fmt::format("{:.6g} (no throughput is higher; link = 1)", result.distance_bound));
  record.add("bandwidth_factor", nullptr, "all-to-all T_B",
             fmt::format("at least {:.6g} M/B", at_one / result.upper_bound));
}

// Why the answer is no better. The exact method has no time limit.
std::string shortfall(const flow::Throughput& result) {
  const bool in_time = result.method == flow::ThroughputMethod::exact;
  const char* reason = in_time ? "the linear program was solved too inexactly to prove its value"
                               : "the time limit was reached";
  if (!result.has_flow())
    return fmt::format("{}: no throughput was found, and only upper bounds are known\n", reason);
  return fmt::format("{}; proven so far: the throughput is within {:.3g}% of the upper bound\n",
                     reason, 100 * result.gap());
}

Record record_of(const flow::Throughput& result, const Fabric& fabric, std::int32_t idle_relays,
                 const OutputOptions& common) {
  Record record{answer("throughput", common)};
  record.add("topology", fabric.topology().name(), "topology");
  record.add("hosts", result.hosts, "hosts");
  record.json["ranks"] = result.ranks;
  if (result.ranks != result.hosts)
    record.facts.add("ranks", fmt::format("{}, every pair on different hosts", result.ranks));
  record.json["idle_relays"] = idle_relays;
  if (idle_relays > 0)
    record.facts.add("idle hosts",
                     fmt::format("{} without a rank could pass data on, but {} (beside switches)",
                                 idle_relays, idle_relays == 1 ? "does not" : "do not"));
  const double at_one = flow::factor_at_one(fabric, result.ranks).to_double();
  if (result.has_flow())
    add_interval(record, result, at_one);
  else
    add_bound_alone(record, result, at_one);
  record.json["bandwidth_factor_bound"] = at_one / result.upper_bound;
  record.json["variables"] = result.variables;
  record.json["rounds"] = result.rounds;
  record.facts.add("method", std::string(flow::to_string(result.method)));
  return record;
}

void check(const Given& given, const ThroughputCommand& options) {
  using enum flow::ThroughputMethod;
  const auto method = flow::parse_throughput_method(options.said.text("method"));
  if (method == automatic || method == approximate) return;
  const std::string name(flow::to_string(method));
  given.refuse(
      {"--gap"},
      "with --method " + name +
          " (its answer is not an approximation); leave it out, or choose --method approximate");
  if (method == exact)
    given.refuse({"--time-limit"},
                 "with --method exact (which always runs to its end); leave it out, or choose "
                 "--method approximate");
}

int run(const ThroughputCommand& options, Streams& streams) {
  const fields::NetworkSpec network = fields::network_in(options.said.values);
  const BuiltTopology built = build_topology(network.topology);
  if (options.said.machine) fields::require_classes(*options.said.machine, built.topology);
  add_network_notes(options.said, built.topology, *streams.notes);
  const Fabric fabric(built, network.links);
  flow::ThroughputOptions limits;
  set_members(limits, fields::throughput_members(), options.said.values);
  limits.places = places_of(options.said, network, options.common.seed, built.topology);
  const flow::Throughput result =
      flow::all_to_all_throughput(built.topology, capacities(fabric), limits);
  const std::int32_t idle =
      limits.places.empty() ? 0 : flow::idle_relays(built.topology, limits.places);
  print(record_of(result, fabric, idle, options.common), options.common, streams);
  if (result.is_within(limits.gap)) return kFine;
  streams.err << shortfall(result);
  return kNo;
}

}  // namespace

void add_throughput_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ThroughputCommand>();
  const Command command = program.add_command(
      "throughput", "Compute the all-to-all throughput of each host or rank, with an upper bound");
  const OptionAdder add(command);
  add.field(options->said, *rows::find_field("topology"), "-t,--topology,expression")
      .description(
          "Network, such as kautz:4,3, \"line(bipartite:4,4)\" or file:net.edges; see weft list "
          "topologies")
      .required();
  add.field(options->said, *rows::find_field("link"))
      .description(
          "Bandwidth,latency of every link, or CLASS=BW,LAT for a class of links; the fastest link "
          "counts as 1 [1]");
  for (const char* name : {"placement", "hosts"}) add.field(options->said, *rows::find_field(name));
  add.field(options->said, *rows::find_field("ranks")).range(1, 1 << 30);
  command.after_reading(
      [options, machine = add_machine_option(command)] { take_machine(*machine, options->said); });
  add.members(options->said, fields::throughput_members());
  add_output_options(command, options->common);
  command.most_used({"--method", "--gap", "--time-limit", "--link", "--placement"});
  command.footer(
      "Examples:\n"
      "  # How much can each host of a torus send to all others?\n"
      "  weft throughput torus:8x8x8\n"
      "  # Bound the throughput of 1,024 nodes within 0.2 %\n"
      "  weft throughput genkautz:4,1024 --gap 0.002 --time-limit 300s\n"
      "  # How much do 20 ranks on random hosts get?\n"
      "  weft throughput \"hosts(4, torus:3x3)\" --placement random --ranks 20");
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
