// All-to-alls whose messages differ in size by their receiver, or by their sender.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/evaluate/optimum.hpp"
#include "weft/training/schedules/schedules.hpp"

namespace weft::training {

struct UnequalParts {
  std::vector<std::int64_t> bytes;  // by the rank at one end
  bool back = false;                // at the sender's; else at the receiver's

  std::int64_t between(std::size_t from, std::size_t to) const {
    return from == to ? 0 : bytes[back ? from : to];
  }
};

/// The fastest of messages that go straight, all at once or in turn (rank r to r + t in turn t),
/// where these groups run it together; bytes are those of the callers, the first so many of them.
/// Precondition: 512 ranks at most.
TimedSchedule fastest_unequal(const UnequalParts& parts, const std::vector<Network>& groups,
                              std::size_t callers, const PriceOptions& options);

/// Seconds that no schedule is below: what a node sends or receives over all its links, after a
/// start-up and with a link's latency; without these of flows.
double least_unequal_s(const UnequalParts& parts, const Network& group,
                       const simulation::SimulationOptions& simulation);
/// By ports alone, and by prices on links: what all messages pay on their cheapest ways is at most
/// what all links earn in the time. The prices are those that prove the throughput of even
/// all-to-alls, so that of even parts nothing can be faster. Precondition: `even` is the optimum of
/// an all-to-all of the group.
double flow_unequal_s(const UnequalParts& parts, const Optimum& even, const Network& group);

}  // namespace weft::training
