#include "weft/order/order_mix.hpp"

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::order {

namespace {

MixEntry entry_of(std::string_view text) {
  const auto words = split(text, ':');
  require(words.size() == 2 || words.size() == 3,
          "invalid call '{}' (expected COLLECTIVE:SIZE[:CALLS], such as allreduce:1MiB:10)", text);
  MixEntry entry{.collective = schedule::parse_collective(words[0]),
                 .size_B = parse_size(words[1]),
                 .size_text = std::string(words[1])};
  if (words.size() == 3) {
    const auto calls = number_in<std::int64_t>(words[2]);
    require(calls && *calls >= 1 && *calls <= kMostMixCalls,
            "'{}' is not a number of calls (in '{}' of the mix); give 1 to {}", words[2], text,
            kMostMixCalls);
    entry.calls = *calls;
  }
  return entry;
}

}  // namespace

std::vector<MixEntry> parse_mix(std::string_view text) {
  std::vector<MixEntry> entries;
  std::int64_t calls = 0;
  for (const std::string_view part : split(text, ',')) {
    entries.push_back(entry_of(part));
    calls += entries.back().calls;
    require(calls <= kMostMixCalls,
            "the mix has more than {} calls; give smaller numbers in the same proportion",
            kMostMixCalls);
  }
  return entries;
}

}  // namespace weft::order
