// Forwarding tables past failures, with as few new entries as serve: the nearer a switch is to an
// address to which it lost its way, the earlier it is given another, a shortest one, of several the
// one by the link that has the fewest addresses; farther ones that arrive by it stay as they are.
// So a switch with two cables to the next one goes on by the other, as OpenSM's engines have it.
// Ways go through switches that had one: what had none, or went round in a loop, still does.
//
// An address is that of a port. Where its last cable failed and another address of the host is
// reached, it has no entry any more; else the host is reached by what cables it has left.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "weft/base/id_vector.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/forwarding/forwarding_walks.hpp"

namespace weft::topology {

namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

class Repair {
 public:
  Repair(const Topology& topology, ForwardingTables tables)
      : topology_(topology),
        tables_(std::move(tables)),
        distances_(topology.node_count()),
        rows_(distances_.size(), 0),
        addresses_on_(topology.link_count(), 0) {
    std::size_t row = 0;
    for (const NodeId node : topology.switches()) rows_[node] = row++;
    for (const std::int32_t link : tables_.next)
      if (link >= 0) ++addresses_on_[link];
  }

  /// Has switches that lost their way to the address pass it on by another, over switches that had
  /// one, by node.
  void redirect(std::int32_t address, std::vector<NodeId>& lost,
                const IdVector<NodeId, char>& had_way) {
    if (lost.empty()) return;
    search(tables_.hosts[address], had_way);
    std::ranges::stable_sort(lost, {}, [&](NodeId node) { return distances_[node]; });
    for (const NodeId node : lost) {
      if (arrives(node, address)) continue;
      std::int32_t& next = entry(node, address);
      if (next >= 0) --addresses_on_[next];
      next = ForwardingTables::kNone;
      for (const LinkId link : topology_.out_links(node)) {
        if (!leads_nearer(node, link)) continue;
        if (next < 0 || addresses_on_[link.value()] < addresses_on_[next]) next = link.value();
      }
      if (next >= 0) ++addresses_on_[next];
    }
  }

  ForwardingTables tables() && { return std::move(tables_); }

 private:
  std::int32_t& entry(NodeId node, std::int32_t address) {
    return tables_.next[rows_[node] * tables_.hosts.size() + address];
  }

  bool arrives(NodeId node, std::int32_t address) {
    for (std::size_t steps = 0; !topology_.is_host(node); ++steps) {
      const std::int32_t next = entry(node, address);
      if (next < 0 || steps > topology_.switches().size()) return false;
      node = topology_.head(LinkId(next));
    }
    return node == tables_.hosts[address];
  }

  bool leads_nearer(NodeId node, LinkId link) const {
    const std::int32_t from = distances_[node];
    return from != kFar && distances_[topology_.head(link)] == from - 1;
  }

  /// Links to the host, over those switches alone.
  void search(NodeId host, const IdVector<NodeId, char>& had_way) {
    std::ranges::fill(distances_, kFar);
    distances_[host] = 0;
    reached_.assign(1, host);
    for (std::size_t i = 0; i < reached_.size(); ++i)
      for (const LinkId link : topology_.in_links(reached_[i])) {
        const NodeId tail = topology_.tail(link);
        if (had_way[tail] == 0 || distances_[tail] != kFar) continue;
        distances_[tail] = distances_[reached_[i]] + 1;
        reached_.push_back(tail);
      }
  }

