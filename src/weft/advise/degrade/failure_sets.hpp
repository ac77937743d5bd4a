// Sets of cables or nodes that fail together, as they are listed or drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/advise/degradation.hpp"
#include "weft/advise/degrade/kinds.hpp"
#include "weft/base/random.hpp"
#include "weft/network/network.hpp"

namespace weft::advise {

using Ids = std::vector<std::int64_t>;

/// The things of one sort that may fail, and how many of them are tried.
struct FailingSort {
  const char* what;  // the option
  const char* things;
  Ids ids;
  Trials trials;
  std::vector<std::int32_t> KindsOfParts::*of;  // by id
  Failure (*alone)(std::int64_t id);            // without a name
};

struct DrawnSets {
  std::vector<Ids> sets;
  std::vector<double> stand_for;  // by set; empty: each for itself
  std::vector<Ids> alike = {};    // by set, itself among them; empty where nothing is known
};

/// Sets of `at_once`, sorted. Adds how many there are to `all_possible`, at most 2^62. `most` and
/// `alike` are those of draw_failures(). Throws InvalidInput where nothing can fail so.
DrawnSets sets_of(const FailingSort& sort, const Network& network, std::int64_t at_once,
                  std::int64_t most, const KindsOfParts* alike, std::int64_t& all_possible,
                  Rng rng);

}  // namespace weft::advise
