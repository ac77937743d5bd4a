// Layers that share arcs against a maximum flow, and what one layer alone allows.
#include "weft/graph/layers_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "weft/base/random.hpp"
#include "weft/graph/max_flow.hpp"

namespace weft::graph {
namespace {

struct Case {
  std::vector<LayerClasses> layers, wider;
  std::int64_t units = 1;
  std::vector<std::int64_t> limits;
};

void add_class(const std::vector<std::int32_t>& arcs, std::int64_t count, LayerClasses& classes) {
  classes.counts.push_back(count);
  classes.arcs.insert(classes.arcs.end(), arcs.begin(), arcs.end());
  classes.first_arc.push_back(static_cast<std::int32_t>(classes.arcs.size()));
}

// Limits near what must be carried, so that some suffice and some do not.
Case random_case(Rng& rng) {
  Case c;
  const auto arcs = static_cast<std::int32_t>(2 + rng.below(4));
  c.units = 1 + rng.below(4);
  std::int64_t all = 0;
  for (std::int64_t t = 1 + rng.below(3); t > 0; --t) {
    LayerClasses narrow, wide;
    for (std::int32_t k = 0; k < arcs; ++k) narrow.capacities.push_back(1 + rng.below(3));
    wide.capacities = narrow.capacities;
    for (std::int64_t i = 1 + rng.below(4); i > 0; --i) {
      std::vector<std::int32_t> own{static_cast<std::int32_t>(rng.below(arcs))}, more;
      for (std::int32_t k = 0; k < arcs; ++k) {
        const bool also = k != own.front() && rng.below(3) == 0;
        if (also && rng.below(2) == 0) own.push_back(k);
        if (also) more.push_back(k);
      }
      more.push_back(own.front());
      std::ranges::sort(own);
      std::ranges::sort(more);
      const std::int64_t count = 1 + rng.below(3);
      all += count * c.units;
      add_class(own, count, narrow);
      add_class(more, count, wide);
    }
    c.layers.push_back(narrow);
    c.wider.push_back(wide);
  }
  for (std::int32_t k = 0; k < arcs; ++k) c.limits.push_back(1 + rng.below(2 * all / arcs + 1));
  return c;
}

bool fits(const Case& c) {
  std::int32_t classes = 0;
  for (const LayerClasses& layer : c.wider) classes += static_cast<std::int32_t>(layer.size());
  const auto arcs = static_cast<std::int32_t>(c.limits.size());
  const std::int32_t source = classes + arcs, sink = source + 1;
  MaxFlow flow(sink + 1);
  std::int64_t all = 0;
  std::int32_t node = 0;
  for (const LayerClasses& layer : c.wider)
    for (std::size_t i = 0; i < layer.size(); ++i, ++node) {
      flow.add_arc(source, node, layer.counts[i] * c.units);
      all += layer.counts[i] * c.units;
      for (const std::int32_t arc : layer.arcs_of(i))
        flow.add_arc(node, classes + arc, layer.counts[i] * c.units);
    }
  for (std::int32_t k = 0; k < arcs; ++k) flow.add_arc(classes + k, sink, c.limits[k]);
  return flow.max_flow(source, sink, all) == all;
}

TEST(LayersSplit, are_found_whenever_they_exist) {
  Rng rng(7);
  int found = 0, none = 0;
  for (int round = 0; round < 3'000; ++round) {
    SCOPED_TRACE(round);
    const Case c = random_case(rng);
    const auto sent = split_layers(c.layers, c.wider, c.units, c.limits);
    ASSERT_EQ(sent.has_value(), fits(c));
    ++(sent ? found : none);
    if (!sent) continue;
    std::vector<std::int64_t> carried(c.limits.size(), 0);
    for (std::size_t t = 0; t < c.wider.size(); ++t)
      for (std::size_t i = 0; i < c.wider[t].size(); ++i) {
        std::int64_t of_class = 0;
        for (std::int32_t e = c.wider[t].first_arc[i]; e < c.wider[t].first_arc[i + 1]; ++e) {
          EXPECT_GE((*sent)[t][e], 0);
          of_class += (*sent)[t][e];
          carried[c.wider[t].arcs[e]] += (*sent)[t][e];
        }
        EXPECT_EQ(of_class, c.wider[t].counts[i] * c.units);
      }
    for (std::size_t k = 0; k < carried.size(); ++k) EXPECT_LE(carried[k], c.limits[k]);
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(none, 500);
}

// Without limits each layer takes its own least time, over its own arcs.
TEST(LayersSplit, are_each_as_even_as_alone) {
  Rng rng(8);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    Case c = random_case(rng);
    std::ranges::fill(c.limits, 1'000'000);
    const auto sent = split_layers(c.layers, c.wider, c.units, c.limits);
    ASSERT_TRUE(sent);
    for (std::size_t t = 0; t < c.layers.size(); ++t) {
      const Rational least = least_discrete_layer_time(c.layers[t], c.units);
      std::vector<std::int64_t> load(c.limits.size(), 0);
      for (std::size_t i = 0; i < c.wider[t].size(); ++i)
        for (std::int32_t e = c.wider[t].first_arc[i]; e < c.wider[t].first_arc[i + 1]; ++e) {
          const std::int32_t arc = c.wider[t].arcs[e];
          const auto own = c.layers[t].arcs_of(i);
          EXPECT_TRUE((*sent)[t][e] == 0 || std::ranges::count(own, arc) > 0);
          load[arc] += (*sent)[t][e];
        }
      for (std::size_t k = 0; k < load.size(); ++k)
        EXPECT_LE(Rational(load[k], c.layers[t].capacities[k]), least);
    }
  }
}

// Arcs 0 and 1, of which a first class may use 0 alone and a second, of two sources, both: two of
// the first leave room, three fill 0 beyond what it has, or leave too little of both.
TEST(LayersSplit, name_arcs_that_are_slow) {
  LayerClasses classes;
  classes.capacities = {1, 1};
  add_class({0}, 2, classes);
  add_class({0, 1}, 2, classes);
  EXPECT_EQ(slow_arcs(classes, 1, {2, 2}), (std::vector<char>{0, 0}));
  classes.counts[0] = 3;
  EXPECT_EQ(slow_arcs(classes, 1, {2, 3}), (std::vector<char>{1, 0}));
  EXPECT_EQ(slow_arcs(classes, 1, {3, 1}), (std::vector<char>{1, 1}));
}

}  // namespace
}  // namespace weft::graph
