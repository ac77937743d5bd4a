#include "platform.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "weft/base/suggest.hpp"

namespace weft::format::simgrid {

namespace {

using pugi::xml_node;

constexpr std::string_view kInZones =
    "prop AS zone include link backbone cabinet cluster peer trace trace_connect zoneRoute ASroute "
    "bypassASroute bypassZoneRoute storage_type storage host router host_link route bypassRoute";
constexpr std::string_view kLinkEnds = "src dst symmetrical",
                           kGateways = "src dst gw_src gw_dst symmetrical";
// What says something of the network, as simgrid.dtd of version 4.1 has it.
constexpr std::array kRules{
    XmlRule{"platform",
            "config random include cluster cabinet peer AS zone trace trace_connect process actor",
            "version"},
    XmlRule{"zone", kInZones, "id routing"},
    XmlRule{"AS", kInZones, "id routing"},
    XmlRule{"host", "disk prop mount",
            "id speed core speed_file availability_file state_file coordinates pstate"},
    XmlRule{"router", "", "id coordinates"},
    XmlRule{"link", "prop",
            "id bandwidth bandwidth_file latency latency_file state_file sharing_policy"},
    XmlRule{"backbone", "", "id bandwidth latency"},
    XmlRule{"host_link", "", "id up down"},
    XmlRule{"cluster", "prop",
            "id prefix suffix radical speed core bw lat sharing_policy topology topo_parameters "
            "bb_bw bb_lat bb_sharing_policy router_id limiter_link loopback_bw loopback_lat"},
    XmlRule{"route", "link_ctn", kLinkEnds},
    XmlRule{"zoneRoute", "link_ctn", kGateways},
    XmlRule{"ASroute", "link_ctn", kGateways},
    XmlRule{"link_ctn", "", "id direction"}};

class Reader {
 public:
  explicit Reader(const XmlFile& file) : file_(file) {}

  Platform read() && {
    file_.require_known(kRules);
    read_things(file_.root());
    for (std::size_t i = 0; i < platform_.points.size(); ++i) {
      const Point& point = platform_.points[i];
      const auto [first, is_new] = points_.emplace(point.name, i);
      if (!is_new)
        file_.refuse(point.element, "host or router {} stands there twice, first at {}", point.name,
                     file_.place(platform_.points[first->second].element));
    }
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
        if (weft::lower(child.attribute("routing").value()) == "cluster") add_hub(child);
      } else if (name == "host" || name == "router") {
        add_point(child, name == "host" ? NodeKind::host : NodeKind::switch_node);
      } else if (name == "link") {
        add_link(child);
      } else if (name == "cluster") {
        add_cluster(file_, child, platform_);
      } else if (name == "peer" || name == "cabinet" || name == "include") {
        file_.refuse(child, "<{}> is not read; write it as <host>, <link> and <route>", name);
      }
    }
  }

  // What the hosts of a zone of routing Cluster hang on: its router, and where there is a backbone,
  // which all of its messages share, the switch before that.
  void add_hub(const xml_node& zone) {
    const std::string id(file_.text(zone, "id"));
    Hub hub;
    if (const xml_node router = zone.child("router")) {
      const std::string_view name = file_.text(router, "id");
      const auto is_it = [&](const Point& point) { return point.name == name; };
      hub.out = static_cast<std::size_t>(std::ranges::find_if(platform_.points, is_it) -
                                         platform_.points.begin());
    } else {
      hub.out = platform_.points.size();
      platform_.points.push_back({id + "-hub", NodeKind::switch_node, zone});
    }
    hub.in = hub.out;
    if (const xml_node backbone = zone.child("backbone")) {
      hub.in = platform_.points.size();
      platform_.points.push_back({id + "-backbone", NodeKind::switch_node, backbone});
      platform_.cables.push_back({hub.in,
                                  hub.out,
                                  {.bandwidth_Bps = bandwidth_of(file_, backbone, "bandwidth"),
                                   .latency_ps = latency_of(file_, backbone, "latency"),
                                   .link_class = "backbone",
                                   .one_way = true}});
    }
    hubs_.emplace(zone.hash_value(), hub);
  }

  // <host_link id="host" up="link" down="link"/>; "l_UP" is one half of a split link l.
  void add_host_link(const xml_node& element, const xml_node& zone) {
    const auto hub = hubs_.find(zone.hash_value());
    if (hub == hubs_.end())
      file_.refuse(element, "<host_link> belongs to a zone of routing Cluster");
    const std::size_t host = point(element, "id");
    const Hop up = half(element, "up"), down = half(element, "down");
    platform_.routes.push_back({host, hub->second.in, {up}, false, element});
    platform_.routes.push_back({hub->second.out, host, {down}, false, element});
  }

  Hop half(const xml_node& element, const char* key) const {
    std::string_view name = file_.text(element, key);
    if (const auto found = links_.find(std::string(name)); found != links_.end())
      return {found->second, Direction::unknown};
    Direction direction = Direction::unknown;
    if (name.ends_with("_UP"))
      direction = Direction::up;
    else if (name.ends_with("_DOWN"))
      direction = Direction::down;
    if (direction != Direction::unknown) name = name.substr(0, name.rfind('_'));
    const auto found = links_.find(std::string(name));
    if (found == links_.end())
      file_.refuse(element, "{} \"{}\" is no link of the platform", key,
                   element.attribute(key).value());
    return {found->second, direction};
  }

  void check_kind(const xml_node& zone) const {
    constexpr std::array<std::string_view, 7> kRead{
        "full", "floyd", "dijkstra", "dijkstracache", "none", "rulebased", "cluster"};
    const std::string kind = weft::lower(file_.text(zone, "routing"));
    if (std::ranges::find(kRead, kind) == kRead.end())
      file_.refuse(zone, "zones of routing {} have no cables; Full, Floyd and Dijkstra have",
                   zone.attribute("routing").value());
  }

  void add_point(const xml_node& element, NodeKind kind) {
    platform_.points.push_back({std::string(file_.text(element, "id")), kind, element});
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
      if (name == "host_link") add_host_link(child, zone);
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
    const std::string symmetrical = weft::lower(element.attribute("symmetrical").value());
    if (!symmetrical.empty() && symmetrical != "yes" && symmetrical != "no")
      file_.refuse(element, "symmetrical \"{}\" is none of YES and NO",
                   element.attribute("symmetrical").value());
    route.symmetrical = symmetrical != "no";
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

  struct Hub {
    std::size_t in = 0, out = 0;  // where hosts send to, and where they receive from
  };

  const XmlFile& file_;
  Platform platform_;
  std::unordered_map<std::size_t, Hub> hubs_;  // by element
  std::unordered_map<std::string, std::size_t> points_, links_;
};

}  // namespace

Platform read_platform(const XmlFile& file) {
  return Reader(file).read();
}

}  // namespace weft::format::simgrid
