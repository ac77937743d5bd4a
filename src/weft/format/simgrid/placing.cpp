// Which places the links of routes join.
//
// A file lists the links of a route, not what lies between them. Each link has two ends, unknown at
// first, and a route says: the first link begins at its source, each next one where the one before
// ends, the last one ends at its target. So ends are merged, route by route. A link may be crossed
// either way, which the file tells of split links alone: the first route that crosses a link goes
// from its beginning to its end, and later ones cross it as what is known of their place says. What
// is known grows from both ends of a route and from the short routes, so that those that cannot
// tell yet wait for the others; where all wait, the first is taken to cross the link as the first
// did.
//
// Then all routes are ways of the network by construction, unless two points of the file, or both
// ends of a link, would be one. That is so where a link stands for something that joins more than
// two places, a backbone between three clusters: the link of the route that most routes crossed
// before is taken for such a bus, and all begins anew. A bus is one link that messages enter and
// leave by taps, from any place to any other. Cost: (hops + waits) log(links) for each bus. Where
// routes wait for each other without end, nothing is found.
#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "platform.hpp"
#include "weft/base/error.hpp"
#include "weft/base/union_find.hpp"

namespace weft::format::simgrid {

namespace {

constexpr std::size_t kMostBuses = 200;         // each makes all begin anew
constexpr std::size_t kMostWalks = 20'000'000;  // of routes, with all buses

class Placing {
 public:
  Placing(const Platform& platform, const std::vector<char>& is_bus, std::size_t most_walks)
      : platform_(platform),
        is_bus_(is_bus),
        most_walks_(most_walks),
        sets_(platform.points.size() + 2 * platform.links.size() + hops(platform)),
        next_place_(begin_of(platform.links.size())),
        crossed_(platform.links.size(), 0) {
    placed_.used.assign(2 * platform.links.size(), 0);
    placed_.is_bus = is_bus;
  }

  /// Whether all links have their places; otherwise suspect() is one that two ends cannot have, if
  /// there is one.
  bool place() {
    std::vector<Way> waiting;
    for (const Route& route : platform_.routes)
      waiting.push_back({&route, at(route.from), at(route.to), 0, route.hops.size()});
    std::ranges::stable_sort(waiting, {}, [](const Way& way) { return way.route->hops.size(); });
    while (!waiting.empty()) {
      walks_ += waiting.size();
      failed_ = walks_ > most_walks_;
      if (failed_) return false;
      std::vector<Way> still;
      for (Way& way : waiting)
        if (!walk(way)) still.push_back(way);
      if (still.size() == waiting.size()) step(still.front(), Direction::up, false);
      if (suspect_ || failed_) return false;
      waiting = std::move(still);
    }
    finish();
    return !suspect_ && !failed_;
  }

  std::optional<std::size_t> suspect() const { return suspect_; }
  std::size_t walks() const { return walks_; }
  Placed take() && { return std::move(placed_); }

 private:
  // What is left of a route between two places.
  struct Way {
    const Route* route;
    std::int32_t from, to;
    std::size_t first, last;  // hops [first, last)
  };

  static std::size_t hops(const Platform& platform) {
    std::size_t all = 0;
    for (const Route& route : platform.routes) all += route.hops.size();
    return all;
  }

  std::int32_t at(std::size_t point) const { return static_cast<std::int32_t>(point); }
  std::int32_t begin_of(std::size_t link) const { return at(platform_.points.size() + 2 * link); }
  std::int32_t end_of(std::size_t link) const { return begin_of(link) + 1; }

  void join(std::int32_t a, std::int32_t b, const Way& way) {
    a = sets_.find(a);
    b = sets_.find(b);
    const auto points = at(platform_.points.size());
    if (a == b || a >= points || b >= points) {
      sets_.join(a, b);
      return;
    }
    // Two points of the file; the least member names a set.
    std::int32_t most = 0;
    for (const Hop& hop : way.route->hops) {
      if (is_bus_[hop.link] != 0 || crossed_[hop.link] <= most) continue;
      most = crossed_[hop.link];
      suspect_ = hop.link;
    }
    failed_ = !suspect_;
  }

  // How a route that is at `place` crosses a link; unknown where that is not to tell yet.
  Direction crossing(const Hop& hop, std::int32_t place, bool backwards) {
    if (hop.direction != Direction::unknown) return hop.direction;
    if (is_bus_[hop.link] != 0 || crossed_[hop.link] == 0) return Direction::up;
    const std::int32_t first = sets_.find(begin_of(hop.link)), last = sets_.find(end_of(hop.link));
    place = sets_.find(place);
    if (place == first) return backwards ? Direction::down : Direction::up;
    if (place == last) return backwards ? Direction::up : Direction::down;
    return Direction::unknown;
  }

