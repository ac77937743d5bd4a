// LazyRows: a table whose rows are filled when first asked for, by any thread.
//
// Two threads that need the same row may both compute it, and one of the equal results is kept:
// readers take no lock. Above a budget of memory rows are no longer kept; the caller gets them in
// its own scratch, slower but never out of memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace weft::network {

inline constexpr std::int64_t kRowBudget_B = std::int64_t{280} << 20;

template <class Row>
class LazyRows {
 public:
  explicit LazyRows(std::int64_t count, std::int64_t budget_B = kRowBudget_B)
      : rows_(count), budget_B_(budget_B) {}
  LazyRows(const LazyRows&) = delete;
  LazyRows& operator=(const LazyRows&) = delete;
  ~LazyRows() {
    for (auto& row : rows_) delete row.load(std::memory_order_relaxed);
  }

  /// The row if it is there, else nullptr.
  const Row* peek(std::int32_t i) const { return rows_[i].load(std::memory_order_acquire); }

  /// A row that the caller holds while the budget is spent.
  struct Scratch {
    std::int32_t index = -1;
    Row row;
  };

  /// Likewise, or the one in scratch.
  const Row* peek(std::int32_t i, const Scratch& scratch) const {
    const Row* row = peek(i);
    return row == nullptr && scratch.index == i ? &scratch.row : row;
  }
  /// Whether a row did not fit any more.
  bool is_full() const { return full_.load(std::memory_order_relaxed); }

  /// Row i, from the table, else made by compute() and kept, or put into `scratch`.
  template <class Compute>
  const Row& get(std::int32_t i, Scratch& scratch, Compute&& compute) const {
    if (const Row* row = peek(i, scratch)) return *row;
    Row row = compute();
    const auto bytes = static_cast<std::int64_t>(row.size_B());
    if (used_B_.fetch_add(bytes, std::memory_order_relaxed) + bytes > budget_B_) {
      used_B_.fetch_sub(bytes, std::memory_order_relaxed);
      full_.store(true, std::memory_order_relaxed);
      scratch.index = i;
      scratch.row = std::move(row);
      return scratch.row;
    }
    auto made = std::make_unique<Row>(std::move(row));
    const Row* present = nullptr;
    if (rows_[i].compare_exchange_strong(present, made.get(), std::memory_order_acq_rel))
      return *made.release();
    used_B_.fetch_sub(bytes, std::memory_order_relaxed);
    return *present;
  }

 private:
  mutable std::vector<std::atomic<const Row*>> rows_;
  mutable std::atomic<std::int64_t> used_B_{0};
  mutable std::atomic<bool> full_{false};
  std::int64_t budget_B_;
};

}  // namespace weft::network
