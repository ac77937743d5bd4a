#include "generator_sets.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::search {

std::vector<GeneratorItem> generator_items(const Group& group, Direction direction) {
  std::vector<GeneratorItem> items;
  for (Group::Element g = 1; g < group.order(); ++g) {
    const Group::Element inverse = direction == Direction::one_way ? g : group.inverse(g);
    if (inverse >= g) items.push_back({g, inverse});
  }
  return items;
}

ItemSet SetSampler::fill(ItemSet set, Rng& rng) const {
  int weight = 0;
  for (const int item : set) weight += items_[item].weight();
  const auto count = static_cast<std::int64_t>(items_.size());
  for (int tries = 16 * degree_; weight < degree_ && tries > 0; --tries) {
    const int item = static_cast<int>(rng.below(count));
    const int more = items_[item].weight();
    if (weight + more > degree_ || std::find(set.begin(), set.end(), item) != set.end()) continue;
    set.push_back(item);
    weight += more;
  }
  if (weight < degree_) return {};
  std::sort(set.begin(), set.end());
  return set;
}

ItemSet SetSampler::draw(Rng& rng) const {
  return fill({}, rng);
}

ItemSet SetSampler::mutate(const ItemSet& set, Rng& rng) const {
  WEFT_ASSERT(!set.empty());
  ItemSet rest = set;
  rest.erase(rest.begin() + rng.below(static_cast<std::int64_t>(rest.size())));
  return fill(std::move(rest), rng);
}

SetEnumerator::SetEnumerator(const Group& group, const std::vector<GeneratorItem>& items,
                             int degree)
    : items_(items), degree_(degree), any_order_(group.moduli().size() == 1) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!any_order_ || group.order() % items[i].element == 0)
      firsts_.push_back(static_cast<int>(i));
}

double SetEnumerator::size() const {
  const int least =
      items_.empty()
          ? 1
          : std::max_element(items_.begin(), items_.end(), [](const auto& a, const auto& b) {
              return a.weight() < b.weight();
            })->weight();
  const int picks = degree_ / least;
  double sets = static_cast<double>(firsts_.size());
  for (int i = 1; i < picks; ++i)
    sets *= (static_cast<double>(items_.size()) - i) / (any_order_ ? i : i + 1);
  return sets;
}

// Puts the next item on the stack or moves the top one on, until the weights are right.
bool SetEnumerator::advance() {
  const auto weight_of = [&](int item) { return items_[item].weight(); };
  const auto item_at = [&](std::size_t level) {
    return level == 0 ? firsts_[chosen_[0]] : chosen_[level];
  };
  bool deeper = !started_;  // else the top moves on
  started_ = true;
  for (;;) {
    if (deeper) {
      const bool restart = chosen_.empty() || (any_order_ && chosen_.size() == 1);
      chosen_.push_back(restart ? 0 : item_at(chosen_.size() - 1) + 1);
    } else {
      if (chosen_.empty()) return false;
      weight_ -= weight_of(item_at(chosen_.size() - 1));
      ++chosen_.back();
    }
    const std::size_t level = chosen_.size() - 1;
    const auto end = static_cast<int>(level == 0 ? firsts_.size() : items_.size());
    const auto fits = [&] {
      const int item = item_at(level);
      return weight_ + weight_of(item) <= degree_ && (level == 0 || item != item_at(0));
    };
    while (chosen_[level] < end && !fits()) ++chosen_[level];
    if (chosen_[level] == end) {
      chosen_.pop_back();
      deeper = false;
      continue;
    }
    weight_ += weight_of(item_at(level));
    if (weight_ == degree_) return true;
    deeper = true;
  }
}

ItemSet SetEnumerator::next() {
  if (!advance()) return {};
  ItemSet set = chosen_;
  set[0] = firsts_[set[0]];
  std::sort(set.begin(), set.end());
  return set;
}

}  // namespace weft::search
