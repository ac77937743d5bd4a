#include "weft/flow/all_to_all/shorter_paths.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"

namespace weft::flow {

namespace {

constexpr double kMostLinksSearched = 1e9;  // some seconds

class Shortener {
 public:
  Shortener(const Topology& topology, const LoadClasses& classes, std::vector<SharedPath> paths)
      : topology_(topology),
        classes_(classes),
        paths_(std::move(paths)),
        room_(classes.capacity.size(), 0) {
    std::vector<std::int64_t> load(room_.size(), 0);
    for (const SharedPath& path : paths_)
      for (const LinkId link : path.links) load[class_of(link)] += path.units;
    std::size_t full = 0;  // the fullest
    __extension__ using Wide = __int128;
    for (std::size_t c = 0; c < load.size(); ++c)
      if (Wide(load[c]) * classes.capacity[full] > Wide(load[full]) * classes.capacity[c]) full = c;
    for (std::size_t c = 0; c < load.size(); ++c)
      room_[c] = static_cast<std::int64_t>(Wide(load[full]) * classes.capacity[c] /
                                           classes.capacity[full]) -
                 load[c];
  }

  std::vector<SharedPath> shorter() && {
    std::vector<std::size_t> order(paths_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t p) { return paths_[p].links.size(); });
    double searched = 0;
    for (const std::size_t p : order) {
      if (std::ssize(paths_[p].links) <= distance(paths_[p].from, paths_[p].to)) continue;
      if (searched > kMostLinksSearched) break;
      searched += topology_.link_count();
      shorten(p);
    }
    return joined();
  }

 private:
  Int class_of(LinkId link) const { return classes_.of_link[link.index()]; }

  std::int32_t distance(NodeId from, NodeId to) {
    std::vector<Int>& distances = distances_[from];
    if (distances.empty())
      distances =
          graph::BreadthFirst(topology_.node_count(), from.value(), [&](Int node, auto&& reach) {
            for (const LinkId link : topology_.out_links(NodeId(node)))
              reach(topology_.head(link).value());
          }).distances();
    return distances[to.index()];
  }

  // Moves what fits to the way of fewest links that has room, while that is shorter.
  void shorten(std::size_t p) {
    while (paths_[p].units > 0) {
      add_room(paths_[p], paths_[p].units);  // as if it were not there
      std::vector<LinkId> way = shortest_with_room(paths_[p].from, paths_[p].to);
      const bool shorter = !way.empty() && way.size() < paths_[p].links.size();
      const std::int64_t units = shorter ? std::min(paths_[p].units, room_on(way)) : 0;
      if (units == paths_[p].units) {
        paths_[p].links = std::move(way);
        add_room(paths_[p], -units);
        return;
      }
      if (units > 0) {
        more_.push_back({paths_[p].from, paths_[p].to, units, std::move(way)});
        add_room(more_.back(), -units);
        paths_[p].units -= units;
      }
      // What stays had its room before, and others' is no less of it now only where both ways meet.
      if (units > 0 && room_on(paths_[p].links) < paths_[p].units) {
        add_room(more_.back(), units);
        paths_[p].units += units;
        more_.pop_back();
        add_room(paths_[p], -paths_[p].units);
        return;
      }
      add_room(paths_[p], -paths_[p].units);
      if (units == 0) return;
    }
  }

  void add_room(const SharedPath& path, std::int64_t units) {
    for (const LinkId link : path.links) room_[class_of(link)] += units;
  }
  std::int64_t room_on(const std::vector<LinkId>& links) const {
    std::int64_t room = std::numeric_limits<std::int64_t>::max();
    for (const LinkId link : links) {
      const auto uses =
          std::ranges::count(links, class_of(link), [&](LinkId other) { return class_of(other); });
      room = std::min(room, room_[class_of(link)] / uses);
    }
    return room;
  }

  std::vector<LinkId> shortest_with_room(NodeId from, NodeId to) {
    came_by_.assign(topology_.node_count(), LinkId(-1));
    std::vector<NodeId> queue{from};
    for (std::size_t i = 0; i < queue.size() && came_by_[to] == LinkId(-1); ++i)
      for (const LinkId link : topology_.out_links(queue[i])) {
        const NodeId head = topology_.head(link);
        if (room_[class_of(link)] <= 0 || head == from || came_by_[head] != LinkId(-1)) continue;
        came_by_[head] = link;
        queue.push_back(head);
      }
    std::vector<LinkId> way;
    if (came_by_[to] == LinkId(-1)) return way;
    for (NodeId at = to; at != from; at = topology_.tail(way.back())) way.push_back(came_by_[at]);
    std::ranges::reverse(way);
    return way;
  }

  // Of a pair each way once.
  std::vector<SharedPath> joined() {
    paths_.insert(paths_.end(), std::make_move_iterator(more_.begin()),
                  std::make_move_iterator(more_.end()));
    std::ranges::stable_sort(paths_, {}, [](const SharedPath& path) {
      return std::tie(path.from, path.to, path.links);
    });
    std::vector<SharedPath> result;
    for (SharedPath& path : paths_) {
      if (!result.empty() && result.back().from == path.from && result.back().to == path.to &&
          result.back().links == path.links)
        result.back().units += path.units;
      else
        result.push_back(std::move(path));
    }
    return result;
  }

  const Topology& topology_;
  const LoadClasses& classes_;
  std::vector<SharedPath> paths_, more_;
  std::vector<std::int64_t> room_;  // by class, in units
  std::map<NodeId, std::vector<Int>> distances_;
  IdVector<NodeId, LinkId> came_by_;
};

}  // namespace

std::vector<SharedPath> shorter_paths(const Topology& topology, const LoadClasses& classes,
                                      std::vector<SharedPath> paths) {
  return Shortener(topology, classes, std::move(paths)).shorter();
}

}  // namespace weft::flow
