// LLF, GLF and FOREST: broadcasts that cross a global link once for each remote group.
//
// All three end alike: whoever brings the data into a group sends it to one rank on each of its
// other routers, and each of these to the other ranks on its router, both by binomial trees. They
// differ in how the groups are reached.
//   LLF     1. the root to one rank on each router of its group, by a binomial tree;
//           2. these in turn to one rank of every remote group, one after the other.
//   GLF     1. the root to one rank of every remote group, by a binomial tree over the groups.
//   FOREST  1. as LLF;
//           2. each of these to its share of the remote groups by a binomial tree of its own.
//
// What the paper leaves open is fixed so (all deterministic, groups without ranks are left out):
//   - the routers of a group, and the groups, are taken in increasing number, cyclically from the
//     one that has the data; a router is represented by its lowest rank, or by who has the data;
//   - a remote group falls to the sender of step 2 whose router owns a link to it, the one with the
//     fewest groups so far where there are several; groups that nobody owns a link to are then
//     dealt out, each to the sender with the fewest groups. Ties go to who has the data first in
//     the order of step 1; each serves its groups in the order in which it got them;
//   - the receiver of LLF and FOREST is RanksByRouter::receiver: on the router where the link from
//     the sender's group ends, else the group's lowest rank. GLF takes the lowest rank: the paper
//     speaks of distances for LLF alone, and its figure 2 has GLF behind LLF in large jobs, as it
//     is so (57.8 against 54.0 links at 10,240 ranks of 16,512; near receivers would make it 49.8).
// With --couples codes it is what the authors' program does (codes-org/codes, branch codes-col-br
// of 2016, src/cortex/dfly_bcast.cpp; read, not copied). Routers and groups go in increasing
// number. The root's team, one rank on each used router of its group, has the root first; who
// received for another group changes places with the first of that group's. For a group to which a
// used router of the root's group has a link, that router's member of the team sends; the other
// groups are *distant*: members that send to nobody yet take one each, in order of rank, then the
// whole team in turn from the root on. The receiver is on the router whose link leads to the root's
// group, whoever sends: else the lowest rank of the group's first used router. So the receivers of
// FOREST's trees are near the root, not near their parents.
//
// A rank sends one message a step, from the step after it received on, so that the steps read the
// same for a sender that waits, whichever reading of the steps is chosen.
//
// Degraded placements: a root alone in its group makes LLF serve all groups in series. The remedy
// (FirstRoot::widest_group) sends to a rank in the group with the most routers first.
// Source: Dorier, Mubarak, Ross, Li, Carothers, Ma, "Evaluation of Topology-Aware Broadcast
// Algorithms for Dragonfly Networks", CLUSTER 2016, section III; LLF, GLF: Xiang, Liu,
// "Deadlock-Free Broadcast Routing in Dragonfly Networks without Virtual Channels", TPDS 2015.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "../entries.hpp"
#include "ranks_by_router.hpp"
#include "weft/algorithm/dragonfly/broadcast.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

namespace {

using dragonfly::cyclic_from;
using dragonfly::RanksByRouter;

constexpr std::string_view kCouplesNames[] = {"nearest", "codes"};
constexpr ChoiceOption kCouples{{.name = "couples",
                                 .what = "Rule that pairs a sender and a receiver of two groups",
                                 .type = Option::Type::choice,
                                 .choices = kCouplesNames,
                                 .fallback = "nearest"}};

/// Sends in the order in which they are asked for: a rank's sends take one step each, the first the
/// step after it received.
class Sends {
 public:
  Sends(std::int32_t ranks, Rank root)
      : builder_(schedule::broadcast(ranks, root)), next_step_(ranks) {}

  void send(Rank from, Rank to) {
    const std::int64_t step = next_step_[from]++;
    builder_.at(step).send(from, to, builder_.everything());
    next_step_[to] = step + 1;
  }
  Schedule build() && { return std::move(builder_).build(); }

 private:
  ScheduleBuilder builder_;
  IdVector<Rank, std::int64_t> next_step_;
};

/// The edges of a binomial tree over 0 .. count - 1 from 0, parents before children, largest
/// subtree first.
template <class Send>
void binomial_tree(std::size_t count, Send send) {
  std::size_t weight = 1;
  while (2 * weight < count) weight *= 2;
  for (; weight > 0; weight /= 2)
    for (std::size_t v = 0; v + weight < count; v += 2 * weight) send(v, v + weight);
}

class Broadcast {
 public:
  Broadcast(const RanksByRouter& where, Rank root, Couples couples)
      : where_(where), root_(root), start_(root), couples_(couples), sends_(where.ranks(), root) {}

  Schedule build(GroupOrder order, FirstRoot first) && {
    if (first == FirstRoot::widest_group) start_ = widest_group_rank();
    if (start_ != root_) {
      sends_.send(root_, start_);
      holders_.push_back(root_);
    }
    std::vector<Rank> on_routers = reach_groups(start_, order);
    for (const Rank holder : holders_)
      for (const Rank on_router : spread_in_group(holder)) on_routers.push_back(on_router);
    for (const Rank holder : on_routers) spread_on_router(holder);
    return std::move(sends_).build();
  }

