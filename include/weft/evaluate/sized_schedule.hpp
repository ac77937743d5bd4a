// The schedule that an algorithm has for a size.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "weft/algorithm/algorithm.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::evaluate {

/// Proved, as it is compared at that --size: of the algorithm's schedules the one, in the segments,
/// that is fastest in a simulation of the model that is asked for (settle_alone() in contest.hpp),
/// where the options leave a choice. `blocks`: their sizes where these differ, as of a Candidate.
/// Throws as algorithm::build_schedule() does.
schedule::Verified schedule_for_size(std::string_view name, const Collective& collective,
                                     const Network& network,
                                     const algorithm::AlgorithmOptions& options,
                                     std::int64_t size_B,
                                     const simulation::SimulationOptions& simulation = {},
                                     std::shared_ptr<const program::BlockSizes> blocks = {});

}  // namespace weft::evaluate
