// The note that sums, and not links, limit a collective.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/answers/simulation_answer.hpp"
#include "weft/advise/comparison.hpp"

namespace weft::cli {

/// A note if the sums of the winner at the largest size take longer than its links need at least;
/// empty otherwise, for unequal blocks, and if switches combine.
std::string sum_note(const advise::Comparison& comparison, const Collective& collective,
                     const Network& network);
/// The same for a simulated schedule.
std::string sum_note(const SimulationAnswer& answer);
/// A note if sums of ranks take a good part of `time_s` and longer than `links_s`, the time that
/// links need at least; `remedy` names what sets another rate of sums. Preconditions: equal blocks;
/// no switch combines.
std::string sum_note(const Collective& collective, const Network& network, std::int64_t size_B,
                     double time_s, double links_s, std::string_view remedy);

}  // namespace weft::cli
