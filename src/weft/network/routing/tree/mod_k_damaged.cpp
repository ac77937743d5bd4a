// d-mod-k and s-mod-k on trees of which something failed: another living parent.
//
// The climb takes the parent that it would take in the whole tree, and where that has failed or
// leads no longer to the destination, one of those that do: the one with the fewest keys of the
// hosts below the same node, as subnet managers count routes when they build their tables anew.
// These are dealt out in the order of their numbers; of equal parents each takes its turn. A path
// goes up, then down, and so stays free of deadlock; it turns
// at the lowest level at which any such path is left, so that it is the shortest of them. Hosts
// with cables into several planes that failures part relay, as in all other networks.
//
// From the source the nodes of a level are `low` of [0, W_l) (living_tree.hpp), and those above it
// form a tree with the source as its root. Where nothing failed the first try holds: O(height) a
// flow; else each node of a level is visited at most twice for each level below it, and the keys
// of one node are dealt anew.
// Source: as mod_k.cpp; Zahavi, Johnson, Kerbyson, Lang, "Optimized InfiniBand fat-tree routing for
// shift all-to-all communication patterns", Concurrency and Computation 22(2), 2010 (tables of
// OpenSM, and what it does when links fail).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/network/access.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/relay_search.hpp"
#include "weft/network/routing/makers.hpp"
#include "weft/network/routing/tree/living_tree.hpp"

namespace weft::network {

namespace {

// The way of one flow: hosts and key in the whole tree's numbers.
class Climb {
 public:
  Climb(const LivingTree& tree, std::int64_t from, std::int64_t to, std::int64_t key)
      : tree_(tree), from_(from), to_(to), key_(key) {}

  /// The links up and down; false where none are left.
  bool find() {
    std::size_t meeting = 0;
    while (from_ / tree_.hosts_below(meeting) != to_ / tree_.hosts_below(meeting)) ++meeting;
    for (top_ = meeting; top_ <= tree_.height(); ++top_)
      if (climb(0, 0)) return true;
    return false;
  }

  void push(RouteTable& routes) const {
    for (const LinkId link : links_) routes.push(link);
  }

 private:
  bool climb(std::size_t level, std::int64_t low) {
    if (level == top_) return descend(low);
    const std::int64_t parents = tree_.parents(level);
    const std::int64_t turn = key_ / tree_.copies(level);
    if (climb_by(level, low, turn % parents)) return true;
    std::vector<std::int64_t> others;
    const std::size_t before = links_.size();
    for (std::int64_t i = 1; i < parents; ++i) {
      const std::int64_t digit = (turn + i) % parents;
      if (!climb_by(level, low, digit)) continue;
      others.push_back(digit);
      links_.resize(before, LinkId());
    }
    if (others.empty()) return false;
    return climb_by(level, low, dealt(level, low, others));
  }

  // Which of these parents the key gets: those whose parent is among them keep it, the others get
  // the one with the fewest keys, one after another.
  std::int64_t dealt(std::size_t level, std::int64_t low, std::vector<std::int64_t> digits) const {
    std::ranges::sort(digits);
    const std::int64_t parents = tree_.parents(level), copies = tree_.copies(level);
    std::vector<std::int64_t> keys(static_cast<std::size_t>(parents), -1);  // -1: leads nowhere
    for (const std::int64_t digit : digits) keys[digit] = 0;
    const std::int64_t below = tree_.hosts_below(level), first = key_ / below * below;
    std::vector<std::int64_t> displaced;
    for (std::int64_t x = first; x < first + below; ++x) {
      if (x % copies != low || (x != key_ && !tree_.is_joined(x))) continue;
      if (std::int64_t& own = keys[x / copies % parents]; own >= 0)
        ++own;
      else
        displaced.push_back(x);
    }
    if (key_ % copies != low) displaced.push_back(key_);  // displaced further down already
    for (const std::int64_t x : displaced) {
      const std::int64_t turn = x / copies;
      const auto next = std::ranges::upper_bound(digits, turn % parents) - digits.begin();
      const auto begin = (next + turn / parents) % std::ssize(digits);  // of equals
      std::rotate(digits.begin(), digits.begin() + begin, digits.end());
      const std::int64_t best =
          *std::ranges::min_element(digits, {}, [&](std::int64_t digit) { return keys[digit]; });
      if (x == key_) return best;
      ++keys[best];
      std::ranges::sort(digits);
    }
    return digits.front();
  }

  bool climb_by(std::size_t level, std::int64_t low, std::int64_t digit) {
    const auto link = tree_.up(from_, level, low, digit);
    if (!link) return false;
    links_.push_back(*link);
    if (climb(level + 1, low + tree_.copies(level) * digit)) return true;
    links_.pop_back();
    return false;
  }

  bool descend(std::int64_t low) {
    const std::size_t before = links_.size();
    for (std::size_t level = top_; level > 0; --level) {
      const std::int64_t digit = low / tree_.copies(level - 1);
      low %= tree_.copies(level - 1);
      const auto link = tree_.down(to_, level - 1, low, digit);
      if (!link) {
        links_.resize(before, LinkId());
        return false;
      }
      links_.push_back(*link);
    }
    return true;
  }

  const LivingTree& tree_;
  std::int64_t from_, to_, key_;
  std::size_t top_ = 0;
  std::vector<LinkId> links_;
};

class DamagedModK final : public Routing {
 public:
  DamagedModK(const Fabric& fabric, const topology::DamagedXgft& tree, ModKey key)
      : Routing(fabric.topology()),
        passing_(fabric),
        latencies_(fabric),
        tree_(fabric.topology(), tree),
        key_(key),
        through_hosts_(make_shortest(fabric)) {}

  std::string_view name() const override { return name_of(key_); }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    for (const Flow& flow : step) {
      const auto from = tree_.host(flow.from), to = tree_.host(flow.to);
      require(from && to, "{} routes between hosts only, not from node {} to node {}; use shortest",
              name(), flow.from.value(), flow.to.value());
      Climb climb(tree_, *from, *to, key_ == ModKey::destination ? *to : *from);
      if (climb.find())
        climb.push(routes);
      else
        push_through_hosts(flow, routes);
      routes.finish(latencies_.sum(routes.unfinished()));
    }
  }

 private:
  void push_through_hosts(const Flow& flow, RouteTable& routes) const {
    const RelayDistances distances(passing_, flow.to);
    if (distances[flow.from] == RelayDistances::kNoWay) reject_unreachable(flow);
    require(distances.relays(flow.from) > 0,
            "{} has no path up and then down from node {} to node {} that avoids the failures; "
            "use shortest-split, which uses any remaining path",
            name(), flow.from.value(), flow.to.value());
    RouteTable other;
    through_hosts_->route(std::span(&flow, 1), other);
    for (const LinkId link : other.links(0)) routes.push(link);
  }

  Passing passing_;
  Latencies latencies_;
  LivingTree tree_;
  ModKey key_;
  std::shared_ptr<const Routing> through_hosts_;  // of pairs that no way of switches joins
};

}  // namespace

std::shared_ptr<const Routing> make_mod_k(const Fabric& fabric, const topology::DamagedXgft& tree,
                                          ModKey key) {
  return std::make_shared<DamagedModK>(fabric, tree, key);
}

}  // namespace weft::network
