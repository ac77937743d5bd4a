#include "weft/simulation/packet/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::simulation::packet {

namespace {

/// The channels of a cycle, or of the longest chain found where there is none.
std::vector<std::int32_t> find_cycle(const std::vector<std::int32_t>& next) {
  std::vector<std::int32_t> seen_from(next.size(), kNone), chain;
  for (std::size_t start = 0; start < next.size(); ++start) {
    chain.clear();
    auto at = static_cast<std::int32_t>(start);
    while (at != kNone && seen_from[place(at)] == kNone) {
      seen_from[place(at)] = static_cast<std::int32_t>(start);
      chain.push_back(at);
      at = next[place(at)];
    }
    if (at == kNone || seen_from[place(at)] != static_cast<std::int32_t>(start)) continue;
    chain.erase(chain.begin(), std::ranges::find(chain, at));
    return chain;
  }
  return chain;
}

}  // namespace

void report_deadlock(const Wiring& wiring, int vc_bits, std::int64_t waiting,
                     const std::vector<std::int32_t>& next) {
  const std::vector<std::int32_t> cycle = find_cycle(next);
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
    const LinkId link(cycle[i] >> vc_bits);
    text += fmt::format("{}{}->{} vc {}", i == 0 ? "" : ", ", wiring.topology.tail(link).value(),
                        wiring.topology.head(link).value(), cycle[i] & ((1 << vc_bits) - 1));
  }
  if (cycle.size() > kShown) text += fmt::format(" and {} more", cycle.size() - kShown);
  reject(
      "deadlock: {} packets or flits wait for each other for ever, round a cycle of {} channels "
      "({}); use "
      "more virtual channels or another routing",
      waiting, cycle.size(), text);
}

}  // namespace weft::simulation::packet
