// A SimGrid platform as its file has it: zones with the routes between what is in them, and the
// points, links and cables of the network that these routes suggest.
//
// SimGrid counts in netpoints (hosts, routers and zones) and links. A Resource is what messages
// share in a link: one for both directions of a SHARED link, one for each of a SPLITDUPLEX link,
// none where nobody shares (FATPIPE), though it bounds each message.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"
#include "weft/base/error.hpp"

namespace weft::format::simgrid {

enum class Policy : std::uint8_t { shared, split_duplex, fat_pipe };

using ResourceId = std::int32_t;

struct Resource {
  std::string name;
  std::int64_t bandwidth_Bps = 0, latency_ps = 0;
  bool is_shared = true;  // messages share its bandwidth
};

/// The two directions of the k-th of many links that are alike, in a row of resources.
struct Duplex {
  ResourceId first = 0;
  bool is_split = true;

  ResourceId up(std::int64_t k) const { return at(k, 0); }
  ResourceId down(std::int64_t k) const { return at(k, 1); }

 private:
  ResourceId at(std::int64_t k, int direction) const {
    return static_cast<ResourceId>(first + (is_split ? 2 * k + direction : k));
  }
};

/// A netpoint: a point of the platform, or a zone.
class Vertex {
 public:
  static Vertex point(std::size_t index) { return Vertex(static_cast<std::int32_t>(index)); }
  static Vertex zone(std::size_t index) { return Vertex(-1 - static_cast<std::int32_t>(index)); }

  bool is_zone() const { return code_ < 0; }
  std::size_t index() const { return static_cast<std::size_t>(is_zone() ? -1 - code_ : code_); }
  friend auto operator<=>(Vertex, Vertex) = default;

 private:
  explicit Vertex(std::int32_t code) : code_(code) {}
  std::int32_t code_;
};
using VertexPair = std::pair<Vertex, Vertex>;

struct Point {
  std::string name;
  NodeKind kind = NodeKind::switch_node;
  pugi::xml_node element = {};           // that it comes of
  std::optional<std::size_t> zone = {};  // nothing: of no zone, a switch inside of a cluster
  std::size_t number = 0;                // in its zone
};

struct Link {
  std::string name;
  Policy policy = Policy::shared;
  pugi::xml_node element;
  ResourceId up = 0, down = 0;  // one resource where the link is not split
};

enum class Direction : std::uint8_t { up, down, unknown };

struct Hop {
  std::size_t link = 0;
  Direction direction = Direction::unknown;
};

struct Route {
  std::size_t from = 0, to = 0;  // points
  std::vector<Hop> hops;
  bool symmetrical = true;
  pugi::xml_node element;
};

/// What a zone knows of the way between two of its vertices; gateways are points of them.
struct ZoneRoute {
  std::vector<ResourceId> links;
  std::optional<std::size_t> gateway_from, gateway_to;
};

/// By what a zone finds the way between two of its vertices.
enum class ZoneKind : std::uint8_t {
  full,      // a route each
  floyd,     // fewest links, by Floyd's algorithm
  dijkstra,  // fewest links, by Dijkstra's
  star,      // the links up of one, the links down of the other
  torus,
  fat_tree,
  dragonfly,
  none  // there is none
};

/// A <cluster> with a topology; its hosts are the zone's first vertices.
struct ClusterShape {
  // Of a fat tree, by level.
  std::vector<std::int64_t> children = {}, parents = {}, parallel = {};
  // Of a torus; of a Dragonfly its groups, and in each chassis, blades and nodes.
  std::vector<std::int64_t> extents = {};
  Duplex links = {};                        // in SimGrid's order
  std::optional<ResourceId> limiters = {};  // that of the first host; switches follow
  std::int64_t first_position = 0;          // of its hosts among those of all fat trees of the file
};

struct StarEnd {
  std::vector<ResourceId> up, down;
};

struct Zone {
  std::string name;
  ZoneKind kind = ZoneKind::full;
  std::optional<std::size_t> parent;
  std::size_t number = 0;  // in that
  pugi::xml_node element;
  bool has_zones = false;
  std::vector<Vertex> vertices;  // in the order of the file
  std::map<VertexPair, ZoneRoute> routes, bypasses;
  std::vector<VertexPair> edges;                  // keys of routes in the order of the file
  std::unordered_map<std::size_t, StarEnd> ends;  // of a star, by point; none: without links
  ClusterShape shape;
};

struct Cable {
  std::size_t a = 0, b = 0;             // points
  std::optional<ResourceId> up = {};    // from a to b; nothing: it takes no time
  std::optional<ResourceId> down = {};  // from b to a; nothing: it is one-way
  std::string link_class = {};
};

struct Platform {
  std::vector<Point> points;
  std::vector<Link> links;
  std::vector<Resource> resources;
  std::vector<Zone> zones;
  std::vector<Route> routes;
  std::vector<Cable> cables;
  std::vector<topology::ImportNote> remarks;
  /// Why cables cannot be told from the routes; empty: they may.
  std::string no_cables;

