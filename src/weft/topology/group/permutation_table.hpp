// PermutationTable: the elements of a permutation group, enumerated.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::topology {

/// Images of the points 0..n-1.
using Permutation = std::vector<int>;

class PermutationTable {
 public:
  /// All products of the generators, in the order of a breadth-first search that multiplies from
  /// the right. Throws InvalidInput for arrays that are no permutations or above
  /// kMostPermutations elements.
  explicit PermutationTable(std::vector<Permutation> generators);

  std::int32_t order() const { return order_; }
  const std::vector<Permutation>& generators() const { return generators_; }
  /// a, then b.
  std::int32_t multiply(std::int32_t a, std::int32_t b) const;
  std::int32_t inverse(std::int32_t a) const;
  std::vector<int> images(std::int32_t element) const;
  /// The number of a permutation, or -1 when it is not in the group.
  std::int32_t find(std::span<const int> images) const;

 private:
  using Point = std::uint16_t;

  const Point* row(std::int32_t element) const {
    return images_.data() + static_cast<std::size_t>(element) * points_;
  }
  std::size_t slot_of(const Point* images) const;
  std::int32_t find_row(const Point* images) const;
  void append(const std::vector<Point>& images);
  void grow_slots();
  void enumerate();
  void tabulate(const std::vector<std::int32_t>& right);

  std::size_t points_ = 0;
  std::int32_t order_ = 0;
  std::vector<Permutation> generators_;
  std::vector<Point> images_;           // order * points
  std::vector<std::int32_t> slots_;     // open addressing by hash; -1 is free
  std::vector<std::int32_t> came_by_;   // by element: predecessor * generators + generator
  std::vector<std::int32_t> products_;  // order * order, for small groups
};

/// Cycles of a permutation, "(0 1)(2 3)"; each starts with its least point; the identity is "()".
std::string cycles_text(std::span<const int> images);

}  // namespace weft::topology
