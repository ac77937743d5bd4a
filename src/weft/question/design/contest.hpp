// Which algorithm serves a call best on a network.
//
// Of few ranks all algorithms that apply are timed. Of many, one that sends every block straight
// to its receiver, all at once, comes first: where it takes as long as the network's bound, no
// other can be faster, and none is built. Its blocks are those of pairwise, shift, lin and opt over
// the same ways in one step, so that these are left out where it fits: a step's busiest link
// carries no more than the busiest of each of their steps together do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/question/comparison.hpp"
#include "weft/question/network_design.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::question {

/// Ranks up to which all algorithms are compared.
inline constexpr std::int32_t kMostComparedAtOnce = 256;
/// Who takes part: all that come into question, or the first that is quick to make and to time.
enum class Entrants : std::uint8_t { all, first };

class Contest {
 public:
  /// The network must outlive it. Throws as compare() does.
  Contest(const schedule::Collective& collective, const network::Network& network,
          std::int64_t size_B, Entrants entrants = Entrants::all);

  /// Of Entrants::first: times more that are quick, one by one, the quickest first, and ends where
  /// one is at the network's bound. Throws OutOfTime where a TimeLimit ends; what was timed counts.
  void time_quick_ones();

  /// The fastest by alpha-beta.
  const DesignedCall& by_alpha_beta() const { return best_; }
  /// The fastest by the fluid model: of the first few by alpha-beta and, where that is quick, of
  /// what comes near the optimum (trees, an all-to-all over the paths of a flow).
  DesignedCall by_fluid();

 private:
  enum class Others : std::uint8_t { timed, untimed };

  void time_by_alpha_beta(std::vector<std::string> algorithms);
  void time_others();
  /// Nothing can be faster by more than a hair.
  bool is_at_bound(double time_s) const;
  std::vector<std::string> leaders() const;

  schedule::Collective collective_;
  const network::Network& network_;
  std::int64_t size_B_;
  std::vector<std::string> order_ = {};  // algorithms, the fastest first
  std::vector<double> times_s_ = {};     // of each of them
  Others others_ = Others::timed;
  DesignedCall best_ = {};
};

}  // namespace weft::question
