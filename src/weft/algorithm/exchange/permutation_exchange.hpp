// Exchanges in phases, each a permutation of the ranks: linear shift, exclusive-or, and the
// bandwidth-optimal exchange of fat trees.
//
// All serve all-to-all, allgather and reduce-scatter, and send every block straight to where it is
// wanted. In an all-to-all a rank's message to itself takes its place among the phases, as the
// others do; it crosses no link.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/algorithm/trees/populated_tree.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// LIN: in phase p rank s sends to (s + p + shift) mod N. Throws InvalidInput unless 0 <= shift < N
/// and for collectives other than the three.
schedule::Schedule lin_exchange(const schedule::Collective& collective, std::int64_t shift = 0);

/// XOR: in phase p rank s sends to s xor p. Throws InvalidInput unless N is a power of two.
schedule::Schedule xor_exchange(const schedule::Collective& collective);

/// Which of the permuted variable base exchanges: all are sound, the default meets the lower bound.
struct TreeExchangeOptions {
  /// How many of the topmost levels get a digit of their own; what is below is one digit, within
  /// which leaves are taken in linear order. 0 is LIN; nothing: all levels.
  std::optional<int> levels = {};
  /// sigma(1), ..., sigma(K), a permutation of 1..K for the K digits, digit 1 the lowest; empty:
  /// K, ..., 2, 1.
  std::vector<int> sigma = {};
};

/// OPT: in phase p the leaf s of FT(L; M_1, ..., M_L) sends to the leaf d whose digit sigma(k) is
/// the k-th digit of s plus the k-th digit of p, modulo M_sigma(k); s and p are written in base
/// (M_sigma(1), ..., M_sigma(L)), the first digit lowest, d in base (M_1, ..., M_L). With the
/// default sigma a node of level l sends and receives in every phase at most the
/// Pi_l - floor(Pi_l^2 / Pi_L) messages, Pi_l = M_1 ... M_l, that some phase of any exchange needs.
/// Phases in which no populated leaf sends to another populated one are left out.
///
/// Throws InvalidInput for options out of range, and unless the tree has the collective's ranks.
/// Cost: N^2 messages. Source: Prisacari, Rodriguez, Minkenberg, Hoefler, "Bandwidth-optimal
/// All-to-all Exchanges in Fat Tree Networks", ICS 2013, Eq. 4 and section 3.4.
schedule::Schedule tree_exchange(const schedule::Collective& collective, const PopulatedTree& tree,
                                 const TreeExchangeOptions& options = {});

}  // namespace weft::algorithm
