// Up and down on extended generalised fat trees: up by any parent to the lowest level above both
// hosts, then down the only way.
//
// Up-down-random draws the parent; up-down-adaptive takes the one behind the link with the least
// backlog, of equal ones the next from the one of d-mod-k on. All of them reach the destination,
// and no packet goes up again after it went down: one channel is enough. Source: Ohring, Ibel, Das,
// Kumar, "On Generalized Fat Trees", IPPS 1995.
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

/// Where a node of the tree is, and its links.
class TreeMap {
 public:
  TreeMap(const Wiring& wiring, std::string_view routing) {
    const auto tree = topology::as_xgft(wiring.topology);
    require(tree.has_value(),
            "routing {} needs an xgft or fat-tree network, and {} is not one; use {}", routing,
            wiring.topology.name(), "shortest-table");
    std::int32_t hosts = 1, stride = 1;
    for (std::size_t l = 0; l <= tree->children.size(); ++l) {
      const bool top = l == tree->children.size();
      levels_.push_back({static_cast<std::int32_t>(tree->first_of_level[l]), stride, hosts,
                         l == 0 ? 1 : tree->children[l - 1], top ? 1 : tree->parents[l]});
      if (top) break;
      hosts *= tree->children[l];
      stride *= tree->parents[l];
    }
    for (std::size_t l = 0; l < levels_.size(); ++l)
      for (std::int64_t n = tree->first_of_level[l]; n < tree->first_of_level[l + 1u]; ++n)
        place_node(static_cast<std::uint8_t>(l));
    links_.assign(place(first_up_.back() + levels_.back().parents), kNone);
    for (const LinkId link : wiring.topology.links()) place_link(wiring.topology, link);
  }

  /// The link down towards a host, or kNone where it is not below.
  std::int32_t down(std::int32_t node, std::int32_t host) const {
    const Level& level = levels_[level_of_[place(node)]];
    if ((node - level.first) / level.stride != host / level.hosts) return kNone;
    const std::int32_t digit = host / (level.hosts / level.children) % level.children;
    return links_[place(first_up_[place(node)] - level.children + digit)];
  }
  /// The links to the parents of a node that is not on top.
  std::span<const std::int32_t> up(std::int32_t node) const {
    const Level& level = levels_[level_of_[place(node)]];
    return {&links_[place(first_up_[place(node)])], place(level.parents)};
  }
  /// The parent that d-mod-k takes.
  std::int32_t mod_k(std::int32_t node, std::int32_t host) const {
    const Level& level = levels_[level_of_[place(node)]];
    return host / level.stride % level.parents;
  }

 private:
  struct Level {
    std::int32_t first;   // node
    std::int32_t stride;  // product of the parents below: nodes above the same hosts
    std::int32_t hosts;   // below a node
    std::int32_t children, parents;
  };

  void place_node(std::uint8_t level) {
    const std::int32_t before =
        level_of_.empty() ? 0 : first_up_.back() + levels_[level_of_.back()].parents;
    level_of_.push_back(level);
    first_up_.push_back(before + levels_[level].children);
  }

  void place_link(const Topology& topology, LinkId link) {
    const std::int32_t tail = topology.tail(link).value(), head = topology.head(link).value();
    const std::uint8_t from = level_of_[place(tail)], to = level_of_[place(head)];
    const Level& low = levels_[std::min(from, to)];
    const std::int32_t digit = (head - levels_[to].first) / low.stride;
    const std::int32_t first = first_up_[place(tail)];
    const std::int32_t children = levels_[from].children;
    links_[place(to > from ? first + digit % low.parents : first - children + digit % children)] =
        link.value();
  }

  std::vector<Level> levels_;
  std::vector<std::uint8_t> level_of_;  // by node
  std::vector<std::int32_t> first_up_;  // by node: its links up; those down are before
  std::vector<std::int32_t> links_;
};

enum class Up : std::uint8_t { random, adaptive };

template <Up kUp>
class UpDownHops final : public HopRouting {
 public:
  explicit UpDownHops(const HopContext& context)
      : map_(context.wiring, kUp == Up::random ? "up-down-random" : "up-down-adaptive"),
        random_(context.seed) {}

  int vcs() const override { return 1; }
  bool is_adaptive() const override { return kUp == Up::adaptive; }

  bool looks_at_queues(const PacketState& packet) const override {
    return kUp == Up::adaptive && map_.down(packet.node, packet.destination) == kNone;
  }
  std::int32_t likely(const PacketState& packet) const override {
    return map_.up(packet.node)[place(map_.mod_k(packet.node, packet.destination))];
  }

  Choice choose(PacketState& packet, const QueueView& queues) override {
    const std::int32_t down = map_.down(packet.node, packet.destination);
    if (down != kNone) return {down, 0};
    const auto up = map_.up(packet.node);
    if constexpr (kUp == Up::random) return {up[random_.below(std::ssize(up))], 0};
    return {least(up, place(map_.mod_k(packet.node, packet.destination)), queues), 0};
  }

 private:
  /// The link with the least backlog, from number `first` on.
  static std::int32_t least(std::span<const std::int32_t> links, std::size_t first,
                            const QueueView& queues) {
    std::int32_t best = links[first];
    std::int64_t wait = queues.backlog(best);
    for (std::size_t i = 1; i < links.size() && wait > 0; ++i) {
      const std::int32_t link = links[(first + i) % links.size()];
      const std::int64_t backlog = queues.backlog(link);
      if (backlog < wait) best = link, wait = backlog;
    }
    return best;
  }

  TreeMap map_;
  Rng random_;
};

template <Up kUp>
RoutingEntry up_down_entry(const char* name, const char* summary) {
  return {.info = {.name = name,
                   .summary = summary,
                   .fits = "xgft, fat-tree",
                   .hops = HopFace{.channels = "1",
                                   .deadlock = "no packet goes up again after it went down"}},
          .hops = [](const HopContext& context) -> std::unique_ptr<HopRouting> {
            return std::make_unique<UpDownHops<kUp>>(context);
          }};
}

}  // namespace

RoutingEntry up_down_random_entry() {
  return up_down_entry<Up::random>("up-down-random", "Up to a random parent, then down");
}

RoutingEntry up_down_adaptive_entry() {
  return up_down_entry<Up::adaptive>("up-down-adaptive",
                                     "Up to the parent with the shortest queue, then down");
}

}  // namespace weft::network
