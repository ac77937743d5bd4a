#include "weft/analysis/forwarding/table_traffic.hpp"

#include <algorithm>
#include <numeric>

#include "weft/analysis/forwarding/senders.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"

namespace weft::analysis {

namespace {

constexpr std::int64_t kBlocks = 32;  // of work; not the number of threads, which changes no sum

// The in-tree of one address: how many channels each switch is from its end.
class Tree {
 public:
  static constexpr std::int32_t kUnknown = -1, kLost = -2, kOnWay = -3;

  explicit Tree(const SwitchNet& net)
      : depths_(static_cast<std::size_t>(net.count)), flows_(depths_.size(), 0), net_(net) {}

  void begin(std::span<const std::int32_t> column) {
    column_ = column;
    std::ranges::fill(depths_, kUnknown);
    reached_.clear();
  }
  /// kLost where the path ends nowhere.
  std::int32_t depth(std::int32_t node) {
    way_.clear();
    while (depths_[node] == kUnknown && column_[node] >= 0) {
      depths_[node] = kOnWay;
      way_.push_back(node);
      node = net_.head[column_[node]];
    }
    if (depths_[node] == kUnknown) {
      depths_[node] = column_[node] == Columns::kDelivers ? 0 : kLost;
      reached_.push_back(node);
    }
    std::int32_t depth = depths_[node] == kOnWay ? kLost : depths_[node];
    while (!way_.empty()) {
      depth = depth == kLost ? kLost : depth + 1;
      depths_[way_.back()] = depth;
      reached_.push_back(way_.back());
      way_.pop_back();
    }
    return depth;
  }
  std::int32_t known_depth(std::int32_t node) const { return depths_[node]; }
  void send(std::int32_t node, std::int64_t pairs) { flows_[node] += pairs; }

  /// Carries what was sent to the end, over loads and turns.
  void carry(std::vector<std::int64_t>& loads, Turns& turns) {
    by_depth();
    for (const std::int32_t node : reached_) {
      const std::int64_t flow = std::exchange(flows_[node], 0);
      const std::int32_t channel = column_[node];
      if (flow == 0 || depths_[node] <= 0) continue;
      loads[channel] += flow;
      const std::int32_t next = net_.head[channel];
      flows_[next] += flow;
      if (column_[next] >= 0) turns.add(channel, column_[next]);
    }
  }

 private:
  // Farthest first.
  void by_depth() {
    std::int32_t most = 0;
    for (const std::int32_t node : reached_) most = std::max(most, depths_[node]);
    places_.assign(static_cast<std::size_t>(most) + 2, 0);
    std::erase_if(reached_, [&](std::int32_t node) { return depths_[node] < 0; });
    for (const std::int32_t node : reached_) ++places_[most - depths_[node] + 1];
    for (std::size_t i = 1; i < places_.size(); ++i) places_[i] += places_[i - 1];
    way_.resize(reached_.size());
    for (const std::int32_t node : reached_) way_[places_[most - depths_[node]]++] = node;
    reached_.swap(way_);
  }

  std::vector<std::int32_t> depths_;
  std::vector<std::int64_t> flows_;  // by switch: pairs that are there
  const SwitchNet& net_;
  std::span<const std::int32_t> column_;
  std::vector<std::int32_t> reached_, way_, places_;
};

// Splits what is for a group of addresses evenly over all shortest paths.
class EvenSplit {
 public:
  EvenSplit(const SwitchNet& net, const Destinations& to)
      : net_(net), to_(to), amounts_(static_cast<std::size_t>(net.count), 0) {}

  void send(std::int32_t group, std::int32_t node, std::int64_t pairs, std::vector<double>& loads) {
    if (group != group_) pour(loads);
    group_ = group;
    amounts_[node] += static_cast<double>(pairs);
  }
  void pour(std::vector<double>& loads) {
    if (group_ < 0) return;
    const auto distance = to_.distance(group_);
    farthest_first(distance);
    for (const std::int32_t node : order_) {
      const double amount = std::exchange(amounts_[node], 0);
      if (amount == 0 || distance[node] == 0) continue;
      const auto nearer = [&](std::int32_t channel) {
        return distance[net_.head[channel]] + 1 == distance[node];
      };
      double ways = 0;
      for (std::int32_t c = net_.first[node]; c < net_.first[node + 1]; ++c) ways += nearer(c);
      for (std::int32_t c = net_.first[node]; c < net_.first[node + 1]; ++c) {
        if (!nearer(c)) continue;
        loads[c] += amount / ways;
        amounts_[net_.head[c]] += amount / ways;
      }
    }
    group_ = -1;
  }

