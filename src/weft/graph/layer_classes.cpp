#include "weft/graph/layer_classes.hpp"

#include <algorithm>
#include <bit>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

constexpr std::size_t kBits = 64;

void sort_by_mask(const LayerSearch& search, std::vector<std::int32_t>& nodes) {
  if (search.words() == 1) {
    std::sort(nodes.begin(), nodes.end(), [&](std::int32_t a, std::int32_t b) {
      const MaskWord x = search.word(a), y = search.word(b);
      return x != y ? x < y : a < b;
    });
    return;
  }
  std::sort(nodes.begin(), nodes.end(), [&](std::int32_t a, std::int32_t b) {
    const auto x = search.mask(a), y = search.mask(b);
    const auto [p, q] = std::mismatch(x.begin(), x.end(), y.begin());
    return p != x.end() ? *p < *q : a < b;
  });
}

bool same_mask(const LayerSearch& search, std::int32_t a, std::int32_t b) {
  return std::ranges::equal(search.mask(a), search.mask(b));
}

}  // namespace

void append_class(std::span<const MaskWord> mask, std::int64_t count, LayerClasses& classes) {
  WEFT_ASSERT(count > 0);
  for (std::size_t w = 0; w < mask.size(); ++w)
    for (MaskWord rest = mask[w]; rest != 0; rest &= rest - 1)
      classes.arcs.push_back(
          static_cast<std::int32_t>(w * kBits + static_cast<std::size_t>(std::countr_zero(rest))));
  classes.first_arc.push_back(static_cast<std::int32_t>(classes.arcs.size()));
  classes.counts.push_back(count);
}

void classify(const LayerSearch& search, std::int32_t receiver, int distance,
              ClassifiedLayer& groups) {
  auto& [classes, nodes, first_node] = groups;
  const auto layer = search.layer(distance);
  nodes.assign(layer.begin(), layer.end());
  sort_by_mask(search, nodes);
  classes.clear();
  for (const InArc& arc : search.arcs().into(receiver)) {
    classes.capacities.push_back(arc.capacity);
    if (search.arcs().delayed()) classes.delays.push_back(arc.delay);
  }
  first_node.assign(1, 0);
  for (std::size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
    while (end < nodes.size() && same_mask(search, nodes[begin], nodes[end])) ++end;
    append_class(search.mask(nodes[begin]), static_cast<std::int64_t>(end - begin), classes);
    first_node.push_back(static_cast<std::int32_t>(end));
  }
  WEFT_ASSERT(classes.sources() == std::ssize(layer));  // the classes divide the layer
}

}  // namespace weft::graph

std::size_t std::hash<weft::graph::LayerClasses>::operator()(
    const weft::graph::LayerClasses& classes) const noexcept {
  std::uint64_t state = classes.size();
  const auto mix = [&](std::int64_t value) {
    state = (state ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15U;
    state ^= state >> 29;
  };
  for (const std::int64_t capacity : classes.capacities) mix(capacity);
  for (const std::int64_t delay : classes.delays) mix(delay);
  for (const std::int64_t count : classes.counts) mix(count);
  for (const std::int32_t arc : classes.arcs) mix(arc);
  return static_cast<std::size_t>(state);
}
