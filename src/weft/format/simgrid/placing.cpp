// Which points the links of routes join.
//
// A file lists the links of a route, not what lies between them. Each link has two ends, unknown at
// first, and a route says: the first link begins at its source, each next one where the one before
// ends, the last one ends at its target. So ends are merged, route by route. A link may be crossed
// either way, which the file tells of split links alone: the first route that crosses a link goes
// from its beginning to its end, and later ones cross it as what is known of their place says. What
// is known grows from both ends of a route and from the short routes, so that those that cannot
// tell yet wait for the others; where all wait, the first is taken to cross the link as the first
// did. Then all routes are ways of the network by construction; merging two points of the file, or
// both ends of a link, means that no cables fit. Cost: about (hops + waits) log(links).
#include <algorithm>
#include <numeric>

#include "platform.hpp"
#include "weft/base/union_find.hpp"

namespace weft::format::simgrid {

namespace {

class Placing {
 public:
  Placing(const XmlFile& file, const Platform& platform)
      : file_(file),
        platform_(platform),
        sets_(platform.points.size() + 2 * platform.links.size()),
        seen_(platform.links.size(), 0) {
    placed_.used.assign(2 * platform.links.size(), 0);
  }

  Placed place() && {
    std::vector<Way> waiting;
    for (const Route& route : platform_.routes)
      waiting.push_back({&route, at(route.from), at(route.to), 0, route.hops.size()});
    std::ranges::stable_sort(waiting, {}, [](const Way& way) { return way.route->hops.size(); });
    while (!waiting.empty()) {
      std::vector<Way> still;
      for (Way& way : waiting)
        if (!walk(way)) still.push_back(way);
      if (still.size() == waiting.size()) step(still.front(), Direction::up, false);
      waiting = std::move(still);
    }
    return finish();
  }

 private:
  // What is left of a route between two places.
  struct Way {
    const Route* route;
    std::int32_t from, to;
    std::size_t first, last;  // hops [first, last)
  };

  std::int32_t at(std::size_t point) const { return static_cast<std::int32_t>(point); }
  std::int32_t begin_of(std::size_t link) const { return at(platform_.points.size() + 2 * link); }
  std::int32_t end_of(std::size_t link) const { return begin_of(link) + 1; }

  void join(std::int32_t a, std::int32_t b, const Way& way) {
    a = sets_.find(a);
    b = sets_.find(b);
    const auto points = at(platform_.points.size());
    if (a != b && a < points && b < points)  // the least member names a set
      file_.refuse(way.route->element,
                   "no cables fit: by this route {} and {} would be one; its links do not lead on "
                   "from each other as in other routes",
                   platform_.points[static_cast<std::size_t>(a)].name,
                   platform_.points[static_cast<std::size_t>(b)].name);
    sets_.join(a, b);
  }

  // How a route that is at `place` crosses a link; unknown where that is not to tell yet.
  Direction crossing(const Hop& hop, std::int32_t place, bool backwards) {
    if (hop.direction != Direction::unknown) return hop.direction;
    if (seen_[hop.link] == 0) return Direction::up;
    const std::int32_t first = sets_.find(begin_of(hop.link)), last = sets_.find(end_of(hop.link));
    place = sets_.find(place);
    if (place == first) return backwards ? Direction::down : Direction::up;
    if (place == last) return backwards ? Direction::up : Direction::down;
    return Direction::unknown;
  }

  // One hop further, from the front or from the back.
  void step(Way& way, Direction direction, bool backwards) {
    const std::size_t link = way.route->hops[backwards ? way.last - 1 : way.first].link;
    const bool up = direction == Direction::up;
    seen_[link] = 1;
    const std::size_t leaves = 2 * link + (up ? 0 : 1);
    placed_.used[leaves] = 1;
    if (way.route->symmetrical) placed_.used[leaves ^ 1] = 1;
    const std::int32_t near = up != backwards ? begin_of(link) : end_of(link);
    const std::int32_t far = up != backwards ? end_of(link) : begin_of(link);
    join(backwards ? way.to : way.from, near, way);
    (backwards ? way.to : way.from) = far;
    if (backwards)
      --way.last;
    else
      ++way.first;
  }

  // Whether the whole route is placed.
  bool walk(Way& way) {
    for (const bool backwards : {false, true})
      while (way.first < way.last) {
        const Hop& hop = way.route->hops[backwards ? way.last - 1 : way.first];
        const Direction direction = crossing(hop, backwards ? way.to : way.from, backwards);
        if (direction == Direction::unknown) break;
        step(way, direction, backwards);
      }
    if (way.first < way.last) return false;
    join(way.from, way.to, way);
    return true;
  }

  Placed finish() {
    std::vector<std::size_t> number(platform_.points.size() + 2 * platform_.links.size(), 0);
    placed_.points = platform_.points.size();
    std::iota(number.begin(), number.begin() + static_cast<std::ptrdiff_t>(placed_.points),
              std::size_t{0});
    for (std::size_t i = 0; i < platform_.links.size(); ++i)
      for (const std::int32_t end : {begin_of(i), end_of(i)}) {
        const auto set = static_cast<std::size_t>(sets_.find(end));
        if (seen_[i] != 0 && set >= platform_.points.size() && number[set] == 0)
          number[set] = placed_.points++;
        placed_.ends.push_back(number[set]);
      }
    for (std::size_t i = 0; i < platform_.links.size(); ++i)
      if (seen_[i] != 0 && placed_.ends[2 * i] == placed_.ends[2 * i + 1])
        file_.refuse(platform_.links[i].element,
                     "no cables fit: by the routes both ends of link {} would be in one place",
                     platform_.links[i].name);
    return std::move(placed_);
  }

  const XmlFile& file_;
  const Platform& platform_;
  UnionFind sets_;          // points, then the beginning and the end of each link
  std::vector<char> seen_;  // by link: some route has crossed it
  Placed placed_;
};

}  // namespace

Placed place_links(const XmlFile& file, const Platform& platform) {
  return Placing(file, platform).place();
}

}  // namespace weft::format::simgrid
