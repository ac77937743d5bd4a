// Entrants: the algorithms that may be the fastest at some size, each built once for all sizes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "weft/question/comparison/candidate.hpp"

namespace weft::question {

/// An algorithm on its way into a simulation.
struct Entrant {
  const algorithm::Algorithm* algorithm = nullptr;
  /// Null where it was not worth building, or its exact fractions outgrow 128 bits.
  std::shared_ptr<const Candidate> candidate = {};
  std::vector<bool> at = {};  // by size: whether it is worth a simulation
};

}  // namespace weft::question
