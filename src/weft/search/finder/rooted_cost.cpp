#include "rooted_cost.hpp"

namespace weft::search {

Rational RootedCost::load() {
  Rational result;
  for (std::size_t first = 1; first < queue_.size();) {
    layer_.clear();
    for (const int level = level_of(first); first < queue_.size() && level_of(first) == level;
         ++first)
      layer_.add(links_[queue_[first]]);
    result += layer_.raise(0);
  }
  return result;
}

}  // namespace weft::search
