// Hops that no order betters.
//
// The hops of an order are the sum over h >= 0 of the messages that cross more than h links, so a
// lower bound on each of these counts gives one on the hops.
//
// Reach. Let R(h) be the most places within h links of a place, itself included. Of a rank's peers
// all but R(h) - 1 are further than h, so of its messages at least e(r) are: those of its peers
// without the R(h) - 1 that it exchanges most with. A message has two ends: at least half the sum
// of e, and at least the sum of e over ranks of which no two are peers.
//
// Groups, for h = 0. Switches (with what is 0 links apart taken together) part the ranks into S
// groups at least. Contract each: a pattern in c components keeps meetings that join S groups in c
// components, S - c that form no cycle, which are no fewer messages than the S - c lightest such
// meetings of the pattern (Kruskal). A connected pattern that falls apart with no single meeting
// keeps that property when ranks are put together, so that the meetings left are no tree: one more.
#include <algorithm>
#include <numeric>

#include "index.hpp"
#include "weft/search/order_objectives.hpp"

namespace weft::search {

namespace {

// Numbers that are joined into sets.
class Components {
 public:
  explicit Components(std::int32_t count) : of_(index(count)) {
    std::iota(of_.begin(), of_.end(), 0);
  }
  bool join(std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    of_[index(a)] = b;
    return a != b;
  }
  std::int32_t root(std::int32_t r) {
    while (of_[index(r)] != r) r = of_[index(r)] = of_[index(of_[index(r)])];
    return r;
  }