 private:
  /// The lowest rank of the group with the most routers, or the root where no group has more than
  /// its own.
  Rank widest_group_rank() const {
    const auto width = [&](std::int32_t group) { return where_.routers(group).size(); };
    std::int32_t widest = where_.group(root_);
    for (const std::int32_t group : where_.groups())
      if (width(group) > width(widest)) widest = group;
    return widest == where_.group(root_) ? root_ : where_.first_in_group(widest);
  }

  /// Groups that are still to be reached, cyclically from that of `start`.
  std::vector<std::int32_t> remote_groups(Rank start) const {
    std::vector<std::int32_t> groups;
    for (const std::int32_t group : cyclic_from(where_.groups(), where_.group(start)))
      if (group != where_.group(start) && group != where_.group(root_)) groups.push_back(group);
    return groups;
  }

  /// Sends to one rank of every group; returns one on each router of the groups that are done.
  std::vector<Rank> reach_groups(Rank start, GroupOrder order) {
    const std::vector<std::int32_t> groups = remote_groups(start);
    if (order == GroupOrder::global_links_first) {
      holders_.push_back(start);
      tree_over_groups(start, groups, Receiver::lowest);
      return {};
    }
    std::vector<Rank> senders = spread_in_group(start);
    const bool as_codes = couples_ == Couples::codes;
    const auto shares = as_codes ? share_groups_as_codes(senders) : share_groups(senders, groups);
    const Receiver which = as_codes ? Receiver::near_start : Receiver::nearest;
    for (std::size_t i = 0; i < senders.size(); ++i) {
      if (order == GroupOrder::forest)
        tree_over_groups(senders[i], shares[i], which);
      else
        for (const std::int32_t group : shares[i]) send_to_group(senders[i], group, which);
    }
    return senders;
  }

  enum class Receiver : std::uint8_t { nearest, lowest, near_start };

  Rank receiver(Rank sender, std::int32_t group, Receiver which) const {
    switch (which) {
      case Receiver::nearest:
        return where_.receiver(sender, group);
      case Receiver::lowest:
        return where_.first_in_group(group);
      case Receiver::near_start:
        break;
    }
    for (const auto& link : where_.links(where_.group(start_), group))
      if (const auto there = where_.on_router(link.to_router); !there.empty()) return there.front();
    return where_.on_router(where_.routers(group).front()).front();
  }

  Rank send_to_group(Rank sender, std::int32_t group, Receiver which) {
    const Rank receiver = this->receiver(sender, group, which);
    sends_.send(sender, receiver);
    holders_.push_back(receiver);
    return receiver;
  }

  void tree_over_groups(Rank sender, const std::vector<std::int32_t>& groups, Receiver which) {
    std::vector<Rank> members(groups.size() + 1, sender);
    binomial_tree(members.size(), [&](std::size_t from, std::size_t to) {
      members[to] = send_to_group(members[from], groups[to - 1], which);
    });
  }

  /// Which groups each sender serves.
  std::vector<std::vector<std::int32_t>> share_groups(const std::vector<Rank>& senders,
                                                      const std::vector<std::int32_t>& groups) {
    std::vector<std::vector<std::int32_t>> shares(senders.size());
    const auto give = [&](std::int32_t group, auto may_serve) {
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < senders.size(); ++i)
        if (may_serve(senders[i]) && (!best || shares[i].size() < shares[*best].size())) best = i;
      if (best) shares[*best].push_back(group);
      return best.has_value();
    };
    std::vector<std::int32_t> unowned;
    for (const std::int32_t group : groups) {
      const auto links = where_.links(where_.group(senders[0]), group);
      const auto owns = [&](Rank sender) {
        return std::any_of(links.begin(), links.end(), [&](const auto& link) {
          return link.from_router == where_.router(sender);
        });
      };
      if (!give(group, owns)) unowned.push_back(group);
    }
    for (const std::int32_t group : unowned) give(group, [](Rank) { return true; });
    return shares;
  }

  /// The same with the couples of CODES.
  std::vector<std::vector<std::int32_t>> share_groups_as_codes(
      const std::vector<Rank>& senders) const {
    std::vector<std::vector<std::int32_t>> shares(senders.size());
    std::vector<std::int32_t> distant;
    for (const std::int32_t group : where_.groups()) {
      if (group == where_.group(start_) || group == where_.group(root_)) continue;
      const auto owner = std::find_if(senders.begin(), senders.end(), [&](Rank sender) {
        const auto links = where_.links(where_.group(start_), group);
        return std::any_of(links.begin(), links.end(), [&](const auto& link) {
          return link.from_router == where_.router(sender);
        });
      });
      if (owner == senders.end())
        distant.push_back(group);
      else
        shares[static_cast<std::size_t>(owner - senders.begin())].push_back(group);
    }
    std::vector<std::size_t> idle;  // by rank
    for (std::size_t i = 0; i < senders.size(); ++i)
      if (shares[i].empty()) idle.push_back(i);
    std::sort(idle.begin(), idle.end(),
              [&](std::size_t x, std::size_t y) { return senders[x] < senders[y]; });
    for (std::size_t d = 0; d < distant.size(); ++d)
      shares[d < idle.size() ? idle[d] : (d - idle.size()) % senders.size()].push_back(distant[d]);
    return shares;
  }

