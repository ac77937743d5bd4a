// Which messages tell the classes of a network's links apart: what weft-bench links measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/calibrate/measured_table.hpp"
#include "weft/network/network.hpp"

namespace weft::calibrate {

/// Messages that are under way at once.
struct LinkPattern {
  std::string link_class;
  std::int32_t load = 1;  // messages on the busiest link of the class
  std::vector<RankMessage> messages;
};

/// For each class of links that messages cross: the pair of ranks that crosses it with the fewest
/// links in all and the one with the most, alone; then 2 and 4 messages over one of its links, of
/// distinct senders to distinct receivers as far as there are, else some of them again. Throws
/// InvalidInput where no two ranks are on different nodes, and above kMostPatternRanks ranks.
/// O(ranks^2 * links on the way).
std::vector<LinkPattern> link_patterns(const Network& network);
inline constexpr std::int32_t kMostPatternRanks = 1024;

/// The list of them, as weft-bench reads it (docs/reference/machine-files.md).
std::string pairs_text(const std::vector<LinkPattern>& patterns, const Network& network);

}  // namespace weft::calibrate
