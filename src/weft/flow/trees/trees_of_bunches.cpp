// A tree that comes to a bunch of h hosts and has c more bunches below makes h - 1 + c messages
// there. The host that has most room left is the one that it comes to, and sends all of them if it
// can; else the next ones help. Of a tree's root the host is given, and needs room for a message:
// so much is kept there for each tree that is to come, and since none of these makes fewer, the
// rest of the room is enough for all other messages.
//
// Trees that are alike are dealt as one, as long as room is left for so many; else as fewer.
#include "weft/flow/trees/trees_of_bunches.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/trees/bunches.hpp"
#include "weft/flow/trees/placed_trees.hpp"
#include "weft/graph/splitting_off.hpp"

namespace weft::flow {

namespace {

using graph::PackedTree;
using graph::Sense;
using graph::WayBundle;

class Dealing {
 public:
  Dealing(const Carrier& carrier, const Bunches& bunches, std::span<const WayBundle> bundles,
          std::int64_t trees, Sense sense)
      : carrier_(carrier), sense_(sense), places_(carrier.kept.size(), 0) {
    for (const std::int32_t node : carrier.places) {
      places_[node] = static_cast<std::int32_t>(result_.places.size());
      result_.places.push_back(NodeId(node));
    }
    std::vector<Seat> seats(carrier.kept.size());
    for (std::size_t rank = 0; rank < carrier.roots.size(); ++rank) {
      const auto& [node, weight] = carrier.roots[rank];
      seats[node].own.push_back({static_cast<std::int32_t>(rank), weight * trees});
      seats[node].kept_back += weight * trees;
    }
    for (const Bunch& bunch : bunches.bunches) {
      std::vector<Seat>& table = tables_.emplace_back();
      for (const BunchHost& host : bunch.hosts) {
        Seat& seat = table.emplace_back(std::move(seats[host.node]));
        seat.host = host;
        seat.room = bunch.trees;
      }
    }
    for (const WayBundle& bundle : bundles) ways_.push_back(bundle.ways);
  }

  PlacedTrees deal(std::span<const PackedTree> packed, std::span<const std::int32_t> roots) && {
    for (const PackedTree& tree : packed) {
      const Below below = below_of(tree, roots[tree.root]);
      for (std::int64_t left = tree.multiplicity; left > 0;) left -= deal_some(below, left);
    }
    std::ranges::stable_sort(result_.trees, {}, &PackedTree::root);
    return std::move(result_);
  }

 private:
  struct OwnTrees {  // of a rank
    std::int32_t rank = 0;
    std::int64_t left = 0;
  };
  struct Seat {
    BunchHost host;
    std::int64_t room = 0;       // messages that it can still send, where it has others beside it
    std::int64_t kept_back = 0;  // of these, for trees of its own
    std::vector<OwnTrees> own;
  };
  // A bunch below another, over a bundle of ways.
  struct Child {
    std::int32_t bunch = 0, bundle = 0;
  };
  struct Below {
    std::vector<std::int32_t> order;           // bunches, parents first
    std::vector<std::vector<Child>> children;  // by bunch
  };
  // A message: to a host of the same bunch, or over a bundle.
  struct Hop {
    std::int32_t bunch = 0, from = 0;   // the host's place at its table
    std::int32_t to_bunch = 0, to = 0;  // the same
    std::int32_t bundle = -1;           // none within a bunch
    std::int32_t depth = 0;
  };
  // A host that a tree has come to.
  struct Arrival {
    std::int32_t bunch = 0, seat = 0, depth = 0;
  };
  struct Sender {
    std::int32_t seat = 0;
    std::int64_t messages = 0;  // that it can still send
    std::int32_t depth = 0;     // of these
  };

  Below below_of(const PackedTree& tree, std::int32_t root) const {
    Below below{.order = std::vector<std::int32_t>(tables_.size()),
                .children = std::vector<std::vector<Child>>(tables_.size())};
    std::iota(below.order.begin(), below.order.end(), 0);
    std::ranges::stable_sort(below.order, {},
                             [&](std::int32_t bunch) { return tree.branches[bunch].depth; });
    WEFT_ASSERT(below.order.front() == root);
    for (const std::int32_t bunch : below.order)
      if (bunch != root)
        below.children[tree.branches[bunch].parent].push_back({bunch, tree.branches[bunch].arc});
    return below;
  }

