// Rows: for each of some keys a run of values, all in one array (compressed sparse rows).
//
//   Rows<NodeId> tails = rows_by(nodes, links, [&](int i) { return head(i); },
//                                              [&](int i) { return tail(i); });
//   for (NodeId tail : tails[v]) ...
//
// What belongs to a value, such as a capacity, is an array beside: the values of row v have the
// places first(v), first(v) + 1, ..., first(v + 1) - 1.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::graph {

template <class Value>
class Rows {
 public:
  Rows() = default;

  /// Rows one after the other: add() puts a value into the row that end_row() closes.
  void add(Value value) { values_.push_back(std::move(value)); }
  void end_row() { first_.push_back(static_cast<std::int32_t>(values_.size())); }

  /// Forgets all rows, keeps the memory.
  void clear() {
    first_.resize(1);
    values_.clear();
  }

  std::int32_t size() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  std::int32_t first(std::int32_t row) const { return first_[row]; }
  std::int32_t length(std::int32_t row) const { return first_[row + 1] - first_[row]; }
  std::span<const Value> operator[](std::int32_t row) const {
    return {values_.data() + first_[row], values_.data() + first_[row + 1]};
  }
  /// Of all rows in a row.
  std::span<const Value> values() const { return values_; }
  std::span<Value> values() { return values_; }
  /// The firsts of all rows, and one more.
  std::span<const std::int32_t> firsts() const { return first_; }

  friend bool operator==(const Rows&, const Rows&) = default;

 private:
  template <class V, class Key, class ValueOf>
  friend Rows<V> rows_by(std::int32_t rows, std::int32_t items, Key&& key, ValueOf&& value_of);

  std::vector<std::int32_t> first_{0};
  std::vector<Value> values_;
};

/// Items 0 .. items - 1 sorted by key(item) in [0, rows), those of a key in their order; of each
/// the value value_of(item). O(rows + items); each function is called once or twice an item.
template <class Value, class Key, class ValueOf>
Rows<Value> rows_by(std::int32_t rows, std::int32_t items, Key&& key, ValueOf&& value_of) {
  WEFT_ASSERT(rows >= 0 && items >= 0);
  Rows<Value> result;
  result.first_.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (std::int32_t i = 0; i < items; ++i) ++result.first_[key(i) + 1];
  for (std::int32_t row = 0; row < rows; ++row) result.first_[row + 1] += result.first_[row];
  std::vector<std::int32_t> next(result.first_.begin(), result.first_.end() - 1);
  result.values_.resize(items);
  for (std::int32_t i = 0; i < items; ++i) result.values_[next[key(i)]++] = value_of(i);
  return result;
}

}  // namespace weft::graph
