// From a platform to cables: what its routes cross one way only is a one-way link, unless another
// link leads back as fast, as in what weft writes itself. A link that both directions share is a
// bus: one arc, between two switches that lead to it and away from it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "draft.hpp"

namespace weft::format::simgrid {

namespace {

using Ends = std::pair<std::size_t, std::size_t>;

class Drawing {
 public:
  Drawing(const XmlFile& file, const Platform& platform, Placed placed)
      : file_(file), platform_(platform), placed_(std::move(placed)) {}

  std::optional<Draft> draw() && {
    add_nodes();
    for (const Cable& cable : platform_.cables) add(cable);
    for (std::size_t i = 0; i < platform_.links.size(); ++i)
      if (placed_.is_bus[i] == 0) add_link(i);
    if (!add_buses()) return std::nullopt;
    for (const auto& [ends, arcs] : arcs_)
      for (const std::size_t link : arcs) add_arc(link);
    if (is_drawn_twice()) return std::nullopt;
    return std::move(draft_);
  }

 private:
  void add_nodes() {
    for (std::size_t i = 0; i < platform_.points.size(); ++i) {
      const Point& point = platform_.points[i];
      draft_.nodes.push_back({point.name, point.kind, file_.line(point.element)});
    }
    for (std::size_t i = platform_.points.size(); i < placed_.places; ++i)
      draft_.add_switch(fmt::format("switch{}", i - platform_.points.size()));
    draft_.nodes_of_hosts = hosts_of(platform_);
  }

  void add(const Cable& cable) {
    if (cable.down)
      draft_.add_cable({cable.a, cable.b, cable.up, {}, cable.link_class, {}}, cable.down, {});
    else
      draft_.add_arc({cable.a, cable.b, cable.up, {}, cable.link_class, {}});
  }

  // The two ends of an arc as it is crossed.
  Ends ends_of(std::size_t link) const {
    const std::size_t begin = placed_.ends[2 * link], end = placed_.ends[2 * link + 1];
    return placed_.used[2 * link] != 0 ? Ends(begin, end) : Ends(end, begin);
  }

  void add_link(std::size_t index) {
    const Link& link = platform_.links[index];
    const bool up = placed_.used[2 * index] != 0, down = placed_.used[2 * index + 1] != 0;
    if (!up && !down) return;
    if (up != down && link.policy != Policy::split_duplex) {
      arcs_[ends_of(index)].push_back(index);
      return;
    }
    const std::size_t begin = placed_.ends[2 * index], end = placed_.ends[2 * index + 1];
    if (link.policy == Policy::shared) {
      for (const std::size_t place : {begin, end})
        for (const bool into : {true, false}) placed_.taps.push_back({index, place, into});
      return;
    }
    draft_.add_cable({begin, end, link.up, {}, {}, link.name}, link.down, link.name);
  }

  // The arc alone, or with one that leads back as a cable, which is then taken, too.
  void add_arc(std::size_t index) {
    if (!taken_.insert(index).second) return;
    const Link& link = platform_.links[index];
    const auto [from, to] = ends_of(index);
    const Draft::Arc arc{from, to, link.up, {}, {}, link.name};
    if (const auto back = arcs_.find({to, from}); back != arcs_.end())
      for (const std::size_t other : back->second)
        if (!taken_.contains(other) && are_as_fast(index, other)) {
          taken_.insert(other);
          draft_.add_cable(arc, platform_.links[other].up, platform_.links[other].name);
          return;
        }
    draft_.add_arc(arc);
  }

  bool are_as_fast(std::size_t a, std::size_t b) const {
    const Resource& one = platform_.resources[static_cast<std::size_t>(platform_.links[a].up)];
    const Resource& other = platform_.resources[static_cast<std::size_t>(platform_.links[b].up)];
    return one.bandwidth_Bps == other.bandwidth_Bps && one.latency_ps == other.latency_ps;
  }

  // One link for all, between two switches that taps lead to and from. False where it is split: it
  // has two directions, and nobody knows which of its places are at which end.
  bool add_buses() {
    std::map<std::size_t, Ends> ends;
    for (const Tap& tap : placed_.taps) {
      const Link& link = platform_.links[tap.link];
      if (link.policy == Policy::split_duplex) return false;
      const auto [entry, is_new] = ends.try_emplace(tap.link);
      auto& [in, out] = entry->second;
      if (is_new) {
        in = draft_.add_switch(link.name + "-in");
        out = draft_.add_switch(link.name + "-out");
        draft_.add_arc({in, out, link.up, {}, "bus", link.name});
      }
      draft_.add_arc(
          {tap.into ? tap.place : out, tap.into ? in : tap.place, {}, {}, "bus", link.name});
    }
    return true;
  }

