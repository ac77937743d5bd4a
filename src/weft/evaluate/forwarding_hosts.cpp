#include "weft/evaluate/forwarding_hosts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/reach.hpp"

namespace weft::evaluate {

std::vector<NodeId> idle_relays(const Network& network) {
  const Topology& topology = network.topology();
  IdVector<NodeId, char> has_rank(topology.node_count(), 0);
  for (const NodeId node : network.placement().nodes) has_rank[node] = 1;
  std::vector<NodeId> relays;
  for (const NodeId host : topology.hosts())
    if (has_rank[host] == 0 && topology.out_links(host).size() > 1 &&
        topology.in_links(host).size() > 1)
      relays.push_back(host);
  return relays;
}

std::vector<NodeId> forwarding_hosts(const Network& network,
                                     const std::function<bool(LinkId)>& carries) {
  std::vector<NodeId> hosts = idle_relays(network);
  std::erase_if(hosts, [&](NodeId host) {
    return std::ranges::none_of(network.topology().in_links(host), carries);
  });
  return hosts;
}

std::vector<NodeId> forwarding_hosts(const schedule::Cost& price, const Network& network) {
  return forwarding_hosts(network, [&](LinkId link) {
    return link.index() < price.link_loads.size() && price.link_loads[link.index()] > Rational(0);
  });
}

std::vector<NodeId> forwarding_hosts(const schedule::Verified& verified,
                                     const Network& network) try {
  if (idle_relays(network).empty()) return {};
  return forwarding_hosts(schedule::cost(verified, network), network);
} catch (const std::overflow_error&) {
  return {};
}

namespace {

// Hosts with ranks, in the order of ranks, each once.
std::vector<NodeId> used_hosts(const Network& network) {
  IdVector<NodeId, char> is_met(network.topology().node_count(), 0);
  std::vector<NodeId> used;
  for (const NodeId node : network.placement().nodes) {
    if (is_met[node] == 0) used.push_back(node);
    is_met[node] = 1;
  }
  return used;
}

// Numbers of the hosts once `removed` are not there; both are hosts, `removed` in increasing order.
std::vector<std::int32_t> renumbered(const Topology& topology, const std::vector<NodeId>& hosts,
                                     const std::vector<NodeId>& removed) {
  WEFT_ASSERT(std::ranges::is_sorted(removed));
  std::vector<std::int32_t> numbers;
  for (const NodeId host : hosts) {
    const auto before = std::ranges::lower_bound(topology.hosts(), host) - topology.hosts().begin();
    const auto fewer = std::ranges::lower_bound(removed, host) - removed.begin();
    numbers.push_back(static_cast<std::int32_t>(before - fewer));
  }
  return numbers;
}

bool is_connected(const Topology& topology, const std::vector<std::int32_t>& hosts) {
  WEFT_ASSERT(!hosts.empty());
  const auto node_of = [&](std::int32_t host) {
    return topology.hosts()[static_cast<std::size_t>(host)];
  };
  return std::ranges::all_of(
      std::array{graph::Sense::along, graph::Sense::against}, [&](graph::Sense sense) {
        const auto search = topology::reached_from(topology, node_of(hosts.front()), sense);
        return std::ranges::all_of(
            hosts, [&](std::int32_t host) { return search.reached(node_of(host).value()); });
      });
}

// What to do if hosts cannot forward. All that could are left out, since routes that lose some of
// them would lead through others.
std::string remedy(const Network& network) {
  constexpr std::size_t kLongest = 2000;
  const Topology& topology = network.topology();
  const std::vector<NodeId> relays = idle_relays(network);
  topology::Failures failures;
  for (const NodeId host : relays) failures.nodes.push_back(host.value());
  try {
    const Topology left = topology::remove_failed(failures, {topology, {}}).topology;
    const auto hosts = renumbered(topology, used_hosts(network), relays);
    if (!is_connected(left, hosts))
      return "these ranks need the relays, because no other paths connect them";
    std::string options =
        fmt::format("-t \"{}\" --hosts {}", left.name(), topology::hosts_text(left, hosts));
    if (options.size() <= kLongest)
      return fmt::format("if hosts cannot forward, leave them out: {}", options);
  } catch (const InvalidInput&) {  // the network does not go on without them
  }
  return fmt::format(
      "if hosts cannot forward, remove the {} hosts without a rank: -t \"without(node=N, "
      "X)\"",
      relays.size());
}

std::string hosts_text(const std::vector<NodeId>& hosts, const Topology& topology) {
  constexpr std::size_t kLongest = 200;
  const std::string text = topology::hosts_text(topology, hosts);
  if (text.size() > kLongest) return fmt::format("{} hosts", hosts.size());
  return fmt::format("host{} {}", hosts.size() > 1 ? "s" : "", text);
}

// Those that send through the same hosts.
struct SameHosts {
  std::vector<std::string> subjects;
  const std::vector<NodeId>* hosts;
};

std::vector<SameHosts> grouped(std::span<const Forwarded> all) {
  std::vector<SameHosts> groups;
  for (const Forwarded& each : all) {
    if (each.hosts.empty()) continue;
    const auto same = std::ranges::find_if(
        groups, [&](const SameHosts& group) { return *group.hosts == each.hosts; });
    if (same == groups.end())
      groups.push_back({{each.subject}, &each.hosts});
    else if (std::ranges::find(same->subjects, each.subject) == same->subjects.end())
      same->subjects.push_back(each.subject);
  }
  return groups;
}

std::string names_text(std::span<const std::string> names) {
  WEFT_ASSERT(!names.empty());
  constexpr std::size_t kMost = 3;
  if (names.size() > kMost + 1)
    return fmt::format("{} and {} more", fmt::join(names.first(kMost), ", "), names.size() - kMost);
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {}", fmt::join(names.first(names.size() - 1), ", "), names.back());
}

}  // namespace

std::string note_of_forwarding(std::span<const Forwarded> all, const Network& network) {
  constexpr std::size_t kMost = 3;
  const std::vector<SameHosts> groups = grouped(all);
  if (groups.empty()) return "";
  std::vector<std::string> texts;
  for (const auto& [subjects, hosts] : std::span(groups).first(std::min(groups.size(), kMost)))
    texts.push_back(fmt::format("{} send{} through {}", names_text(subjects),
                                subjects.size() > 1 ? "" : "s",
                                hosts_text(*hosts, network.topology())));
  if (groups.size() > kMost) texts.push_back("others through other hosts, see --json");
  const bool are_several = groups.size() > 1 || groups.front().hosts->size() > 1;
  return fmt::format("{}, which run{} no rank; {}", fmt::join(texts, "; "), are_several ? "" : "s",
                     remedy(network));
}

std::string note_of_forwarding(const std::string& subject, const std::vector<NodeId>& hosts,
                               const Network& network) {
  return note_of_forwarding(std::array{Forwarded{subject, hosts}}, network);
}

}  // namespace weft::evaluate
