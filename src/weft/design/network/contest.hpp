// Which algorithm serves a call best on a network.
//
// An all-to-all on a network that is not even may take half as long over the paths of an optimal
// flow as straight to its receivers, so that flows take part in the order of the networks. They are
// slow to make; the throughput says first what they can bring.
//
// Of few ranks all algorithms that apply are timed. Of many, one that sends every block straight
// to its receiver, all at once, comes first: where it takes as long as the network's bound, no
// other can be faster, and none is built. Its blocks are those of pairwise, shift, lin and opt over
// the same ways in one step, so that these are left out where it fits: a step's busiest link
// carries no more than the busiest of each of their steps together do. Where it does not fit, trees
// that go breadth first to every rank come first in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/design/network_design.hpp"
#include "weft/evaluate/flow_factor.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::design {

/// Who takes part: all that come into question, or the first that is quick to make and to time.
enum class Contestants : std::uint8_t { all, first };
/// Whether algorithms that take seconds to build on a thousand nodes take part.
enum class SlowOnes : std::uint8_t { timed, left_out };

class Contest {
 public:
  /// Of many ranks times the algorithm that comes first alone. The network must outlive it. Throws
  /// as compare() does.
  Contest(const schedule::Collective& collective, const network::Network& network,
          std::int64_t size_B, Contestants contestants = Contestants::all,
          simulation::SimulationOptions simulation = {});

  /// Times the others, unless there are none or the first is at the network's bound.
  void time_others_unless_best(SlowOnes slow);

  /// Of Contestants::first: times more that are quick, one by one, the quickest first, and ends
  /// where one is at the network's bound. Throws OutOfTime where a TimeLimit ends; what was timed
  /// counts.
  void time_quick_ones();

  /// The fastest by alpha-beta.
  const DesignedCall& by_alpha_beta() const { return best_; }
  /// The fastest by the fluid model. On few ranks it is the winner that compare() finds among all
  /// algorithms that were timed by alpha-beta and, where they are quick to build, packed trees and
  /// an all-to-all over the paths of a flow. On many ranks the first algorithms by alpha-beta run,
  /// one by one, until one is at the network's bound.
  DesignedCall by_fluid();
  /// Lower bound on the time of by_fluid(): the network's, or of what the algorithms that it would
  /// run put on their busiest link. Of few ranks the network's.
  double least_fluid_s() const;

 private:
  enum class Others : std::uint8_t { timed, untimed };

  void time_by_alpha_beta(std::vector<std::string> algorithms);
  /// The fastest of these by the fluid model, as far as a limited amount of work tells.
  DesignedCall by_fluid(const std::vector<std::string>& names) const;
  /// See DesignedCall::routed_s.
  std::optional<double> routed_s(const DesignedCall& fastest) const;
  /// Of all-to-alls: how near the bound any paths come, and the time of a flow's where they may be
  /// faster than the best so far.
  void weigh_flow();
  void time_others(SlowOnes slow);
  /// Nothing can be faster by more than a hair.
  bool is_at_bound(double time_s) const;
  bool is_timed(std::string_view algorithm) const;
  /// The names of the algorithms that the fluid model runs: on few ranks in the order of the
  /// registry, on many the fastest by alpha-beta first.
  std::vector<std::string> contestants() const;

  schedule::Collective collective_;
  const network::Network& network_;
  std::int64_t size_B_;
  simulation::SimulationOptions simulation_;
  struct Timed {
    std::string algorithm;
    double time_s = 0;
    double busiest_s = 0;  // the busiest link, for all that it carries
  };
  std::vector<Timed> timed_ = {};  // the fastest first
  Others others_ = Others::timed;
  DesignedCall best_ = {};
};

}  // namespace weft::design
