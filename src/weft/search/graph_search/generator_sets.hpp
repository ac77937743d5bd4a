// Generator sets of a group: drawn at random, changed a little, or all in turn.
#pragma once

#include <vector>

#include "weft/base/random.hpp"
#include "weft/search/graph_search.hpp"
#include "weft/topology/group/group.hpp"

namespace weft::search {

/// What a set is put together from: an element, or (bidirectional) an element with its inverse.
struct GeneratorItem {
  Group::Element element = 0;
  Group::Element inverse = 0;  // the element itself when it comes alone

  int weight() const { return element == inverse ? 1 : 2; }
};

/// The items of the whole group, by their least element; the identity is none.
std::vector<GeneratorItem> generator_items(const Group& group, Direction direction);

/// A set of items, by index, ascending. Its weights sum up to the degree.
using ItemSet = std::vector<int>;

/// Draws sets from a pool of items.
class SetSampler {
 public:
  SetSampler(const std::vector<GeneratorItem>& items, int degree)
      : items_(items), degree_(degree) {}

  /// A random set; empty when none of the weights needed was drawn.
  ItemSet draw(Rng& rng) const;
  /// The set with one item thrown out and filled up again.
  ItemSet mutate(const ItemSet& set, Rng& rng) const;

 private:
  ItemSet fill(ItemSet set, Rng& rng) const;

  const std::vector<GeneratorItem>& items_;
  int degree_;
};

/// All sets in turn. Of a cyclic group only those that hold a divisor of the order: multiplying by
/// a unit, an automorphism, makes the others into these.
class SetEnumerator {
 public:
  SetEnumerator(const Group& group, const std::vector<GeneratorItem>& items, int degree);

  /// The next set, empty behind the last.
  ItemSet next();
  /// About how many sets there are; an upper bound.
  double size() const;

 private:
  bool advance();

  const std::vector<GeneratorItem>& items_;
  std::vector<int> firsts_;  // items that may come first
  int degree_;
  bool any_order_;  // whether later items may precede the first
  ItemSet chosen_;  // chosen_[0] indexes firsts_
  int weight_ = 0;
  bool started_ = false;
};

}  // namespace weft::search
