// IndexedHeap: the least of up to n keyed things, whose keys change in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::simulation {

/// A 4-ary heap of (key, id), ids in [0, n), each at most once. The order of equal keys depends on
/// the history alone, so that runs repeat. Four children share a cache line, which beats two on the
/// way down. Each change is O(log size).
class IndexedHeap {
 public:
  struct Item {
    double key;
    std::int32_t id;
  };

  explicit IndexedHeap(std::size_t ids) : places_(ids, -1) {}

  bool empty() const { return items_.empty(); }
  const Item& top() const { return items_.front(); }

  Item pop() {
    const Item top = items_.front();
    erase(top.id);
    return top;
  }
  /// Inserts, or changes the key.
  void set(std::int32_t id, double key) {
    const std::int32_t place = places_[index(id)];
    if (place < 0) {
      items_.push_back({});
      sift_up(items_.size() - 1, {key, id});
    } else {
      settle(index(place), {key, id});
    }
  }
  /// Inserts, or makes the key smaller; a larger one is ignored.
  void lower(std::int32_t id, double key) {
    const std::int32_t place = places_[index(id)];
    if (place < 0 || key < items_[index(place)].key) set(id, key);
  }
  /// Removes, if it is there.
  void erase(std::int32_t id) {
    const std::int32_t place = places_[index(id)];
    if (place < 0) return;
    places_[index(id)] = -1;
    const Item last = items_.back();
    items_.pop_back();
    if (last.id != id) settle(index(place), last);
  }

 private:
  static constexpr std::size_t kArity = 4;

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  static bool before(const Item& a, const Item& b) { return a.key < b.key; }
  void put(std::size_t place, Item item) {
    items_[place] = item;
    places_[index(item.id)] = static_cast<std::int32_t>(place);
  }
  void settle(std::size_t place, Item item) {
    if (place > 0 && before(item, items_[(place - 1) / kArity]))
      sift_up(place, item);
    else
      sift_down(place, item);
  }
  void sift_up(std::size_t place, Item item) {
    while (place > 0) {
      const std::size_t parent = (place - 1) / kArity;
      if (!before(item, items_[parent])) break;
      put(place, items_[parent]);
      place = parent;
    }
    put(place, item);
  }
  /// The least of items [first, end). Which of four is least cannot be predicted, so that they are
  /// compared without branches.
  std::size_t least_child(std::size_t first, std::size_t end) const {
    const Item* items = items_.data();
    if (end - first == kArity) {
      const std::size_t a = first + (items[first + 1].key < items[first].key ? 1 : 0);
      const std::size_t b = first + 2 + (items[first + 3].key < items[first + 2].key ? 1 : 0);
      return items[b].key < items[a].key ? b : a;
    }
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (before(items[child], items[least])) least = child;
    return least;
  }
  void sift_down(std::size_t place, Item item) {
    while (true) {
      const std::size_t first = place * kArity + 1;
      if (first >= items_.size()) break;
      const std::size_t end = std::min(first + kArity, items_.size());
      const std::size_t least = least_child(first, end);
      if (!before(items_[least], item)) break;
      put(place, items_[least]);
      place = least;
    }
    put(place, item);
  }

  std::vector<Item> items_;
  std::vector<std::int32_t> places_;  // by id; -1: not in the heap
};

}  // namespace weft::simulation
