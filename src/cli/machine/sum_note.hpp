// The note that sums, and not links, limit a collective.
#pragma once

#include <cstdint>
#include <string>

#include "cli/answers/simulation_answer.hpp"
#include "weft/question/comparison.hpp"

namespace weft::cli {

/// Seconds that the busiest rank adds up data at least, in any schedule whose ranks combine: the
/// n vectors of V bytes need (n - 1) V bytes of sums, and each rank makes one sum after the other.
/// 0 if sums are free, or the collective has none.
double least_sum_s(const Collective& collective, const HostParameters& host,
                   std::int32_t ranks_on_a_host, std::int64_t size_B);

/// A note if the sums of the winner at the largest size take longer than its links need at least;
/// empty otherwise, for unequal blocks, and if switches combine.
std::string sum_note(const question::Comparison& comparison, const Collective& collective,
                     const Network& network);
/// The same for a simulated schedule.
std::string sum_note(const SimulationAnswer& answer);

}  // namespace weft::cli
