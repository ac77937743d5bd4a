// The list of pairs to measure, as `weft calibrate --pairs` prints it:
//
//   weft-pairs 1
//   topology ring:4
//   ranks 4
//   measure link 1 0>1
//   measure link 2 0>1 3>1
//
// A line names a class of links, how many messages the busiest of its links carries, and the
// messages that are under way at once.
#pragma once

#include <string>
#include <vector>

#include "world.hpp"

namespace weft::mpi_bench {

struct Message {
  int from = 0, to = 0;
};

struct Pattern {
  std::string link_class, load;
  std::vector<Message> messages;
};

struct PairList {
  std::string topology;
  std::vector<Pattern> patterns;
};

/// Called by all ranks; refuses what is no such list, or one of other ranks.
PairList read_pairs(const World& world, const std::string& text, const std::string& where);

/// What `weft calibrate --pairs` prints for a topology; called by all ranks.
std::string pairs_of_topology(const World& world, const std::string& topology);

}  // namespace weft::mpi_bench