 private:
  std::vector<std::int32_t> of_;
};

// Where places are: the switches that have any, and how many.
struct Places {
  std::vector<std::int32_t> switches;
  std::vector<std::int64_t> count;
};

Places places_at(const OrderNetwork& network, std::span<const std::int32_t> places) {
  std::vector<std::int64_t> count(index(network.switches()), 0);
  for (const std::int32_t host : places) ++count[index(network.switch_of(host))];
  Places result;
  for (std::int32_t s = 0; s < network.switches(); ++s)
    if (count[index(s)] > 0) {
      result.switches.push_back(s);
      result.count.push_back(count[index(s)]);
    }
  return result;
}

std::int32_t nearest_way(const OrderNetwork& network, std::int32_t a, std::int32_t b) {
  return std::min(network.hops(a, b), network.hops(b, a));
}

// R(h) for h = 0, 1, ... until it is all places.
std::vector<std::int64_t> reach_of(const OrderNetwork& network, const Places& places) {
  std::vector<std::int64_t> reach;
  for (const std::int32_t s : places.switches) {
    std::vector<std::int64_t> within;
    for (std::size_t t = 0; t < places.switches.size(); ++t) {
      const auto hops = index(nearest_way(network, s, places.switches[t]));
      if (within.size() <= hops) within.resize(hops + 1, 0);
      within[hops] += places.count[t];
    }
    std::partial_sum(within.begin(), within.end(), within.begin());
    reach.resize(std::max(reach.size(), within.size()), 0);
    for (std::size_t h = 0; h < reach.size(); ++h)
      reach[h] = std::max(reach[h], within[std::min(h, within.size() - 1)]);
  }
  return reach;
}

// How many groups so many ranks need at least.
std::int64_t least_groups(const OrderNetwork& network, const Places& places, std::int64_t ranks) {
  Components together(network.switches());
  const auto& switches = places.switches;
  for (std::size_t s = 0; s < switches.size(); ++s)
    for (std::size_t t = 0; t < s; ++t)
      if (nearest_way(network, switches[s], switches[t]) == 0)
        together.join(switches[s], switches[t]);
  std::vector<std::int64_t> sizes(index(network.switches()), 0);
  for (std::size_t s = 0; s < switches.size(); ++s)
    sizes[index(together.root(switches[s]))] += places.count[s];
  std::sort(sizes.rbegin(), sizes.rend());
  std::int64_t used = 0;
  for (; ranks > 0; ++used) ranks -= sizes[used];
  return used;
}

std::int64_t messages_with(const OrderPattern::Peer& peer) {
  return std::int64_t{peer.sent} + peer.received;
}

// Whether some meeting is the only way between two parts of a connected pattern: depth first, with
// the lowest entry that a subtree meets without the meeting that it hangs on.
bool has_bridge(const OrderPattern& pattern) {
  std::vector<std::int32_t> entry(index(pattern.ranks()), -1), lowest(entry);
  struct Visit {
    std::int32_t rank, parent;
    std::size_t next = 0;
  };
  std::vector<Visit> stack{{0, -1}};
  std::int32_t entries = 0;
  while (!stack.empty()) {
    Visit& at = stack.back();
    const std::size_t r = index(at.rank);
    if (entry[r] < 0) entry[r] = lowest[r] = entries++;
    const auto peers = pattern.peers(at.rank);
    if (at.next < peers.size()) {
      const std::int32_t other = peers[at.next++].rank;
      if (other == at.parent) continue;  // each peer stands once: one meeting
      if (entry[index(other)] >= 0)
        lowest[r] = std::min(lowest[r], entry[index(other)]);
      else
        stack.push_back({other, at.rank});
      continue;
    }
    const std::int32_t parent = at.parent;
    stack.pop_back();
    if (parent < 0) continue;
    if (lowest[r] > entry[index(parent)]) return true;
    lowest[index(parent)] = std::min(lowest[index(parent)], lowest[r]);
  }
  return false;
}

// Messages that leave their group.
std::int64_t least_between_groups(const OrderPattern& pattern, std::int64_t groups) {
  struct Meeting {
    std::int64_t messages;
    std::int32_t a, b;
  };
  std::vector<Meeting> meetings;
  for (std::int32_t r = 0; r < pattern.ranks(); ++r)
    for (const auto& peer : pattern.peers(r))
      if (peer.rank > r) meetings.push_back({messages_with(peer), r, peer.rank});
  std::stable_sort(meetings.begin(), meetings.end(),
                   [](const Meeting& x, const Meeting& y) { return x.messages < y.messages; });
  Components components(pattern.ranks());
  std::vector<std::int64_t> forest;  // messages of its meetings, fewest first
  for (const auto& [messages, a, b] : meetings)
    if (components.join(a, b)) forest.push_back(messages);
  const std::int64_t pieces = pattern.ranks() - static_cast<std::int64_t>(forest.size());
  const std::int64_t lost = groups - pieces;
  if (lost <= 0) return 0;
  const auto sum = std::accumulate(forest.begin(), forest.begin() + lost, std::int64_t{0});
  return pieces == 1 && !has_bridge(pattern) ? sum + meetings.front().messages : sum;
}

// Messages of each rank by peer, added up from the fewest.
std::vector<std::vector<std::int64_t>> sums_by_peer(const OrderPattern& pattern) {
  std::vector<std::vector<std::int64_t>> sums(index(pattern.ranks()));
  for (std::int32_t r = 0; r < pattern.ranks(); ++r) {
    auto& sum = sums[index(r)];
    for (const auto& peer : pattern.peers(r)) sum.push_back(messages_with(peer));
    std::sort(sum.begin(), sum.end());
    std::partial_sum(sum.begin(), sum.end(), sum.begin());
  }
  return sums;
}

// Messages that go further than a distance within which a rank has at most `near` others.
std::int64_t least_further(const OrderPattern& pattern,
                           std::span<const std::vector<std::int64_t>> sums, std::int64_t near) {
  std::vector<std::int64_t> far(sums.size(), 0);
  std::vector<std::int32_t> ranks;
  std::int64_t ends = 0;
  for (std::int32_t r = 0; r < pattern.ranks(); ++r) {
    const auto& sum = sums[index(r)];
    const std::int64_t beyond = std::ssize(sum) - near;
    if (beyond <= 0) continue;
    far[index(r)] = sum[beyond - 1];
    ends += far[index(r)];
    ranks.push_back(r);
  }
  std::stable_sort(ranks.begin(), ranks.end(),
                   [&](std::int32_t a, std::int32_t b) { return far[index(a)] > far[index(b)]; });
  std::vector<char> has_peer(sums.size(), 0);
  std::int64_t apart = 0;
  for (const std::int32_t r : ranks) {
    if (has_peer[index(r)] != 0) continue;
    apart += far[index(r)];
    for (const auto& peer : pattern.peers(r)) has_peer[index(peer.rank)] = 1;
  }
  return std::max((ends + 1) / 2, apart);
}

}  // namespace

std::int64_t least_hops(const OrderNetwork& network, const OrderPattern& pattern,
                        std::span<const std::int32_t> places) {
  const Places at = places_at(network, places);
  const std::vector<std::int64_t> reach = reach_of(network, at);
  const auto sums = sums_by_peer(pattern);
  std::int64_t hops = 0;
  for (std::size_t h = 0; h < reach.size(); ++h) {
    std::int64_t further = least_further(pattern, sums, reach[h] - 1);
    if (h == 0)
      further = std::max(further,
                         least_between_groups(pattern, least_groups(network, at, pattern.ranks())));
    if (further == 0) break;
    hops += further;
  }
  return hops;
}

std::int64_t least_hops(const OrderNetwork& network, const OrderPattern& pattern,
                        std::int32_t cores) {
  return least_hops(network, pattern, start_order(network, {.cores = cores}));
}

}  // namespace weft::search
