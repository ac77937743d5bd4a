// A mix: the collectives of a program, each with its size and how often it is called.
//
//   for (const MixEntry& entry : parse_mix("allreduce:1MiB:10,alltoall:64KiB")) ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/schedule/collective.hpp"

namespace weft::order {

struct MixEntry {
  schedule::CollectiveKind collective = schedule::CollectiveKind::allreduce;
  std::int64_t size_B = 0;
  std::int64_t calls = 1;
  std::string size_text = {};  // as it was written
};

/// The most calls of all entries together: what they cost in hops stays below 2^63.
inline constexpr std::int64_t kMostMixCalls = 1'000'000;

/// Entries COLLECTIVE:SIZE[:CALLS], parted by commas; one call where no number is given. Throws
/// InvalidInput naming the entry that is none, and for more calls than kMostMixCalls.
std::vector<MixEntry> parse_mix(std::string_view text);

}  // namespace weft::order
