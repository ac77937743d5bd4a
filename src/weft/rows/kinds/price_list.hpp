// The price list that a row names.
#pragma once

#include <string>

#include "weft/analysis/economics.hpp"
#include "weft/rows/kind.hpp"

namespace weft::rows {

/// Reads it; "shipped" is the one that comes with weft. Throws InvalidInput where there is none.
analysis::PriceList price_list_of(const Row& row);

/// What a row of prices depends on: the list's content.
std::string contents_of_prices(const Row& row, FactsOfNetworks& facts);

}  // namespace weft::rows
