// Rows of a grid.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/rows/row.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {

/// All rows in grid order (the last axis varies fastest), without doubles and excluded ones.
/// `algorithm = "all"` becomes those that apply to the row's collective and topology. Throws
/// InvalidInput where a row makes no sense, or for more than `most_rows` (of about 4 KB) or ten
/// times as many combinations, naming file and line.
std::vector<Row> expand(const Experiment& experiment, Grid grid = Grid::standard,
                        std::size_t most_rows = 1'000'000);

}  // namespace weft::study
