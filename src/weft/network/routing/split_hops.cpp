// Shortest-split: at every router a packet draws one of the links on shortest paths, each as
// likely; widest-split: one of the class of them that is the fastest in all; minimal-split: one of
// those on minimal paths.
//
// Over many packets that is the equal split which the network's routings of these names make of
// a message. What is kept is the distance of every router from every router of a host; the links
// are found when a packet asks; on whole Dragonflies the distances, too. A packet climbs one
// virtual channel with each link, so that as many are needed as the longest of these ways has
// links.
#include <algorithm>
#include <set>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/random.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/network/round_search.hpp"
#include "weft/network/routing/distances.hpp"
#include "weft/network/routing/makers.hpp"
#include "weft/network/routing/shortest_table.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

constexpr std::uint16_t kCrossing = RoundDistance::kCrossing;
constexpr int kMostCrossings = 62;  // in 16 bits

template <Ways kWays>
class SplitHops final : public HopRouting {
 public:
  explicit SplitHops(const HopContext& context)
      : wiring_(context.wiring), topology_(wiring_.topology), random_(context.seed) {
    if (kWays == Ways::minimal) find_crossings();
    if (kWays != Ways::all)
      for (const LinkId link : topology_.links())
        bandwidth_Bps_.push_back(context.fabric.bandwidth_Bps(link));
    class_Bps_.resize(topology_.class_names().size());
    number_routers();
    check_table(columns_, sizeof(std::uint16_t), name_of(kWays));
    if (const auto dragonfly = as_dragonfly(topology_); dragonfly && kWays == Ways::minimal) {
      longest_ = longest_minimal(*dragonfly);
      return;
    }
    for (std::int32_t target = 0; target < wiring_.node_count(); ++target)
      if (is_end_[place(target)] != 0) add_row(target);
  }

  int vcs() const override { return longest_; }

  Choice choose(PacketState& packet, const QueueView& /*queues*/) override {
    std::int32_t chosen = kNone, alike = 0;
    const bool by_class =
        kWays == Ways::widest || (kWays == Ways::minimal && topology_.is_host(NodeId(packet.node)));
    const std::int64_t widest = by_class ? add_up_classes(packet) : 0;
    each_link_nearer(packet, [&](LinkId link) {
      if (by_class && class_Bps_[topology_.link_class(link).index()] < widest) return;
      if (random_.below(++alike) == 0) chosen = link.value();
    });
    return {chosen, packet.routers};
  }

 private:
  std::uint16_t length(LinkId link) const {
    return kWays == Ways::minimal && crosses_[link] != 0 ? kCrossing + 1 : 1;
  }

  void find_crossings() {
    const auto groups = topology::as_groups_of_switches(topology_);
    require(groups.has_value(), "minimal-split does not fit {}; use shortest-split",
            topology_.name());
    for (const LinkId link : topology_.links())
      crosses_.push_back(groups->are_apart(topology_.tail(link), topology_.head(link)) ? 1 : 0);
  }

  // Links of the longest minimal way between routers of a whole Dragonfly, without any row: 3
  // between two groups of which some router here has no link to the other, nor one there, and so
  // on.
  int longest_minimal(const topology::DragonflyView& view) const {
    const std::int32_t routers = view.a * view.g;
    int longest = 1;
    std::vector<std::set<std::int32_t>> ends(place(view.g) * place(view.g));  // by pair of groups
    std::set<std::pair<std::int32_t, std::int32_t>> direct;
    for (const LinkId link : topology_.links()) {
      const std::int32_t tail = topology_.tail(link).value(), head = topology_.head(link).value();
      if (tail >= routers || head >= routers || crosses_[link] == 0) continue;
      ends[place(tail / view.a * view.g + head / view.a)].insert(tail);
      direct.emplace(tail, head);
    }
    const auto is_whole = [&](std::int32_t from, std::int32_t to) {
      return std::ssize(ends[place(from * view.g + to)]) == view.a;
    };
    for (std::int32_t from = 0; from < view.g; ++from)
      for (std::int32_t to = 0; to < view.g; ++to)
        if (from != to)
          longest = std::max(longest, is_whole(from, to) || is_whole(to, from) ? 2 : 3);
    const bool all_direct = std::ssize(direct) == std::int64_t{routers} * (routers - view.a);
    return view.g > 1 && all_direct ? 1 : longest;
  }

