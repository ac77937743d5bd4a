// Circulants with three jumps and more: no formula is known for the best jumps, and unlike those of
// two jumps they do not always reach T_B = (N-1)/N (circulant:15,1,4,5 has 1). So sets of jumps are
// drawn at random and costed.
#include "circulants.hpp"

#include <algorithm>
#include <numeric>

#include "rooted_cost.hpp"
#include "weft/base/error.hpp"

namespace weft::search {

namespace {

/// Steps; 0 when the jumps do not reach all nodes, or not within `most` steps.
int search(RootedCost& cost, int nodes, int degree, const std::vector<int>& jumps, int most) {
  return cost.search(most, [&](int x, auto&& visit) {
    for (int link = 0; link < degree; ++link) {
      const int jump = jumps[link / 2];
      const int y = link % 2 == 0 ? x + jump : x - jump;
      visit(y >= nodes ? y - nodes : y < 0 ? y + nodes : y, link);
    }
  });
}

std::vector<int> draw_jumps(int nodes, int degree, Rng& rng) {
  const int largest = (nodes - 1) / 2;
  WEFT_ASSERT(degree / 2 <= largest);  // there are as many different jumps
  std::vector<int> result;
  while (static_cast<int>(result.size()) < degree / 2) {
    const int jump = 1 + static_cast<int>(rng.below(largest));
    if (std::find(result.begin(), result.end(), jump) == result.end()) result.push_back(jump);
  }
  std::sort(result.begin(), result.end());
  if (degree % 2 == 1) result.push_back(nodes / 2);  // its own reverse
  return result;
}

}  // namespace

std::vector<CirculantCost> best_circulants(int nodes, int degree, std::int64_t candidates,
                                           Rng rng) {
  WEFT_ASSERT(nodes > degree && nodes * std::int64_t{degree} % 2 == 0);
  std::vector<CirculantCost> front;
  RootedCost cost(nodes, degree);
  const Rational least(nodes - 1, degree);
  int most = nodes;  // no more steps than the best whose load is the least
  for (std::int64_t i = 0; i < candidates; ++i) {
    const std::vector<int> drawn = draw_jumps(nodes, degree, rng);
    const int steps = search(cost, nodes, degree, drawn, most);
    if (steps == 0) continue;
    if (std::any_of(front.begin(), front.end(), [&](const CirculantCost& known) {
          return known.steps <= steps && known.load == least;
        }))
      continue;
    const CirculantCost found{drawn, steps, cost.load()};
    const auto covers = [](const CirculantCost& a, const CirculantCost& b) {
      return a.steps <= b.steps && a.load <= b.load;
    };
    if (std::any_of(front.begin(), front.end(),
                    [&](const CirculantCost& known) { return covers(known, found); }))
      continue;
    std::erase_if(front, [&](const CirculantCost& known) { return covers(found, known); });
    front.push_back(found);
    if (found.load == least) most = std::min(most, steps);
  }
  std::sort(front.begin(), front.end(),
            [](const CirculantCost& a, const CirculantCost& b) { return a.steps < b.steps; });
  return front;
}

}  // namespace weft::search
