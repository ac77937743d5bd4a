// Synthesis: the best allgather, reduce-scatter and allreduce schedules of a small network, of any
// shape (breadth-first or not), and what is proven of them.
//
//   Synthesis s = synthesize(allgather(8), dgx1, {.max_chunks = 6});
//   for (const SynthesisPoint& p : s.pareto) print(p.steps, p.rounds, p.chunks,
//   p.bandwidth_factor);
//
// Model. Every shard is cut into `chunks` equal chunks. Step t has rounds[t] rounds; in each a link
// carries one chunk per unit of its bandwidth, the unit being the greatest common divisor of all. A
// node passes on what it held before the step. So T_L = steps and T_B = rounds / chunks * B / (N *
// unit). Wanted: for each number of steps the fewest rounds per chunk in at most so many, as long
// as more steps help. After Cai et al., "Synthesizing Optimal Collective Algorithms" (SCCL), PPoPP
// 2021, with another solver: plans are found by annealing, bounded below by cuts and a linear
// relaxation, and what stays open is decided by an integer program (docs/explanation/synthesis.md
// has the
// formulation).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::search {

struct SynthesisOptions {
  int min_chunks = 1, max_chunks = 4;  // chunks of a shard that are tried, 1 or more
  std::optional<int> min_steps = {};   // the least "at most" asked for, from the diameter up [it]
  std::optional<int> max_steps = {};   // [three more than the least]; the sweep ends sooner once
                                       // more steps cannot help
  double time_limit_s = 60;            // > 0; results depend on it only when it is reached
  std::uint64_t seed = 1;              // of the annealing
};

/// What is known of a point: that no schedule of at most so many steps has a lower T_B...
enum class Proof : std::uint8_t {
  none,          // nothing: better ones may exist
  tried_chunks,  // ... with a number of chunks that was tried
  any_chunks,    // ... with any number of chunks
};

struct SynthesisPoint {
  int steps = 0;              // T_L
  int rounds = 0;             // of all steps together
  int chunks = 0;             // of a shard
  Rational bandwidth_factor;  // T_B
  Rational bound;             // no schedule of at most so many steps has a lower T_B
  Proof proof = Proof::none;
  schedule::Schedule schedule;
};

/// Points by increasing steps and falling T_B. The first is the best in at most min_steps steps,
/// and may have fewer of them.
struct Synthesis {
  std::vector<SynthesisPoint> pareto;
  Rational bandwidth_factor_bound;  // for any number of steps and chunks, by cuts
  int least_steps = 0;              // the diameter; twice for an allreduce
  /// Every point is proven for the chunks that were tried; false when the time limit came first.
  bool complete = true;
};

/// The collectives that synthesize() takes, in words: "allgather, reduce-scatter and allreduce".
std::string synthesized_names();

/// The Pareto-optimal schedules. An allreduce is a reduce-scatter and then an allgather, each
/// within the steps of the options, and what is proven of it is proven among those. Schedules are
/// bound to the network. Throws InvalidInput for another collective, options out of range, fewer
/// steps than the diameter, and networks that have switches, several ranks on a node, more than 64
/// nodes, bandwidths that are no small multiples of a common one, or that are not strongly
/// connected.
Synthesis synthesize(const schedule::Collective& collective, const network::Network& network,
                     const SynthesisOptions& options = {});

/// What the T_B of an allgather, reduce-scatter, broadcast or reduce is not below in so many steps,
/// whatever the number of chunks: by the relaxation that bounds synthesize() too, as far as the
/// time allows. Behind switches, too, where hosts have one neighbour each, and up to 512 hosts of
/// which symmetry leaves 64 sources or fewer (of a root one is left); nothing for other networks
/// that synthesize() does not take, and for more than 64 steps. Throws InvalidInput for another
/// collective, and fewer steps than the diameter, or than the farthest rank is from the root.
std::optional<Rational> bound_in_steps(const schedule::Collective& collective,
                                       const network::Network& network, int steps,
                                       double time_limit_s);

}  // namespace weft::search

namespace weft {
using search::Synthesis;
using search::SynthesisOptions;
using search::SynthesisPoint;
using search::synthesize;
}  // namespace weft