  // As many of these trees as find room as one, up to `most` and what the root's next rank has
  // left; their number.
  std::int64_t deal_some(const Below& below, std::int64_t most) {
    std::vector<Seat>& table = tables_[below.order.front()];
    const auto has_own = [](const Seat& seat) { return !seat.own.empty(); };
    const auto home = std::ranges::find_if(table, has_own);
    OwnTrees& own = home->own.back();
    const Arrival root{below.order.front(), static_cast<std::int32_t>(home - table.begin()), 0};
    for (std::int64_t amount = std::min(most, own.left);; amount = (amount + 1) / 2) {
      const auto hops = hops_of(below, root, amount);
      WEFT_ASSERT(hops || amount > 1);
      if (!hops) continue;
      home->kept_back -= amount;
      place(*hops, own.rank, root, amount);
      if ((own.left -= amount) == 0) home->own.pop_back();
      return amount;
    }
  }

  std::optional<std::vector<Hop>> hops_of(const Below& below, const Arrival& root,
                                          std::int64_t amount) const {
    std::vector<Hop> hops;
    std::vector<Arrival> arrivals(tables_.size());
    arrivals[root.bunch] = root;
    for (const std::int32_t bunch : below.order) {
      const std::int64_t kept_for_it =
          bunch == root.bunch ? std::min(amount, tables_[bunch][root.seat].kept_back) : 0;
      if (!send_on(arrivals[bunch], below.children[bunch], amount, kept_for_it, hops))
        return std::nullopt;
      for (std::size_t i = hops.size() - below.children[bunch].size(); i < hops.size(); ++i)
        arrivals[hops[i].to_bunch] = {hops[i].to_bunch, hops[i].to, hops[i].depth + 1};
    }
    return hops;
  }

  // The messages of trees from where they come to a bunch: first to the hosts beside, then to other
  // bunches; whether there is room.
  bool send_on(const Arrival& arrival, const std::vector<Child>& children, std::int64_t amount,
               std::int64_t kept_for_it, std::vector<Hop>& hops) const {
    const std::vector<Seat>& table = tables_[arrival.bunch];
    const auto messages = [&](std::int32_t seat) {
      if (table.size() == 1) return INT64_MAX;
      const std::int64_t kept = seat == arrival.seat ? kept_for_it : 0;
      return (table[seat].room - table[seat].kept_back + kept) / amount;
    };
    std::vector<Sender> senders(1, {arrival.seat, messages(arrival.seat), arrival.depth});
    std::size_t sender = 0;
    const auto send = [&](std::int32_t to_bunch, std::int32_t to, std::int32_t bundle) {
      while (sender < senders.size() && senders[sender].messages == 0) ++sender;
      if (sender == senders.size()) return false;
      --senders[sender].messages;
      hops.push_back(
          {arrival.bunch, senders[sender].seat, to_bunch, to, bundle, senders[sender].depth});
      return true;
    };
    for (const std::int32_t seat : by_room(arrival)) {
      if (!send(arrival.bunch, seat, -1)) return false;
      senders.push_back({seat, messages(seat), senders[sender].depth + 1});
    }
    return std::ranges::all_of(children, [&](const Child& child) {
      return send(child.bunch, most_room(child.bunch), child.bundle);
    });
  }

  std::int64_t free_room(std::int32_t bunch, std::int32_t seat) const {
    return tables_[bunch][seat].room - tables_[bunch][seat].kept_back;
  }
  std::vector<std::int32_t> by_room(const Arrival& arrival) const {
    std::vector<std::int32_t> seats;
    for (std::int32_t seat = 0; seat < std::ssize(tables_[arrival.bunch]); ++seat)
      if (seat != arrival.seat) seats.push_back(seat);
    std::ranges::stable_sort(seats, std::ranges::greater(),
                             [&](std::int32_t seat) { return free_room(arrival.bunch, seat); });
    return seats;
  }
  std::int32_t most_room(std::int32_t bunch) const {
    std::int32_t most = 0;
    for (std::int32_t seat = 1; seat < std::ssize(tables_[bunch]); ++seat)
      if (free_room(bunch, seat) > free_room(bunch, most)) most = seat;
    return most;
  }

