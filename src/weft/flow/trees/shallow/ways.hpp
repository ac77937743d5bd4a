// Ways between ranks' nodes, as shallow trees take them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {

/// Links from a place to another over nodes without a rank alone. Links are places among `links`.
struct PlaceWay {
  std::int32_t from = 0, to = 0;  // places
  std::vector<std::int32_t> links;
};

struct PlaceWays {
  std::int32_t places = 0;
  std::vector<PlaceWay> ways;       // by `to`
  std::vector<std::int32_t> first;  // the ways into a place, and one more
  std::vector<LinkId> links;
  std::vector<std::int64_t> capacities;  // by link
  std::vector<double> weights;           // by link: the greatest capacity over its own

  std::span<const PlaceWay> into(std::int32_t place) const {
    return std::span(ways).subspan(static_cast<std::size_t>(first[place]),
                                   static_cast<std::size_t>(first[place + 1] - first[place]));
  }
};

/// Between each two places: of ways that are equally short some, spread over all, and longer ones
/// until there are so many.
struct WaysWanted {
  std::int32_t shortest = 1, with_longer = 0;
};

PlaceWays place_ways(const Carrier& carrier, const WaysWanted& wanted);

/// By place: ways from the root to it, -1 where none lead.
std::vector<std::int32_t> distances_from(const PlaceWays& ways, std::int32_t root);

}  // namespace weft::flow
