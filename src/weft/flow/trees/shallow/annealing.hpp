// The search for trees that load links evenly, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ways.hpp"
#include "weft/base/random.hpp"

namespace weft::flow {

/// How a place joins a tree: over a way (-1: it is the root), in a step from 0 on.
struct Join {
  std::int32_t way = -1, step = -1;

  friend bool operator==(const Join&, const Join&) = default;
};

/// `count` trees of each root, root by root, each a row of joins by place.
struct Forest {
  std::vector<std::int32_t> roots;  // places
  std::int32_t count = 1;
  std::vector<Join> joins;

  std::int64_t trees() const { return std::ssize(roots) * count; }
};

/// What a schedule of the forest costs, in loads of the widest link that one tree of each root
/// makes in one step: in each step the fullest link's, and segments - 1 times that of the link
/// that is fullest in all.
double forest_cost(const PlaceWays& ways, const Forest& forest, std::int32_t depth,
                   std::int64_t segments);

/// Every tree so many times.
Forest repeated(const Forest& forest, std::int32_t times);

struct AnnealingOptions {
  std::int32_t depth = 1;  // steps
  std::int64_t segments = 1;
  std::int32_t passes = 100;
  double first_sharpness = 4, last_sharpness = 100;  // of the fullest link beside others
};

/// The best forest that the search comes by, the given one among these.
Forest annealed(const PlaceWays& ways, Forest forest, const AnnealingOptions& options, Rng rng);

}  // namespace weft::flow
