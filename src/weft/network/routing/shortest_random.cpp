// Shortest-random: each pair of nodes draws one of its shortest paths. Ecmp: each connection of a
// pair draws one.
//
// At every hop one of the links on a shortest path is drawn, each as likely (parallel links count
// separately), from a stream that the seed, the pair and the connection alone determine: the same
// connection takes the same path in every step and on any number of threads.
//
// This is what a switch does that hashes the addresses and ports of a connection to one of its
// equal-cost links. Two nodes with K connections (queue pairs) divide their bytes evenly over K
// draws, of which some may be equal. Large flows that are hashed to one link slow each other down
// while other links are idle; shortest-split is the same without these collisions. The first
// connection takes the path of shortest-random where no box is on the way.
//
// Nothing hashes within a box of GPUs: a GPU stripes what it sends over its NVLinks. So ecmp
// divides equally over the links of a box, as widest-split does, and draws a link only where none
// of a box leads nearer.
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/random.hpp"
#include "weft/network/access.hpp"
#include "weft/network/core_graph.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/near_row.hpp"
#include "weft/network/routing/entries.hpp"

namespace weft::network {

namespace {

// Whether links of this class lie within a box of GPUs, by the names that weft's machines, imports
// and boxes(...) give them.
bool is_in_box(std::string_view link_class) {
  constexpr std::string_view kOfBox = "box-";  // where the outer network has a class of that name
  if (link_class.starts_with(kOfBox)) link_class.remove_prefix(kOfBox.size());
  const auto has = [&](std::string_view part) {
    return link_class.find(part) != std::string_view::npos;
  };
  return has("nvlink") || has("xgmi") || link_class.starts_with("pci") || link_class == "box";
}

enum class Within { hashed, divided };

class HashedPaths final : public Routing {
 public:
  HashedPaths(const Fabric& fabric, std::string name, std::uint64_t seed, std::int32_t connections,
              Within boxes)
      : Routing(fabric.topology()),
        name_(std::move(name)),
        seed_(seed),
        connections_(connections),
        latencies_(fabric),
        access_(fabric.topology()),
        graph_(fabric, access_),
        rows_(graph_) {
    WEFT_ASSERT(connections >= 1);
    if (boxes == Within::divided) find_boxes(fabric);
  }

  std::string_view name() const override { return name_; }
  bool splits() const override { return connections_ > 1 || divides_; }
  std::int64_t share_denominator() const override { return divides_ ? 0 : connections_; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    DistanceRows::Scratch scratch;
    std::vector<LinkId> drawn;
    for (const Flow& flow : step) {
      if (flow.from == flow.to) {
        routes.finish(0);
        continue;
      }
      const Access::End& source = access_[flow.from];
      const Access::End& target = access_[flow.to];
      std::int64_t latency_ps = 0;
      const auto push_whole = [&](LinkId link) {
        push(link, connections_, routes);
        latency_ps += latencies_.of(link);
      };
      if (source.leaf) push_whole(source.up);
      if (source.exit != target.entry)
        latency_ps += in_box_Bps_.empty()
                          ? push_between(flow, source.exit, target.entry, scratch, drawn, routes)
                          : push_divided(flow, source.exit, target.entry, scratch, routes);
      if (target.leaf) push_whole(target.down);
      routes.finish(latency_ps);
    }
  }

 private:
  // A link that so many of the pair's connections take.
  void push(LinkId link, std::int64_t taken, RouteTable& routes) const {
    if (!splits())
      routes.push(link);
    else
      routes.push(link, Rational(taken, connections_));
  }

