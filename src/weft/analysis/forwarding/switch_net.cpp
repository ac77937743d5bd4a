#include "weft/analysis/forwarding/switch_net.hpp"

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/names.hpp"

namespace weft::analysis {

namespace {

constexpr std::int64_t kTile = 64;  // addresses that are transposed together

// The links of a switch to other switches, by the numbers of their ports where these have some.
std::vector<LinkId> by_port(const Topology& topology, NodeId node) {
  std::vector<std::pair<std::int64_t, LinkId>> links;
  for (const LinkId link : topology.out_links(node))
    if (!topology.is_host(topology.head(link)))
      links.emplace_back(number_in<std::int64_t>(topology::port_of(topology, link)).value_or(0),
                         link);
  std::ranges::sort(links);
  std::vector<LinkId> sorted;
  for (const auto& [port, link] : links) sorted.push_back(link);
  return sorted;
}

// Fills one row of distances by a search against the channels.
void measure_from(const SwitchNet& net, const std::vector<std::int32_t>& starts,
                  std::span<std::uint16_t> distance) {
  WEFT_ASSERT(std::ssize(distance) == net.count);
  std::ranges::fill(distance, Destinations::kFar);
  std::vector<std::int32_t> reached = starts;
  for (const std::int32_t start : starts) distance[start] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const std::int32_t channel : net.into(reached[i])) {
      const std::int32_t tail = net.tail[channel];
      if (distance[tail] != Destinations::kFar) continue;
      distance[tail] = static_cast<std::uint16_t>(distance[reached[i]] + 1);
      reached.push_back(tail);
    }
}

}  // namespace

SwitchNet::SwitchNet(const Topology& of)
    : topology(of),
      count(static_cast<std::int32_t>(of.switches().size())),
      row(of.node_count(), -1),
      channel(of.link_count(), -1),
      ports_of_hosts(static_cast<std::size_t>(count), 0) {
  for (std::int32_t i = 0; i < count; ++i) row[of.switches()[i]] = i;
  first_in.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const NodeId node : of.switches()) {
    first.push_back(channels());
    for (const LinkId each : by_port(of, node)) {
      channel[each] = channels();
      tail.push_back(row[node]);
      head.push_back(row[of.head(each)]);
      link.push_back(each);
      ++first_in[head.back() + 1];
    }
  }
  first.push_back(channels());
  for (std::int32_t i = 0; i < count; ++i) first_in[i + 1] += first_in[i];
  in.resize(head.size());
  place_in.resize(head.size());
  std::vector<std::int32_t> at(first_in.begin(), first_in.end() - 1);
  for (std::int32_t each = 0; each < channels(); ++each) {
    place_in[each] = at[head[each]] - first_in[head[each]];
    in[at[head[each]]++] = each;
  }
  for (const NodeId host : of.hosts())
    for (const LinkId each : of.out_links(host))
      if (const std::int32_t leaf = row[of.head(each)]; leaf >= 0) ++ports_of_hosts[leaf];
}

Columns columns_of(const SwitchNet& net, const topology::ForwardingTables& tables) {
  const auto addresses = static_cast<std::int64_t>(tables.hosts.size());
  Columns columns(static_cast<std::int32_t>(addresses), net.count);
  parallel_for((addresses + kTile - 1) / kTile, [&](std::int64_t tile) {
    const std::int64_t end = std::min(addresses, (tile + 1) * kTile);
    for (std::int32_t node = 0; node < net.count; ++node)
      for (std::int64_t address = tile * kTile; address < end; ++address) {
        const std::int32_t link = tables.next[node * addresses + address];
        if (link < 0) continue;
        const std::int32_t channel = net.channel[LinkId(link)];
        const bool arrives = net.topology.head(LinkId(link)) == tables.hosts[address];
        columns.of(static_cast<std::int32_t>(address))[node] = channel >= 0 ? channel
                                                               : arrives    ? Columns::kDelivers
                                                                            : Columns::kAstray;
      }
  });
  return columns;
}

Destinations destinations_of(const SwitchNet& net, const topology::ForwardingTables& tables,
                             const Columns& columns) {
  Destinations result;
  result.host = tables.hosts;
  result.group.assign(tables.hosts.size(), -1);
  result.switches = net.count;
  std::map<std::vector<std::int32_t>, std::int32_t> groups;
  std::vector<std::vector<std::int32_t>> members;  // by group: the switches that hand over
  for (std::int32_t address = 0; address < result.count(); ++address) {
    std::vector<std::int32_t> handing;
    const auto column = columns.of(address);
    for (std::int32_t node = 0; node < net.count; ++node)
      if (column[node] == Columns::kDelivers) handing.push_back(node);
    if (handing.empty())  // nobody hands it over, though a switch could
      for (const LinkId link : net.topology.in_links(result.host[address]))
        if (const std::int32_t leaf = net.row[net.topology.tail(link)];
            leaf >= 0 && handing.empty())
          handing.push_back(leaf);
    if (handing.empty()) continue;
    const auto [at, is_new] = groups.emplace(handing, static_cast<std::int32_t>(members.size()));
    if (is_new) {
      result.leaves.push_back(handing.front());
      members.push_back(std::move(handing));
    }
    result.group[address] = at->second;
  }
  const auto width = static_cast<std::size_t>(net.count);
  result.distances.resize(members.size() * width);
  parallel_for(static_cast<std::int64_t>(members.size()), [&](std::int64_t group) {
    measure_from(
        net, members[group],
        std::span(result.distances).subspan(static_cast<std::size_t>(group) * width, width));
  });
  return result;
}

}  // namespace weft::analysis
