// How long a step takes, from the loads of its links.
//
// The idea. In an all-to-all in one step on an irregular network every message has a rate of its
// own, and a million of them take minutes to follow. When the last one is through is known closely
// without that. Let message f begin after r_f (start-ups and latency) and have s_f bytes, let a_fl
// be its share on link l of capacity C_l, and W_l the sum of a_fl over its messages. At any time f
// has a bottleneck l: a full link on which no message is faster. What is under way there takes all
// of C_l, so that
//
//     rate_f >= C_l / (sum of a_gl over g under way on l) >= C_l / W_l.
//
// After R = max r_f all have begun. With the lengths s_1 < s_2 < ... of messages, and W_l(j) the
// sum over those of at least s_j bytes: by the time R + sum over i <= j of (s_i - s_(i-1)) max_l
// W_l(i) / C_l all messages have sent s_j bytes or all they have, by induction over j. No link, on
// the other hand, is done before it has carried its load:
//
//     max_l (min of r_f on l + sum of a_fl s_f / C_l) <= time
//                                     <= R + sum over j of (s_j - s_(j-1)) max_l W_l(j) / C_l.
//
// Messages of one length that start together make both equal but for latencies. Cost: O(sum of
// route lengths).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weft/simulation/foresight.hpp"
#include "weft/simulation/shortcuts/uncontended.hpp"

namespace weft::simulation {

/// How often the messages of a step cross each link, with their shares, and from when on.
struct OneStepLoads {
  std::map<std::int64_t, std::vector<double>> weights;  // by length in bytes, then by link
  std::vector<double> first_s;                          // by link, when its first message begins
  double last_s = 0;                                    // when the last message begins
};

/// Bounds of the time of a program of one step with as many messages; nothing for others, with
/// features that Shortcut::one_step does not cover, where messages have many lengths, or beyond
/// SimulationOptions::most_work. The work is added to `sunk`.
std::optional<TimeRange> one_step_range(const Program& program, const Network& network,
                                        const SimulationOptions& options, SunkWork& sunk);

}  // namespace weft::simulation
