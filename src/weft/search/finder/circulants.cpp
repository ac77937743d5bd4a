// Circulants with three jumps and more: no formula is known for the best jumps, and unlike those of
// two jumps they do not always reach T_B = (N-1)/N (circulant:15,1,4,5 has 1). So sets of jumps are
// drawn at random and costed: the network looks alike from every node, and the links that bring a
// block from x are the last letters of the shortest words for x, which a breadth-first search from
// the unit collects.
#include "circulants.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "fair_share.hpp"
#include "weft/base/error.hpp"

namespace weft::search {

namespace {

class Coster {
 public:
  Coster(int nodes, int degree)
      : nodes_(nodes),
        degree_(degree),
        share_(degree),
        level_(static_cast<std::size_t>(nodes)),
        links_(static_cast<std::size_t>(nodes)) {}

  /// Steps; 0 when the jumps do not reach all nodes, or not within `most` steps.
  int search(const std::vector<int>& jumps, int most) {
    std::fill(level_.begin(), level_.end(), -1);
    std::fill(links_.begin(), links_.end(), 0U);
    queue_.assign(1, 0);
    level_[0] = 0;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const int x = queue_[next], distance = level_[static_cast<std::size_t>(x)] + 1;
      for (int link = 0; link < degree_; ++link) {
        const int jump = jumps[static_cast<std::size_t>(link / 2)];
        const int y = link % 2 == 0 ? x + jump : x - jump;
        reach(y >= nodes_ ? y - nodes_ : y < 0 ? y + nodes_ : y, distance, 1U << link);
      }
      if (level_[static_cast<std::size_t>(queue_.back())] > most) return 0;
    }
    return static_cast<int>(queue_.size()) < nodes_
               ? 0
               : level_[static_cast<std::size_t>(queue_.back())];
  }

  /// Of the last search: the fullest link's load, summed over the steps.
  Rational load() {
    Rational result;
    for (std::size_t first = 1; first < queue_.size();) {
      std::map<std::uint32_t, std::int32_t> counts;
      const int level = level_[static_cast<std::size_t>(queue_[first])];
      for (; first < queue_.size() && level_[static_cast<std::size_t>(queue_[first])] == level;
           ++first)
        ++counts[links_[static_cast<std::size_t>(queue_[first])]];
      std::vector<Demand> demands;
      for (const auto& [links, count] : counts) demands.push_back({links, count});
      result += share_.raise(0, demands);
    }
    return result;
  }

 private:
  void reach(int x, int distance, std::uint32_t link) {
    int& level = level_[static_cast<std::size_t>(x)];
    if (level < 0) {
      level = distance;
      queue_.push_back(x);
    }
    if (level == distance) links_[static_cast<std::size_t>(x)] |= link;
  }

  int nodes_, degree_;
  FairShare share_;
  std::vector<int> level_, queue_;
  std::vector<std::uint32_t> links_;  // usable last links, by node
};

std::vector<int> draw_jumps(int nodes, int degree, Rng& rng) {
  const int largest = (nodes - 1) / 2;
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
  Coster coster(nodes, degree);
  const Rational least(nodes - 1, degree);
  int most = nodes;  // no more steps than the best whose load is the least
  for (std::int64_t i = 0; i < candidates; ++i) {
    const std::vector<int> drawn = draw_jumps(nodes, degree, rng);
    const int steps = coster.search(drawn, most);
    if (steps == 0) continue;
    if (std::any_of(front.begin(), front.end(), [&](const CirculantCost& known) {
          return known.steps <= steps && known.load == least;
        }))
      continue;
    const CirculantCost found{drawn, steps, coster.load()};
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
