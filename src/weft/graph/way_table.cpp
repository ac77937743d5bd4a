#include "way_table.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::graph {

std::int64_t WayTable::capacity(std::int32_t tail, std::int32_t head) const {
  const auto found = out_[tail].find(head);
  return found == out_[tail].end() ? 0 : found->second.capacity;
}

void WayTable::add(std::int32_t tail, std::int32_t head, WeightedPath way) {
  WEFT_ASSERT(tail != head && way.capacity > 0 && !way.arcs.empty());
  Bundle& bundle = out_[tail][head];
  tails_[head].insert(tail);
  bundle.capacity = checked_add(bundle.capacity, way.capacity);
  const auto same = std::ranges::find(bundle.ways, way.arcs, &WeightedPath::arcs);
  if (same == bundle.ways.end())
    bundle.ways.push_back(std::move(way));
  else
    same->capacity += way.capacity;
}

const WeightedPath& WayTable::last(std::int32_t tail, std::int32_t head) const {
  return out_[tail].at(head).ways.back();
}

void WayTable::take(std::int32_t tail, std::int32_t head, std::int64_t amount) {
  Bundle& bundle = out_[tail].at(head);
  WEFT_ASSERT(amount > 0 && !bundle.ways.empty() && amount <= bundle.ways.back().capacity);
  bundle.capacity -= amount;
  if ((bundle.ways.back().capacity -= amount) == 0) bundle.ways.pop_back();
  if (bundle.ways.empty()) erase(tail, head);
}

void WayTable::erase(std::int32_t tail, std::int32_t head) {
  out_[tail].erase(head);
  tails_[head].erase(tail);
}

void WayTable::multiply(std::int64_t factor) {
  WEFT_ASSERT(factor >= 1);
  for (auto& bundles : out_)
    for (auto& [head, bundle] : bundles) {
      bundle.capacity = checked_mul(bundle.capacity, factor);
      for (WeightedPath& way : bundle.ways) way.capacity = checked_mul(way.capacity, factor);
    }
}

}  // namespace weft::graph
