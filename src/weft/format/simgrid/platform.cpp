#include "platform.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "weft/base/suggest.hpp"

namespace weft::format::simgrid {

namespace {

using pugi::xml_node;

class Reader {
 public:
  explicit Reader(const XmlFile& file) : file_(file) {}

  Platform read() && {
    read_things(file_.root());
    for (std::size_t i = 0; i < platform_.points.size(); ++i)
      require(points_.emplace(platform_.points[i].name, i).second,
              "{}: host or router {} stands there twice", file_.name(), platform_.points[i].name);
    for (std::size_t i = 0; i < platform_.links.size(); ++i)
      if (!links_.emplace(platform_.links[i].name, i).second)
        file_.refuse(platform_.links[i].element, "link {} stands there twice",
                     platform_.links[i].name);
    read_routes(file_.root());
    return std::move(platform_);
  }

 private:
  static bool is_zone(std::string_view name) { return name == "zone" || name == "AS"; }

  void read_things(const xml_node& zone) {
    for (const xml_node child : zone.children()) {
      const std::string_view name = child.name();
      if (is_zone(name)) {
        check_kind(child);
        read_things(child);
      } else if (name == "host" || name == "router") {
        add_point(child, name == "host" ? NodeKind::host : NodeKind::switch_node);
      } else if (name == "link") {
        add_link(child);
      } else if (name == "cluster") {
        add_cluster(file_, child, platform_);
      } else if (name == "peer" || name == "cabinet" || name == "host_link" || name == "backbone" ||
                 name == "include") {
        file_.refuse(child, "<{}> is not read; write it as <host>, <link> and <route>", name);
      }
    }
  }

  void check_kind(const xml_node& zone) const {
    constexpr std::array<std::string_view, 6> kRead{"full",          "floyd", "dijkstra",
                                                    "dijkstracache", "none",  "rulebased"};
    const std::string kind = weft::lower(file_.text(zone, "routing"));
    if (std::ranges::find(kRead, kind) == kRead.end())
      file_.refuse(zone, "zones of routing {} have no cables; Full, Floyd and Dijkstra have",
                   zone.attribute("routing").value());
  }

  void add_point(const xml_node& element, NodeKind kind) {
    platform_.points.push_back({std::string(file_.text(element, "id")), kind});
  }

  void add_link(const xml_node& element) {
    const std::string policy = weft::lower(element.attribute("sharing_policy").value());
    Link link{std::string(file_.text(element, "id")), bandwidth_of(file_, element, "bandwidth"),
              element.attribute("latency") ? latency_of(file_, element, "latency") : 0,
              Policy::shared, element};
    if (policy == "splitduplex" || policy == "fullduplex")
      link.policy = Policy::split_duplex;
    else if (policy == "fatpipe")
      link.policy = Policy::fat_pipe;
    else if (!policy.empty() && policy != "shared")
      file_.refuse(element, "sharing_policy {} is not read; SHARED, SPLITDUPLEX and FATPIPE are",
                   element.attribute("sharing_policy").value());
    platform_.links.push_back(std::move(link));
  }

  void read_routes(const xml_node& zone) {
    for (const xml_node child : zone.children()) {
      const std::string_view name = child.name();
      if (is_zone(name)) read_routes(child);
      if (name == "route") add_route(child, "src", "dst");
      if (name == "zoneRoute" || name == "ASroute") add_route(child, "gw_src", "gw_dst");
      if (name == "bypassRoute" || name == "bypassZoneRoute" || name == "bypassASroute")
        file_.refuse(child, "<{}> overrides routes, which cables cannot do; leave it out", name);
    }
  }

  std::size_t point(const xml_node& route, const char* key) const {
    const std::string name(file_.text(route, key));
    const auto found = points_.find(name);
    if (found == points_.end())
      file_.refuse(route, "{} \"{}\" is no host or router of the platform", key, name);
    return found->second;
  }

  void add_route(const xml_node& element, const char* from, const char* to) {
    Route route{point(element, from), point(element, to), {}, true, element};
    if (route.from == route.to) return;  // a host's loopback
    route.symmetrical = weft::lower(element.attribute("symmetrical").value()) != "no";
    for (const xml_node hop : element.children("link_ctn")) {
      const std::string name(file_.text(hop, "id"));
      const auto found = links_.find(name);
      if (found == links_.end()) file_.refuse(hop, "link \"{}\" is not in the platform", name);
      route.hops.push_back({found->second, direction_of(hop)});
    }
    if (route.hops.empty()) file_.refuse(element, "the route has no <link_ctn>");
    platform_.routes.push_back(std::move(route));
  }

  Direction direction_of(const xml_node& hop) const {
    const std::string text = weft::lower(hop.attribute("direction").value());
    if (text == "up") return Direction::up;
    if (text == "down") return Direction::down;
    if (!text.empty() && text != "none")
      file_.refuse(hop, "direction {} is none of UP, DOWN and NONE",
                   hop.attribute("direction").value());
    return Direction::unknown;
  }

  const XmlFile& file_;
  Platform platform_;
  std::unordered_map<std::string, std::size_t> points_, links_;
};

}  // namespace

Platform read_platform(const XmlFile& file) {
  return Reader(file).read();
}

}  // namespace weft::format::simgrid
