// The registry of algorithms: what can build a schedule for a collective, on which networks, with
// which options.
//
//   Schedule schedule = build_schedule("bruck", allgather(network.ranks()), &network,
//                                      {.values = {{"radix", 3}}});
//   for (const Algorithm* algorithm : applicable(collective, &network)) ...
//
// A new algorithm is one file with its essay, its functions, its options and
// its entry, and two lines in src/weft/algorithm/entries.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/options.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

using schedule::Schedule;

/// What a schedule is asked for. Without a network an algorithm sees no topology, and those that
/// need none fit any.
struct Context {
  Collective collective;
  const Network* network = nullptr;
  AlgorithmOptions options = {};
};

/// A schedule, and what came to light with it.
struct Built {
  Schedule schedule;
  /// T_B if blocks were cut at will, and into as many segments; nothing where the algorithm knows
  /// no more than the schedule.
  std::optional<Rational> exact_bandwidth_factor = {};
};

/// What an algorithm knows of its schedule's price without building it.
struct Forecast {
  std::int64_t steps = 0;
  Rational bandwidth_factor;
  /// What the algorithm could reach if blocks were cut without limit.
  Rational exact_bandwidth_factor;
  std::int64_t units_per_block = 1;
  std::vector<Rational> step_factors;
};

/// What a guess of its schedules' time and memory goes by, before they are built.
struct Outline {
  /// Messages of N ranks: one between every two, about log2 N of each rank, or a few of each rank
  /// for each segment.
  enum class Messages : std::uint8_t { pairs, logarithmic, pipelined } messages = Messages::pairs;
  /// How a broadcast's buffer leaves the rank that sends most: in parts that come to twice the
  /// buffer; whole, once for each level of a tree; three times that where groups are served in
  /// turn; or scattered and gathered.
  enum class Spread : std::uint8_t { parts, tree, groups, scattered } spread = Spread::parts;
  /// Whether blocks for one rank travel through others, log2(N) / 2 of them.
  bool forwards = false;
  /// Whether messages stay near, 3 links at most, whatever the network.
  bool near = false;
};

/// How a schedule is made: how long that takes, and how near its T_B is to the optimum.
enum class Making : std::uint8_t {
  /// Its messages are written down one after the other.
  written,
  /// Trees one after the other, each of the links that others left: ranks times links.
  grown_trees,
  /// A search for trees that fill the tightest cut: near the optimum, for seconds.
  optimal_trees,
  /// The paths of an optimal flow: near the optimum, where the network forwards along them.
  optimal_paths,
};

/// When tools that are short of time try it on many ranks: never, or in this order.
enum class TriedEarly : std::uint8_t {
  no,
  few_messages,  // quick to make and to time
  near_bound,    // often at the network's bound, in one step or along shortest paths
  by_groups,     // messages between all ranks, those of a group together
};

/// Whether every rank sends a message to every other, and in how many steps.
enum class PairMessages : std::uint8_t { no, in_one_step, in_steps };

struct Algorithm {
  std::string name;
  std::vector<std::string> aliases;
  std::string summary;  // one line
  std::string source;   // authors, title, year
  std::vector<CollectiveKind> collectives;
  std::vector<Option> options;
  /// Why it does not fit the ranks or the network (its collective is one that it supports); nothing
  /// when it does. May be null: fits always.
  std::optional<std::string> (*misfit)(const Context&) = nullptr;
  /// Precondition: it supports the collective and fits. Where it chose options that are worth
  /// telling, the schedule has its name_with() them.
  Schedule (*build)(const Context&) = nullptr;
  /// In place of build, where it comes to know more than the schedule.
  Built (*build_and_tell)(const Context&) = nullptr;
  /// What a size is best served by one or another of: more than one schedule, in no order. May be
  /// null: build's alone. Same precondition.
  std::vector<Schedule> (*build_variants)(const Context&) = nullptr;
  /// The exact price without the schedule, or nothing where only the schedule has one. May be null:
  /// always nothing. Same precondition, and a network.
  std::optional<Forecast> (*forecast)(const Context&) = nullptr;
  /// Of what it takes segments for, the collectives that they always speed up at large sizes, so
  /// that tools choose their number by the size where the user gives none; empty: all.
  std::vector<CollectiveKind> pipelined = {};
  /// Whether it makes another schedule for each size (AlgorithmOptions::size_B); without one, the
  /// best for large sizes.
  bool sized = false;
  /// The name of the algorithm whose schedule it builds here, so that "all that apply" leaves it
  /// out; nothing where the schedule is its own. May be null: always. Precondition: it fits.
  std::optional<std::string_view> (*same_as)(const Context&) = nullptr;

  /// Whether "all that apply" leaves it out; by its name it always runs.
  bool named_only = false;
  /// Why "all that apply" leaves it out here, which is worth a note: it would take long. Nothing
  /// where it does not. May be null: never. Precondition: it fits.
  std::optional<std::string> (*too_long)(const Context&) = nullptr;

