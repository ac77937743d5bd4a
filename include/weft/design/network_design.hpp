// Network design: which network to build for some nodes, by the collectives that they run.
//
//   const NetworkDesign found = design_network({.nodes = 64, .ports = 4,
//                                               .calls =
//                                               parse_mix("allreduce:100MiB,alltoall:1MiB"),
//                                               .prices = analysis::load_price_list("shipped")},
//                                              catalogue);
//   for (const DesignRow& row : found.rows) ... row.candidate.topology, row.time_s() ...
//
// Every candidate that can be built is proved and timed by the alpha-beta model with its best
// algorithm for each call; the best few also by the fluid model, and with every single cable and
// node failed. Beside them stands what no network of so many nodes and ports betters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/analysis/economics.hpp"
#include "weft/fields/members.hpp"
#include "weft/order/order_mix.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/search/catalogue.hpp"
#include "weft/search/graph_search.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::design {

/// What stands between the nodes: cables from port to port; the ports of a patch panel or an
/// optical switch, which joins any two of them; packet switches.
enum class Build : std::uint8_t { direct, patch_panel, optical_switch, switches };
/// "direct", "patch-panel", "optical-switch", "switches"; any case. Throws InvalidInput.
Build parse_build(std::string_view name);
std::string_view name_of(Build build);

/// Whether switches may have more ports than asked for: the price list's larger models, where the
/// whole network costs less with them.
enum class LargerSwitches : std::uint8_t { left_out, considered };

/// Takes as many places of each switch.
inline constexpr std::string_view kEvenPlacement = "round-robin-router";
/// What a rack holds where nobody says otherwise.
inline constexpr std::int64_t kHostsPerRack = 32;

struct DesignQuestion {
  int nodes = 2;  // 2 .. 100,000
  int ports = 4;  // of a node, 1 .. 64; default_ports() has what is usual
  search::Direction direction = search::Direction::bidirectional;  // of direct links
  Build build = Build::direct;
  int radix = 64;  // ports of a switch, of Build::switches; 0: the models of the price list
  LargerSwitches larger = LargerSwitches::left_out;
  /// Of Build::switches that have room for more hosts: which places are taken, as
  /// topology::place() gives them. Ranks count the hosts that are there in order.
  std::string placement{kEvenPlacement};
  std::vector<order::MixEntry> calls = {};  // one or more
  NetworkSpec network = {};  // links, routing, start-ups; topology and ranks are candidates'
  /// What messages cost by their size and within a host; the models are alpha-beta and fluid.
  simulation::SimulationOptions simulation = {};
  analysis::PriceList prices = {};  // of Build::patch_panel with ports of its kind
  /// Consecutive switches with their hosts, or nodes without switches, that share a rack; 0: as
  /// many as hosts_per_rack gives room for.
  std::int64_t per_rack = 0;
  std::int64_t hosts_per_rack = kHostsPerRack;  // 1 or more; hosts are the nodes without switches
  /// That the fluid model and failures judge, 1 or more; and others that else would look faster and
  /// cheaper than the advised one. Above 256 nodes those are left out that no longer can be
  /// advised, by what their schedules put on links.
  int finalists = 3;
  /// 0: none. One candidate is timed in any case, before the others, with the first algorithm that
  /// is quick to make, and with more of these for up to three quarters of the time: it is the
  /// answer where no other was in time.
  double time_limit_s = 0;
};

/// Of a node: 1 to switches (a card), else 4.
int default_ports(Build build);
/// Whether both ends of a cable go to a panel, which joins them.
bool has_panel(Build build);
/// The offer of the panel that is asked for. Throws InvalidInput where the list has none that joins
/// two cables.
const analysis::PortOffer& panel_of(const DesignQuestion& asked);
/// How nodes and switches stand.
analysis::RackLayout layout_of(const DesignQuestion& asked);

/// A switch that can be bought, whole: for what the price list quotes (the least), or where it
/// quotes none of so many ports for what the line fitted through all says.
struct SwitchModel {
  int ports = 0;
  double dollars = 0;
  std::string part = {};  // empty: by the line

  friend bool operator==(const SwitchModel&, const SwitchModel&) = default;
};
/// By ports, one or more: of asked.radix ports, or of the list where that is 0; and the list's with
/// more ports where these are considered.
std::vector<SwitchModel> switch_models(const DesignQuestion& asked);

/// A network that can be built so.
struct CandidateNetwork {
  std::string topology;   // an expression
  std::string origin;     // "find", "torus", "leaf-spine, 2 : 1", ...
  bool baseline = false;  // what is built without thinking: rings, trees, a 2-D torus
};

/// All that are looked at: Pareto-efficient networks of the catalogue and families of so many nodes
/// and ports; with switches the fewest of each family that hold the nodes, one plane for each port.
/// Throws InvalidInput where none can be built, naming the nearest size that can.
std::vector<CandidateNetwork> candidate_networks(const DesignQuestion& asked,
                                                 const search::Catalogue& catalogue);
/// Of those the networks of so many nodes and ports without switches. Precondition: sizes as there.
std::vector<CandidateNetwork> direct_candidates(int nodes, int ports, search::Direction direction,
                                                const search::Catalogue& catalogue);

