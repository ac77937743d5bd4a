// The start order by METIS.
#pragma once

#include "weft/search/order_network.hpp"

namespace weft::search {

/// Rearranges the order so that both halves of the ranks, and again the halves of each, are hosts
/// with few links to the others. Deterministic for a seed. O(links * log hosts).
void halve_by_metis(const OrderNetwork& network, Order& order, std::uint64_t seed);

}  // namespace weft::search
