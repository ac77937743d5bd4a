#include "cli/options/release_note.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

std::string release_note(const GivenFields& said, const Network& network) {
  constexpr std::int64_t kLong_ps = 20'000'000;
  if (said.of("release") || (said.of("model") && lower(said.text("model")) != "fluid")) return "";
  std::int64_t longest_ps = 0;
  for (const LinkId link : network.topology().links())
    longest_ps = std::max(longest_ps, network.fabric().latency_ps(link));
  if (longest_ps < kLong_ps) return "";
  return fmt::format(
      "a port sends its next message only after the previous one has arrived, so each message "
      "waits for the latency of long links (up to {}); --release injected removes this wait",
      format_time(longest_ps));
}

}  // namespace weft::cli
