#include "weft/analysis/forwarding/engine_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/base/parallel.hpp"
#include "weft/topology/cables.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

using topology::cable_text;
using topology::node_text;

std::string switch_text(const SwitchNet& net, std::int32_t node) {
  return node_text(net.topology, net.topology.switches()[node]);
}
std::string channel_text(const SwitchNet& net, std::int32_t channel) {
  return cable_text(net.topology, net.link[channel]);
}

// The first fault by switch, whatever the number of threads.
template <class Fault>
std::string first_fault(std::int32_t switches, Fault&& fault) {
  std::vector<std::string> found(static_cast<std::size_t>(switches));
  parallel_for(switches,
               [&](std::int64_t node) { found[node] = fault(static_cast<std::int32_t>(node)); });
  const auto at = std::ranges::find_if(found, [](const auto& each) { return !each.empty(); });
  return at == found.end() ? std::string() : *at;
}

// Addresses of one switch, by group and channel, as they would have been given out one by one.
//
// Given backwards: the last one went to a port that, without it, has no more than any other port
// that was as near. Taking addresses from a port that has the most never hinders taking another
// one: if all others may still be taken then, they may be taken later. So the order need not be
// searched for, and a port with the most of which none may be taken proves that there is no order.
class GivenOut {
 public:
  GivenOut(const SwitchNet& net, const Destinations& to, std::int32_t node)
      : net_(net),
        to_(to),
        node_(node),
        counts_(static_cast<std::size_t>(net.first[node + 1] - net.first[node]), 0),
        waiting_(counts_.size()),
        ready_(counts_.size(), 0) {}

  void add(std::int32_t group, std::int32_t channel) {
    const std::int32_t port = channel - net_.first[node_];
    ++counts_[port];
    auto& waiting = waiting_[port];
    if (!waiting.empty() && waiting.back().group == group)
      ++waiting.back().count;
    else
      waiting.push_back({group, 1});
  }

  std::string fault() {
    const std::vector<std::int32_t> given = counts_;
    while (true) {
      const auto most = std::ranges::max_element(counts_);
      if (most == counts_.end() || *most == 0) return {};
      const auto port = static_cast<std::int32_t>(most - counts_.begin());
      if (ready_[port] == 0) free(port);
      if (ready_[port] == 0) return unbalanced(port, given);
      --ready_[port];
      --counts_[port];
    }
  }

 private:
  struct Waiting {
    std::int32_t group, count;
  };

  // The port as near that has the fewest.
  std::int32_t least_used(std::int32_t group, const std::vector<std::int32_t>& counts) const {
    std::int32_t least = -1;
    for_nearer(net_, to_.distance(group), node_, [&](std::int32_t channel) {
      const std::int32_t port = channel - net_.first[node_];
      if (least < 0 || counts[port] < counts[least]) least = port;
    });
    return least;
  }

  void free(std::int32_t port) {
    std::erase_if(waiting_[port], [&](const Waiting& each) {
      const bool may_go = counts_[least_used(each.group, counts_)] + 1 >= counts_[port];
      if (may_go) ready_[port] += each.count;
      return may_go;
    });
  }

  std::string unbalanced(std::int32_t port, const std::vector<std::int32_t>& given) const {
    const std::int32_t other = least_used(waiting_[port].front().group, given);
    return fmt::format("{} takes {} addresses and {} takes {}, though it is as near for some",
                       channel_text(net_, net_.first[node_] + port), given[port],
                       channel_text(net_, net_.first[node_] + other), given[other]);
  }

  const SwitchNet& net_;
  const Destinations& to_;
  std::int32_t node_;
  std::vector<std::int32_t> counts_;           // by port
  std::vector<std::vector<Waiting>> waiting_;  // by port: groups that could not go so far
  std::vector<std::int32_t> ready_;            // by port: addresses that may go
};

// Addresses by group, those without one left out.
std::vector<std::int32_t> grouped(const Destinations& to) {
  std::vector<std::int32_t> order;
  for (std::int32_t address = 0; address < to.count(); ++address)
    if (to.group[address] >= 0) order.push_back(address);
  std::ranges::stable_sort(order, {}, [&](std::int32_t address) { return to.group[address]; });
  return order;
}

}  // namespace

std::string why_not_shortest(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  return first_fault(net.count, [&](std::int32_t node) -> std::string {
    for (std::int32_t address = 0; address < to.count(); ++address) {
      const std::int32_t group = to.group[address], entry = columns.of(address)[node];
      if (group < 0 || entry < 0) continue;
      const auto distance = to.distance(group);
      if (distance[net.head[entry]] + 1 != distance[node])
        return fmt::format("the path from switch {} to {} is longer than a shortest one",
                           switch_text(net, node), node_text(net.topology, to.host[address]));
    }
    return {};
  });
}

