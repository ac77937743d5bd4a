// weft throughput EXPRESSION: how fast every host, or every rank, can send to every other at once.
#include <fmt/format.h>

#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/machine/link_origins.hpp"
#include "cli/machine/machine_option.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/idle_relays.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/rows/kind.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

struct ThroughputCommand {
  GivenFields said;
  OutputOptions common;
};

std::vector<std::int64_t> capacities(const Fabric& fabric) {
  std::vector<std::int64_t> capacity;
  for (const LinkId link : fabric.topology().links())
    capacity.push_back(fabric.bandwidth_Bps(link));
  return capacity;
}

// The hosts of ranks as placing_options() say; none where they say nothing.
std::vector<NodeId> places_of(const GivenFields& said, const fields::NetworkSpec& spec,
                              std::uint64_t seed, const Topology& topology) {
  const std::vector<std::int32_t> hosts = hosts_of(said, topology);
  if (spec.placing == topology::PlacementOptions() && hosts.empty()) return {};
  topology::PlacementOptions options = spec.placing;
  options.seed = seed;
  return topology::place(topology, options, hosts).nodes;
}

std::string value_text(const flow::Throughput& result) {
  return (result.exact ? show(*result.exact) + ", exact"
                       : fmt::format("{:.6g}", result.throughput)) +
         " (between every pair, link = 1)";
}

/// What weft throughput answers. Without a flow only bounds are known.
struct ThroughputAnswer {
  const flow::Throughput& result;
  const Fabric& fabric;
  std::int32_t idle_relays;
  double factor_at_one;  // T_B at a throughput of 1

  std::optional<double> of_flow(double value) const {
    return result.has_flow() ? std::optional(value) : std::nullopt;
  }
};

std::string distance_text(const ThroughputAnswer& a) {
  const double bound = a.result.distance_bound;
  return a.result.has_flow() ? fmt::format("{:.6g} ({:.2f}% of it reached)", bound,
                                           100 * a.result.throughput / bound)
                             : fmt::format("{:.6g} (no throughput is higher; link = 1)", bound);
}

std::string factor_text(const ThroughputAnswer& a) {
  return a.result.has_flow()
             ? fmt::format("{:.6g} M/B", a.factor_at_one / a.result.throughput)
             : fmt::format("at least {:.6g} M/B", a.factor_at_one / a.result.upper_bound);
}

template <class T>
auto of_result(T flow::Throughput::*member) {
  return [member](const ThroughputAnswer& a) -> const T& { return a.result.*member; };
}

std::string method_of(const ThroughputAnswer& a) {
  return std::string(flow::to_string(a.result.method));
}

Parts<ThroughputAnswer> host_parts() {
  constexpr PartOf<ThroughputAnswer> part;
  return {
      part(keys::kTopology, "topology",
           [](const ThroughputAnswer& a) { return a.fabric.topology().name(); }),
      part("hosts", "hosts", Unit::none, "hosts with ranks", of_result(&flow::Throughput::hosts)),
      part(keys::kRanks, of_result(&flow::Throughput::ranks)),
      part.line("ranks",
                [](const ThroughputAnswer& a) {
                  return fmt::format("{}, every pair on different hosts", a.result.ranks);
                })
          .when([](const ThroughputAnswer& a) { return a.result.ranks != a.result.hosts; }),
      part("idle_relays", "", Unit::none, "hosts without a rank that could pass data on but do not",
           &ThroughputAnswer::idle_relays),
      part.line("idle hosts",
                [](const ThroughputAnswer& a) {
                  return fmt::format(
                      "{} without a rank could pass data on, but {} (beside switches)",
                      a.idle_relays, a.idle_relays == 1 ? "does not" : "do not");
                })
          .when([](const ThroughputAnswer& a) { return a.idle_relays > 0; })};
}

Parts<ThroughputAnswer> throughput_parts() {
  using flow::Throughput;
  constexpr PartOf<ThroughputAnswer> part;
  return join(
      host_parts(),
      {part("throughput", "throughput", Unit::none,
            "flow between every pair of ranks, relative to the fastest link; null if none was "
            "found in time",
            [](const ThroughputAnswer& a) { return a.of_flow(a.result.throughput); })
           .shown_as([](const ThroughputAnswer& a) {
             return a.result.has_flow() ? value_text(a.result) : "none found";
           }),
       part(keys::kUpperBound, of_result(&Throughput::upper_bound)),
       part("gap", "", Unit::none, "upper bound / throughput - 1",
            [](const ThroughputAnswer& a) { return a.of_flow(a.result.gap()); }),
       part("method", "", Unit::none, "method that gave the answer", method_of),
       part("exact", "", Unit::none, "the throughput as a fraction, if it is proven",
            of_result(&Throughput::exact)),
       part.line("upper bound",
                 [](const ThroughputAnswer& a) {
                   return fmt::format("{:.6g} (gap {:.3g}%)", a.result.upper_bound,
                                      100 * a.result.gap());
                 })
           .when([](const ThroughputAnswer& a) { return a.result.has_flow() && !a.result.exact; }),
       part("distance_bound", "distance bound", Unit::none,
            "upper bound of the throughput by the mean distance",
            of_result(&Throughput::distance_bound))
           .shown_as(distance_text),
       part("bandwidth_factor", "all-to-all T_B", Unit::none,
            "T_B of an all-to-all at this throughput, in units of M/B",
            [](const ThroughputAnswer& a) {
              return a.of_flow(a.factor_at_one / a.result.throughput);
            })
           .shown_as(factor_text),
       part("bandwidth_factor_bound", "", Unit::none,
            "lower bound on T_B of an all-to-all, in units of M/B",
            [](const ThroughputAnswer& a) { return a.factor_at_one / a.result.upper_bound; }),
       part("variables", "", Unit::none, "prices or flows of the method",
            of_result(&Throughput::variables)),
       part("rounds", "", Unit::none, "rounds, sweeps or pivots of the method",
            of_result(&Throughput::rounds)),
       part.line("method", method_of)});
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
  *options.said.file_speeds = speeds_in_file(built);
  add_network_notes(options.said, built.topology, *streams.notes);
  const Fabric fabric(built, network.links);
  flow::ThroughputOptions limits;
  set_members(limits, fields::throughput_members(), options.said.values);
  limits.places = places_of(options.said, network, options.common.seed, built.topology);
  const flow::Throughput result =
      flow::all_to_all_throughput(built.topology, capacities(fabric), limits);
  const std::int32_t idle =
      limits.places.empty() ? 0 : flow::idle_relays(built.topology, limits.places);
  const ThroughputAnswer answer{result, fabric, idle,
                                flow::factor_at_one(fabric, result.ranks).to_double()};
  if (options.common.json)
    print_json("throughput", answer, throughput_parts(), options.common, streams);
  else
    streams.out << facts_from(answer, throughput_parts()).text();
  if (result.is_within(limits.gap)) return kFine;
  streams.err << shortfall(result);
  return kNo;
}

}  // namespace

std::vector<answer::Shape> throughput_shapes() {
  return {{"", texts_of(throughput_parts())}};
}

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
  add_placing_options(add, options->said);
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
