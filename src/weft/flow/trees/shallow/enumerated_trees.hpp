// Trees of few links at the least T_B there is, for few places: all trees are weighed.
#pragma once

#include <cstdint>
#include <memory>

#include "annealing.hpp"

namespace weft::flow {

/// Most places of which all trees are looked at, by sets of places.
inline constexpr std::int32_t kMostEnumeratedPlaces = 10;

struct EnumeratedTreesOptions {
  std::int32_t depth = 1;  // steps
  std::int64_t segments = 1;
};

class TreeProgram;

/// The weights of all trees over these ways that have the least cost (forest_cost). The forest is
/// where the search begins. Precondition: at most kMostEnumeratedPlaces, and trees of that depth
/// exist. A linear program of links times steps rows and, for each of its rounds,
/// O(roots * depth * 3^places).
class EnumeratedTrees {
 public:
  EnumeratedTrees(const PlaceWays& ways, const Forest& start,
                  const EnumeratedTreesOptions& options);
  ~EnumeratedTrees();
  EnumeratedTrees(EnumeratedTrees&&) noexcept;
  EnumeratedTrees& operator=(EnumeratedTrees&&) noexcept;

  bool is_solved() const;
  /// No forest costs less, where the program came to its end. Precondition: solved, as below.
  double cost() const;
  /// The fewest trees of each root that cost as much, or of at most so many the best.
  Forest rounded(std::int64_t most_count) const;

 private:
  std::unique_ptr<TreeProgram> program_;
};

}  // namespace weft::flow
