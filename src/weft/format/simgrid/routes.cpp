// The routes of a platform's zones, as their elements give them.
#include <algorithm>
#include <unordered_map>

#include "platform.hpp"
#include "weft/base/suggest.hpp"

namespace weft::format::simgrid {

namespace {

using pugi::xml_node;

class RouteReader {
 public:
  RouteReader(const XmlFile& file, Platform& platform) : file_(file), platform_(platform) {
    for (std::size_t i = 0; i < platform.points.size(); ++i)
      if (platform.points[i].zone) vertices_.emplace(platform.points[i].name, Vertex::point(i));
    for (std::size_t i = 0; i < platform.zones.size(); ++i)
      vertices_.emplace(platform.zones[i].name, Vertex::zone(i));
    for (std::size_t i = 0; i < platform.links.size(); ++i)
      links_.emplace(platform.links[i].name, i);
  }

  void read() {
    for (std::size_t i = 0; i < platform_.zones.size(); ++i) {
      const xml_node element = platform_.zones[i].element;
      if (std::string_view(element.name()) == "cluster") continue;
      if (platform_.zones[i].kind == ZoneKind::star) read_star(i, element);
      for (const xml_node child : element.children()) read_route(i, child);
    }
  }

 private:
  struct Links {
    std::vector<Hop> hops;
    std::vector<ResourceId> there, back;
  };

  void read_route(std::size_t zone, const xml_node& child) {
    const std::string_view name = child.name();
    if (name == "route") return add_route(zone, child, false, false);
    if (name == "zoneRoute" || name == "ASroute") return add_route(zone, child, true, false);
    if (name == "bypassRoute") return add_route(zone, child, false, true);
    if (name == "bypassZoneRoute" || name == "bypassASroute")
      return add_route(zone, child, true, true);
    if (name == "host_link" && platform_.zones[zone].kind != ZoneKind::star)
      file_.refuse(child, "<host_link> must be in a zone with routing Cluster");
  }

  Vertex vertex(const xml_node& route, const char* key) const {
    const std::string name(file_.text(route, key));
    const auto found = vertices_.find(name);
    if (found == vertices_.end())
      file_.refuse(route, "{} '{}' is not a host or router of the platform", key, name);
    return found->second;
  }
  std::size_t point(const xml_node& route, const char* key) const {
    const Vertex found = vertex(route, key);
    if (found.is_zone())
      file_.refuse(route, "{} '{}' is a zone (expected a host or router)", key,
                   route.attribute(key).value());
    return found.index();
  }

  // Within the zone that it is a gateway of.
  std::size_t gateway(const xml_node& route, const char* key, Vertex of) const {
    const std::size_t found = point(route, key);
    if (!of.is_zone()) return found;
    for (auto zone = platform_.points[found].zone; zone; zone = platform_.zones[*zone].parent)
      if (*zone == of.index()) return found;
    file_.refuse(route, "{} '{}' is not in zone {}", key, platform_.points[found].name,
                 name_of(of));
  }

  Direction direction_of(const xml_node& hop) const {
    const std::string text = weft::lower(hop.attribute("direction").value());
    if (text == "up") return Direction::up;
    if (text == "down") return Direction::down;
    if (!text.empty() && text != "none")
      file_.refuse_value(hop, "direction", {"UP", "DOWN", "NONE"});
    return Direction::unknown;
  }

  // "l_UP" is one half of a split link l.
  std::optional<Hop> hop_of(std::string name, Direction direction) const {
    if (const auto found = links_.find(name); found != links_.end())
      return Hop{found->second, direction};
    if (name.ends_with("_UP"))
      direction = Direction::up;
    else if (name.ends_with("_DOWN"))
      direction = Direction::down;
    else
      return std::nullopt;
    const auto found = links_.find(name.substr(0, name.rfind('_')));
    if (found == links_.end() || platform_.links[found->second].policy != Policy::split_duplex)
      return std::nullopt;
    return Hop{found->second, direction};
  }

