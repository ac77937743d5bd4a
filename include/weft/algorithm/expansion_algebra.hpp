// The algebra of expansions: what an expanded schedule costs, from what its base costs.
//
//   Prediction base = predict(topology::parse_expression("circulant:16,3,4"));  // expansion.hpp
//   Prediction large = line(line(line(base)));  // N = 1024, T_L = 6, T_B = 1.020 without a
//   schedule
//
// Pure functions on a few numbers, some hundred nanoseconds each, so that a search may ask for very
// many. All are about the allgather schedules of definitions 1, 2 and 14 and of section A.6; the
// reduce-scatter on X is the allgather on transpose(X), reversed.
//
// Theorem 7 bounds T_B of a line graph; theorem 10 claims equality for every BFB schedule whose
// nodes have more than one out-neighbour. That is not so: a step gets cheaper where every
// out-neighbour w' of w has data of its own on the fullest link e into w, since link e -> (w, w')
// then leaves out what already is at (w, w'). degree(2, uniring:4) with its last blocks cut in
// halves is an example: T_B of its line graph is 15/16, not 1. `tight` says that equality is
// certain, for any number of line graphs: on some fullest link e of every step, an endless walk
// leads from the head of e through nodes that have nothing on e. It holds
//   - for powers and products (walk in another dimension), degree(n, X), n >= 2 (walk in other
//     copies), and bidirectional(X) of BFB schedules (to and fro);
//   - for BFB on undirected networks of more than one neighbour a node: a neighbour's data arrive
//     in step 1 and from itself only, so that the walk goes to and fro with another neighbour;
//   - else where the schedule shows it (expansion.hpp looks).
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", section
// 5, appendices A.6 and D.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "weft/base/rational.hpp"

namespace weft::algorithm {

/// What is known of an allgather schedule and its network.
struct Prediction {
  std::int64_t nodes = 1;
  std::int64_t degree = 0;         // nominal: self-loops and parallel links count
  std::int64_t steps = 0;          // T_L
  Rational bandwidth_factor = {};  // T_B, in units of M/B
  bool exact = true;               // else T_B is at most the bandwidth factor

  bool regular = true;       // in- and out-degrees are all `degree`
  bool loops = false;        // some node is linked with itself
  bool parallel = false;     // some links have the same ends
  bool branching = false;    // every node has more than one out-neighbour
  bool bfb = false;          // data travel on shortest paths, in the step of their distance
  bool optimal_bfb = false;  // the network has a BFB schedule with T_B = (N-1)/N and these steps
  bool reversible = false;   // the transposed network's schedule costs the same, also expanded
  bool tight = false;        // theorem 7 holds with equality, however often line() is applied

  bool simple() const { return !loops && !parallel; }
  /// T_B is (N-1)/N, the least possible.
  bool bandwidth_optimal() const;

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// line(X), theorems 7 and 10: T_L + 1 steps, T_B + 1/N; exact where X is tight. A line graph of a
/// one-way ring is that ring. Precondition of all: X is regular.
Prediction line(const Prediction& base);

/// degree(n, X), theorem 11: T_L + 1 steps, T_B + (n-1)/(nN); of one copy X itself. Throws
/// InvalidInput for self-loops and n < 1.
Prediction degree(std::int64_t copies, const Prediction& base);

/// power(n, X), theorem 12: n T_L steps, T_B N/(N-1) (N^n-1)/N^n. Throws InvalidInput for n < 1
/// and where N^n does not fit in 64 bits.
Prediction power(std::int64_t exponent, const Prediction& base);

/// X * Y * ... by BFB, theorem 13: the sum of the steps, (N-1)/N; nothing where some factor has no
/// bandwidth-optimal BFB schedule, self-loops or parallel links, of which the theorem says nothing.
std::optional<Prediction> product(std::span<const Prediction> factors);

/// bidirectional(X), section A.6: the same at twice the degree, where X is reversible; else
/// nothing.
std::optional<Prediction> bidirectional(const Prediction& base);

/// idle(ports, X): the same schedule beside ports that carry nothing, so that T_B, which counts the
/// bandwidth of all ports, is (degree + ports) / degree times X's. No base of expansions.
Prediction idle(std::int64_t ports, const Prediction& base);

}  // namespace weft::algorithm
