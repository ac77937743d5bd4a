// The things of a platform: zones, hosts, routers, links, clusters. Routes come later
// (routes.cpp), once all that they may name is known.
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
    XmlRule{"cabinet", "", "id prefix suffix radical speed bw lat"},
    XmlRule{"cluster", "prop",
            "id prefix suffix radical speed core bw lat sharing_policy topology topo_parameters "
            "bb_bw bb_lat bb_sharing_policy router_id limiter_link loopback_bw loopback_lat"},
    XmlRule{"route", "link_ctn", kLinkEnds},
    XmlRule{"bypassRoute", "link_ctn", kLinkEnds},
    XmlRule{"zoneRoute", "link_ctn", kGateways},
    XmlRule{"ASroute", "link_ctn", kGateways},
    XmlRule{"bypassZoneRoute", "link_ctn", kGateways},
    XmlRule{"bypassASroute", "link_ctn", kGateways},
    XmlRule{"link_ctn", "", "id direction"}};

bool is_zone(std::string_view name) {
  return name == "zone" || name == "AS";
}

class Reader {
 public:
  Reader(const XmlFile& file, topology::ImportLog& log) : file_(file), log_(log) {}

  Platform read() && {
    file_.require_known(kRules);
    refuse_deployment();
    read_things(file_.root(), std::nullopt);
    for (const auto& [what, count] : traces_)
      platform_.remarks.push_back({fmt::format("{} changes of {} in time (traces) are not taken "
                                               "into account",
                                               count, what),
                                   topology::NoteKind::answer});
    return std::move(platform_);
  }

 private:
  void refuse_deployment() const {
    bool has_actors = false, has_things = false;
    for (const xml_node child : file_.root().children()) {
      const std::string_view name = child.name();
      has_actors |= name == "actor" || name == "process";
      has_things |= is_zone(name) || name == "cluster" || name == "cabinet" || name == "peer";
    }
    if (has_actors && !has_things)
      file_.refuse(
          file_.root(),
          "the file is a SimGrid deployment (which actor runs where); import its platform file");
  }

  using Parent = std::optional<std::size_t>;

  void read_things(const xml_node& outer, Parent zone) {
    for (const xml_node child : outer.children()) {
      const std::string_view name = child.name();
      if (is_zone(name)) {
        read_zone(child, zone);
      } else if (name == "cluster") {
        require_one_root(child, zone);
        add_cluster(file_, child, zone, platform_);
      } else if (name == "host" || name == "router") {
        add_point(child, zone, name == "host" ? NodeKind::host : NodeKind::switch_node);
      } else if (name == "link" || name == "backbone") {
        add_link(child);
      } else if (name == "cabinet") {
        add_cabinet(child, zone);
      } else {
        pass_over(child);
      }
    }
  }

  void pass_over(const xml_node& child) {
    const std::string_view name = child.name();
    if (name == "peer")
      file_.refuse(child, "<peer> belongs to zones with routing Vivaldi, which have no links");
    if (name == "include")
      file_.refuse(
          child, "<include> is not part of SimGrid any more; insert the content of the other file");
    if (name == "trace_connect") ++traces_[trace_text(child.attribute("kind").value())];
    if (name == "actor" || name == "process" || name == "storage" || name == "config")
      log_.skip(fmt::format("<{}>", name), file_.line(child));
  }

  static std::string trace_text(std::string_view kind) {
    if (kind == "BANDWIDTH") return "bandwidths";
    if (kind == "LATENCY") return "latencies";
    if (kind == "LINK_AVAIL") return "links that fail";
    return "hosts";
  }

  void require_one_root(const xml_node& element, Parent zone) const {
    if (!zone && !platform_.zones.empty())
      file_.refuse(element,
                   "a platform has one outer zone, but {} is a second; put both into a <zone>",
                   element.attribute("id").value());
  }

  void read_zone(const xml_node& element, Parent parent) {
    require_one_root(element, parent);
    const std::size_t zone = add_zone(element, std::string(file_.text(element, "id")),
                                      kind_of(element), parent, platform_);
    read_things(element, zone);
  }

  ZoneKind kind_of(const xml_node& zone) const {
    constexpr std::array<std::pair<std::string_view, ZoneKind>, 7> kKinds{
        {{"full", ZoneKind::full},
         {"floyd", ZoneKind::floyd},
         {"dijkstra", ZoneKind::dijkstra},
         {"dijkstracache", ZoneKind::dijkstra},
         {"cluster", ZoneKind::star},
         {"none", ZoneKind::none},
         {"empty", ZoneKind::none}}};
    const std::string kind = weft::lower(file_.text(zone, "routing"));
    const auto found = std::ranges::find(kKinds, kind, &decltype(kKinds)::value_type::first);
    if (found == kKinds.end())
      file_.refuse(zone,
                   "zones with routing {} have no links for a network; use routing Full, Floyd, "
                   "Dijkstra or Cluster",
                   zone.attribute("routing").value());
    return found->second;
  }

  std::size_t required(const xml_node& element, Parent zone) const {
    if (!zone) file_.refuse(element, "<{}> must be in a <zone>", element.name());
    return *zone;
  }

  void add_point(const xml_node& element, Parent zone, NodeKind kind) {
    note_trace(element, "speed_file", "hosts");
    note_trace(element, "availability_file", "hosts");
    note_trace(element, "state_file", "hosts");
    platform_.add_point(required(element, zone), std::string(file_.text(element, "id")), kind,
                        element);
  }

