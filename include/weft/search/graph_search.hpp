// Graph search: graphs of N nodes and degree d whose BFB allgather is best, the fewest steps (T_L)
// against the least bandwidth factor (T_B).
//
//   search_graphs({.nodes = 64, .degree = 4, .seconds = 10}, [](const SearchResult& found) {
//     print(found.expression, found.steps, found.bandwidth_factor);
//   });
//
// What is tried, in rounds: generator sets of every group of order N that the text of groups can
// name (drawn at random, all of them where they are few), voltage lifts (graphs with a group acting
// freely in a few orbits), line graphs of smaller finds, and for the orders, primes above all, that
// have no suitable group, graphs of other sizes with nodes spliced in and, of two-way links, random
// regular graphs. A find that beats every find before it in its number of steps is handed to the
// callback at once.
//
// Time and determinism: the work is cut into slices of a fixed number of candidates, and slice i
// draws from `Rng(seed).split(i)` alone (random regular graphs are those of the seeds 1, 2, ...,
// for the sake of short expressions), so the finds depend on the seed and the number of slices
// only. The time limit is looked at between slices and ends the search after a whole slice; the
// summary tells how many slices and candidates that were, and the same seed with the same limit on
// slices finds the same graphs on any machine. A find's `slice` is enough to reproduce it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "weft/base/rational.hpp"

namespace weft::search {

/// Whether every link needs a reverse.
enum class Direction : std::uint8_t { one_way, bidirectional };

/// Which candidates are tried: those with a symmetry (Cayley graphs, lifts), those derived from
/// other graphs (line graphs, spliced and exchanged links), those that need no other graph (with a
/// symmetry, or random regular), or all.
enum class Kinds : std::uint8_t { all, symmetric, derived, fresh };

/// Whether finds as good as earlier ones are handed over too, for a caller who judges by more than
/// T_L and T_B.
enum class Ties : std::uint8_t { refused, accepted };

/// A graph that was found. T_L and T_B are those of its BFB allgather.
struct SearchResult {
  std::string expression;  // build_topology() makes the graph
  int nodes = 0;
  int degree = 0;
  Direction direction = Direction::one_way;
  int steps = 0;              // T_L
  Rational bandwidth_factor;  // T_B, in multiples of M/B
  std::uint64_t seed = 0;
  std::int64_t slice = 0;  // the slice of the search with this seed that found it
  std::string how;         // "cayley", "lift", "random", "line", "splice" or "exchange"
  int line = 0;            // of the file that it was read from; 0: none
};

struct SearchOptions {
  int nodes = 0;   // N, 3 or more
  int degree = 4;  // d, 2 to 8, below N
  Direction direction = Direction::one_way;
  std::uint64_t seed = 1;
  double seconds = 10;  // stops after the slice that passes this
  std::int64_t slices = std::numeric_limits<std::int64_t>::max();  // stops after so many
  Kinds kinds = Kinds::all;
  Ties ties = Ties::refused;
  /// Graphs of this size, degree and direction that finds must improve on.
  std::vector<SearchResult> known = {};
  /// Graphs of 1 to 4 nodes fewer, that nodes may be spliced into, and of N / d nodes, for line
  /// graphs; where none has a size, the search looks for some itself.
  std::vector<SearchResult> bases = {};
  std::function<void()> after_slice = {};  // called after every slice, for a progress bar
};

struct SearchSummary {
  std::int64_t slices = 0;
  std::int64_t candidates = 0;        // graphs costed or refused
  std::vector<SearchResult> results;  // the Pareto front, fewest steps first
};

/// Called for every find, in order; returning false ends the search after the slice.
using OnResult = std::function<bool(const SearchResult&)>;

/// Searches until the time or the slices are over, or until nothing better is possible: (N-1)/N at
/// the Moore bound. Throws InvalidInput for sizes out of range, and for an odd N * d bidirectional.
SearchSummary search_graphs(const SearchOptions& options, const OnResult& on_result = {});

/// The fewest steps that any graph of this size and degree can have: every layer of a breadth-first
/// search is at most d (bidirectional: d - 1 from the second layer on) times the one before.
int moore_steps(int nodes, int degree, Direction direction);

}  // namespace weft::search