 private:
  void farthest_first(std::span<const std::uint16_t> distance) {
    std::int32_t most = 0;
    for (const std::uint16_t each : distance)
      if (each != Destinations::kFar) most = std::max<std::int32_t>(most, each);
    places_.assign(static_cast<std::size_t>(most) + 2, 0);
    for (const std::uint16_t each : distance)
      if (each != Destinations::kFar) ++places_[most - each + 1];
    for (std::size_t i = 1; i < places_.size(); ++i) places_[i] += places_[i - 1];
    order_.resize(places_.back());
    for (std::int32_t node = 0; node < net_.count; ++node)
      if (distance[node] != Destinations::kFar) order_[places_[most - distance[node]]++] = node;
  }

  const SwitchNet& net_;
  const Destinations& to_;
  std::int32_t group_ = -1;
  std::vector<double> amounts_;  // by switch
  std::vector<std::int32_t> order_, places_;
};

// What some of the hosts receive.
class Receivers {
 public:
  Receivers(const SwitchNet& net, const Destinations& to, const Columns& columns,
            const Senders& senders, bool with_even_split)
      : net_(net),
        to_(to),
        columns_(columns),
        senders_(senders),
        split_(net, to),
        with_even_split_(with_even_split),
        result{.traffic = {},
               .loads = std::vector<std::int64_t>(net.head.size(), 0),
               .turns = Turns(net),
               .even = std::vector<double>(with_even_split ? net.head.size() : 0, 0)} {}

  void receive(NodeId host) {
    const auto addresses = senders_.addresses(host);
    while (trees_.size() < addresses.size()) trees_.emplace_back(net_);
    for (std::size_t i = 0; i < addresses.size(); ++i) begin(trees_[i], addresses[i]);
    if (senders_.single_ports() && addresses.size() == 1)
      from_leaves(host, addresses[0]);
    else
      from_hosts(host, addresses);
    for (std::size_t i = 0; i < addresses.size(); ++i) trees_[i].carry(result.loads, result.turns);
  }
  void finish() {
    if (with_even_split_) split_.pour(result.even);
  }

 private:
  void begin(Tree& tree, std::int32_t address) {
    tree.begin(columns_.of(address));
    for (std::int32_t node = 0; node < net_.count; ++node)
      if (net_.ports_of_hosts[node] > 0) tree.depth(node);
  }

  void from_leaves(NodeId host, std::int32_t address) {
    const std::int32_t own = net_.row[net_.topology.head(*net_.topology.out_links(host).begin())];
    for (std::int32_t node = 0; node < net_.count; ++node)
      if (const std::int64_t pairs = net_.ports_of_hosts[node] - (node == own ? 1 : 0); pairs > 0)
        send(trees_[0], address, node, pairs);
  }

  void from_hosts(NodeId host, std::span<const std::int32_t> addresses) {
    for (const NodeId from : net_.topology.hosts()) {
      if (from == host) continue;
      const auto way = senders_.way(from, host, [&](std::int32_t place, std::int32_t leaf) {
        return trees_[place].known_depth(leaf) >= 0;
      });
      if (way && way->leaf >= 0)
        send(trees_[way->address], addresses[way->address], way->leaf, 1);
      else
        count(1, !way);
    }
  }

  void count(std::int64_t pairs, bool lost) {
    result.traffic.pairs += pairs;
    result.traffic.lost += lost ? pairs : 0;
  }

  void send(Tree& tree, std::int32_t address, std::int32_t leaf, std::int64_t pairs) {
    const std::int32_t depth = tree.known_depth(leaf);
    count(pairs, depth < 0);
    const std::int32_t group = to_.group[address];
    if (with_even_split_ && group >= 0 && to_.distance(group)[leaf] != Destinations::kFar)
      split_.send(group, leaf, pairs, result.even);
    if (depth < 0) return;
    tree.send(leaf, pairs);
    const std::int32_t detour = depth - to_.distance(group)[leaf];
    TableTraffic& traffic = result.traffic;
    traffic.longer += detour > 0 ? pairs : 0;
    traffic.longest_detour = std::max(traffic.longest_detour, detour);
  }

  const SwitchNet& net_;
  const Destinations& to_;
  const Columns& columns_;
  const Senders& senders_;
  EvenSplit split_;
  bool with_even_split_;
  std::vector<Tree> trees_;  // by address of the host

