// A node p in the tree of the identity passes the block on to p s, for a generator s. Moved by the
// group, that is the identity passing the block of p^-1 on to s, and every node doing likewise in
// the same step: so the tree of each root is the translate of one, and no two meet on a link when
// that one uses a generator once a step at most. Each generator takes the first member, in the
// order of joining, from which it leads to a new node; what leads to an old one is useless for
// good, so that a cursor for each generator goes over the members once.
//
// A reduce-scatter is the same backwards in time: the tree grows against the links, by the inverses
// of the generators, and its last joined node sends first.
#include "translated.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::algorithm::trees {

namespace {

using topology::CayleyView;
using Element = Group::Element;

struct Join {
  Element parent = 0, node = 0;
  std::size_t generator = 0;
  std::int64_t step = 0;
};

/// All nodes but the identity, in the order in which they join its tree.
std::vector<Join> grow(const Group& group, const std::vector<Element>& generators) {
  std::vector<Join> joins;
  std::vector<Element> members{0};
  std::vector<bool> joined(group.order(), false);
  joined[0] = true;
  std::vector<std::size_t> cursors(generators.size(), 0);
  for (std::int64_t step = 0; std::ssize(members) < group.order(); ++step) {
    const std::size_t end = members.size();  // who joins now passes on from the next step on
    for (std::size_t k = 0; k < generators.size(); ++k)
      for (std::size_t& cursor = cursors[k]; cursor < end;) {
        const Element parent = members[cursor++];
        const Element node = group.multiply(parent, generators[k]);
        if (joined[node]) continue;
        joined[node] = true;
        members.push_back(node);
        joins.push_back({parent, node, k, step});
        break;
      }
    WEFT_ASSERT(members.size() > end);
  }
  return joins;
}

}  // namespace

Schedule along_translates(const CayleyView& view, CollectiveKind kind, const char* algorithm) {
  const Group& group = view.group();
  const bool gathers = kind == CollectiveKind::allgather;
  std::vector<Element> ways = view.generators();
  if (!gathers)
    std::ranges::transform(ways, ways.begin(), [&](Element s) { return group.inverse(s); });
  const std::vector<Join> joins = grow(group, ways);
  ScheduleBuilder builder({.kind = kind, .ranks = group.order()},
                          {.algorithm = algorithm, .symmetry = Symmetry(group)});
  const std::int64_t last = joins.empty() ? 0 : joins.back().step;
  for (const Join& join : joins) {
    const Element origin = group.inverse(gathers ? join.parent : join.node);
    builder.at(gathers ? join.step : last - join.step)
        .send(Agent(0), Agent(view.generators()[join.generator]), Piece{origin, 1},
              gathers ? Arrival::copy : Arrival::reduce);
  }
  return std::move(builder).build();
}

}  // namespace weft::algorithm::trees
