// Columns: those of a kind whose answer has a table of parts are described there; of the others, an
// entry for kinds of its own comes before the entry for all other kinds.
#include <algorithm>
#include <array>
#include <map>

#include "weft/base/text.hpp"
#include "weft/rows/kind_facts.hpp"
#include "weft/rows/kinds/columns.hpp"

namespace weft::rows {

namespace {

struct ColumnText {
  std::string_view name;
  std::string_view kinds;  // separated by blanks; empty: all others
  std::string_view meaning;
};

constexpr auto kColumnTexts = std::to_array<ColumnText>({
    // Times and rates.
    {"time", "pairs", "mean time over all destinations; the sender itself counts as 0 s"},
    {"time", "order", "time of the call in the best order, in s"},
    {"time", "forecast", "call-cost + steps (alpha + the longest latency) + T_B M/B, in s"},
    {"time", "throughput", "time of an all-to-all at the throughput, in s"},
    {"time", "testbed", "minimum of the measured times, each that of the slowest rank, in s"},
    {"time", "train", "time of a step, in s"},
    {"time", "published", "predicted time, in s"},
    {"time", "", "time of the call, in s"},
    {"median", "", "median of the measured times, in s"},
    {"measured", "", "published time, in s"},
    {"ratio", "", "predicted time over published time"},
    {"within_15", "", "1 where the prediction is within 15 %, else 0"},
    {"within_30", "", "1 where the prediction is within 30 %, else 0"},
    {"machine", "", "machine of the point"},
    {"collective", "", "collective of the point"},
    {"algorithm", "", "algorithm that the prediction uses"},
    {"size_B", "", "size of the point, in bytes"},
    {"id", "", "name of the point in its file"},
    {"least_time", "pairs", "time of the fastest destination, in s"},
    {"least_time", "bounds", "minimum time of a call of the size by greatest_bound, in s"},
    {"least_time", "forecast",
     "time with the steps of the Moore bound and bandwidth_factor_bound, in s"},
    {"least_time", "throughput", "time of an all-to-all at upper_bound, in s"},
    {"least_time", "train", "lower bound of the step on this network, in s"},
    {"greatest_time", "", "time of the slowest destination, in s"},
    {"moore_time", "", "time of an all-to-all at moore_bound, in s"},
    {"allreduce_time", "train", "sum over all allreduces of a step, in s"},
    {"alltoall_time", "", "sum over all all-to-alls of a step, in s"},
    {"fluid_time", "", "time by the fluid model, in s"},
    {"over_fluid", "", "measured time over fluid_time"},
    {"alpha_beta_time", "", "time by the alpha-beta model, in s"},
    // Schedules.
    {"steps", "", "steps of the schedule (T_L)"},
    {"messages", "phases", "messages of the step"},
    {"messages", "", "messages of all ranks"},
    {"segments_used", "", "segments that ran; the parameter segments stays auto"},
    {"bandwidth_factor", "throughput", "T_B of an all-to-all at the throughput, in units of M/B"},
    {"bandwidth_factor", "", "T_B: bandwidth cost in units of M/B, a fraction"},
    {"exact_bandwidth_factor", "", "T_B if blocks were cut without limit"},
    {"bandwidth_factor_bound", "", "lower bound of T_B by ports and distances"},
    {"bound_ratio", "", "bandwidth_factor over bandwidth_factor_bound"},
    {"cut_bound", "", "lower bound of T_B by cuts of the network"},
    {"optimum", "bounds", "minimum T_B of any schedule, where a second is enough to find it"},
    {"optimum", "", "minimum T_B of any schedule, for collectives whose cuts give it"},
    {"over_optimum", "", "bandwidth_factor over optimum"},
    {"greatest_bound", "", "larger of bandwidth_factor_bound and cut_bound"},
    {"steps_bound", "", "lower bound of the steps on this network"},
    {"least_steps", "", "minimum steps on the network with its ports"},
    {"moore_steps", "", "lower bound of the steps for any network of this size and degree"},
    {"moore_steps_two_way", "", "the same for networks whose cables are two-way"},
    {"steps_above_moore", "", "steps - moore_steps"},
    {"max_link_load", "", "largest data on one link in the whole call, in units of M"},
    {"verified", "forecast", "whether the schedule was built and proven correct"},
    {"verified", "", "whether the schedule is proven correct"},
    {"node_bandwidth_Bps", "", "B: bandwidth of a node, in bytes per second"},
    {"units_per_block", "", "equal units that blocks are cut into"},
    {"symmetry_order", "", "ranks that share one stored pattern; 1 without symmetry"},
    {"keeps_order", "", "whether operations that do not commute keep their order"},
    {"overwrites", "", "whether a rank receives data twice"},
    {"combined_messages", "", "largest number of blocks in a message"},
    {"nodes", "testbed", "nodes of the testbed"},
    {"nodes", "", "nodes of the network"},
    {"chosen", "", "with algorithm = \"best\": the fastest algorithm"},
    {"excess", "throughput", "time of an all-to-all over that at moore_bound, minus 1"},
    {"excess", "", "time over least_time, minus 1"},
    {"least_excess", "", "the same at upper_bound: excess is at least this"},
    {"destinations", "", "number of destinations"},
    {"kinds", "", "number of schedules that differ"},
    // Packets.
    {"packets", "", "packets that arrived"},
    {"mean_latency", "", "mean latency of a packet, in s"},
    {"p99_latency", "", "99th percentile of the latency, in s"},
    {"max_latency", "", "largest latency of a packet, in s"},
    {"mean_hops", "", "mean number of routers that a packet passes; of links without switches"},
    {"packet_hops", "", "links that all packets crossed together"},
    {"global_packets", "", "packets on links of class global"},
    {"local_packets", "", "packets on links of class local"},
    {"accepted", "", "moves that were accepted"},
    {"saturation", "",
     "with offered-load = \"saturation\": the largest stable load, in flits per host and cycle"},
    {"routing_used", "", "the routing that ran"},
    // Links crossed.
    {"makespan", "crossings", "longest chain of messages that wait for each other, in links"},
    {"makespan", "order", "longest chain of messages in the best order, in links"},
    {"crossings", "phases", "links that all messages of the step cross together"},
    {"crossings", "", "links that all messages cross together"},
    {"terminal_crossings", "", "crossings of links of class terminal"},
    {"local_crossings", "", "crossings of links of class local"},
    {"global_crossings", "", "crossings of links of class global"},
    {"terminal_data", "", "data on links of class terminal, in units of M"},
    {"local_data", "", "data on links of class local, in units of M"},
    {"global_data", "", "data on links of class global, in units of M"},
    {"expected_local", "",
     "mean local crossings of N - 1 messages between random hosts of a Dragonfly"},
    {"expected_global", "",
     "mean global crossings of N - 1 messages between random hosts of a Dragonfly"},
    {"most_local", "", "largest number of local crossings of llf, glf and forest"},
    {"most_global", "", "largest number of global crossings of llf, glf and forest"},
    {"busiest_link", "", "messages on the busiest link in the step"},
    {"least_busiest_link", "", "minimum busiest_link of any up and down paths; xgft and fat-tree"},
    {"top_level", "", "messages across the top of the tree; xgft and fat-tree"},
    // Networks.
    {"hosts", "", "hosts of the network"},
    {"switches", "", "switches of the network"},
    {"links", "", "one-way links"},
    {"cables", "", "cables; a one-way link is a cable of its own"},
    {"degree", "", "nominal number of links that leave a node"},
    {"min_degree", "", "smallest number of links into or out of a node"},
    {"max_degree", "", "largest number of links into or out of a node"},
    {"diameter", "", "largest distance of two nodes, in links"},
    {"average_distance", "", "mean distance of two nodes, in links"},
    {"radius", "", "smallest eccentricity of a node, in links"},
    {"girth", "", "links of the shortest cycle"},
    {"moore_diameter", "", "minimum diameter of any network of this size and degree"},
    {"edge_connectivity", "", "links that must fail to separate two nodes"},
    {"bidirectional", "", "whether every link has a link back"},
    {"connected", "", "whether every node reaches every other"},
    {"bisection_lower", "", "lower bound of the bisection, in cables"},
    {"bisection_upper", "", "upper bound of the bisection, in cables"},
    {"vertex_transitive", "", "whether all nodes are equivalent"},
    {"reverse_symmetric", "", "whether the network is isomorphic to its reverse"},
    {"throughput", "", "all-to-all throughput: each pair's rate in units of a link's bandwidth"},
    {"upper_bound", "", "proven upper bound of the throughput"},
    {"gap_reached", "", "upper_bound over throughput, minus 1"},
    {"exact_throughput", "", "the throughput as a fraction, where it is exact"},
    {"method_used", "", "method that found the throughput"},
    {"distance_bound", "", "upper bound by the mean distance"},
    {"moore_bound", "", "upper bound for any network of as many hosts with this degree"},
    {"contained", "", "whether the guest's cables fit on different cables of the topology"},
    {"isomorphic", "", "whether no cable of the topology is unused"},
    {"guest_nodes", "", "switches of the guest, or nodes where it has no switches"},
    {"spare_cables", "", "cables of the topology that the guest does not use"},
    // Costs in dollars.
    {"ports", "", "ports of a switch"},
    {"dollars", "price", "price of the part, in dollars"},
    {"slope", "", "dollars per unit of the fitted line"},
    {"constant", "", "dollars of the fitted line at 0 units"},
    {"offers", "", "offers of these units in the price list"},
    {"dollars_per_unit", "", "dollars over units"},
    {"most", "", "ports of one panel"},
    // Orders.
    {"hops", "", "hops of the best order"},
    {"start_time", "", "time of the first order, in s"},
    {"start_makespan", "", "makespan of the first order, in links"},
    {"start_hops", "", "hops of the first order"},
    {"time_gain", "", "share of start_time that the search saves"},
    {"makespan_gain", "", "share of start_makespan that the search saves"},
    {"hops_gain", "", "share of start_hops that the search saves"},
    {"hops_bound", "", "lower bound of the hops"},
    {"attempts_made", "", "moves that were proposed"},
    // Training.
    {"compute", "", "time in which computing runs, in s"},
    {"exposed_gradients", "",
     "time in which gradients are on the network and nothing computes, in s"},
    {"exposed_alltoall", "",
     "time in which all-to-alls are on the network and nothing computes, in s"},
    {"exposed_other", "",
     "time in which other calls are on the network and nothing computes, in s"},
    {"idle", "", "time without computing and without calls, in s"},
    {"alltoall_share", "", "exposed_alltoall over time"},
    {"bucket", "", "bytes of the best gradient bucket"},
    {"over_least", "", "time over least_time"},
    {"ideal_time", "",
     "step time if each collective were at the lower bound of any network of this size and degree, "
     "in s"},
    {"over_ideal", "", "time over ideal_time"},
    {"dropped", "", "share of tokens that experts drop"},
    {"samples", "", "samples of a step"},
    {"samples_per_second", "", "samples over time"},
    {"tokens_per_second", "", "tokens over time"},
    {"utilisation", "", "operations of the model over what the devices' peaks allow"},
    {"computing_efficiency", "", "share of the peak that computing reaches"},
    {"model_parameters", "", "parameters of the model"},
    // Testbeds and fits.
    {"calls", "", "measured calls"},
    {"load", "", "load of the machine while it measured"},
    {"runs", "", "algorithm that ran, or native"},
    {"fitted_alpha", "", "fitted start-up of a step, in s"},
    {"epsilon", "", "fitted cost of a call, in s"},
    {"bandwidth_Bps", "", "fitted bandwidth of a node, in bytes per second"},
    {"error", "", "mean relative error of the fitted times"},
    {"greatest_error", "", "largest relative error of the fitted times"},
    {"small_error", "", "mean relative error at the smallest size"},
    {"small_greatest_error", "", "largest relative error at the smallest size"},
    {"large_error", "", "mean relative error at the largest size"},
    {"large_greatest_error", "", "largest relative error at the largest size"},
    {"fitted_rows", "", "rows that were fitted"},
});

bool serves_kind(const ColumnText& column, std::string_view kind) {
  if (column.kinds.empty()) return true;
  const auto kinds = split(column.kinds, ' ');
  return std::ranges::find(kinds, kind) != kinds.end();
}

// The kinds with a table of parts.
std::span<const ColumnMeaning> described_columns(std::string_view kind) {
  static const std::map<std::string_view, std::vector<ColumnMeaning>> all{
      {"compare", compare_columns()}, {"degrade", degrade_columns()},
      {"design", design_columns()},   {"economics", economics_columns()},
      {"find", find_columns()},       {"load-curve", load_curve_columns()},
      {"optimum", optimum_columns()}, {"plan", plan_columns()}};
  const auto found = all.find(kind);
  return found == all.end() ? std::span<const ColumnMeaning>() : found->second;
}

}  // namespace

std::string_view meaning_of_column(std::string_view kind, std::string_view column) {
  const auto described = described_columns(kind);
  if (const auto own = std::ranges::find(described, column, &ColumnMeaning::column);
      own != described.end())
    return own->meaning;
  const auto found = std::ranges::find_if(kColumnTexts, [&](const ColumnText& candidate) {
    return candidate.name == column && serves_kind(candidate, kind);
  });
  if (found != kColumnTexts.end()) return found->meaning;
  static const std::vector<ColumnMeaning> of_simulations = simulate_columns();
  const auto number = std::ranges::find(of_simulations, column, &ColumnMeaning::column);
  return kind == "simulate" && number != of_simulations.end() ? std::string_view(number->meaning)
                                                              : std::string_view();
}

}  // namespace weft::rows
