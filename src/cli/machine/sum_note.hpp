// The note that sums, and not links, limit a collective.
#pragma once

#include <cstdint>
#include <string>

#include "cli/answers/simulation_answer.hpp"
#include "weft/advise/comparison.hpp"

namespace weft::cli {

/// A note if the sums of the winner at the largest size take longer than its links need at least;
/// empty otherwise, for unequal blocks, and if switches combine.
std::string sum_note(const advise::Comparison& comparison, const Collective& collective,
                     const Network& network);
/// The same for a simulated schedule.
std::string sum_note(const SimulationAnswer& answer);
/// The same for a call that takes `time_s`, at least `links_s` of it by links.
std::string sum_note(const Collective& collective, const Network& network, std::int64_t size_B,
                     double time_s, double links_s);

}  // namespace weft::cli