 public:
  Measured result;
};

void add(const Measured& part, Measured& sum) {
  WEFT_ASSERT(sum.loads.size() == part.loads.size() && sum.even.size() == part.even.size());
  sum.traffic.pairs += part.traffic.pairs;
  sum.traffic.lost += part.traffic.lost;
  sum.traffic.longer += part.traffic.longer;
  sum.traffic.longest_detour = std::max(sum.traffic.longest_detour, part.traffic.longest_detour);
  for (std::size_t i = 0; i < sum.loads.size(); ++i) sum.loads[i] += part.loads[i];
  for (std::size_t i = 0; i < sum.even.size(); ++i) sum.even[i] += part.even[i];
  sum.turns.add(part.turns);
}

// Hosts of one switch together, so that what is for them is split together.
std::vector<NodeId> by_group(const SwitchNet& net, const Destinations& to, const Senders& senders) {
  std::vector<NodeId> hosts(net.topology.hosts().begin(), net.topology.hosts().end());
  std::ranges::stable_sort(hosts, {}, [&](NodeId host) {
    const auto addresses = senders.addresses(host);
    return addresses.empty() ? -1 : to.group[addresses[0]];
  });
  return hosts;
}

// The busiest channel of one shift.
class Shift {
 public:
  Shift(const SwitchNet& net, const Columns& columns, const Senders& senders)
      : net_(net), columns_(columns), senders_(senders), loads_(net.head.size(), 0) {}

  std::int64_t busiest(std::int64_t by) {
    const auto hosts = net_.topology.hosts();
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const NodeId to = hosts[(i + static_cast<std::size_t>(by)) % hosts.size()];
      const auto way = senders_.way(hosts[i], to, [&](std::int32_t place, std::int32_t leaf) {
        return walk(senders_.addresses(to)[place], leaf);
      });
      if (!way || way->leaf < 0) continue;
      for (const std::int32_t channel : path_) ++loads_[channel];
    }
    const std::int64_t most = loads_.empty() ? 0 : *std::ranges::max_element(loads_);
    std::ranges::fill(loads_, 0);
    return most;
  }

 private:
  // Fills path_; whether it arrives.
  bool walk(std::int32_t address, std::int32_t node) {
    path_.clear();
    const auto column = columns_.of(address);
    while (column[node] >= 0 && std::ssize(path_) <= net_.count) {
      path_.push_back(column[node]);
      node = net_.head[column[node]];
    }
    return column[node] == Columns::kDelivers;
  }

  const SwitchNet& net_;
  const Columns& columns_;
  const Senders& senders_;
  std::vector<std::int32_t> loads_, path_;
};

}  // namespace

Measured measure(const SwitchNet& net, const Destinations& to, const Columns& columns,
                 bool with_even_split) {
  WEFT_ASSERT(to.switches == net.count);
  const Senders senders(net, to);
  const std::vector<NodeId> hosts = by_group(net, to, senders);
  const auto count = std::ssize(hosts);
  std::vector<std::optional<Measured>> parts(kBlocks);
  parallel_for(kBlocks, [&](std::int64_t block) {
    Receivers receivers(net, to, columns, senders, with_even_split);
    for (std::int64_t i = block * count / kBlocks; i < (block + 1) * count / kBlocks; ++i)
      receivers.receive(hosts[i]);
    receivers.finish();
    parts[block] = std::move(receivers.result);
  });
  Measured sum = std::move(*parts[0]);
  for (std::int64_t block = 1; block < kBlocks; ++block) add(*parts[block], sum);
  const auto most = std::ranges::max_element(sum.loads);
  if (most != sum.loads.end() && *most > 0) {
    sum.traffic.busiest = *most;
    sum.traffic.busiest_link = net.link[most - sum.loads.begin()];
  }
  return sum;
}

void measure_shifts(const SwitchNet& net, const Destinations& to, const Columns& columns,
                    std::int64_t most_walks, TableTraffic& traffic) {
  const Senders senders(net, to);
  const std::int64_t hosts = std::ssize(net.topology.hosts());
  if (hosts < 2) return;
  const std::int64_t all = hosts - 1;
  const std::int64_t tried = std::clamp<std::int64_t>(most_walks / hosts, 1, all);
  std::vector<std::int64_t> busiest(static_cast<std::size_t>(tried), 0);
  parallel_for(std::min(tried, kBlocks), [&](std::int64_t block) {
    Shift shift(net, columns, senders);
    for (std::int64_t i = block; i < tried; i += kBlocks)
      busiest[i] = shift.busiest(1 + i * all / tried);
  });
  traffic.shifts = tried;
  traffic.shift_worst = *std::ranges::max_element(busiest);
  traffic.shift_mean =
      static_cast<double>(std::accumulate(busiest.begin(), busiest.end(), std::int64_t{0})) /
      static_cast<double>(tried);
}

}  // namespace weft::analysis
