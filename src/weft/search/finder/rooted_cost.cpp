#include "rooted_cost.hpp"

#include <map>

namespace weft::search {

Rational RootedCost::load() {
  Rational result;
  for (std::size_t first = 1; first < queue_.size();) {
    std::map<std::uint32_t, std::int32_t> counts;
    for (const int level = level_of(first); first < queue_.size() && level_of(first) == level;
         ++first)
      ++counts[links_[static_cast<std::size_t>(queue_[first])]];
    std::vector<Demand> demands;
    for (const auto& [links, count] : counts) demands.push_back({links, count});
    result += share_.raise(0, demands);
  }
  return result;
}

}  // namespace weft::search