  Outline outline = {};
  /// Whether it makes another schedule for another number of a host's ports.
  bool by_ports = false;
  /// Whether a report of the shares that it deals to orders of dimensions is worth showing.
  bool shows_shares = false;

  Making making = Making::written;
  TriedEarly tried_early = TriedEarly::no;
  PairMessages pair_messages = PairMessages::no;
  /// Whether switches combine and copy for it.
  bool sums_in_switches = false;
  /// Another algorithm that by the formula is never slower in collectives without a root.
  std::string_view never_beats = {};
  /// The collectives for which MPI libraries run it by default at some size.
  std::vector<CollectiveKind> run_by_mpi = {};

  /// Whether it has a schedule for the collective.
  bool supports(CollectiveKind kind) const;
  /// Its declaration of an option; null where it does not take it.
  const Option* option(std::string_view option_name) const;
  /// Whether the option means something to it.
  bool takes(const Option& option) const { return this->option(option.name) != nullptr; }
  /// Whether it takes a number of segments that these options do not give.
  bool leaves_segments_free(const AlgorithmOptions& chosen) const;
  /// Whether the number of segments is chosen by the size, which the user may do instead.
  bool segments_by_size(CollectiveKind kind, const AlgorithmOptions& chosen = {}) const;
};

/// All algorithms, in the order of `weft list algorithms`.
std::span<const Algorithm> algorithms();

/// The algorithm of this name or alias; case is ignored and '_' is '-'. Throws InvalidInput with
/// the nearest names.
const Algorithm& find_algorithm(std::string_view name);
/// The same; for an unknown name, only algorithms that support the collective are suggested.
const Algorithm& find_algorithm(std::string_view name, CollectiveKind kind);

/// The first algorithm that makes its schedules like this.
const Algorithm& made_by(Making making);

/// Why the algorithm cannot serve the context: collective, rank count, network or options; nothing
/// when it can.
std::optional<std::string> misfit(const Algorithm& algorithm, const Context& context);

/// Two ranks, where no way leads from one to the other and the collective needs one, whatever the
/// algorithm; nothing for point-to-point. O(nodes + links).
std::optional<std::string> ranks_apart(const Collective& collective, const Network& network);

/// The options that this algorithm takes: a radix given for Bruck is no business of the ring beside
/// it.
AlgorithmOptions taken_by(const Algorithm& algorithm, AlgorithmOptions options);

/// The options with the radix and the order of children that build_schedule() takes, where none is
/// given: so a program runs that does not choose them by the size.
AlgorithmOptions with_own_radix(const Algorithm& algorithm, AlgorithmOptions options);

/// "ring(segments=4)": its name with the options that are given.
std::string name_with(const Algorithm& algorithm, const AlgorithmOptions& options);

/// The name of a schedule, also of one with options, with routes=network as its last option.
std::string name_over_network(std::string name);

/// Whether "all that apply" takes it: it fits, builds a schedule of its own, and nothing above
/// leaves it out.
bool is_taken_with_all(const Algorithm& algorithm, const Context& context);

/// The algorithms that can serve the collective on the network, each with those options that it
/// takes, in registry order, that "all that apply" takes. Throws InvalidInput for a value of an
/// option that is none.
std::vector<const Algorithm*> applicable(const Collective& collective, const Network* network,
                                         const AlgorithmOptions& options = {});

/// Throws InvalidInput for an option of the context that none of these algorithms takes, naming
/// those that do and why they are not among them.
void require_taken(std::span<const Algorithm* const> run, const Context& context);

/// The schedule, with the algorithm's name, the options that were given or that it says it chose,
/// and its binding to the network's topology and placement.
/// Throws InvalidInput for an unknown name, an option that the algorithm does not take, and a
/// collective or network that it does not fit, naming what would.
Schedule build_schedule(std::string_view name, const Collective& collective,
                        const Network* network = nullptr, const AlgorithmOptions& options = {});

/// The schedules of which tools take the best for each size: one or more, the only one that of
/// build_schedule(), each as it would be from there. Throws likewise.
std::vector<Schedule> build_variants(std::string_view name, const Collective& collective,
                                     const Network* network = nullptr,
                                     const AlgorithmOptions& options = {});

/// The same, with T_B cut at will where chunks keep the schedule from it and the algorithm knows.
Built build_and_tell(std::string_view name, const Collective& collective,
                     const Network* network = nullptr, const AlgorithmOptions& options = {});

/// The schedule's price without the schedule; nothing where the algorithm cannot tell. Throws as
/// build_schedule does.
std::optional<Forecast> forecast(std::string_view name, const Collective& collective,
                                 const Network& network, const AlgorithmOptions& options = {});

}  // namespace weft::algorithm

namespace weft {
using algorithm::applicable;
using algorithm::build_schedule;
using algorithm::find_algorithm;
}  // namespace weft
