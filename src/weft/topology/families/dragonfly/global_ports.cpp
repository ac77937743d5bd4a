#include "global_ports.hpp"

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"

namespace weft::topology {

namespace {

// Ways round from one group to another, 1..g-1, in the order in which the ports of group q take
// them.
std::vector<int> ordered_offsets(std::vector<int> offsets, int g, int q,
                                 GlobalArrangement arrangement) {
  const auto rank = [&](int offset) {
    switch (arrangement) {
      case GlobalArrangement::absolute:
        return (q + offset) % g;
      case GlobalArrangement::relative:
        return offset;
      case GlobalArrangement::codes:
        return (q + offset) % g == g - 1 ? q : (q + offset) % g;
      case GlobalArrangement::circulant:
        break;
    }
    return 2 * offset <= g ? 2 * offset - 2 : 2 * (g - offset) - 1;
  };
  std::sort(offsets.begin(), offsets.end(), [&](int x, int y) { return rank(x) < rank(y); });
  return offsets;
}

// The offsets that the ports left over after the full rounds take: 1, g-1, 2, g-2, ..., and g/2
// for an odd one.
std::vector<int> remaining_offsets(int ports, int g) {
  std::vector<int> offsets;
  for (int distance = 1; distance <= ports / 2; ++distance) {
    offsets.push_back(distance);
    offsets.push_back(g - distance);
  }
  if (ports % 2 == 1 && g % 2 == 0) offsets.push_back(g / 2);
  return offsets;
}

// The group that each port of group q leads to.
std::vector<int> port_targets(int groups, int ports, int q, GlobalArrangement arrangement) {
  std::vector<int> all;
  for (int offset = 1; offset < groups; ++offset) all.push_back(offset);
  std::vector<int> targets;
  const auto round = [&](std::vector<int> offsets) {
    for (int offset : ordered_offsets(std::move(offsets), groups, q, arrangement))
      targets.push_back((q + offset) % groups);
  };
  for (int i = 0; i < ports / (groups - 1); ++i) round(all);
  round(remaining_offsets(ports % (groups - 1), groups));
  return targets;
}

}  // namespace

std::vector<GlobalCable> global_cables(int groups, int ports, GlobalArrangement arrangement) {
  std::map<std::int64_t, std::vector<int>> towards;  // ports from one group to another, in order
  const auto key = [&](int from, int to) { return std::int64_t{from} * groups + to; };
  for (int q = 0; q < groups; ++q) {
    const std::vector<int> targets = port_targets(groups, ports, q, arrangement);
    for (std::size_t k = 0; k < targets.size(); ++k)
      towards[key(q, targets[k])].push_back(static_cast<int>(k));
  }
  std::vector<GlobalCable> cables;
  for (int q = 0; q < groups; ++q) {
    for (int other = q + 1; other < groups; ++other) {
      const auto forth = towards.find(key(q, other));
      if (forth == towards.end()) continue;
      const std::vector<int>& back = towards[key(other, q)];
      WEFT_ASSERT(forth->second.size() == back.size());
      for (std::size_t i = 0; i < back.size(); ++i)
        cables.push_back({q, forth->second[i], other, back[i]});
    }
  }
  return cables;
}

}  // namespace weft::topology