  // Pushes the paths of all connections between two core nodes; returns the longest latency.
  std::int64_t push_between(const Flow& flow, NodeId from, NodeId to,
                            DistanceRows::Scratch& scratch, std::vector<LinkId>& drawn,
                            RouteTable& routes) const {
    const CoreGraph::Core source = graph_.core_of(from), target = graph_.core_of(to);
    std::int64_t longest_ps = 0;
    drawn.clear();
    rows_.use(source, target, scratch, [&](const auto& row) {
      if (row[source] == DistanceRow::kUnreachable) reject_unreachable(flow);
      for (std::int32_t connection = 0; connection < connections_; ++connection) {
        const std::size_t before = drawn.size();
        walk(stream(flow, connection), source, target, row, drawn);
        longest_ps = std::max(longest_ps, latencies_.sum(std::span(drawn).subspan(before)));
      }
    });
    if (connections_ > 1) std::ranges::sort(drawn);  // equal links together
    for (auto link = drawn.begin(); link != drawn.end();) {
      const auto end =
          connections_ == 1 ? link + 1 : std::ranges::upper_bound(link, drawn.end(), *link);
      push(*link, end - link, routes);
      link = end;
    }
    return longest_ps;
  }

  // By edge: the bandwidth of links of boxes, 0 of others; nothing where there are no boxes. They
  // divide messages if a host has several such links.
  void find_boxes(const Fabric& fabric) {
    const Topology& topology = fabric.topology();
    std::vector<char> in_box;
    for (const std::string& name : topology.class_names()) in_box.push_back(is_in_box(name));
    if (std::ranges::find(in_box, char{1}) == in_box.end()) return;
    const auto is_inside = [&](LinkId link) { return in_box[topology.link_class(link).index()]; };
    for (std::int32_t edge = 0; edge < graph_.first_out(graph_.node_count()); ++edge) {
      const LinkId link = graph_.link(edge);
      in_box_Bps_.push_back(is_inside(link) != 0 ? fabric.bandwidth_Bps(link) : 0);
    }
    for (const NodeId host : topology.hosts()) {
      int inside = 0;
      for (const LinkId link : topology.out_links(host)) inside += is_inside(link);
      divides_ = divides_ || inside > 1;
    }
    for (const LinkId link : topology.links()) classes_.push_back(topology.link_class(link));
  }

  // What has come to a node of a connection's bytes.
  struct Arrival {
    Rational share;
    std::int64_t latency_ps = 0;  // of the longest path so far
  };

  // As push_between, dividing over the links of boxes.
  std::int64_t push_divided(const Flow& flow, NodeId from, NodeId to,
                            DistanceRows::Scratch& scratch, RouteTable& routes) const {
    const CoreGraph::Core source = graph_.core_of(from), target = graph_.core_of(to);
    std::int64_t longest_ps = 0;
    std::map<LinkId, Rational> shares;
    rows_.use(source, target, scratch, [&](const auto& row) {
      if (row[source] == DistanceRow::kUnreachable) reject_unreachable(flow);
      for (std::int32_t connection = 0; connection < connections_; ++connection) {
        Rng rng = stream(flow, connection);
        std::map<CoreGraph::Core, Arrival> level{{source, {Rational(1, connections_)}}};
        while (level.begin()->first != target) {
          std::map<CoreGraph::Core, Arrival> next;
          for (const auto& [node, arrival] : level) {
            const std::vector<std::int32_t> ways = ways_from(row, node, rng);
            const Rational each = arrival.share / Rational(std::ssize(ways));
            for (const std::int32_t edge : ways) {
              const LinkId link = graph_.link(edge);
              if (!splits()) routes.push(link);  // in the order of the path
              shares[link] += each;
              Arrival& there = next[graph_.head(edge)];
              there.share += each;
              there.latency_ps =
                  std::max(there.latency_ps, arrival.latency_ps + latencies_.of(link));
            }
          }
          level.swap(next);
        }
        longest_ps = std::max(longest_ps, level.begin()->second.latency_ps);
      }
    });
    if (splits())
      for (const auto& [link, share] : shares) routes.push(link, share);
    return longest_ps;
  }

