// Which links SimGrid's routing takes between two points of a platform.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "platform.hpp"

namespace weft::format::simgrid {

/// SimGrid has no way between two points.
struct NoRoute {};

/// The links of a way within a <cluster> with a topology, from its host `from` to its host `to`.
/// Throws NoRoute.
std::vector<ResourceId> cluster_route(const Zone& zone, std::int64_t from, std::int64_t to);

/// Looks routes up as SimGrid 3.32 does. Remembers what zones of routing Floyd and Dijkstra found;
/// not for several threads at once.
class RouteFinder {
 public:
  /// The platform must outlive it.
  explicit RouteFinder(const Platform& platform) : platform_(platform) {}

  /// The links between two points, in order; a link that takes part twice stands there twice. Empty
  /// where SimGrid has no way.
  std::vector<ResourceId> route(std::size_t from, std::size_t to);

 private:
  /// By number of a vertex of a zone: that of the vertex before it on the way from a source; -1:
  /// there is none.
  using Before = std::vector<std::int32_t>;

  void global(std::size_t from, std::size_t to, std::vector<ResourceId>& links);
  bool bypass(std::size_t zone, std::size_t from, std::size_t to, std::vector<ResourceId>& links);
  ZoneRoute local(std::size_t zone, Vertex from, Vertex to);
  ZoneRoute star(const Zone& zone, Vertex from, Vertex to) const;
  ZoneRoute chained(std::size_t zone, Vertex from, Vertex to);
  const Before& ways_from(std::size_t zone, std::size_t source);
  void floyd(std::size_t zone);
  Before dijkstra(const Zone& zone, std::size_t source) const;
  std::size_t number_of(Vertex vertex) const;
  std::vector<std::size_t> zones_above(std::size_t point) const;

  const Platform& platform_;
  std::map<std::pair<std::size_t, std::size_t>, Before> before_;  // by zone and number of source
  int lookups_ = 0;                                               // for the present pair
};

}  // namespace weft::format::simgrid
