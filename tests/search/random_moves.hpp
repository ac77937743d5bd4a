// Moves of each kind between places that are drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/search/order.hpp"

namespace weft::search {

inline std::vector<OrderMove> random_moves(Rng& rng, std::int32_t places) {
  const auto draw = [&](std::int32_t bound) { return static_cast<std::int32_t>(rng.below(bound)); };
  std::int32_t first = draw(places - 1);
  const std::int32_t last = first + 1 + draw(places - first - 1);
  std::vector<OrderMove> moves{
      {OrderMove::Kind::reversal, first, last, 1},
      {OrderMove::Kind::swap, first, last, 1},
      {OrderMove::Kind::swap, first, last, 1 + draw((last - first + 1) / 2)},
      {OrderMove::Kind::rotation, first, last, 1 + draw(last - first)}};
  if (last - first < 2) return moves;
  const std::int32_t middle = 1 + draw(last - first - 1);
  moves.push_back({OrderMove::Kind::cycle, first, last, middle});
  moves.push_back({OrderMove::Kind::cycle, first, last, -middle});
  return moves;
}

}  // namespace weft::search