  Links links_of(const xml_node& element) const {
    Links all;
    for (const xml_node child : element.children("link_ctn")) {
      const std::string name(file_.text(child, "id"));
      const auto hop = hop_of(name, direction_of(child));
      if (!hop) file_.refuse(child, "link '{}' is not in the platform", name);
      const Link& link = platform_.links[hop->link];
      if (link.policy == Policy::split_duplex && hop->direction == Direction::unknown)
        file_.refuse(child, "link {} is split; write direction=\"UP\" or \"DOWN\"", name);
      // A half by its own name is the same link both ways.
      const bool half = name != link.name;
      const bool up = hop->direction != Direction::down;
      all.hops.push_back(*hop);
      all.there.push_back(up ? link.up : link.down);
      all.back.push_back(up != half ? link.down : link.up);
    }
    std::ranges::reverse(all.back);
    return all;
  }

  void add_route(std::size_t zone, const xml_node& element, bool has_gateways, bool is_bypass) {
    const Vertex from = vertex(element, "src"), to = vertex(element, "dst");
    const std::string symmetrical = weft::lower(element.attribute("symmetrical").value());
    if (!symmetrical.empty() && symmetrical != "yes" && symmetrical != "no")
      file_.refuse(element, "invalid symmetrical '{}' (expected YES or NO)",
                   element.attribute("symmetrical").value());
    const bool both = symmetrical != "no" && !is_bypass;
    Links links = links_of(element);
    if (from == to) return;  // a host's loopback
    if (links.hops.empty()) file_.refuse(element, "the route has no <link_ctn>");
    ZoneRoute there{std::move(links.there), {}, {}};
    if (has_gateways) {
      there.gateway_from = gateway(element, "gw_src", from);
      there.gateway_to = gateway(element, "gw_dst", to);
    }
    ZoneRoute back{std::move(links.back), there.gateway_to, there.gateway_from};
    keep(zone, from, to, std::move(there), element, is_bypass);
    if (both) keep(zone, to, from, std::move(back), element, is_bypass);
    suggest_cables(from, to, has_gateways, std::move(links.hops), both, element, is_bypass);
  }

  void keep(std::size_t zone, Vertex from, Vertex to, ZoneRoute route, const xml_node& element,
            bool is_bypass) {
    Zone& own = platform_.zones[zone];
    if (!is_bypass) {
      if (own.kind == ZoneKind::star || own.kind == ZoneKind::none)
        file_.refuse(element, "<{}> is in zone {}, whose routing has none", element.name(),
                     own.name);
      for (const Vertex end : {from, to}) require_within(zone, end, element);
    }
    auto& routes = is_bypass ? own.bypasses : own.routes;
    if (!routes.emplace(VertexPair(from, to), std::move(route)).second)
      file_.refuse(element,
                   "the route from {} to {} is repeated (routes are symmetrical unless "
                   "symmetrical=\"NO\")",
                   name_of(from), name_of(to));
    if (!is_bypass) own.edges.emplace_back(from, to);
  }

  std::string name_of(Vertex vertex) const {
    return vertex.is_zone() ? platform_.zones[vertex.index()].name
                            : platform_.points[vertex.index()].name;
  }

  void require_within(std::size_t zone, Vertex end, const xml_node& element) const {
    const auto own =
        end.is_zone() ? platform_.zones[end.index()].parent : platform_.points[end.index()].zone;
    if (own != zone)
      file_.refuse(element, "{} is not in zone {}, the zone of this route", name_of(end),
                   platform_.zones[zone].name);
  }

  void suggest_cables(Vertex from, Vertex to, bool has_gateways, std::vector<Hop> hops, bool both,
                      const xml_node& element, bool is_bypass) {
    if (is_bypass) {
      platform_.no_cables = "some routes bypass others";
      return;
    }
    if (!has_gateways && (from.is_zone() || to.is_zone())) return;
    const std::size_t a = has_gateways ? point(element, "gw_src") : from.index();
    const std::size_t b = has_gateways ? point(element, "gw_dst") : to.index();
    if (a != b) platform_.routes.push_back({a, b, std::move(hops), both, element});
  }

  // What the hosts of a zone of routing Cluster hang on: its router, and where there is a backbone,
  // which all messages cross, the two switches at its ends.
  struct Hub {
    std::size_t in = 0, out = 0;
  };

