#include "weft/graph/in_arcs.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

bool has_repeats(std::span<const std::int32_t> sources) {
  std::vector<std::int32_t> sorted(sources.begin(), sources.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

}  // namespace

void InArcs::settle() {
  WEFT_ASSERT(sources_.size() == arcs_.values().size());
  for (const InArc& arc : arcs_.values()) unit_ = std::gcd(unit_, arc.capacity);
  unit_ = std::max<std::int64_t>(unit_, 1);
  for (InArc& arc : arcs_.values()) {
    arc.capacity /= unit_;
    uniform_ = uniform_ && arc.capacity == 1;
    delayed_ = delayed_ || arc.delay != 0;
  }
  for (std::int32_t node = 0; node < nodes(); ++node) {
    largest_degree_ = std::max(largest_degree_, arcs_.length(node));
    has_parallel_ = has_parallel_ || has_repeats(sources(node));
  }
}

}  // namespace weft::graph
