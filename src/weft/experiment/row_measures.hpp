// What rows of some kinds give; measure() calls them.
#pragma once

#include <cstdint>
#include <string>

#include "weft/experiment/row.hpp"

namespace weft::experiment {

/// Of kind forecast: steps, factors, bounds and the time of one call.
Values forecast_row(const Row& row);

/// Of kind throughput: the all-to-all throughput, its bounds, and the time of one all-to-all.
Values throughput_row(const Row& row);

/// Of kind order: what the best order found costs, beside the first one.
Values order_row(const Row& row);

/// Of kind pairs: the times of a message from one rank to each of the others, and the mean over all
/// ranks, the sender itself at 0.
Values pairs_row(const Row& row);

/// Of kind find: the finder's network with the least time. Throws InvalidInput where none is known.
Values find_row(const Row& row);
/// Of the catalogue that it searches.
std::uint32_t catalogue_hash();
/// How a network is made: "L", "P", "C", "D" for each kind of expansion in its expression, else the
/// family.
std::string expansions_in(const std::string& expression);

}  // namespace weft::experiment