/// How a candidate serves a call.
struct DesignedCall {
  std::string algorithm;  // build_schedule() makes it
  std::string schedule;   // with what it chose
  std::int64_t segments = 1;
  std::int64_t steps = 0;
  Rational bandwidth_factor;
  double time_s = 0;                   // alpha-beta
  std::optional<double> fluid_s = {};  // of finalists
  double least_s = 0;                  // no schedule takes less on this network
  /// Of an all-to-all over the paths of a flow, which the network has to forward by: the fluid time
  /// of the fastest other one, which goes by the network's own routes.
  std::optional<double> routed_s = {};
};

/// All calls together past single failures, to the time without. A schedule is kept where it can
/// be, its messages routed around what failed; where not, its algorithm makes another for what is
/// left. No other algorithm takes over.
struct Fragility {
  std::int64_t possible = 0;  // failures
  /// Those that are known: tried, or like one that was, by a symmetry that keeps all messages. All,
  /// or drawn ones beside those that cut.
  std::int64_t judged = 0;
  std::int64_t tried = 0;
  std::int64_t cut = 0;     // of those judged: past which the calls cannot go on
  std::int64_t remade = 0;  // likewise: past which some schedule was made anew
  /// Of the others; no value where the calls can go on past none of those judged.
  std::optional<double> mean_slowdown = {}, worst_slowdown = {};
  std::optional<std::string> worst = {};  // likewise: as without() takes it
  /// Past that one with all schedules made anew, by the same algorithms.
  std::optional<double> worst_anew = {};
};

struct DesignBill {
  analysis::Bill parts;          // switches, cables
  std::int64_t panel_ports = 0;  // of a patch panel or an optical switch
  std::int64_t panels = 0;       // that have so many; both ends of a cable are at one
  double panel_dollars = 0;

  double dollars() const { return parts.dollars() + panel_dollars; }
};

struct DesignRow {
  CandidateNetwork candidate = {};
  /// Other candidates that are this network under other numbers, and no cheaper.
  std::vector<std::string> also = {};
  std::int64_t hosts = 0, switches = 0, cables = 0;
  std::int64_t room = 0;                 // hosts that could be attached, those that are included
  int ports = 0;                         // of the node with most
  std::vector<DesignedCall> calls = {};  // as asked
  std::vector<std::int64_t> how_often = {};  // each is called
  SwitchModel switch_model = {};             // where there are switches, all are alike
  DesignBill bill = {};
  std::optional<Fragility> by_cables = {}, by_nodes = {};  // of finalists
  bool efficient = false;  // by time_s() and dollars no other is as good in both and better in one

  /// Seconds of all calls: by the fluid model where it was run, else alpha-beta.
  double time_s() const;
  double alpha_beta_s() const;
  double least_s() const;
  bool is_finalist() const;
};

/// Of a call, on any network of so many nodes and ports.
struct AnyNetworkBound {
  std::int64_t links = 0;     // on the way to the farthest node
  Rational bandwidth_factor;  // T_B, B being the bandwidth of all ports of a node
  double time_s = 0;
};

/// Networks that take this times the fastest's time are advised where they cost less.
inline constexpr double kAsFast = 1.05;
/// Times as long, or as dear, count as the same.
inline constexpr double kAlike = 1.02;

struct NetworkDesign {
  std::vector<DesignRow> rows;  // finalists first, each part by its time
  /// Of the finalists that take at most kAsFast times the fastest's time the cheapest; of those up
  /// to kAlike times its price the one that the loss of a cable slows least, if by more than that,
  /// else the fastest. No row is faster and cheaper. Where time ran out before there was such a
  /// finalist, of all rows.
  std::size_t chosen = 0;
  std::vector<AnyNetworkBound> bounds;  // of each call: no network betters it
  std::vector<std::string> dropped;     // candidates that no schedule was found for, and why
  std::vector<std::string> untimed;     // candidates that time ran out for
  std::int64_t unjudged = 0;            // finalists, likewise
  bool hurried = false;                 // the only row has a few quick algorithms a call

  bool in_time() const { return untimed.empty() && unjudged == 0 && !hurried; }
  /// Seconds of all calls of a row at least, by the bounds on any network.
  double any_least_s(const DesignRow& row) const;
};

/// The first all-to-all (an index into asked.calls) that the advised network takes 5 % longer for
/// than the least, or more, and for which no flow was tried; none of a hurried design.
std::optional<std::size_t> call_without_flow(const DesignQuestion& asked,
                                             const NetworkDesign& found);

/// What design_network() refuses before it looks at any network.
void require_designable(const DesignQuestion& asked);

/// Throws InvalidInput as candidate_networks, for no calls, and for a price list without the ports
/// of the panel; what answers of a call throw where none of its schedules fits any candidate.
/// Deterministic.
NetworkDesign design_network(const DesignQuestion& asked, const search::Catalogue& catalogue);

/// The network of a row, with its speeds.
network::Network designed_network(const DesignQuestion& asked, const DesignRow& row);

/// The schedule that a row of the design runs for a call (an index into asked.calls), proved.
schedule::Verified designed_schedule(const DesignQuestion& asked, const DesignRow& row,
                                     std::size_t call);

}  // namespace weft::design