  // One hop further, from the front or from the back.
  void step(Way& way, Direction direction, bool backwards) {
    WEFT_ASSERT(way.first < way.last);
    const std::size_t link = way.route->hops[backwards ? way.last - 1 : way.first].link;
    ++crossed_[link];
    std::int32_t& here = backwards ? way.to : way.from;
    if (backwards)
      --way.last;
    else
      ++way.first;
    if (is_bus_[link] != 0) {
      const std::int32_t there = next_place_++;
      tap(link, here, !backwards, way.route->symmetrical);
      tap(link, there, backwards, way.route->symmetrical);
      here = there;
      return;
    }
    const bool up = direction == Direction::up;
    const std::size_t leaves = 2 * link + (up ? 0 : 1);
    placed_.used[leaves] = 1;
    if (way.route->symmetrical) placed_.used[leaves ^ 1] = 1;
    const std::int32_t near = up != backwards ? begin_of(link) : end_of(link);
    const std::int32_t far = up != backwards ? end_of(link) : begin_of(link);
    join(here, near, way);
    here = far;
  }

  void tap(std::size_t link, std::int32_t place, bool into, bool both) {
    taps_.push_back({link, static_cast<std::size_t>(place), into});
    if (both) taps_.push_back({link, static_cast<std::size_t>(place), !into});
  }

  // Whether nothing more is to do for the route.
  bool walk(Way& way) {
    for (const bool backwards : {false, true})
      while (way.first < way.last && !suspect_ && !failed_) {
        const Hop& hop = way.route->hops[backwards ? way.last - 1 : way.first];
        const Direction direction = crossing(hop, backwards ? way.to : way.from, backwards);
        if (direction == Direction::unknown) break;
        step(way, direction, backwards);
      }
    if (way.first < way.last) return suspect_ || failed_;
    join(way.from, way.to, way);
    return true;
  }

  std::size_t number_of(std::int32_t place) {
    const auto set = static_cast<std::size_t>(sets_.find(place));
    if (set < platform_.points.size()) return set;
    const auto [entry, is_new] = numbers_.emplace(set, placed_.places);
    if (is_new) ++placed_.places;
    return entry->second;
  }

  void finish() {
    placed_.places = platform_.points.size();
    for (std::size_t i = 0; i < platform_.links.size(); ++i) {
      const bool has_ends = crossed_[i] != 0 && is_bus_[i] == 0;
      for (const std::int32_t end : {begin_of(i), end_of(i)})
        placed_.ends.push_back(has_ends ? number_of(end) : 0);
      if (has_ends && placed_.ends[2 * i] == placed_.ends[2 * i + 1]) suspect_ = i;
    }
    WEFT_ASSERT(placed_.ends.size() == 2 * platform_.links.size());
    std::set<Tap> taps;
    for (const Tap& tap : taps_)
      taps.insert({tap.link, number_of(static_cast<std::int32_t>(tap.place)), tap.into});
    placed_.taps.assign(taps.begin(), taps.end());
  }

  const Platform& platform_;
  const std::vector<char>& is_bus_;
  std::size_t walks_ = 0, most_walks_;
  UnionFind sets_;  // points, then the beginning and the end of each link, then ways out of buses
  std::int32_t next_place_;                               // of these, unused
  std::vector<std::int32_t> crossed_;                     // by link: how often
  std::vector<Tap> taps_;                                 // by places of sets_
  std::unordered_map<std::size_t, std::size_t> numbers_;  // of sets that are no points
  std::optional<std::size_t> suspect_;
  bool failed_ = false;
  Placed placed_;
};

}  // namespace

std::optional<Placed> place_links(const Platform& platform) {
  std::vector<char> is_bus(platform.links.size(), 0);
  std::size_t left = kMostWalks;
  for (std::size_t buses = 0; buses <= kMostBuses; ++buses) {
    Placing placing(platform, is_bus, left);
    if (placing.place()) return std::move(placing).take();
    left -= std::min(left, placing.walks());
    if (!placing.suspect()) break;
    is_bus[*placing.suspect()] = 1;
  }
  return std::nullopt;
}

}  // namespace weft::format::simgrid