  /// The used routers of the holder's group in the order of its team, the holder's own first.
  std::vector<std::int32_t> team_routers(Rank holder) const {
    const std::int32_t own = where_.router(holder);
    const auto routers = where_.routers(where_.group(holder));
    if (couples_ == Couples::nearest) return cyclic_from(routers, own);
    std::vector<std::int32_t> team(routers.begin(), routers.end());
    const auto found = std::find(team.begin(), team.end(), own);
    if (holder == start_)
      std::rotate(team.begin(), found, found + 1);
    else
      std::iter_swap(team.begin(), found);
    return team;
  }

  /// One rank on each router of the holder's group, itself first.
  std::vector<Rank> spread_in_group(Rank holder) {
    const std::int32_t own = where_.router(holder);
    std::vector<Rank> members;
    for (const std::int32_t router : team_routers(holder))
      members.push_back(router == own ? holder : where_.on_router(router).front());
    binomial_tree(members.size(), [&](std::size_t from, std::size_t to) {
      sends_.send(members[from], members[to]);
    });
    return members;
  }

  void spread_on_router(Rank holder) {
    const auto there = where_.on_router(where_.router(holder));
    std::vector<Rank> members(there.begin(), there.end());
    const auto own = std::find(members.begin(), members.end(), holder);
    if (couples_ == Couples::nearest)
      std::rotate(members.begin(), own, own + 1);
    else
      std::iter_swap(members.begin(), own);
    binomial_tree(members.size(), [&](std::size_t from, std::size_t to) {
      sends_.send(members[from], members[to]);
    });
  }

  const RanksByRouter& where_;
  Rank root_, start_;  // the latter is who reaches the groups
  Couples couples_;
  Sends sends_;
  std::vector<Rank> holders_;  // who brought the data into its group and has not spread it there
};

Algorithm entry(const char* name, const char* summary, Schedule (*build)(const Context&),
                Outline::Spread spread, std::vector<Option> options = {}) {
  return {
      .name = name,
      .aliases = {},
      .summary = summary,
      .source =
          "Dorier, Mubarak, Ross, Li, Carothers, Ma, Evaluation of Topology-Aware Broadcast "
          "Algorithms for Dragonfly Networks, 2016",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = std::move(options),
      .misfit = dragonfly::misfit,
      .build = build,
      .outline = {.messages = Outline::Messages::logarithmic, .spread = spread, .near = true},
  };
}

template <GroupOrder order, FirstRoot first = FirstRoot::root>
Schedule build_as(const Context& context) {
  Couples couples = Couples::nearest;
  if (order != GroupOrder::global_links_first && kCouples.in(context.options) == kCouplesNames[1])
    couples = Couples::codes;
  Schedule broadcast =
      dragonfly_broadcast(*context.network, context.collective.root, order, first, couples);
  return context.collective.kind == CollectiveKind::broadcast ? broadcast
                                                              : schedule::transpose(broadcast);
}

}  // namespace

Schedule dragonfly_broadcast(const Network& network, Rank root, GroupOrder order, FirstRoot first,
                             Couples couples) {
  require(topology::as_dragonfly(network.topology()).has_value(),
          "{} is not a Dragonfly, which llf, glf and forest need", network.topology().name());
  require(root.value() >= 0 && root.value() < network.ranks(), "root {} is not a rank (0 to {})",
          root.value(), network.ranks() - 1);
  const RanksByRouter where(network);
  return Broadcast(where, root, couples).build(order, first);
}

Algorithm llf_entry() {
  return entry(
      "llf",
      "Local links first: every router of the root's group serves its groups one after another",
      build_as<GroupOrder::local_links_first>, Outline::Spread::groups, {kCouples});
}

Algorithm llf_rerooted_entry() {
  return entry("llf-rerooted", "llf from a rank in the group with the most routers in use",
               build_as<GroupOrder::local_links_first, FirstRoot::widest_group>,
               Outline::Spread::groups, {kCouples});
}

Algorithm glf_entry() {
  return entry("glf",
               "Global links first: a binomial tree over the groups, then a tree inside each group",
               build_as<GroupOrder::global_links_first>, Outline::Spread::tree);
}

Algorithm forest_entry() {
  return entry("forest", "As llf, but every router of the root's group grows a tree of groups",
               build_as<GroupOrder::forest>, Outline::Spread::tree, {kCouples});
}

}  // namespace weft::algorithm
