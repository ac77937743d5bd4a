// SimGrid's routing, zone by zone: the zone that holds both points knows the way between its two
// vertices that they are in, and by which points (gateways) messages leave and enter these; the
// ways to and from the gateways are found likewise.
#include "route_finder.hpp"

#include <algorithm>
#include <limits>
#include <queue>

#include "weft/base/error.hpp"

namespace weft::format::simgrid {

namespace {

constexpr int kMostLookups = 2000;       // for a pair: more than any platform that ends needs
constexpr std::size_t kMostFloyd = 600;  // vertices; of more, Dijkstra's ways are as short
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::vector<ResourceId> RouteFinder::route(std::size_t from, std::size_t to) {
  lookups_ = 0;
  std::vector<ResourceId> links;
  try {
    global(from, to, links);
  } catch (const NoRoute&) {
    links.clear();
  }
  return links;
}

// Its own first, the root last.
std::vector<std::size_t> RouteFinder::zones_above(std::size_t point) const {
  std::vector<std::size_t> zones;
  for (auto zone = platform_.points[point].zone; zone; zone = platform_.zones[*zone].parent)
    zones.push_back(*zone);
  return zones;
}

void RouteFinder::global(std::size_t from, std::size_t to, std::vector<ResourceId>& links) {
  if (++lookups_ > kMostLookups) throw NoRoute{};
  std::vector<std::size_t> above_from = zones_above(from), above_to = zones_above(to);
  WEFT_ASSERT(!above_from.empty() && !above_to.empty());  // both are in zones
  std::size_t common = above_from.back();
  while (!above_from.empty() && !above_to.empty() && above_from.back() == above_to.back()) {
    common = above_from.back();
    above_from.pop_back();
    above_to.pop_back();
  }
  if (bypass(common, from, to, links)) return;
  const auto within = [](const std::vector<std::size_t>& above, std::size_t point) {
    return above.empty() ? Vertex::point(point) : Vertex::zone(above.back());
  };
  const Vertex a = within(above_from, from), b = within(above_to, to);
  const ZoneRoute found = local(common, a, b);
  const auto gateway = [](Vertex vertex, std::size_t point, const auto& known) {
    if (!vertex.is_zone()) return point;
    if (!known) throw NoRoute{};
    return *known;
  };
  const std::size_t out = gateway(a, from, found.gateway_from);
  const std::size_t in = gateway(b, to, found.gateway_to);
  if (out != from) global(from, out, links);
  links.insert(links.end(), found.links.begin(), found.links.end());
  if (in != to) global(in, to, links);
}

// A way of its own between two points, or between two zones that they are in.
bool RouteFinder::bypass(std::size_t zone, std::size_t from, std::size_t to,
                         std::vector<ResourceId>& links) {
  const auto& bypasses = platform_.zones[zone].bypasses;
  if (bypasses.empty()) return false;
  if (platform_.points[from].zone == zone && platform_.points[to].zone == zone) {
    const auto found = bypasses.find({Vertex::point(from), Vertex::point(to)});
    if (found == bypasses.end()) return false;
    links.insert(links.end(), found->second.links.begin(), found->second.links.end());
    return true;
  }
  std::vector<std::size_t> above_from = zones_above(from), above_to = zones_above(to);
  while (above_from.size() > 1 && above_to.size() > 1 && above_from.back() == above_to.back()) {
    above_from.pop_back();
    above_to.pop_back();
  }
  const ZoneRoute* found = nullptr;
  const auto look = [&](std::size_t i, std::size_t j) {
    if (i >= above_from.size() || j >= above_to.size()) return false;
    const auto known = bypasses.find({Vertex::zone(above_from[i]), Vertex::zone(above_to[j])});
    if (known == bypasses.end()) return false;
    found = &known->second;
    return true;
  };
  const std::size_t most = std::max(above_from.size(), above_to.size());
  for (std::size_t j = 0; j < most && found == nullptr; ++j) {
    for (std::size_t i = 0; i < j; ++i)
      if (look(i, j) || look(j, i)) break;
    if (found == nullptr) look(j, j);
  }
  if (found == nullptr || !found->gateway_from || !found->gateway_to) return false;
  if (from != *found->gateway_from) global(from, *found->gateway_from, links);
  links.insert(links.end(), found->links.begin(), found->links.end());
  if (to != *found->gateway_to) global(*found->gateway_to, to, links);
  return true;
}

ZoneRoute RouteFinder::local(std::size_t zone, Vertex from, Vertex to) {
  const Zone& own = platform_.zones[zone];
  switch (own.kind) {
    case ZoneKind::full: {
      const auto found = own.routes.find({from, to});
      if (found == own.routes.end()) throw NoRoute{};
      return found->second;
    }
    case ZoneKind::floyd:
    case ZoneKind::dijkstra:
      return chained(zone, from, to);
    case ZoneKind::star:
      return star(own, from, to);
    case ZoneKind::torus:
    case ZoneKind::fat_tree:
    case ZoneKind::dragonfly:
      return {cluster_route(own, static_cast<std::int64_t>(number_of(from)),
                            static_cast<std::int64_t>(number_of(to))),
              {},
              {}};
    case ZoneKind::none:
      break;
  }
  throw NoRoute{};
}

// Up and down, each link once.
ZoneRoute RouteFinder::star(const Zone& zone, Vertex from, Vertex to) const {
  ZoneRoute route;
  if (from.is_zone() || to.is_zone()) throw NoRoute{};
  const auto add = [&](const std::vector<ResourceId>& links) {
    for (const ResourceId link : links)
      if (std::ranges::find(route.links, link) == route.links.end()) route.links.push_back(link);
  };
  if (const auto end = zone.ends.find(from.index()); end != zone.ends.end()) add(end->second.up);
  if (const auto end = zone.ends.find(to.index()); end != zone.ends.end()) add(end->second.down);
  return route;
}

std::size_t RouteFinder::number_of(Vertex vertex) const {
  return vertex.is_zone() ? platform_.zones[vertex.index()].number
                          : platform_.points[vertex.index()].number;
}

// The routes on the way, one after another; where one ends at another gateway than the next one
// begins at, also the way between the two.
ZoneRoute RouteFinder::chained(std::size_t zone, Vertex from, Vertex to) {
  const Zone& own = platform_.zones[zone];
  const std::size_t source = number_of(from);
  const Before& before = ways_from(zone, source);
  std::vector<std::size_t> way{number_of(to)};  // from the target back
  while (way.back() != source) {
    const std::int32_t next = before[way.back()];
    if (next < 0 || way.size() > before.size()) throw NoRoute{};
    WEFT_ASSERT(next < std::ssize(before));
    way.push_back(static_cast<std::size_t>(next));
  }
  ZoneRoute all;
  for (std::size_t i = way.size() - 1; i-- > 0;) {
    const ZoneRoute& route = own.routes.at({own.vertices[way[i + 1]], own.vertices[way[i]]});
    if (i + 2 == way.size())
      all.gateway_from = route.gateway_from;
    else if (own.has_zones && all.gateway_to && route.gateway_from &&
             *all.gateway_to != *route.gateway_from)
      global(*all.gateway_to, *route.gateway_from, all.links);
    all.links.insert(all.links.end(), route.links.begin(), route.links.end());
    all.gateway_to = route.gateway_to;
  }
  return all;
}

const RouteFinder::Before& RouteFinder::ways_from(std::size_t zone, std::size_t source) {
  if (const auto known = before_.find({zone, source}); known != before_.end()) return known->second;
  const Zone& own = platform_.zones[zone];
  if (own.kind == ZoneKind::floyd && own.vertices.size() <= kMostFloyd)
    floyd(zone);
  else
    before_[{zone, source}] = dijkstra(own, source);
  return before_.at({zone, source});
}

void RouteFinder::floyd(std::size_t zone) {
  const Zone& own = platform_.zones[zone];
  const std::size_t n = own.vertices.size();
  std::vector<std::vector<std::int64_t>> cost(n, std::vector<std::int64_t>(n, kFar));
  std::vector<Before> before(n, Before(n, -1));
  for (const auto& [ends, route] : own.routes) {
    const std::size_t a = number_of(ends.first), b = number_of(ends.second);
    cost[a][b] = std::ssize(route.links);
    before[a][b] = static_cast<std::int32_t>(a);
  }
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t a = 0; a < n; ++a) {
      if (cost[a][c] == kFar) continue;
      for (std::size_t b = 0; b < n; ++b)
        if (cost[c][b] != kFar && cost[a][c] + cost[c][b] < cost[a][b]) {
          cost[a][b] = cost[a][c] + cost[c][b];
          before[a][b] = before[c][b];
        }
    }
  for (std::size_t a = 0; a < n; ++a) before_[{zone, a}] = std::move(before[a]);
}

// Vertices are tried in the order in which routes first name them, as SimGrid does.
RouteFinder::Before RouteFinder::dijkstra(const Zone& zone, std::size_t source) const {
  const std::size_t n = zone.vertices.size();
  std::vector<std::int32_t> rank(n, -1);
  std::vector<std::size_t> named;
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> edges(n);
  for (const VertexPair& edge : zone.edges) {
    const std::size_t a = number_of(edge.first), b = number_of(edge.second);
    for (const std::size_t each : {a, b})
      if (rank[each] < 0) {
        rank[each] = static_cast<std::int32_t>(named.size());
        named.push_back(each);
      }
    edges[a].emplace_back(b, std::ssize(zone.routes.at(edge).links));
  }
  Before before(n, -1);
  if (rank[source] < 0) return before;
  std::vector<std::int64_t> cost(n, kFar);
  cost[source] = 0;
  using Entry = std::pair<std::int64_t, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  open.emplace(0, rank[source]);
  while (!open.empty()) {
    const auto [far, place] = open.top();
    open.pop();
    const std::size_t node = named[static_cast<std::size_t>(place)];
    for (const auto& [head, length] : edges[node])
      if (far == cost[node] && far + length < cost[head]) {
        cost[head] = far + length;
        before[head] = static_cast<std::int32_t>(node);
        open.emplace(cost[head], rank[head]);
      }
  }
  return before;
}

}  // namespace weft::format::simgrid