  // Messages share one arc, not two.
  bool is_drawn_twice() const {
    std::vector<char> drawn(platform_.resources.size(), 0);
    return std::ranges::any_of(draft_.arcs, [&](const Draft::Arc& arc) {
      if (!arc.resource) return false;
      const auto resource = static_cast<std::size_t>(*arc.resource);
      return platform_.resources[resource].is_shared && std::exchange(drawn[resource], 1) != 0;
    });
  }

  const XmlFile& file_;
  const Platform& platform_;
  Placed placed_;
  Draft draft_;
  std::map<Ends, std::vector<std::size_t>> arcs_;  // links, by ends as crossed
  std::set<std::size_t> taken_;
};

}  // namespace

std::vector<std::size_t> hosts_of(const Platform& platform) {
  std::vector<std::size_t> hosts;
  for (std::size_t i = 0; i < platform.points.size(); ++i)
    if (platform.points[i].kind == NodeKind::host) hosts.push_back(i);
  return hosts;
}

const Zone* single_cluster(const Platform& platform) {
  const Zone* found = nullptr;
  for (const Zone& zone : platform.zones) {
    if (std::ranges::all_of(zone.vertices, &Vertex::is_zone)) continue;
    if (found != nullptr) return nullptr;
    found = &zone;
  }
  const bool is_cluster =
      found != nullptr && (found->kind == ZoneKind::torus || found->kind == ZoneKind::fat_tree ||
                           found->kind == ZoneKind::dragonfly);
  return is_cluster ? found : nullptr;
}

std::optional<Draft> draw_cables(const XmlFile& file, const Platform& platform) {
  if (!platform.no_cables.empty()) return std::nullopt;
  auto placed = place_links(platform);
  if (!placed) return std::nullopt;
  return Drawing(file, platform, std::move(*placed)).draw();
}

void add_ports(Draft& draft) {
  std::vector<int> cables(draft.nodes.size(), 0);
  for (const Draft::Arc& arc : draft.arcs) ++cables[arc.from];
  std::vector<std::size_t> port(draft.nodes.size());
  for (std::size_t i = 0; i < port.size(); ++i) port[i] = i;
  for (const std::size_t host : draft.nodes_of_hosts)
    if (cables[host] > 1) port[host] = draft.add_switch(draft.nodes[host].name + "-port");
  for (Draft::Arc& arc : draft.arcs) {
    arc.from = port[arc.from];
    arc.to = port[arc.to];
  }
  for (const std::size_t host : draft.nodes_of_hosts)
    if (port[host] != host) draft.add_cable({host, port[host], {}, {}, {}, {}}, {}, {});
}

void detach(Draft& draft, std::vector<std::size_t> arcs) {
  std::ranges::sort(arcs);
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  for (const std::size_t i : arcs) {
    if (const auto back = std::exchange(draft.arcs[i].back, std::nullopt))
      draft.arcs[*back].back = std::nullopt;
    const std::size_t head = draft.arcs[i].to;
    const std::size_t end = draft.add_switch(fmt::format("link{}-end", i));
    draft.arcs[i].to = end;
    draft.add_arc({end, head, {}, {}, "bus", {}});
  }
}

Draft draw_links(const XmlFile& file, const Platform& platform, bool gates) {
  Draft draft;
  for (const std::size_t point : hosts_of(platform)) {
    const Point& host = platform.points[point];
    draft.nodes_of_hosts.push_back(draft.nodes.size());
    draft.nodes.push_back({host.name, NodeKind::host, file.line(host.element)});
  }
  const std::size_t hosts = draft.nodes.size();
  for (std::size_t i = 0; gates && i < hosts; ++i) {
    const std::size_t gate = draft.add_switch(draft.nodes[i].name + "-gate");
    draft.add_arc({i, gate, {}, {}, "gate", {}});
  }
  for (std::size_t i = 0; i < platform.resources.size(); ++i) {
    const std::string& own = platform.resources[i].name;
    const std::string name = own.empty() ? fmt::format("link{}", i) : own;
    const std::size_t in = draft.add_switch(name + "-in"), out = draft.add_switch(name + "-out");
    draft.add_arc({in, out, static_cast<ResourceId>(i), {}, "bus", name});
  }
  return draft;
}

}  // namespace weft::format::simgrid
