// h hosts on a switch w, each with k of all T trees and with room for L over its link, either way:
// a tree that comes to one of them is passed on h - 1 times among them, so that
//
//   C = h L - (h - 1) T
//
// is left for what they send to others, and a link of C between w and one host that stands for all
// keeps every cut, if C >= h k. Let X have a goal in it and lack l trees.
//   X has w and not the host. What enters X from elsewhere enters X with all h hosts, too, which
//   lacks l - h k; from the host C >= h k more enter.
//   X has the host and not w. Where the rest of X has a goal, it is entered by l and more. Else X
//   lacks T - h k at most, and no more than C: each of the hosts takes T - k <= L.
#include "weft/flow/trees/bunches.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "weft/base/checked.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::TreeRate;

class Finder {
 public:
  Finder(const Carrier& carrier, const TreeRate& rate)
      : carrier_(carrier), rate_(rate), links_(carrier.kept.size()), trees_(carrier.kept.size()) {
    for (std::size_t i = 0; i < rate.arcs.size(); ++i) {
      const auto& [tail, head, capacity] = rate.arcs[i];
      if (capacity == 0) continue;
      links_[tail].out.push_back(static_cast<std::int32_t>(i));
      links_[head].in.push_back(static_cast<std::int32_t>(i));
    }
    for (const graph::TreeRoot& root : carrier.roots) {
      const std::int64_t trees = checked_mul(root.trees, rate.trees);
      trees_[root.node] = checked_add(trees_[root.node], trees);
      all_ = checked_add(all_, trees);
    }
  }

  std::optional<Bunches> find() const {
    Bunches result{.bunches = {}, .arcs = rate_.arcs, .roots = {}, .goals = {}};
    std::map<Alike, std::size_t> places;  // of the bunch of such hosts
    for (const std::int32_t node : carrier_.places) {
      const auto alike = alike_of(node);
      if (alike) {
        const auto [place, is_new] = places.emplace(*alike, result.bunches.size());
        if (is_new) result.bunches.push_back({{}, alike->links});
        result.bunches[place->second].hosts.push_back(
            {node, links_[node].out.front(), links_[node].in.front()});
      } else {
        result.bunches.push_back({{{node}}, 0});
      }
    }
    split_small(result);
    if (result.bunches.size() == carrier_.places.size()) return std::nullopt;
    for (const Bunch& bunch : result.bunches) stand_for(bunch, result);
    return result;
  }

 private:
  struct Links {  // arcs of a node
    std::vector<std::int32_t> out, in;
  };
  struct Alike {
    std::int32_t beside = 0;
    std::int64_t links = 0, trees = 0;  // what each takes, and has of its own
    auto operator<=>(const Alike&) const = default;
  };

  std::optional<Alike> alike_of(std::int32_t node) const {
    const Links& links = links_[node];
    if (links.out.size() != 1 || links.in.size() != 1) return std::nullopt;
    const CapacityArc &out = rate_.arcs[links.out.front()], &in = rate_.arcs[links.in.front()];
    if (out.head != in.tail || out.capacity != in.capacity || carrier_.kept[out.head] != 0)
      return std::nullopt;
    return Alike{out.head, out.capacity, trees_[node]};
  }

  std::int64_t left_for_others(const Bunch& bunch) const {
    const auto count = std::ssize(bunch.hosts);
    return checked_mul(count, bunch.trees) - checked_mul(count - 1, all_);
  }

  // Hosts of which one alone cannot stand for all are on their own.
  void split_small(Bunches& result) const {
    std::vector<Bunch> kept;
    for (Bunch& bunch : result.bunches)
      if (bunch.hosts.size() > 1 &&
          left_for_others(bunch) >= checked_mul(std::ssize(bunch.hosts), trees_[bunch.node()]))
        kept.push_back(std::move(bunch));
      else
        for (const BunchHost& host : bunch.hosts) kept.push_back({{{host.node}}, 0});
    std::ranges::sort(kept, {}, &Bunch::node);
    result.bunches = std::move(kept);
  }

  void stand_for(const Bunch& bunch, Bunches& result) const {
    if (bunch.hosts.size() > 1) {
      for (const BunchHost& host : bunch.hosts)
        result.arcs[host.out].capacity = result.arcs[host.in].capacity = 0;
      const BunchHost& first = bunch.hosts.front();
      result.arcs[first.out].capacity = result.arcs[first.in].capacity = left_for_others(bunch);
    }
    const std::int64_t trees = checked_mul(std::ssize(bunch.hosts), trees_[bunch.node()]);
    if (trees > 0) result.roots.push_back({bunch.node(), trees});
    result.goals.push_back(bunch.node());
  }

  const Carrier& carrier_;
  const TreeRate& rate_;
  std::vector<Links> links_;         // by node, those with capacity
  std::vector<std::int64_t> trees_;  // by node
  std::int64_t all_ = 0;
};

}  // namespace

std::optional<Bunches> bunches_of(const Carrier& carrier, const TreeRate& rate) {
  return Finder(carrier, rate).find();
}

}  // namespace weft::flow
