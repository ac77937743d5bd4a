// What an engine is built with.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/simulation/packet/engine/message_engine.hpp"

namespace weft::simulation::packet {

int wheel_shift(const LinkWiring& wiring, const PacketOptions& options) {
  const bool whole = options.switching == Switching::store_and_forward;
  Time least = std::numeric_limits<Time>::max();
  for (const LinkKind& link : wiring.kinds) {
    const Time hop = link.latency_ps + options.router_delay_ps + (whole ? link.unit_ps : 0);
    least = std::min(least, hop > 0 ? hop : link.unit_ps);
  }
  constexpr int kFinest = 4, kCoarsest = 12;
  return std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(least))) - 2,
                    kFinest, kCoarsest);
}

/// By path: each message brings its links, from the network's own routing or its schedule. A packet
/// climbs one virtual channel with each link between routers, which is free of deadlock on any
/// network; as many channels as the longest shortest path has links are made unless told otherwise.
/// Where that is too many, or fewer are asked for, path_order.hpp says when a packet takes the
/// next; a path that needs more of them is refused when it comes.
int channels_of_paths(const LinkWiring& wiring, int asked) {
  constexpr int kMost = 255, kOfLongPaths = 16;
  if (asked > 0) return asked;
  const int longest = network::longest_shortest_path(wiring);
  return longest > kMost ? kOfLongPaths : longest;
}

int checked_vcs(const PacketOptions& options, int needed) {
  constexpr int kMost = 255;
  const std::string who =
      options.routing.empty() ? "following paths" : "routing " + options.routing;
  require(options.vcs <= kMost, "{} virtual channels are too many (at most {})", options.vcs,
          kMost);
  require(needed <= kMost,
          "{} virtual channels are too many (at most {}; {} needs one for each link between "
          "routers); choose another routing",
          needed, kMost, who);
  if (options.vcs == 0) return std::max(needed, std::min(options.longest_path, kMost));
  require(options.vcs >= needed,
          "{} virtual channels are too few ({} needs at least {} to be free of deadlock); give "
          "{} or more",
          options.vcs, who, needed, needed);
  return options.vcs;
}

void check_delay(Time delay_ps, const char* what) {
  constexpr Time kLongest = 1'000'000'000'000'000;
  require(delay_ps >= 0 && delay_ps <= kLongest,
          "the {} takes {}, which is too long for packets (at most 1000s); use --model fluid", what,
          format_time(delay_ps));
}

void check_clock(Time now) {
  constexpr Time kLatest = 9'000'000'000'000'000'000;
  require(now <= kLatest,
          "the run takes more than 104 days, which is too long to count in picoseconds; use "
          "--model fluid");
}

void check_size(std::int64_t bytes, std::int64_t unit_B) {
  constexpr std::int64_t kMost = 1'000'000'000;
  require(bytes / unit_B < kMost,
          "a message of {} is more than {} packets or flits of {}; give a smaller --size, larger "
          "packets, or --model fluid",
          format_size(bytes), kMost, format_size(unit_B));
}

}  // namespace weft::simulation::packet