std::string why_not_minhop(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  const std::vector<std::int32_t> addresses = grouped(to);
  return first_fault(net.count, [&](std::int32_t node) {
    GivenOut given(net, to, node);
    for (const std::int32_t address : addresses)
      if (const std::int32_t entry = columns.of(address)[node]; entry >= 0)
        given.add(to.group[address], entry);
    return given.fault();
  });
}

std::string why_not_dor(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  return first_fault(net.count, [&](std::int32_t node) -> std::string {
    for (std::int32_t address = 0; address < to.count(); ++address) {
      const std::int32_t group = to.group[address], entry = columns.of(address)[node];
      if (group < 0 || entry < 0) continue;
      std::int32_t lowest = -1;
      for_nearer(net, to.distance(group), node,
                 [&](std::int32_t channel) { lowest = lowest < 0 ? channel : lowest; });
      if (lowest >= 0 && net.head[lowest] != net.head[entry])
        return fmt::format("{} takes {}, and {} is at a lower port",
                           node_text(net.topology, to.host[address]), channel_text(net, entry),
                           channel_text(net, lowest));
    }
    return {};
  });
}

std::string why_not_lash(const SwitchNet& net, const Destinations& to, const Columns& columns) {
  const std::vector<std::int32_t> addresses = grouped(to);
  std::vector<char> seen(to.leaves.size(), 0);
  bool shared = false;
  for (const std::int32_t group : to.group)
    if (group >= 0) shared |= std::exchange(seen[group], 1) != 0;
  if (!shared) return "no two hosts share a switch, so that its rule says nothing";
  return first_fault(net.count, [&](std::int32_t node) -> std::string {
    std::int32_t group = -1, common = -1;
    for (const std::int32_t address : addresses) {
      const std::int32_t entry = columns.of(address)[node];
      if (entry < 0) continue;
      if (to.group[address] == group && entry != common)
        return fmt::format("hosts of switch {} take {} and {}", switch_text(net, to.leaves[group]),
                           channel_text(net, common), channel_text(net, entry));
      group = to.group[address];
      common = entry;
    }
    return {};
  });
}

bool has_choice(const SwitchNet& net, const Destinations& to) {
  for (std::int32_t group = 0; group < to.groups(); ++group)
    for (std::int32_t node = 0; node < net.count; ++node) {
      std::int32_t ways = 0;
      for_nearer(net, to.distance(group), node, [&](std::int32_t) { ++ways; });
      if (ways > 1) return true;
    }
  return false;
}

std::vector<std::int32_t> levels_of(const SwitchNet& net) {
  std::vector<std::int32_t> levels(static_cast<std::size_t>(net.count), -1), reached;
  for (std::int32_t node = 0; node < net.count; ++node)
    if (net.ports_of_hosts[node] > 0) {
      levels[node] = 0;
      reached.push_back(node);
    }
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::int32_t c = net.first[reached[i]]; c < net.first[reached[i] + 1]; ++c)
      if (levels[net.head[c]] < 0) {
        levels[net.head[c]] = levels[reached[i]] + 1;
        reached.push_back(net.head[c]);
      }
  for (std::int32_t c = 0; c < net.channels(); ++c)
    if (std::abs(levels[net.head[c]] - levels[net.tail[c]]) != 1) return {};
  return levels;
}

std::vector<EngineFit> engine_fits(const SwitchNet& net, const Destinations& to,
                                   const Columns& columns, const Turns& turns, bool minimal) {
  std::string shortest = why_not_shortest(net, to, columns);
  const auto if_shortest = [&](auto&& rule) { return shortest.empty() ? rule() : shortest; };
  const std::string minhop = if_shortest([&] { return why_not_minhop(net, to, columns); });
  const std::string updn =
      has_ranking(net, turns)
          ? (minimal && shortest.empty() ? minhop : std::string())
          : "under any ranking of the switches, a path goes up after it went down";
  std::vector<EngineFit> fits;
  const auto add = [&](const char* name, std::string why) {
    const bool fit = why.empty();
    fits.push_back({name, fit, std::move(why)});
  };
  add("ftree", why_not_ftree(net, to, columns));
  add("dor", if_shortest([&] { return why_not_dor(net, to, columns); }));
  add("dfsssp", if_shortest([&] { return why_not_dfsssp(net, to, columns); }));
  add("lash", if_shortest([&] { return why_not_lash(net, to, columns); }));
  add("updn", updn);
  add("minhop", minhop);
  return fits;
}

}  // namespace weft::analysis
