// An estimate of what sums add to the cost of a schedule in several numbers of segments.
//
// Sums are added up by a rank one after the other.
// In one segment sums lengthen the steps. In more segments a rank may add up one while another is
// on its way. A chain does: its ranks never wait for those that they send to, so each segment more
// takes as long as the slower of the two. In a ring every rank waits for every other one, so each
// segment more takes as long as both together. Trees whose ranks send up and down are between.
//
// So ranks are followed from step to step. A rank leaves a step once what it sent has arrived and
// what it received has arrived and is added up, in the order of arrival. In a full pipeline the
// steps of all segments coincide and repeat; each rank then goes on by the mean of the slowest
// cycle of waits (Baccelli, Cohen, Olsder, Quadrat, "Synchronization and Linearity", 1992,
// theorem 3.28). These cycles are found by following the ranks for three ratios of sums to links.
// Messages from one rank to another share their way; the busiest pair takes as long as the busiest
// link.
#pragma once

#include <span>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// What ranks wait for, by sums of parts of M.
struct PipelineSums {
  /// Of each segment more: steps over links, what the busiest link takes for a segment, and what is
  /// added up, each times as much.
  struct Cycle {
    double steps = 0, links = 0, sums = 0;
  };
  double first = 0;    // that one segment takes longer for than links alone do
  double busiest = 0;  // of the rank that adds up most
  std::vector<Cycle> cycles;
};

/// `links_s`: seconds of each stored step on its busiest link; `sum_s`: seconds to add up all of M.
/// O(messages of a segment), about a hundred times; without cycles where these are over 20,000.
/// Throws InvalidInput when the network has fewer ranks than the schedule.
PipelineSums pipeline_sums(const Schedule& schedule, const Network& network,
                           std::span<const double> links_s, double sum_s);

}  // namespace weft::schedule
