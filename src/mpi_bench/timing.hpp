// Times of calls, by the rules of the field: a barrier before each call, calls that warm up and do
// not count, and the slowest rank's time of each call; of all calls the least and the median.
#pragma once

#include <functional>

#include "world.hpp"

namespace weft::mpi_bench {

struct Repeat {
  double seconds = 1;  // of each size, about
  int fewest = 5, most = 1000;
};

struct Times {
  int calls = 0;
  double least_s = 0, median_s = 0;  // on the first rank; elsewhere 0
};

/// Called by all ranks. A rank that only helps others takes part with a call that counts nothing.
Times time_calls(const World& world, const Repeat& repeat, const std::function<void()>& call);

/// The same of calls that say themselves how long they took.
Times time_of(const World& world, const Repeat& repeat, const std::function<double()>& seconds_of);

}  // namespace weft::mpi_bench