  void note_trace(const xml_node& element, const char* key, const char* what) {
    if (element.attribute(key).value()[0] != '\0') ++traces_[what];
  }

  void add_link(const xml_node& element) {
    const std::string policy = weft::lower(element.attribute("sharing_policy").value());
    Link link{std::string(file_.text(element, "id")), Policy::shared, element};
    if (policy == "splitduplex" || policy == "fullduplex")
      link.policy = Policy::split_duplex;
    else if (policy == "fatpipe")
      link.policy = Policy::fat_pipe;
    else if (policy == "wifi")
      file_.refuse(
          element,
          "link {} is a Wi-Fi link, which is not supported, because its speed depends on the "
          "sender",
          link.name);
    else if (!policy.empty() && policy != "shared")
      file_.refuse_value(element, "sharing_policy", {"SHARED", "SPLITDUPLEX", "FATPIPE"});
    note_trace(element, "bandwidth_file", "bandwidths");
    note_trace(element, "latency_file", "latencies");
    note_trace(element, "state_file", "links that fail");
    const auto bandwidth = bandwidth_of(file_, element, "bandwidth");
    const auto latency = element.attribute("latency") ? latency_of(file_, element, "latency") : 0;
    const auto add = [&](const char* half) {
      return platform_.add_resource(link.name + half, bandwidth, latency,
                                    link.policy != Policy::fat_pipe);
    };
    const bool split = link.policy == Policy::split_duplex;
    link.up = add(split ? "_UP" : "");
    link.down = split ? add("_DOWN") : link.up;
    platform_.links.push_back(std::move(link));
  }

  // Hosts of a zone of routing Cluster, each with a link of its own for either direction; routes
  // are made of them as of <host_link>.
  void add_cabinet(const xml_node& element, Parent parent) {
    const std::size_t zone = required(element, parent);
    if (platform_.zones[zone].kind != ZoneKind::star)
      file_.refuse(element, "<cabinet> must be in a zone with routing Cluster");
    const auto bandwidth = bandwidth_of(file_, element, "bw");
    const auto latency = latency_of(file_, element, "lat");
    for (const std::int64_t number : radical_of(file_, element)) {
      const std::string name = fmt::format("{}{}{}", element.attribute("prefix").value(), number,
                                           element.attribute("suffix").value());
      platform_.add_point(zone, name, NodeKind::host, element);
      Link link{"link_" + name, Policy::split_duplex, element};
      link.up = platform_.add_resource(link.name + "_UP", bandwidth, latency);
      link.down = platform_.add_resource(link.name + "_DOWN", bandwidth, latency);
      platform_.links.push_back(std::move(link));
    }
  }

  const XmlFile& file_;
  topology::ImportLog& log_;
  Platform platform_;
  std::map<std::string, std::int64_t> traces_;  // by what they change
};

// No two points, and no two links, have one name.
void require_unlike(const XmlFile& file, const Platform& platform) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < platform.points.size(); ++i) {
    const Point& point = platform.points[i];
    const auto [known, is_new] = first.emplace(point.name, i);
    if (!is_new && point.zone)
      file.refuse(point.element, "host or router {} is repeated, first at {}", point.name,
                  file.place(platform.points[known->second].element));
  }
  first.clear();
  for (std::size_t i = 0; i < platform.links.size(); ++i)
    if (!first.emplace(platform.links[i].name, i).second)
      file.refuse(platform.links[i].element, "link {} is repeated", platform.links[i].name);
}

}  // namespace

std::size_t add_zone(const xml_node& element, std::string name, ZoneKind kind,
                     std::optional<std::size_t> parent, Platform& platform) {
  Zone zone;
  zone.name = std::move(name);
  zone.kind = kind;
  zone.parent = parent;
  zone.element = element;
  platform.zones.push_back(std::move(zone));
  const std::size_t index = platform.zones.size() - 1;
  if (parent) {
    Zone& outer = platform.zones[*parent];
    platform.zones[index].number = outer.vertices.size();
    outer.has_zones = true;
    outer.vertices.push_back(Vertex::zone(index));
  }
  return index;
}

std::int64_t hosts_of_fat_trees(const Platform& platform) {
  std::int64_t hosts = 0;
  for (const Zone& zone : platform.zones)
    if (zone.kind == ZoneKind::fat_tree) hosts += std::ssize(zone.vertices);
  return hosts;
}

std::size_t add_switch(std::string name, const xml_node& element, Platform& platform) {
  platform.points.push_back({std::move(name), NodeKind::switch_node, element});
  return platform.points.size() - 1;
}

void add_shared_cable(std::size_t a, std::size_t b_receives, std::size_t b_sends,
                      ResourceId resource, Platform& platform) {
  const pugi::xml_node element = platform.points[a].element;
  const std::string name =
      fmt::format("{}-{}", platform.points[a].name, platform.points[b_receives].name);
  const std::size_t in = add_switch(name + "-in", element, platform);
  const std::size_t out = add_switch(name + "-out", element, platform);
  platform.cables.push_back({in, out, resource, {}, "bus"});
  for (const std::size_t end : {a, b_sends}) platform.cables.push_back({end, in, {}, {}, "bus"});
  for (const std::size_t end : {a, b_receives})
    platform.cables.push_back({out, end, {}, {}, "bus"});
}

Platform read_platform(const XmlFile& file, topology::ImportLog& log) {
  Platform platform = Reader(file, log).read();
  require_unlike(file, platform);
  read_routes(file, platform);
  return platform;
}

}  // namespace weft::format::simgrid
