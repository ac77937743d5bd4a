// Broadcasts of large buffers on a Dragonfly.
//
// A tree that passes on the whole buffer takes log2 N times M/B, whether it knows the network or
// not. Scatter and allgather take 2 M/B, but over N ranks the allgather needs N - 1 steps, or sends
// to far ranks what near ones have. Two ways out:
//
// Lanes. The buffer is cut into as many lanes as the home group has ranks (128 at most).
//   1. Scatter: the root sends each rank of the home group its lane.       M over the root's link
//   2. Trees: every lane's holder sends it to one rank of every other group by a binomial tree over
//      the groups. Lane l starts l / L of the way round the groups, so that lanes take different
//      global links, and as the holders sit on different routers, different local ones: log2(g)
//      M/L.
//   3. Allgather in every group by a ring in the order of its routers: M over each rank's link, and
//      one crossing of a local link for each router of the group.
// Data enters every group once, as in GLF. In a group of k ranks the i-th takes the lanes l = i mod
// k. The home group is the root's, unless another has more than twice its ranks (the one with the
// most): then the root scatters over there, and its own group is served by a pipelined chain. That
// is the remedy for a root that is nearly alone in its group.
//
// Two trees. Two binary trees over all ranks, the leaves of one the inner nodes of the other, with
// many segments: about M/B when segments are many. Over the ranks in the order of groups and
// routers a subtree is a run of neighbours, and few edges leave a group; about 2 (1 + log2 k) in a
// group of k.
//
// Source: the idea of topology-aware scatter and allgather is the future work of Dorier et al.,
// "Evaluation of Topology-Aware Broadcast Algorithms for Dragonfly Networks", CLUSTER 2016, section
// V; scatter and allgather: Barnett et al., "Interprocessor Collective Communication Library
// (InterCom)", SHPCC 1994; two trees: Sanders, Speck, Traeff, "Two-tree Algorithms for Full
// Bandwidth Broadcast, Reduction and Scan", Parallel Computing 35(12), 2009.
#include <algorithm>
#include <numeric>

#include "../entries.hpp"
#include "ranks_by_router.hpp"
#include "weft/algorithm/dragonfly/lanes.hpp"
#include "weft/algorithm/trees/double_binary_tree.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

using dragonfly::cyclic_from;
using dragonfly::RanksByRouter;

constexpr std::size_t kMostLanes = 128;

using Members = std::vector<Rank>;  // of a group, by router

Members members_of(const RanksByRouter& where, std::int32_t group) {
  Members members;
  for (const std::int32_t router : where.routers(group))
    members.insert(members.end(), where.on_router(router).begin(), where.on_router(router).end());
  return members;
}

/// Sends of lanes: each in the first step in which its sender has them and has nothing else to
/// send.
class LaneSends {
 public:
  LaneSends(std::int32_t ranks, Rank root, std::size_t lanes)
      : lanes_(lanes),
        units_per_block_(static_cast<std::int64_t>(lanes) /
                         std::gcd(std::int64_t{ranks}, static_cast<std::int64_t>(lanes))),
        units_per_lane_(ranks * units_per_block_ / static_cast<std::int64_t>(lanes)),
        builder_(schedule::broadcast(ranks, root), {.units_per_block = units_per_block_}),
        free_(ranks),
        ready_(free_.size() * lanes) {}

  void send(Rank from, Rank to, std::span<const std::size_t> lanes) {
    if (lanes.empty()) return;
    std::int32_t step = free_[from.index()];
    for (const std::size_t lane : lanes) step = std::max(step, ready(from, lane));
    free_[from.index()] = step + 1;
    pieces_.clear();
    for (const std::size_t lane : lanes) {
      ready(to, lane) = step + 1;
      pieces_.push_back({static_cast<std::int64_t>(lane) * units_per_lane_, units_per_lane_});
    }
    builder_.at(step).send(from, to, pieces_);
  }
  void send(Rank from, Rank to, std::size_t lane) { send(from, to, std::span(&lane, 1)); }

  Schedule build() && { return std::move(builder_).build(); }

 private:
  /// The first step in which a rank may pass a lane on.
  std::int32_t& ready(Rank rank, std::size_t lane) { return ready_[rank.index() * lanes_ + lane]; }

  std::size_t lanes_;
  std::int64_t units_per_block_, units_per_lane_;
  ScheduleBuilder builder_;
  std::vector<std::int32_t> free_, ready_;
  std::vector<Piece> pieces_;
};

class Lanes {
 public:
  Lanes(const RanksByRouter& where, Rank root)
      : where_(where),
        root_(root),
        home_(home_group()),
        home_members_(members_of(where, home_)),
        lanes_(std::min(home_members_.size(), kMostLanes)),
        sends_(where.ranks(), root, lanes_) {}

  Schedule build() && {
    scatter();
    trees_over_groups();
    for (const std::int32_t group : where_.groups())
      if (group == where_.group(root_) && group != home_)
        chain(members_of(where_, group));
      else
        ring(members_of(where_, group));
    return std::move(sends_).build();
  }

 private:
  std::int32_t home_group() const {
    const auto size = [&](std::int32_t group) { return members_of(where_, group).size(); };
    const std::int32_t own = where_.group(root_);
    std::int32_t largest = own;
    for (const std::int32_t group : where_.groups())
      if (size(group) > size(largest)) largest = group;
    return size(largest) > 2 * size(own) ? largest : own;
  }