  Hub add_hub(std::size_t zone, const xml_node& element, std::optional<ResourceId> backbone) {
    std::optional<std::size_t> router;
    for (const Vertex each : platform_.zones[zone].vertices)
      if (!each.is_zone() && platform_.points[each.index()].kind == NodeKind::switch_node)
        router = each.index();
    const std::string& id = platform_.zones[zone].name;
    if (!backbone) {
      const std::size_t hub = router ? *router : add_switch(id + "-hub", element, platform_);
      return {hub, hub};
    }
    const Hub hub{add_switch(id + "-backbone", element, platform_),
                  add_switch(id + "-backbone-out", element, platform_)};
    platform_.cables.push_back({hub.in, hub.out, *backbone, {}, "backbone"});
    if (router) {
      platform_.cables.push_back({hub.out, *router, {}, {}, "bus"});
      platform_.cables.push_back({*router, hub.in, {}, {}, "bus"});
    }
    return hub;
  }

  void add_cables(std::size_t host, const Hub& hub, ResourceId up, ResourceId down) {
    const auto resource = [&](ResourceId id) -> const Resource& {
      return platform_.resources[static_cast<std::size_t>(id)];
    };
    if (up == down && resource(up).is_shared)
      return add_shared_cable(host, hub.in, hub.out, up, platform_);
    if (hub.in == hub.out && resource(up).bandwidth_Bps == resource(down).bandwidth_Bps &&
        resource(up).latency_ps == resource(down).latency_ps) {
      platform_.cables.push_back({host, hub.in, up, down, {}});
      return;
    }
    platform_.cables.push_back({host, hub.in, up, {}, {}});
    platform_.cables.push_back({hub.out, host, down, {}, {}});
  }

  void read_star(std::size_t zone, const xml_node& element) {
    std::optional<ResourceId> backbone;
    for (const xml_node child : element.children("backbone"))
      backbone = platform_.links[links_.at(child.attribute("id").value())].up;
    const Hub hub = add_hub(zone, element, backbone);
    const auto join = [&](std::size_t host, const Hop& up, const Hop& down) {
      StarEnd end{{resource_of(up)}, {resource_of(down)}};
      if (backbone) end.up.push_back(*backbone);
      if (backbone) end.down.insert(end.down.begin(), *backbone);
      platform_.zones[zone].ends[host] = std::move(end);
      add_cables(host, hub, resource_of(up), resource_of(down));
    };
    for (const xml_node child : element.children("host_link"))
      join(point(child, "id"), half(child, "up"), half(child, "down"));
    for (const Vertex each : platform_.zones[zone].vertices) {
      if (each.is_zone()) continue;
      const Point& host = platform_.points[each.index()];
      if (std::string_view(host.element.name()) != "cabinet") continue;
      const std::size_t link = links_.at("link_" + host.name);
      join(each.index(), {link, Direction::up}, {link, Direction::down});
    }
  }

  ResourceId resource_of(const Hop& hop) const {
    const Link& link = platform_.links[hop.link];
    return hop.direction == Direction::down ? link.down : link.up;
  }

  // "l_UP" is one half of a split link l.
  Hop half(const xml_node& element, const char* key) const {
    const auto hop = hop_of(std::string(file_.text(element, key)), Direction::unknown);
    if (!hop)
      file_.refuse(element, "{} '{}' is not a link of the platform", key,
                   element.attribute(key).value());
    if (platform_.links[hop->link].policy == Policy::split_duplex &&
        hop->direction == Direction::unknown)
      file_.refuse(element, "link {0} is split; write {0}_UP or {0}_DOWN",
                   platform_.links[hop->link].name);
    return *hop;
  }

  const XmlFile& file_;
  Platform& platform_;
  std::unordered_map<std::string, Vertex> vertices_;
  std::unordered_map<std::string, std::size_t> links_;
};

}  // namespace

void read_routes(const XmlFile& file, Platform& platform) {
  RouteReader(file, platform).read();
}

}  // namespace weft::format::simgrid
