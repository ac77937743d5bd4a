// An average over a group without the group.
//
// Let y be the flow of source s, and G the group. The average over G is, for source g s on arc g e,
// the mean of y over all arcs to which elements that keep s take e: over the arcs e' for which
// (s, e') is in the orbit of (s, e) under G. So it is enough to know the orbits of pairs of a host
// and an arc, which the generators of G give by joining pairs with their images; what the group's
// order is, often more than any integer holds, does not matter. A mean of flows is a flow, brings
// every host as much, and loads all arcs of an orbit alike.
#include "weft/flow/throughput/host_flows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"

namespace weft::flow {

namespace {

constexpr std::int64_t kFineParts = std::int64_t{1} << 40;    // of a demand, where it is not exact
constexpr std::int64_t kMostParts = std::int64_t{1} << 56;    // of an exact one
constexpr std::int64_t kMostFactors = std::int64_t{1} << 40;  // of sizes of classes, of shares

Wide gcd(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// Pairs of a source and an arc, in classes whose flow is the same.
class Pairs {
 public:
  Pairs(std::int64_t sources, Int arcs) : arcs_(arcs), sets_(sources * arcs) {}

  void join(std::int64_t source, Int arc, std::int64_t image_source, Int image_arc) {
    sets_.join(pair(source, arc), pair(image_source, image_arc));
  }
  std::int32_t class_of(std::int64_t source, Int arc) { return sets_.find(pair(source, arc)); }

 private:
  std::int32_t pair(std::int64_t source, Int arc) const {
    return static_cast<std::int32_t>(source * arcs_ + arc);
  }

  std::int64_t arcs_;
  UnionFind sets_;
};

// How an arc's flow is shared by its links.
struct LinkShare {
  Int arc = -1;
  std::int64_t capacity = 1, of_arc = 1;
};

std::vector<LinkShare> link_shares(const FlowGraph& graph, const Topology& topology,
                                   std::span<const std::int64_t> capacity) {
  WEFT_ASSERT(capacity.empty() || std::ssize(capacity) == topology.link_count());
  std::vector<std::int64_t> total(graph.arcs(), 0);
  std::vector<LinkShare> shares(topology.link_count());
  for (std::size_t link = 0; link < shares.size(); ++link) {
    shares[link] = {graph.arc_of_link[link], capacity.empty() ? 1 : capacity[link], 1};
    if (shares[link].arc >= 0) total[shares[link].arc] += shares[link].capacity;
  }
  for (LinkShare& share : shares) {
    if (share.arc < 0) continue;
    const std::int64_t divisor = std::gcd(share.capacity, total[share.arc]);
    share = {share.arc, share.capacity / divisor, total[share.arc] / divisor};
  }
  return shares;
}

// The least common multiple, where it stays small.
bool take_in(std::int64_t& multiple, std::int64_t factor) {
  WEFT_ASSERT(multiple >= 1 && factor >= 1);
  if (factor / std::gcd(multiple, factor) > kMostFactors / multiple) return false;
  multiple = std::lcm(multiple, factor);
  return true;
}

// What a host gets over its ranks.
template <class Number>
struct Delivery {
  Number flow = 0;
  std::int64_t ranks = 1;

  bool is_less(const Delivery& other) const {
    return flow * static_cast<Number>(other.ranks) < other.flow * static_cast<Number>(ranks);
  }
};

// The least that a rank gets of any host but the source.
template <class Number>
Delivery<Number> least_delivery(const FlowGraph& graph, Int source,
                                const std::vector<Number>& flow) {
  WEFT_ASSERT(std::ssize(flow) == graph.arcs());
  std::vector<Number> net(graph.nodes, 0);
  for (Int e = 0; e < graph.arcs(); ++e) {
    net[graph.head(e)] += flow[e];
    net[graph.tail[e]] -= flow[e];
  }
  std::optional<Delivery<Number>> least;
  for (const Int host : graph.hosts) {
    const Delivery<Number> delivery{net[host], graph.ranks[host]};
    if (host != source && (!least || delivery.is_less(*least))) least = delivery;
  }
  return *least;
}

class Averager {
 public:
  Averager(const FlowGraph& graph, const ArcOrbits& orbits, const Found& found,
           std::vector<Int> sources, Pairs pairs, std::vector<LinkShare> shares)
      : graph_(graph),
        found_(found),
        sources_(std::move(sources)),
        pairs_(std::move(pairs)),
        shares_(std::move(shares)),
        size_(sources_.size() * static_cast<std::size_t>(graph.arcs()), 0) {
    solved_.reserve(orbits.sources.size());
    const bool all = found.of_all_hosts;
    for (std::size_t i = 0; i < (all ? sources_.size() : orbits.sources.size()); ++i) {
      const Int host = all ? sources_[i] : orbits.sources[i].host;
      const auto at = std::ranges::lower_bound(sources_, host);
      WEFT_ASSERT(at != sources_.end() && *at == host);
      solved_.push_back(at - sources_.begin());
    }
    for (const std::int64_t source : solved_)
      for (Int e = 0; e < graph.arcs(); ++e) ++size_[pairs_.class_of(source, e)];
  }

  HostFlows average() && {
    if (!found_.exact_flows.empty())
      if (auto exact = exact_parts()) return std::move(*exact);
    return rounded_parts();
  }

 private:
  template <class Number>
  std::vector<Number> class_sums(const std::vector<std::vector<Number>>& flows) {
    std::vector<Number> sums(size_.size(), 0);
    for (std::size_t i = 0; i < solved_.size(); ++i)
      for (Int e = 0; e < graph_.arcs(); ++e) sums[pairs_.class_of(solved_[i], e)] += flows[i][e];
    return sums;
  }

  template <class Number>
  Delivery<Number> least_of(const std::vector<std::vector<Number>>& flows) const {
    std::optional<Delivery<Number>> least;
    for (std::size_t i = 0; i < solved_.size(); ++i) {
      const auto delivery = least_delivery(graph_, sources_[solved_[i]], flows[i]);
      if (!least || delivery.is_less(*least)) least = delivery;
    }
    return *least;
  }

  // Nothing where integers of 64 bits do not hold them. Sums become means, all times the sizes of
  // classes, then flows of links, all times what their shares need.
  std::optional<HostFlows> exact_parts() {
    std::vector<Wide> sums = class_sums(found_.exact_flows);
    std::int64_t sizes = 1, shared = 1;
    for (std::size_t c = 0; c < sums.size(); ++c)
      if (sums[c] != 0 &&
          !take_in(sizes, static_cast<std::int64_t>(size_[c] / gcd(sums[c], size_[c]))))
        return std::nullopt;
    for (const LinkShare& share : shares_)
      if (!take_in(shared, share.of_arc)) return std::nullopt;

    constexpr Wide kRoom = Wide(1) << 120;
    const auto [delivered, ranks] = least_of(found_.exact_flows);
    if (!take_in(sizes, ranks / static_cast<std::int64_t>(gcd(delivered, ranks))) ||
        delivered > kRoom / sizes)
      return std::nullopt;
    const Wide demand = delivered * sizes / ranks;
    Wide divisor = demand;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      if (sums[c] == 0) continue;
      if (sums[c] > kRoom / sizes) return std::nullopt;
      sums[c] = sums[c] * sizes / size_[c];
      divisor = gcd(divisor, sums[c]);
    }
    if (demand / divisor > kMostParts / shared) return std::nullopt;
    HostFlows flows = empty_flows();
    flows.exact = true;
    flows.demand = static_cast<std::int64_t>(demand / divisor) * shared;
    for (Wide& sum : sums) sum /= divisor;
    fill(flows, [&](std::int32_t pair_class, const LinkShare& share) {
      return static_cast<std::int64_t>(sums[pair_class] * (shared / share.of_arc) * share.capacity);
    });
    return flows;
  }

  HostFlows rounded_parts() {
    std::vector<std::vector<double>> flows = found_.flows;
    for (const auto& exact : found_.exact_flows) flows.emplace_back(exact.begin(), exact.end());
    const auto [delivered, ranks] = least_of(flows);
    const double demand = delivered / static_cast<double>(ranks);
    const std::vector<double> sums = class_sums(flows);
    HostFlows result = empty_flows();
    result.demand = kFineParts;
    const double scale = static_cast<double>(kFineParts) / demand;
    fill(result, [&](std::int32_t pair_class, const LinkShare& share) {
      return std::llround(sums[pair_class] / size_[pair_class] * scale *
                          static_cast<double>(share.capacity) / static_cast<double>(share.of_arc));
    });
    return result;
  }

  HostFlows empty_flows() const {
    HostFlows flows;
    flows.sources = sources_;
    flows.parts.assign(sources_.size(), std::vector<std::int64_t>(shares_.size(), 0));
    return flows;
  }

  template <class Parts>
  void fill(HostFlows& flows, const Parts& parts) {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (std::size_t link = 0; link < shares_.size(); ++link)
        if (shares_[link].arc >= 0)
          flows.parts[i][link] = parts(
              pairs_.class_of(static_cast<std::int64_t>(i), shares_[link].arc), shares_[link]);
  }

  const FlowGraph& graph_;
  const Found& found_;
  std::vector<Int> sources_;
  Pairs pairs_;
  std::vector<LinkShare> shares_;
  std::vector<std::int64_t> solved_;  // places among the sources of those with a flow
  std::vector<std::int32_t> size_;    // by class: pairs of sources with a flow
};

}  // namespace

HostFlows flows_of_all(const FlowGraph& graph, const ArcOrbits& orbits, const Found& found,
                       Moves automorphisms, const Topology& topology,
                       std::span<const std::int64_t> capacity) {
  const auto hosts = static_cast<std::int64_t>(graph.hosts.size());
  require(hosts * graph.arcs() <= std::numeric_limits<std::int32_t>::max(),
          "{} hosts on {} links are too many for the paths of all pairs (at most 2^31 pairs); "
          "use a smaller network, or a Cayley network",
          hosts, graph.arcs());
  Pairs pairs(hosts, graph.arcs());
  if (!found.of_all_hosts) {
    std::vector<std::int64_t> place(graph.nodes, -1);
    for (std::int64_t i = 0; i < hosts; ++i) place[graph.hosts[i]] = i;
    for (const std::vector<Int>& images : automorphisms) {
      std::vector<Int> arcs;
      for (Int e = 0; e < graph.arcs(); ++e) arcs.push_back(image_of(graph, e, images));
      for (std::int64_t i = 0; i < hosts; ++i)
        for (Int e = 0; e < graph.arcs(); ++e)
          pairs.join(i, e, place[images[graph.hosts[i]]], arcs[e]);
    }
  }
  return Averager(graph, orbits, found, graph.hosts, std::move(pairs),
                  link_shares(graph, topology, capacity))
      .average();
}

HostFlows flows_of_source(const FlowGraph& graph, const ArcOrbits& orbits, const Found& found,
                          Moves automorphisms, const Topology& topology,
                          std::span<const std::int64_t> capacity) {
  WEFT_ASSERT(orbits.sources.size() == 1 && !found.of_all_hosts);
  Pairs pairs(1, graph.arcs());
  for (const std::vector<Int>& images : automorphisms)
    for (Int e = 0; e < graph.arcs(); ++e) pairs.join(0, e, 0, image_of(graph, e, images));
  return Averager(graph, orbits, found, {orbits.sources[0].host}, std::move(pairs),
                  link_shares(graph, topology, capacity))
      .average();
}

}  // namespace weft::flow