  ResourceId add_resource(std::string name, std::int64_t bandwidth_Bps, std::int64_t latency_ps,
                          bool is_shared = true) {
    resources.push_back({std::move(name), bandwidth_Bps, latency_ps, is_shared});
    return static_cast<ResourceId>(resources.size() - 1);
  }
  /// A point that is a vertex of the zone; returns its index.
  std::size_t add_point(std::size_t zone, std::string name, NodeKind kind,
                        const pugi::xml_node& element) {
    WEFT_ASSERT(zone < zones.size());
    points.push_back({std::move(name), kind, element, zone, zones[zone].vertices.size()});
    zones[zone].vertices.push_back(Vertex::point(points.size() - 1));
    return points.size() - 1;
  }
};

/// Throws InvalidInput, with the line, for what is no platform and for kinds of zones whose routes
/// are not those of links (Vivaldi, Wifi).
Platform read_platform(const XmlFile& file, topology::ImportLog& log);

/// The routes of the zones, once all points and links are known.
void read_routes(const XmlFile& file, Platform& platform);

/// The points, links and cables of a <cluster>: a star, a torus, a fat tree or a Dragonfly.
void add_cluster(const XmlFile& file, const pugi::xml_node& element,
                 std::optional<std::size_t> parent, Platform& platform);
/// A zone within another, or the root; its vertex is added to the other.
std::size_t add_zone(const pugi::xml_node& element, std::string name, ZoneKind kind,
                     std::optional<std::size_t> parent, Platform& platform);
/// The hosts of all fat trees so far: SimGrid numbers them on from one tree to the next.
std::int64_t hosts_of_fat_trees(const Platform& platform);
/// "0-9,12": numbers and ranges.
std::vector<std::int64_t> radical_of(const XmlFile& file, const pugi::xml_node& element);
/// A point that belongs to no zone; returns its index.
std::size_t add_switch(std::string name, const pugi::xml_node& element, Platform& platform);
/// A link that both directions share: two switches, and cables to them from `a` and from
/// `b_sends`, and from them to `a` and to `b_receives`.
void add_shared_cable(std::size_t a, std::size_t b_receives, std::size_t b_sends,
                      ResourceId resource, Platform& platform);

/// A place where messages enter a bus, or leave it.
struct Tap {
  std::size_t link = 0, place = 0;
  bool into = true;

  friend auto operator<=>(const Tap&, const Tap&) = default;
};

/// Where the two ends of each link are, so that every route is a way from end to end: which end of
/// a link a route enters by, the file does not say.
struct Placed {
  std::size_t places = 0;         // the points of the platform, then those between links
  std::vector<std::size_t> ends;  // of link i: 2 i where it begins, 2 i + 1 where it ends
  std::vector<char> used;         // by end as above: whether some route leaves by it
  std::vector<char> is_bus;       // by link: it joins more than two places, by taps
  std::vector<Tap> taps;          // ascending, each once
};
/// Nothing where neither cables nor buses could be the links of all routes.
std::optional<Placed> place_links(const Platform& platform);

/// "125MBps", "10Gbps", "1.25e9": bytes a second, at most kUnlimited. Throws InvalidInput with the
/// element's line.
std::int64_t bandwidth_of(const XmlFile& file, const pugi::xml_node& element, const char* key);
inline constexpr std::int64_t kUnlimited = 1'000'000'000'000'000'000;
/// "50us", "1e-3", "0": picoseconds. Throws InvalidInput with the element's line.
std::int64_t latency_of(const XmlFile& file, const pugi::xml_node& element, const char* key);

}  // namespace weft::format::simgrid
