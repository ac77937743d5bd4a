#include "weft/simulation/packet/engine/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::simulation::packet {

std::vector<std::int32_t> find_circle(const std::vector<std::int32_t>& next) {
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
  return {};
}

void report_deadlock(const LinkWiring& wiring, int vc_bits, std::int64_t under_way,
                     const std::vector<std::int32_t>& cycle) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
    const LinkId link(cycle[i] >> vc_bits);
    text += fmt::format("{}{}->{} vc {}", i == 0 ? "" : ", ", wiring.topology.tail(link).value(),
                        wiring.topology.head(link).value(), cycle[i] & ((1 << vc_bits) - 1));
  }
  if (cycle.size() > kShown) text += fmt::format(" and {} more", cycle.size() - kShown);
  reject(
      "deadlock: {} packets or flits are under way, and some wait for each other for "
      "ever{}; use more virtual channels or another routing",
      under_way,
      cycle.empty() ? std::string()
                    : fmt::format(", in a cycle of {} channels ({})", cycle.size(), text));
}

}  // namespace weft::simulation::packet
