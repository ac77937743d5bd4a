// What rows of some kinds give; measure() calls them.
#pragma once

#include <cstdint>
#include <string>

#include "weft/question/row.hpp"

namespace weft::question {

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
/// Of kind economics: a size of a kind of network, its bisection and its bill.
Values economics_row(const Row& row);
/// Of kind price: what the fitted line, or the least or greatest offer, asks for a part.
Values price_row(const Row& row);
/// Of a price list's content; "shipped" is the one that comes with weft. Throws InvalidInput where
/// there is none.
std::uint64_t price_list_hash(const std::string& path);
/// Of kind embedding: whether the network holds the guest.
Values embedding_row(const Row& row);
/// Of the catalogue that find searches.
std::uint32_t catalogue_hash();
/// How a network is made: "L", "P", "C", "D" for each kind of expansion in its expression, else the
/// family.
std::string expansions_in(const std::string& expression);

}  // namespace weft::question
