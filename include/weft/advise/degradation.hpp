// Degradation: how much slower a collective gets when cables or nodes fail.
//
//   const Degradation found = degrade(schedule::allreduce(64), network, {.size_B = 1 << 24});
//   for (const Endurance& each : found.algorithms) ... each.worst_slowdown ...
//
// Every failure gives a network of its own, on which the ranks stay where they were. A schedule is
// kept where it still fits: its messages are routed around what failed, or its own routes avoid it.
// Where it does not, it is made anew for what is left. A schedule that is given has no algorithm
// that makes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/fields/members.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::advise {

/// How many failures of a sort are tried: every one, or so many at random.
struct Trials {
  enum class Kind : std::uint8_t { automatic, none, all, some };
  /// What each tells of: itself, or all of its kind, that is all cables (nodes) which a symmetry of
  /// the network and of all messages takes to it.
  enum class Tells : std::uint8_t { itself, its_kind };
  Kind kind = Kind::automatic;  // every one where that takes seconds, else as many as do
  std::int64_t count = 0;       // of `some`
  /// Of `some`, one at a time. Where they tell of their kinds there is one of each at least; those
  /// that cut ranks off are not counted. Where kinds are more than `count`, and than a few, or not
  /// known, they tell of themselves but for those that cut.
  Tells tells = Tells::itself;
};

/// What becomes of a schedule past a failure: kept where it fits, or always made anew.
enum class ScheduleRepair : std::uint8_t { kept, rebuilt };
/// "kept", "rebuilt"; any case. Throws InvalidInput.
ScheduleRepair parse_repair(std::string_view name);
std::string_view name_of(ScheduleRepair upkeep);

/// What is said of the failures.
struct FailureOptions {
  Trials cables = {};  // automatic: none where nodes are asked for
  Trials nodes = {};   // switches, where there are some; automatic: none
  std::int64_t at_once = 1;
  ScheduleRepair schedules = ScheduleRepair::kept;
};
/// In the order of the command's help.
std::span<const Member<FailureOptions>> failure_members();

/// What forwarding tables lose until they are written anew.
struct LostWays {
  std::int64_t pairs = 0;   // ordered pairs of ranks that they lead through what failed
  Rank from = {}, to = {};  // the first of them
};

/// Cables or nodes that fail together, by their ids in the whole network.
struct Failure {
  std::vector<std::int64_t> cables = {}, nodes = {};
  double stands_for = 1;  // of its kind, those that were not drawn included
  /// The ids of the cables (nodes) that it tells of, its own among them; empty: of itself.
  std::vector<std::int64_t> alike = {};
  std::string name = {};              // as without() takes them: "cable=4~5, cable=5~6"
  std::vector<Rank> lost = {};        // their nodes failed
  std::vector<Rank> cut_off = {};     // they live, and most of the others do not reach them
  std::string routing = {};           // of what is left; empty where the collective cannot go on
  std::optional<LostWays> ways = {};  // of networks that are routed by tables

  /// Whether the collective goes on: nobody who lives is cut off, the root lives, and so do two.
  bool serves() const { return !routing.empty(); }
};

/// The failure of one cable or one node, with its name, for `DegradeOptions::given`.
Failure failure_of(const topology::Topology& topology, CableId cable);
Failure failure_of(const topology::Topology& topology, NodeId node);

struct DegradeOptions {
  std::vector<std::string> algorithms = {};  // by name; empty: all that apply; kNone: no one
  /// Of the same collective, in addition. They are kept where they fit, and impossible
  /// elsewhere, because nothing makes them anew.
  std::vector<GivenSchedule> schedules = {};
  std::int64_t size_B = 1 << 20;  // --size
  FailureOptions failures = {};
  std::vector<Failure> given = {};  // to be tried in place of those that `failures` says, if any
  std::uint64_t seed = 1;           // of failures that are drawn, and of routings
  algorithm::AlgorithmOptions algorithm = {};  // an algorithm gets those that it takes
  simulation::SimulationOptions simulation = {};
};

enum class FailureOutcome : std::uint8_t { kept, rebuilt, impossible };
std::string_view name_of(FailureOutcome fate);

/// An algorithm past a failure that serves.
struct DegradedRow {
  std::size_t algorithm = 0, failure = 0;  // indices into Degradation
  FailureOutcome fate = FailureOutcome::impossible;
  double time_s = 0, slowdown = 0;  // to the time without failures; 0 where impossible
  std::string reason = {};          // why it is impossible
};

/// An algorithm over all failures that serve.
struct Endurance {
  std::string algorithm = {};
  std::string file = {};                 // where its schedule is from; empty: an algorithm made it
  double time_s = 0;                     // without failures
  schedule::MessageSizes messages = {};  // likewise
  std::int64_t kept = 0, rebuilt = 0, impossible = 0;
  double mean_slowdown = 0, worst_slowdown = 0;  // where it is possible; 0 where it never is
  std::vector<std::size_t> worst = {};           // failures that are as bad, within 0.1 %
};

struct Degradation {
  std::int64_t possible = 0;  // failures that could be tried; saturates at 2^62
  std::vector<Failure> failures;
  std::vector<Endurance> algorithms;
  std::vector<Dropped> dropped;   // whose exact fractions outgrow 128 bits
  std::vector<DegradedRow> rows;  // failure by failure, algorithm by algorithm
  /// With the fastest algorithm each time, to the fastest without failures; its `algorithm` is
  /// empty.
  Endurance best;
};

/// Builds, proves and simulates on the whole network and on what each failure leaves, on all
/// threads; rows do not depend on their number. Ranks whose nodes failed leave the collective, the
/// others keep their order. A routing that does not fit what is left gives way to the one that
/// `auto` stands for there. Throws InvalidInput when no algorithm applies, or a named one or a
/// given schedule does not, when there is nothing that can fail, and for one rank, which exchanges
/// nothing.
Degradation degrade(const schedule::Collective& collective, const network::Network& network,
                    const DegradeOptions& options);

}  // namespace weft::advise