  /// The lanes of the i-th of k members.
  std::vector<std::size_t> lanes_of(std::size_t i, std::size_t k) const {
    std::vector<std::size_t> lanes;
    for (std::size_t lane = i; lane < lanes_; lane += k) lanes.push_back(lane);
    return lanes;
  }

  void scatter() {
    for (std::size_t i = 0; i < home_members_.size(); ++i)
      if (home_members_[i] != root_)
        sends_.send(root_, home_members_[i], lanes_of(i, home_members_.size()));
  }

  /// One level of all trees after the other, so that a rank serves the largest subtrees first.
  void trees_over_groups() {
    std::vector<Members> others;  // cyclically from the home group
    for (const std::int32_t group : cyclic_from(where_.groups(), home_))
      if (group != home_ && group != where_.group(root_))
        others.push_back(members_of(where_, group));
    const std::size_t count = others.size() + 1;
    const auto holder = [&](std::size_t place, std::size_t lane) {
      const std::size_t start = lane * others.size() / lanes_;
      const Members& members =
          place == 0 ? home_members_ : others[(place - 1 + start) % others.size()];
      return members[lane % members.size()];
    };
    std::size_t weight = 1;
    while (2 * weight < count) weight *= 2;
    for (; weight > 0; weight /= 2)
      for (std::size_t lane = 0; lane < lanes_; ++lane)
        for (std::size_t v = 0; v + weight < count; v += 2 * weight)
          sends_.send(holder(v, lane), holder(v + weight, lane), lane);
  }

  /// In round t the i-th member passes on the lanes of the (i - t)-th; the root needs none.
  void ring(const Members& members) {
    const std::size_t k = members.size();
    for (std::size_t round = 0; round + 1 < k; ++round)
      for (std::size_t i = 0; i < k; ++i) {
        const Rank next = members[(i + 1) % k];
        if (next != root_) sends_.send(members[i], next, lanes_of((i + k - round) % k, k));
      }
  }

  /// Lane after lane from the root through all members.
  void chain(Members members) {
    std::rotate(members.begin(), std::find(members.begin(), members.end(), root_), members.end());
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      for (std::size_t i = 0; i + 1 < members.size(); ++i)
        sends_.send(members[i], members[i + 1], lane);
  }

  const RanksByRouter& where_;
  Rank root_;
  std::int32_t home_;
  Members home_members_;
  std::size_t lanes_;
  LaneSends sends_;
};

RanksByRouter checked(const Network& network, Rank root) {
  require(topology::as_dragonfly(network.topology()).has_value(),
          "{} is not a Dragonfly, which lanes and two-trees need", network.topology().name());
  require(root.value() >= 0 && root.value() < network.ranks(), "root {} is not a rank (0 to {})",
          root.value(), network.ranks() - 1);
  return RanksByRouter(network);
}

/// The same broadcast with order[r] in the place of rank r. (relabel would move blocks too.)
Schedule among(const std::vector<Rank>& order, const Schedule& schedule) {
  WEFT_ASSERT(std::ssize(order) == schedule.collective().ranks);
  const Rank root = order[schedule.collective().root.index()];
  ScheduleBuilder builder(
      schedule::broadcast(schedule.collective().ranks, root),
      {.units_per_block = schedule.units_per_block(), .segments = schedule.segments()});
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m)
      builder.at(t).send(order[schedule.message(m).from.index()],
                         order[schedule.message(m).to.index()], schedule.pieces(m));
  return std::move(builder).build();
}

Schedule as_asked(const Context& context, const Schedule& broadcast) {
  return context.collective.kind == CollectiveKind::broadcast ? broadcast
                                                              : schedule::transpose(broadcast);
}

}  // namespace

Schedule dragonfly_lanes(const Network& network, Rank root) {
  const RanksByRouter where = checked(network, root);
  return Lanes(where, root).build();
}

Schedule dragonfly_two_trees(const Network& network, Rank root, std::int64_t segments) {
  const RanksByRouter where = checked(network, root);
  std::vector<Rank> order;
  for (const std::int32_t group : cyclic_from(where.groups(), where.group(root)))
    for (const Rank rank : members_of(where, group)) order.push_back(rank);
  std::rotate(order.begin(), std::find(order.begin(), order.end(), root), order.end());
  return among(order, double_binary_tree_broadcast(where.ranks(), Rank(0), {.segments = segments}));
}

Algorithm dragonfly_lanes_entry() {
  return {
      .name = "dragonfly-lanes",
      .aliases = {"lanes"},
      .summary =
          "Scatter inside a group, a tree over the groups for each lane, then rings inside the "
          "groups",
      .source =
          "Dorier et al., Evaluation of Topology-Aware Broadcast Algorithms for Dragonfly "
          "Networks, 2016, future work; here",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = {},
      .misfit = dragonfly::misfit,
      .build =
          [](const Context& context) {
            return as_asked(context, dragonfly_lanes(*context.network, context.collective.root));
          },
      .outline = {.near = true},
  };
}

Algorithm dragonfly_two_trees_entry() {
  return {
      .name = "dragonfly-two-trees",
      .aliases = {},
      .summary = "double-binary-tree over the ranks in the order of groups and routers",
      .source =
          "Sanders, Speck, Traeff, Two-tree Algorithms for Full Bandwidth Broadcast, "
          "Reduction and Scan, 2009",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = {kSegments},
      .misfit = dragonfly::misfit,
      .build =
          [](const Context& context) {
            return as_asked(context, dragonfly_two_trees(*context.network, context.collective.root,
                                                         segments_in(context.options)));
          },
  };
}

}  // namespace weft::algorithm