  // The edges that a node sends over: of a box those of the class with the most bandwidth together,
  // or the first of them where nothing is divided; else the one drawn.
  template <class Row>
  std::vector<std::int32_t> ways_from(const Row& row, CoreGraph::Core at, Rng& rng) const {
    std::vector<std::int32_t> ways;
    std::map<topology::ClassId, std::int64_t> class_Bps;
    each_next_edge(graph_, row, at, [&](std::int32_t edge) {
      ways.push_back(edge);
      if (in_box_Bps_[edge] > 0) class_Bps[classes_[graph_.link(edge)]] += in_box_Bps_[edge];
    });
    if (class_Bps.empty()) return {ways.size() == 1 ? ways[0] : ways[rng.below(std::ssize(ways))]};
    const auto widest =
        std::ranges::max_element(class_Bps, {}, [](const auto& each) { return each.second; });
    std::erase_if(ways, [&](std::int32_t edge) {
      return in_box_Bps_[edge] == 0 || classes_[graph_.link(edge)] != widest->first;
    });
    if (!divides_) ways.resize(1);
    return ways;
  }

  Rng stream(const Flow& flow, std::int32_t connection) const {
    const Rng of_pair = Rng(seed_)
                            .split(static_cast<std::uint64_t>(flow.from.value()))
                            .split(static_cast<std::uint64_t>(flow.to.value()));
    return connection == 0 ? of_pair : of_pair.split(static_cast<std::uint64_t>(connection));
  }

  template <class Row>
  void walk(Rng rng, CoreGraph::Core source, CoreGraph::Core target, const Row& row,
            std::vector<LinkId>& links) const {
    for (CoreGraph::Core at = source; at != target;) {
      std::int64_t choices = 0;
      std::int32_t only = 0;
      each_next_edge(graph_, row, at, [&](std::int32_t edge) {
        ++choices;
        only = edge;
      });
      const std::int32_t edge = choices == 1 ? only : nth_edge(row, at, rng.below(choices));
      links.push_back(graph_.link(edge));
      at = graph_.head(edge);
    }
  }

  template <class Row>
  std::int32_t nth_edge(const Row& row, CoreGraph::Core at, std::int64_t n) const {
    std::int32_t chosen = 0;
    each_next_edge(graph_, row, at, [&](std::int32_t edge) {
      if (n-- == 0) chosen = edge;
    });
    return chosen;
  }

  std::string name_;
  std::uint64_t seed_;
  std::int32_t connections_;
  bool divides_ = false;                  // a message over links of a box
  std::vector<std::int64_t> in_box_Bps_;  // by edge
  IdVector<LinkId, topology::ClassId> classes_;
  Latencies latencies_;
  Access access_;
  CoreGraph graph_;
  DistanceRows rows_;
};

}  // namespace

RoutingEntry shortest_random_entry() {
  return {.info = {.name = "shortest-random",
                   .summary = "A random shortest path for each pair (--seed)",
                   .fits = "any",
                   .draws = true},
          .paths = [](const Fabric& fabric, std::uint64_t seed) -> std::shared_ptr<const Routing> {
            return std::make_shared<HashedPaths>(fabric, "shortest-random", seed, 1,
                                                 Within::hashed);
          }};
}

RoutingEntry ecmp_entry() {
  return {.info = {.name = "ecmp",
                   .summary = "A hash assigns each connection of a pair to a shortest path; links "
                              "in a box of GPUs divide equally (--seed; --connections K)",
                   .fits = "any",
                   .draws = true},
          .paths = [](const Fabric& fabric, std::uint64_t seed) -> std::shared_ptr<const Routing> {
            return std::make_shared<HashedPaths>(fabric, "ecmp", seed, 1, Within::divided);
          },
          .of_connections = [](const Fabric& fabric, std::uint64_t seed,
                               std::int32_t connections) -> std::shared_ptr<const Routing> {
            return std::make_shared<HashedPaths>(fabric, with_connections("ecmp", connections),
                                                 seed, connections, Within::divided);
          }};
}

}  // namespace weft::network
