// The registry of algorithms: what can build a schedule for a collective, on which networks, with
// which options.
//
//   Schedule schedule = build_schedule("bruck", allgather(network.ranks()), &network, {.radix =
//   3}); for (const Algorithm* algorithm : applicable(collective, &network)) ...
//
// The free functions beside this header (`ring_allgather(16)`, ...) build the same schedules
// without the registry. A new algorithm is one file with its essay, its functions and its entry,
// and one line in src/weft/algorithm/entries.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

using schedule::Schedule;

/// Whether a schedule with a shift pattern stores one representative, or every message.
enum class Symmetries : std::uint8_t { use, expand };

/// Into how many equal chunks a schedule cuts each block: `count`, or the number up to `count` that
/// costs least (the smallest of those that cost the same).
struct Chunks {
  std::int64_t count = 1;  // 1 or more
  bool best_up_to = false;

  friend bool operator==(const Chunks&, const Chunks&) = default;
};
/// "4", or "best:64". Throws InvalidInput, also for numbers below 1.
Chunks parse_chunks(std::string_view text);
std::string to_string(const Chunks& chunks);

/// "3,2,1". Throws InvalidInput unless it is a permutation of 1..K.
std::vector<int> parse_sigma(std::string_view text);

/// What a user may choose; what is left empty takes the algorithm's default.
struct AlgorithmOptions {
  std::optional<int> radix = {};               // digits of bruck, children of knomial; 2 or more
  std::optional<std::int64_t> segments = {};   // parts of a pipelined schedule; 1 or more
  std::optional<int> group = {};               // ranks of a local group; divides the ranks
  std::optional<Chunks> chunks = {};           // of each block
  std::optional<std::int64_t> shift = {};      // of lin; 0 to ranks - 1
  std::optional<int> levels = {};              // of the tree that opt follows; 0 or more
  std::optional<std::vector<int>> sigma = {};  // digits of opt, a permutation of 1..K
  std::optional<int> paths = {};               // at most so many between two nodes; 1 or more
  std::optional<int> hops = {};                // at most so many links in a path; 1 or more
  /// What --size is, for an algorithm that is `sized`; others do not ask.
  std::optional<std::int64_t> size_B = {};
  Symmetries symmetries = Symmetries::use;
};

/// An option that only some algorithms take: its name on the command line, and its help.
enum class Option : std::uint8_t {
  radix,
  segments,
  group,
  chunks,
  shift,
  levels,
  sigma,
  paths,
  hops
};
inline constexpr std::array kOptions = {Option::radix,  Option::segments, Option::group,
                                        Option::chunks, Option::shift,    Option::levels,
                                        Option::sigma,  Option::paths,    Option::hops};
std::string_view name_of(Option option);
std::string_view summary_of(Option option);
/// The options that were given.
std::vector<Option> given(const AlgorithmOptions& options);

/// What a schedule is asked for. Without a network an algorithm sees no topology, and those that
/// need none fit any.
struct Context {
  Collective collective;
  const Network* network = nullptr;
  AlgorithmOptions options = {};
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
  /// Precondition: it supports the collective and fits.
  Schedule (*build)(const Context&) = nullptr;
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

  /// Whether it has a schedule for the collective.
  bool supports(CollectiveKind kind) const;
  /// Whether the option means something to it.
  bool takes(Option option) const;
  /// Whether the number of segments is chosen by the size where the user gives none.
  bool segments_by_size(CollectiveKind kind) const;
};

/// All algorithms, in the order of `weft list algorithms`.
std::span<const Algorithm> algorithms();

/// The algorithm of this name or alias; case is ignored and '_' is '-'. Throws InvalidInput with
/// the nearest names.
const Algorithm& find_algorithm(std::string_view name);

/// Why the algorithm cannot serve the context: collective, rank count, network or options; nothing
/// when it can.
std::optional<std::string> misfit(const Algorithm& algorithm, const Context& context);

/// The options that this algorithm takes: a radix given for Bruck is no business of the ring beside
/// it.
AlgorithmOptions taken_by(const Algorithm& algorithm, AlgorithmOptions options);

/// The algorithms that can serve the collective on the network, each with those options that it
/// takes, in registry order; one that would build another's schedule is left out. Throws
/// InvalidInput for a value of an option that is none.
std::vector<const Algorithm*> applicable(const Collective& collective, const Network* network,
                                         const AlgorithmOptions& options = {});

/// Throws InvalidInput for an option of the context that none of these algorithms takes, naming
/// those that do and why they are not among them.
void require_taken(std::span<const Algorithm* const> run, const Context& context);

/// The schedule, with the algorithm's name and its binding to the network's topology and placement.
/// Throws InvalidInput for an unknown name, an option that the algorithm does not take, and a
/// collective or network that it does not fit, naming what would.
Schedule build_schedule(std::string_view name, const Collective& collective,
                        const Network* network = nullptr, const AlgorithmOptions& options = {});

/// The schedule's price without the schedule; nothing where the algorithm cannot tell. Throws as
/// build_schedule does.
std::optional<Forecast> forecast(std::string_view name, const Collective& collective,
                                 const Network& network, const AlgorithmOptions& options = {});

}  // namespace weft::algorithm

namespace weft {
using algorithm::AlgorithmOptions;
using algorithm::applicable;
using algorithm::build_schedule;
using algorithm::find_algorithm;
}  // namespace weft
