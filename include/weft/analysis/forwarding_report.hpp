// What forwarding tables are worth: which routing engine they agree with, whether paths are
// shortest, how evenly they load the links, and whether packets could wait for each other in a
// loop.
//
//   const auto report = forwarding_report(topology, {});
//   report.engines;              // {"ftree", "updn", "minhop"}: each of them could have made them
//   report.traffic.busiest;      // pairs of hosts on the busiest link when all send to all
//
// An engine is judged by the rules that define its tables, not by comparing tables: its result
// depends on the order of GUIDs, which files do not keep. The rules are those of OpenSM
// (doc/current-routing.txt there):
//
//   minhop   Paths are shortest. A switch gives each address to the port, among those that lead
//            nearer, that has the fewest addresses at that time.
//   updn     No path goes up after it went down, for some ranking of the switches.
//   ftree    On a tree, what is for an address comes down by a single path, and each switch has the
//            same number of addresses behind each cable from above.
//   dfsssp   Addresses come one after another; each takes the lightest of the shortest paths, whose
//            links then weigh more. sssp has the same paths without virtual lanes against loops.
//   dor      Each switch takes the neighbour at the lowest port that leads nearer.
//   lash     Paths are shortest, and what is for the hosts of one switch takes the same path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// What tables do with traffic between hosts. Loads count ordered pairs of hosts on a link between
/// switches when every host sends to every other.
struct TableTraffic {
  std::int64_t pairs = 0;                   // of hosts, ordered
  std::int64_t lost = 0;                    // of them: those without a path
  std::int64_t longer = 0;                  // those whose path has more links than a shortest one
  std::int32_t longest_detour = 0;          // links more than a shortest path
  std::int64_t busiest = 0;                 // pairs
  std::optional<LinkId> busiest_link = {};  // nothing: no link between switches is used
  std::vector<LinkId> credit_loop = {};     // a shortest one; empty: there is none
  std::int64_t shifts = 0;                  // patterns "host i sends to host i + k" tried
  std::int64_t shift_worst = 0;             // messages on the busiest link of the worst one
  double shift_mean = 0;                    // of the busiest links of all

  bool minimal() const { return longer == 0; }
};

struct EngineFit {
  std::string name;
  bool fits = false;
  std::string why;  // it does not; empty where it fits
};

/// What an engine of OpenSM would give in place of the tables.
struct EngineResult {
  std::string name;
  std::string why_not = {};  // it does not apply; empty where it does
  std::string note = {};     // what it needs besides its name
  TableTraffic traffic = {};

  /// Whether packets could wait for each other in a loop: dfsssp's virtual lanes prevent it.
  bool may_lock() const { return name != "dfsssp" && !traffic.credit_loop.empty(); }
};

struct ForwardingReport {
  TableTraffic traffic;
  double even = 0;  // pairs on the busiest link if all split evenly over all shortest paths
  std::optional<LinkId> even_link = {};
  bool has_choice = false;           // some switch has several ports that lead nearer to an address
  std::vector<EngineFit> fits = {};  // by engine, the most specific first
  std::vector<std::string> engines = {};  // those that fit
  std::vector<EngineResult> others = {};  // empty unless asked for

  /// Busiest link in those of the even split; 1 where no link between switches is used.
  double ratio() const { return even > 0 ? static_cast<double>(traffic.busiest) / even : 1; }
};

struct ForwardingOptions {
  bool others = false;                  // also route by OpenSM's engines
  std::int64_t most_walks = 4'000'000;  // of shifts; more are sampled, evenly spaced
};

/// Judges the forwarding tables of a network. Precondition: it has some. Throws nothing for tables
/// with holes or loops: they show as lost pairs. O(addresses * channels).
ForwardingReport forwarding_report(const Topology& topology, const ForwardingOptions& options);

/// The engines in words: "ftree or minhop", "unknown", "any engine (...)".
std::string engines_text(const ForwardingReport& report);

/// The engine of `others` that a user should look at: its busiest link has at least a tenth fewer
/// pairs, or as many and at least a tenth fewer messages in the worst shift. It has no credit loop,
/// unless the tables have one. Null: none is clearly better.
const EngineResult* better_engine(const ForwardingReport& report);

/// One line without a full stop, for notes.
std::string summary_of(const ForwardingReport& report, const Topology& topology);

/// A loop in words: "leaf0[3] - leaf1[4], leaf1[5] - leaf2[1], ...".
std::string loop_text(const std::vector<LinkId>& loop, const Topology& topology);

}  // namespace weft::analysis