  template <class Visit>
  void each_link_nearer(const PacketState& packet, Visit&& visit) {
    if (row_of_[place(packet.router)] == kNone) add_row(packet.router);
    const std::uint16_t distance = distance_of(packet.node, packet.router);
    for (const LinkId link : topology_.out_links(NodeId(packet.node))) {
      const NodeId head = topology_.head(link);
      if (column_of_[head.index()] == kNone) continue;
      if (distance_of(head.value(), packet.router) + length(link) != distance) continue;
      if (!leads_plainly(wiring_, link, NodeId(packet.router))) continue;
      visit(link);
    }
  }

  // The bandwidth of each class of the links that lead nearer; that of the fastest.
  std::int64_t add_up_classes(const PacketState& packet) {
    std::ranges::fill(class_Bps_, 0);
    each_link_nearer(packet, [&](LinkId link) {
      class_Bps_[topology_.link_class(link).index()] += bandwidth_Bps_[link.index()];
    });
    return *std::ranges::max_element(class_Bps_);
  }

  void number_routers() {
    row_of_.assign(place(wiring_.node_count()), kNone);
    is_end_.assign(row_of_.size(), 0);
    for (const NodeId host : topology_.hosts()) is_end_[place(wiring_.router[host.index()])] = 1;
    for (std::int32_t node = 0; node < wiring_.node_count(); ++node) {
      const bool leaf = wiring_.leaves[place(node)].up != kNone;
      column_of_.push_back(leaf ? kNone : static_cast<std::int32_t>(columns_++));
    }
  }

  void add_row(std::int32_t target) {
    row_of_[place(target)] = rows_++;
    const std::vector<std::int32_t> found =
        kWays == Ways::minimal ? minimal_distances(target) : distances_towards(wiring_, target);
    for (std::int32_t node = 0; node < wiring_.node_count(); ++node) {
      if (column_of_[place(node)] == kNone) continue;
      const std::int32_t distance = found[place(node)];
      if (is_end_[place(node)] != 0) {
        require(distance != graph::kUnreached,
                "node {} cannot be reached from node {} (packets pass through no host); routing {} "
                "needs a connected network, or use --model fluid",
                target, node, name_of(kWays));
        longest_ = std::max(longest_, links_in(distance));
      }
      distances_.push_back(static_cast<std::uint16_t>(distance));
    }
  }

  static std::int32_t links_in(std::int32_t distance) {
    return kWays == Ways::minimal ? distance % kCrossing : distance;
  }

  // As distances_towards, crossings counted above all links.
  std::vector<std::int32_t> minimal_distances(std::int32_t target) const {
    std::vector<std::int32_t> distances(place(wiring_.node_count()), graph::kUnreached);
    distances[place(target)] = 0;
    search_by_rounds(
        distances.size(), target,
        [&](std::int32_t node, auto&& visit) {
          for (const LinkId link : topology_.in_links(NodeId(node)))
            if (wiring_.leaves[topology_.tail(link).index()].up == kNone)
              visit(topology_.tail(link).value(), crosses_[link] != 0);
        },
        [&](std::int32_t node) { return wiring_.passing[NodeId(node)]; },
        [&](std::int32_t node, const RoundDistance& distance) {
          if (distance.relays > 0) return;
          require(distance.crossings <= kMostCrossings,
                  "a path of {} links, {} of them between groups, is too long for packets by "
                  "minimal-split; use shortest-split",
                  distance.links, distance.crossings);
          distances[place(node)] = static_cast<std::int32_t>(distance.number());
        });
    return distances;
  }

  std::uint16_t distance_of(std::int32_t node, std::int32_t target) const {
    return distances_[place(row_of_[place(target)]) * columns_ + place(column_of_[place(node)])];
  }

  Wiring wiring_;
  Topology topology_;
  Rng random_;
  std::vector<std::int32_t> row_of_, column_of_;  // by node; kNone for what has none
  std::vector<char> is_end_;                      // by node: the router of a host
  std::vector<std::uint16_t> distances_;          // by row of the target, then by column
  IdVector<LinkId, std::uint8_t> crosses_;        // leads to another group
  std::vector<std::int64_t> bandwidth_Bps_;       // by link, where the widest are taken
  std::vector<std::int64_t> class_Bps_;           // at one router, by class
  std::size_t columns_ = 0;
  std::int32_t rows_ = 0;
  int longest_ = 1;
};

}  // namespace

std::unique_ptr<HopRouting> make_split_hops(const HopContext& context, Ways ways) {
  switch (ways) {
    case Ways::all:
      return std::make_unique<SplitHops<Ways::all>>(context);
    case Ways::widest:
      return std::make_unique<SplitHops<Ways::widest>>(context);
    case Ways::minimal:
      break;
  }
  return std::make_unique<SplitHops<Ways::minimal>>(context);
}

}  // namespace weft::network