  const Topology& topology_;
  ForwardingTables tables_;
  IdVector<NodeId, std::int32_t> distances_;
  IdVector<NodeId, std::size_t> rows_;      // of switches
  std::vector<std::int64_t> addresses_on_;  // by link
  std::vector<NodeId> reached_;             // scratch of search
};

/// The entries that are left, by what nodes and links are called now.
ForwardingTables surviving_entries(const Topology& whole, const ForwardingTables& tables,
                                   const Topology& left, const Survivors& survivors) {
  ForwardingTables result;
  std::vector<std::size_t> kept;  // addresses
  for (std::size_t address = 0; address < tables.hosts.size(); ++address) {
    const std::int32_t host = survivors.nodes[tables.hosts[address]];
    if (host < 0) continue;
    kept.push_back(address);
    result.hosts.emplace_back(host);
  }
  result.next.reserve(left.switches().size() * kept.size());
  for (std::size_t row = 0; row < whole.switches().size(); ++row) {
    if (survivors.nodes[whole.switches()[row]] < 0) continue;
    for (const std::size_t address : kept) {
      const std::int32_t link = tables.next[row * tables.hosts.size() + address];
      result.next.push_back(link < 0 ? ForwardingTables::kNone : survivors.links[LinkId(link)]);
    }
  }
  return result;
}

/// By address: whether an entry hands it to its host.
std::vector<char> handed_over(const Topology& topology, const ForwardingTables& tables) {
  std::vector<char> result(tables.hosts.size(), 0);
  for (std::size_t i = 0; i < tables.next.size(); ++i) {
    const std::size_t address = i % tables.hosts.size();
    if (tables.next[i] >= 0 && topology.head(LinkId(tables.next[i])) == tables.hosts[address])
      result[address] = 1;
  }
  return result;
}

/// Takes out the addresses of dead ports of hosts that another address reaches; which, by address.
std::vector<char> drop_dead_ports(const Topology& whole, const ForwardingTables& tables,
                                  const Topology& left, const Survivors& survivors,
                                  ForwardingTables& kept) {
  const std::vector<char> before = handed_over(whole, tables), now = handed_over(left, kept);
  IdVector<NodeId, char> reached(left.node_count(), 0);
  for (std::size_t address = 0; address < now.size(); ++address)
    if (now[address] != 0) reached[kept.hosts[address]] = 1;
  std::vector<char> dropped(now.size(), 0);
  std::size_t own = 0;  // of the address, among those that are left
  for (std::size_t address = 0; address < before.size(); ++address) {
    if (survivors.nodes[tables.hosts[address]] < 0) continue;
    dropped[own] = before[address] != 0 && now[own] == 0 && reached[kept.hosts[own]] != 0;
    for (std::size_t i = own; dropped[own] != 0 && i < kept.next.size(); i += kept.hosts.size())
      kept.next[i] = ForwardingTables::kNone;
    ++own;
  }
  return dropped;
}

}  // namespace

ForwardingTables past_failures(const Topology& whole,
                               const std::shared_ptr<const ForwardingTables>& before,
                               const Topology& left, const Survivors& survivors) {
  const ForwardingTables& tables = *before;
  ForwardingTables kept = surviving_entries(whole, tables, left, survivors);
  const std::vector<char> dropped = drop_dead_ports(whole, tables, left, survivors, kept);
  const auto after = std::make_shared<const ForwardingTables>(kept);
  const Forwarding of_whole(whole, before), of_left(left, after);
  Walks walks_before(whole, of_whole), walks_after(left, of_left);
  Repair repair(left, std::move(kept));
  std::vector<NodeId> lost;
  IdVector<NodeId, char> had_way(left.node_count());
  std::int32_t now = 0;  // number of the address among those that are left
  for (std::size_t address = 0; address < tables.hosts.size(); ++address) {
    if (survivors.nodes[tables.hosts[address]] < 0) continue;
    walks_before.begin(static_cast<std::int32_t>(address));
    walks_after.begin(now);
    lost.clear();
    std::ranges::fill(had_way, 0);
    for (const NodeId node : whole.switches()) {
      const NodeId node_now(survivors.nodes[node]);
      if (node_now.value() < 0 || walks_before.from(node) != End::arrives) continue;
      had_way[node_now] = 1;
      if (walks_after.from(node_now) != End::arrives) lost.push_back(node_now);
    }
    if (dropped[now] == 0) repair.redirect(now, lost, had_way);
    ++now;
  }
  return std::move(repair).tables();
}

}  // namespace weft::topology