  // A tree of a rank, so many times.
  void place(std::span<const Hop> hops, std::int32_t rank, const Arrival& root,
             std::int64_t amount) {
    PackedTree& tree = result_.trees.emplace_back(PackedTree{
        .root = rank, .multiplicity = amount, .branches = graph::Branching(result_.places.size())});
    const std::int32_t home = places_[tables_[root.bunch][root.seat].host.node];
    tree.branches[home] = {home, 0, -1};
    for (const Hop& hop : hops) {
      Seat& from = tables_[hop.bunch][hop.from];
      const BunchHost& to = tables_[hop.to_bunch][hop.to].host;
      from.room -= amount;
      const std::int32_t arc = arc_between(places_[from.host.node], places_[to.node]);
      tree.branches[places_[to.node]] = {places_[from.host.node], arc, hop.depth};
      if (hop.bundle < 0)
        add_way(result_.arcs[arc], {from.host.out, to.in}, amount);
      else
        take_ways(hop.bundle, from.host, to, amount, result_.arcs[arc]);
    }
  }

  std::int32_t arc_between(std::int32_t from, std::int32_t to) {
    const std::int64_t ends = std::int64_t{from} * std::ssize(result_.places) + to;
    const auto [arc, is_new] = arcs_.emplace(ends, static_cast<std::int32_t>(result_.arcs.size()));
    if (is_new) result_.arcs.push_back({from, to, {}});
    return arc->second;
  }

  // Ways of a bundle, between hosts that the ends stand for.
  void take_ways(std::int32_t bundle, const BunchHost& from, const BunchHost& to,
                 std::int64_t amount, TreeArc& arc) {
    for (std::vector<graph::WeightedPath>& ways = ways_[bundle]; amount > 0;) {
      graph::WeightedPath& way = ways.back();
      const std::int64_t some = std::min(amount, way.capacity);
      std::vector<std::int32_t> arcs = way.arcs;
      if (from.out >= 0) arcs.front() = from.out;
      if (to.in >= 0) arcs.back() = to.in;
      add_way(arc, arcs, some);
      amount -= some;
      if ((way.capacity -= some) == 0) ways.pop_back();
    }
  }

  void add_way(TreeArc& arc, const std::vector<std::int32_t>& arcs, std::int64_t trees) const {
    std::vector<LinkId> links;
    for (const std::int32_t each : arcs) links.push_back(carrier_.links[each]);
    if (sense_ == Sense::against) std::ranges::reverse(links);
    const auto same = std::ranges::find(arc.ways, links, &LinkWay::links);
    if (same == arc.ways.end())
      arc.ways.push_back({trees, std::move(links)});
    else
      same->trees += trees;
  }

  const Carrier& carrier_;
  Sense sense_;
  std::vector<std::int32_t> places_;                     // by node
  std::vector<std::vector<Seat>> tables_;                // by bunch
  std::vector<std::vector<graph::WeightedPath>> ways_;   // by bundle, what is left
  std::unordered_map<std::int64_t, std::int32_t> arcs_;  // by their ends
  PlacedTrees result_;
};

}  // namespace

std::optional<PlacedTrees> trees_of_bunches(const Topology& topology, const Carrier& carrier,
                                            const graph::TreeRate& rate, Sense sense) {
  const auto bunches = bunches_of(carrier, rate);
  if (!bunches) return std::nullopt;
  const graph::SplitNetwork network =
      graph::split_off(carrier.nodes, bunches->arcs, bunches->roots, bunches->goals, carrier.kept);
  if (network.finer != 1) return std::nullopt;
  std::vector<std::int32_t> roots, place(static_cast<std::size_t>(carrier.nodes), 0);
  for (std::size_t i = 0; i < bunches->bunches.size(); ++i)
    place[bunches->bunches[i].node()] = static_cast<std::int32_t>(i);
  for (const graph::TreeRoot& root : bunches->roots) roots.push_back(place[root.node]);
  const auto packed = packed_trees(topology, bunches->goals, network.bundles, bunches->roots);
  return Dealing(carrier, *bunches, network.bundles, rate.trees, sense).deal(packed, roots);
}

}  // namespace weft::flow
