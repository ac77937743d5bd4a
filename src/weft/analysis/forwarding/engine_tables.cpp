#include "weft/analysis/forwarding/engine_tables.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/analysis/forwarding/lightest_paths.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

// Gives each address to the least used of the channels that `nearest(group, node, visit)` lists.
template <class Begin, class Nearest>
Columns by_counters(const SwitchNet& net, const Destinations& to, const Columns& now, Begin&& begin,
                    Nearest&& nearest) {
  Columns columns = handing_over(to, now);
  std::vector<std::int32_t> counts(net.head.size(), 0);
  std::int32_t group = -1;
  for (const std::int32_t address : routing_order(to)) {
    if (to.group[address] != group) begin(group = to.group[address]);
    const auto column = columns.of(address);
    for (std::int32_t node = 0; node < net.count; ++node) {
      if (column[node] == Columns::kDelivers) continue;
      std::int32_t least = Columns::kNone;
      nearest(group, node, [&](std::int32_t channel) {
        if (least < 0 || counts[channel] < counts[least]) least = channel;
      });
      column[node] = least;
      if (least >= 0) ++counts[least];
    }
  }
  return columns;
}

// Up and down, by the distance from the roots, then by number.
class UpDown {
 public:
  UpDown(const SwitchNet& net, const std::vector<std::int32_t>& roots)
      : net_(net),
        ranks_(static_cast<std::size_t>(net.count), net.count),
        down_(ranks_.size()),
        links_(ranks_.size()) {
    std::vector<std::int32_t> reached = roots;
    for (const std::int32_t root : roots) ranks_[root] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::int32_t c = net.first[reached[i]]; c < net.first[reached[i] + 1]; ++c)
        if (std::int32_t& rank = ranks_[net.head[c]]; rank == net.count) {
          rank = ranks_[reached[i]] + 1;
          reached.push_back(net.head[c]);
        }
    order_.resize(ranks_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, {}, [&](std::int32_t node) { return ranks_[node]; });
  }

  /// Paths to a switch that hands over: down where there is such a path, else up first.
  void begin(std::int32_t leaf) {
    std::ranges::fill(down_, kFar);
    std::ranges::fill(links_, kFar);
    down_[leaf] = 0;
    for (auto node = order_.rbegin(); node != order_.rend(); ++node)
      for (std::int32_t c = net_.first[*node]; c < net_.first[*node + 1]; ++c)
        if (!is_up(c)) down_[*node] = std::min(down_[*node], down_[net_.head[c]] + 1);
    for (const std::int32_t node : order_) {
      links_[node] = down_[node];
      if (down_[node] < kFar) continue;
      for (std::int32_t c = net_.first[node]; c < net_.first[node + 1]; ++c)
        if (is_up(c)) links_[node] = std::min(links_[node], links_[net_.head[c]] + 1);
    }
  }

  template <class Visit>
  void for_allowed(std::int32_t node, Visit&& visit) const {
    if (links_[node] >= kFar) return;
    const bool goes_down = down_[node] < kFar;
    for (std::int32_t c = net_.first[node]; c < net_.first[node + 1]; ++c) {
      const std::int32_t next = net_.head[c];
      if (is_up(c) == goes_down) continue;
      if ((goes_down ? down_[next] : links_[next]) + 1 == links_[node]) visit(c);
    }
  }

 private:
  static constexpr std::int32_t kFar = 1 << 29;

  bool is_up(std::int32_t channel) const {
    const std::int32_t from = net_.tail[channel], next = net_.head[channel];
    return std::pair(ranks_[next], next) < std::pair(ranks_[from], from);
  }

  const SwitchNet& net_;
  std::vector<std::int32_t> ranks_, order_;  // links from a root; switches, highest first
  std::vector<std::int32_t> down_, links_;   // by switch: of paths down alone, and of all
};

}  // namespace

Columns handing_over(const Destinations& to, const Columns& now) {
  WEFT_ASSERT(to.group.size() == to.host.size());
  Columns columns = now;
  for (std::int32_t& entry : columns.next)
    if (entry != Columns::kDelivers) entry = Columns::kNone;
  for (std::int32_t address = 0; address < to.count(); ++address)
    if (to.group[address] >= 0)
      columns.of(address)[to.leaves[to.group[address]]] = Columns::kDelivers;
  return columns;
}

Columns minhop_columns(const SwitchNet& net, const Destinations& to, const Columns& now) {
  return by_counters(
      net, to, now, [](std::int32_t) {},
      [&](std::int32_t group, std::int32_t node, auto&& visit) {
        for_nearer(net, to.distance(group), node, visit);
      });
}

Columns dor_columns(const SwitchNet& net, const Destinations& to, const Columns& now) {
  return by_counters(
      net, to, now, [](std::int32_t) {},
      [&](std::int32_t group, std::int32_t node, auto&& visit) {
        std::int32_t first = -1;  // the neighbour at the lowest port
        for_nearer(net, to.distance(group), node, [&](std::int32_t channel) {
          if (first < 0) first = net.head[channel];
          if (net.head[channel] == first) visit(channel);
        });
      });
}

Columns updn_columns(const SwitchNet& net, const Destinations& to, const Columns& now,
                     const std::vector<std::int32_t>& roots) {
  UpDown ways(net, roots);
  return by_counters(
      net, to, now, [&](std::int32_t group) { ways.begin(to.leaves[group]); },
      [&](std::int32_t, std::int32_t node, auto&& visit) { ways.for_allowed(node, visit); });
}

Columns dfsssp_columns(const SwitchNet& net, const Destinations& to, const Columns& now) {
  Columns columns = handing_over(to, now);
  LightestPaths paths(net, to);
  for (const std::int32_t address : routing_order(to)) {
    paths.begin(to.group[address]);
    paths.fill(columns.of(address));
    paths.add(columns.of(address));
  }
  return columns;
}

std::vector<std::int32_t> roots_of(const SwitchNet& net, const Destinations& to) {
  std::vector<std::int64_t> members(to.leaves.size(), 0);
  std::int64_t all = 0;
  for (const std::int32_t group : to.group)
    if (group >= 0) {
      ++members[group];
      ++all;
    }
  std::vector<std::int32_t> roots;
  for (std::int32_t node = 0; node < net.count; ++node) {
    std::map<std::uint16_t, std::int64_t> at;  // addresses by distance
    for (std::int32_t group = 0; group < to.groups(); ++group)
      at[to.distance(group)[node]] += members[group];
    const auto many =
        std::ranges::count_if(at, [&](const auto& each) { return each.second * 20 > all; });
    const auto most =
        std::ranges::count_if(at, [&](const auto& each) { return each.second * 10 > all * 9; });
    if (many == 1 && most == 1) roots.push_back(node);
  }
  return roots;
}

std::int32_t centre_of(const SwitchNet& net, const Destinations& to) {
  WEFT_ASSERT(net.count >= 1);
  std::vector<std::int32_t> farthest(static_cast<std::size_t>(net.count), 0);
  for (std::int32_t group = 0; group < to.groups(); ++group)
    for (std::int32_t node = 0; node < net.count; ++node)
      farthest[node] = std::max<std::int32_t>(farthest[node], to.distance(group)[node]);
  return static_cast<std::int32_t>(std::ranges::min_element(farthest) - farthest.begin());
}

}  // namespace weft::analysis
