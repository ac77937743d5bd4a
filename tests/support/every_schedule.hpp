// Every schedule that an algorithm makes for a number of ranks: all collectives, several roots and
// options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"

namespace weft::test {

struct NamedSchedule {
  std::string label;  // "bruck(radix=3) alltoall of 9 ranks, root 0"
  schedule::Schedule schedule;
  AlgorithmOptions options;
};

std::vector<NamedSchedule> schedules_of(const algorithm::Algorithm& algorithm, std::int32_t ranks);

}  // namespace weft::test
