// Lines of the topology finder, held to their schedules.
#pragma once

#include "weft/search/finder.hpp"

namespace weft::test {

/// Builds the line's network, the allgather of its algorithm on it, verifies it, and expects the
/// line's steps and bandwidth factor; where the line is reversible, of the reduce-scatter too.
void expect_schedule(const search::FoundTopology& line);

}  // namespace weft::test
