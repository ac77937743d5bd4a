// What weft compare answers of each size, as tables of parts: for the command and for rows of
// studies.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/advise/comparison.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"

namespace weft::advise {

/// An algorithm at a size.
struct ComparedRow {
  const Comparison& comparison;
  const evaluate::ComparisonRow& row;
};
std::vector<ComparedRow> rows_of(const Comparison& comparison);
answer::Parts<ComparedRow> compared_row_parts();

/// The fastest algorithm at a size, next to what bounds it, the second fastest, and a library.
struct FastestAtSize {
  const Comparison& of;
  const Collective& collective;
  const Network& network;
  std::int64_t size_B = 0;
  const evaluate::ComparisonRow* best = nullptr;       // null: nothing was simulated to the end
  const evaluate::ComparisonRow* runner_up = nullptr;  // null: nothing else was
  const libraries::LibraryRow* library = nullptr;      // null: no library was asked for

  /// Lower bound on the time of the schedules that combine where the fastest one does.
  double least_s() const;
  /// Whether no algorithm that was left out can be faster at this size.
  bool is_known() const;
};

/// One for each size, in the order of sizes.
std::vector<FastestAtSize> fastest_at_sizes(const Comparison& comparison,
                                            const Collective& collective, const Network& network,
                                            std::vector<std::int64_t> sizes_B);
answer::Parts<FastestAtSize> fastest_parts();
/// Columns of a row of a study, which is of one size.
std::vector<answer::Column> comparison_row_columns();

}  // namespace weft::advise
