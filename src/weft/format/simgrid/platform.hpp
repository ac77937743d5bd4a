// A SimGrid platform as its file has it: points, links, the routes between points, and the cables
// of clusters, which need no routes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"

namespace weft::format::simgrid {

enum class Policy : std::uint8_t { shared, split_duplex, fat_pipe };

struct Point {
  std::string name;
  NodeKind kind = NodeKind::switch_node;
  pugi::xml_node element;  // that it comes of
};

struct Link {
  std::string name;
  std::int64_t bandwidth_Bps = 0, latency_ps = 0;
  Policy policy = Policy::shared;
  pugi::xml_node element;
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

struct Cable {
  std::size_t a = 0, b = 0;  // points
  FabricBuilder::Facts facts;
};

struct Platform {
  std::vector<Point> points;
  std::vector<Link> links;
  std::vector<Route> routes;
  std::vector<Cable> cables;
  std::vector<topology::ImportNote> remarks;
};

/// Throws InvalidInput, with the line, for what is no platform and for kinds of zones whose routes
/// are not those of cables (Vivaldi, Wifi).
Platform read_platform(const XmlFile& file);

/// The points and cables of a <cluster>: a star, a torus, a fat tree or a Dragonfly.
void add_cluster(const XmlFile& file, const pugi::xml_node& element, Platform& platform);

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
/// Throws InvalidInput, with the line, where neither cables nor buses could be the links of all
/// routes.
Placed place_links(const XmlFile& file, const Platform& platform);

/// "125MBps", "10Gbps", "1.25e9": bytes a second. Throws InvalidInput with the element's line.
std::int64_t bandwidth_of(const XmlFile& file, const pugi::xml_node& element, const char* key);
/// "50us", "1e-3", "0": picoseconds. Throws InvalidInput with the element's line.
std::int64_t latency_of(const XmlFile& file, const pugi::xml_node& element, const char* key);

}  // namespace weft::format::simgrid
