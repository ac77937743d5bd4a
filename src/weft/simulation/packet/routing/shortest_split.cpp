// Shortest-split: at every router a packet draws one of the links on shortest paths, each as
// likely; widest-split: one of the class of them that is the fastest in all.
//
// Over many packets that is the equal split which the network's routings of these names make of
// a message. What is kept is the distance of every router from every router of a host; the links
// are found when a packet asks. A packet climbs one virtual channel with each link, so that as many
// are needed as the longest of these distances.
#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/graph/breadth_first.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/distances.hpp"
#include "weft/simulation/packet/routing/shortest_table.hpp"

namespace weft::simulation::packet {

namespace {

enum class Ways : std::uint8_t { all, widest };

template <Ways kWays>
class Split : public ByHops {
 public:
  explicit Split(const RoutingContext& context)
      : topology_(context.wiring.topology), random_(context.seed) {
    if (kWays == Ways::widest)
      for (const LinkId link : topology_.links())
        bandwidth_Bps_.push_back(context.fabric.bandwidth_Bps(link));
    class_Bps_.resize(topology_.class_names().size());
    number_routers(context.wiring);
    check_table(columns_, sizeof(std::uint16_t), kName);
    for (std::int32_t target = 0; target < context.wiring.node_count(); ++target)
      if (is_end_[place(target)] != 0) add_row(context.wiring, target);
  }

  int vcs() const { return longest_; }

  Choice choose(PacketState& packet, const QueueView&) {
    std::int32_t chosen = kNone, alike = 0;
    const std::int64_t widest = kWays == Ways::widest ? add_up_classes(packet) : 0;
    each_link_nearer(packet, [&](LinkId link) {
      if (kWays == Ways::widest && class_Bps_[topology_.link_class(link).index()] < widest) return;
      if (random_.below(++alike) == 0) chosen = link.value();
    });
    return {chosen, packet.routers};
  }

 private:
  static constexpr const char* kName = kWays == Ways::all ? "shortest-split" : "widest-split";

  template <class Visit>
  void each_link_nearer(const PacketState& packet, Visit&& visit) const {
    const std::uint16_t distance = distance_of(packet.node, packet.router);
    for (const LinkId link : topology_.out_links(NodeId(packet.node))) {
      const NodeId head = topology_.head(link);
      if (column_of_[head.index()] == kNone) continue;
      if (distance_of(head.value(), packet.router) + 1 != distance) continue;
      if (head.value() != packet.router && !network::passes_on(topology_, head)) continue;
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

  void number_routers(const Wiring& wiring) {
    row_of_.assign(place(wiring.node_count()), kNone);
    is_end_.assign(row_of_.size(), 0);
    for (const NodeId host : topology_.hosts()) is_end_[place(wiring.router[host.index()])] = 1;
    for (std::int32_t node = 0; node < wiring.node_count(); ++node) {
      const bool leaf = wiring.leaves[place(node)].up != kNone;
      column_of_.push_back(leaf ? kNone : static_cast<std::int32_t>(columns_++));
    }
  }

  void add_row(const Wiring& wiring, std::int32_t target) {
    row_of_[place(target)] = rows_++;
    const std::vector<std::int32_t> found = distances_towards(wiring, target);
    for (std::int32_t node = 0; node < wiring.node_count(); ++node) {
      if (column_of_[place(node)] == kNone) continue;
      const std::int32_t distance = found[place(node)];
      if (is_end_[place(node)] != 0) {
        require(distance != graph::kUnreached,
                "node {} cannot be reached from node {} (packets pass through no host); routing {} "
                "needs a connected network, or use --model fluid",
                target, node, kName);
        longest_ = std::max(longest_, distance);
      }
      distances_.push_back(static_cast<std::uint16_t>(distance));
    }
  }

  std::uint16_t distance_of(std::int32_t node, std::int32_t target) const {
    return distances_[place(row_of_[place(target)]) * columns_ + place(column_of_[place(node)])];
  }

  Topology topology_;
  Rng random_;
  std::vector<std::int32_t> row_of_, column_of_;  // by node; kNone for what has none
  std::vector<char> is_end_;                      // by node: the router of a host
  std::vector<std::uint16_t> distances_;          // by row of the target, then by column
  std::vector<std::int64_t> bandwidth_Bps_;       // by link, where the widest are taken
  std::vector<std::int64_t> class_Bps_;           // at one router, by class
  std::size_t columns_ = 0;
  std::int32_t rows_ = 0;
  int longest_ = 1;
};

}  // namespace

WEFT_PACKET_ENGINE(make_shortest_split_engine, Split<Ways::all>)
WEFT_PACKET_ENGINE(make_widest_split_engine, Split<Ways::widest>)

}  // namespace weft::simulation::packet
