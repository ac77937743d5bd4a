// From a platform to a network: what its routes cross one way only is a one-way link, unless
// another link leads back as fast, as in what weft writes itself.
#include "network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "platform.hpp"
#include "weft/base/error.hpp"

namespace weft::format::simgrid {

namespace {

using Node = FabricBuilder::Node;

class Assembly {
 public:
  explicit Assembly(const FabricSource& source)
      : file_(source.text, source.file, "platform", "platforms of SimGrid"),
        name_(source.file),
        platform_(read_platform(file_)),
        placed_(place_links(file_, platform_)),
        builder_(source.file, source.options) {}

  ImportedFabric build() && {
    add_nodes();
    for (const Cable& cable : platform_.cables)
      builder_.cable(nodes_[cable.a], {}, nodes_[cable.b], {}, cable.facts);
    for (std::size_t i = 0; i < platform_.links.size(); ++i)
      if (placed_.is_bus[i] == 0) add_link(i);
    add_buses();
    for (const auto& [ends, arcs] : arcs_)
      for (const std::size_t link : arcs) add_arc(link);
    ImportedFabric fabric = built(std::move(builder_));
    note_remarks(fabric);
    return fabric;
  }

 private:
  void add_nodes() {
    for (std::size_t i = 0; i < platform_.points.size(); ++i) {
      const Point& point = platform_.points[i];
      nodes_.push_back(builder_.node(point.name, fmt::format("point-{}", i), point.kind,
                                     file_.line(point.element)));
    }
    for (std::size_t i = nodes_.size(); i < placed_.places; ++i) {
      const std::string name = fmt::format("switch{}", i - platform_.points.size());
      nodes_.push_back(builder_.node(name, "point-" + name, NodeKind::switch_node));
    }
  }

  FabricBuilder::Facts facts_of(const Link& link, bool one_way) const {
    return {.bandwidth_Bps = link.bandwidth_Bps, .latency_ps = link.latency_ps, .one_way = one_way};
  }

  // The two ends of an arc as it is crossed.
  std::pair<Node, Node> ends_of(std::size_t link) const {
    const Node begin = nodes_[placed_.ends[2 * link]], end = nodes_[placed_.ends[2 * link + 1]];
    return placed_.used[2 * link] != 0 ? std::pair(begin, end) : std::pair(end, begin);
  }

  void add_link(std::size_t index) {
    const Link& link = platform_.links[index];
    const bool up = placed_.used[2 * index] != 0, down = placed_.used[2 * index + 1] != 0;
    if (!up && !down) {
      ++unused_;
      return;
    }
    if (link.policy == Policy::fat_pipe) ++fat_pipes_;
    if (up != down && link.policy != Policy::split_duplex) {
      arcs_[ends_of(index)].push_back(index);
      return;
    }
    if (link.policy == Policy::shared) ++shared_;
    const auto [from, to] = ends_of(index);
    builder_.cable(from, link.name, to, link.name, facts_of(link, false));
  }

  // The arc alone, or with one that leads back as a cable, which is then taken, too.
  void add_arc(std::size_t index) {
    if (!taken_.insert(index).second) return;
    const Link& link = platform_.links[index];
    const auto [from, to] = ends_of(index);
    if (const auto back = arcs_.find({to, from}); back != arcs_.end())
      for (const std::size_t other : back->second) {
        const Link& candidate = platform_.links[other];
        if (taken_.contains(other) || candidate.bandwidth_Bps != link.bandwidth_Bps ||
            candidate.latency_ps != link.latency_ps)
          continue;
        taken_.insert(other);
        builder_.cable(from, link.name, to, candidate.name, facts_of(link, false));
        return;
      }
    builder_.cable(from, link.name, to, {}, facts_of(link, true));
  }

  // One link for all, between two switches that taps as fast lead to and from.
  void add_buses() {
    std::map<std::size_t, std::pair<Node, Node>> ends;
    for (const Tap& tap : placed_.taps) {
      const Link& link = platform_.links[tap.link];
      FabricBuilder::Facts facts = facts_of(link, true);
      facts.link_class = "bus";
      const auto [entry, is_new] = ends.try_emplace(tap.link);
      auto& [in, out] = entry->second;
      if (is_new) {
        const auto add = [&](const char* side) {
          return builder_.node(fmt::format("{}-{}", link.name, side),
                               fmt::format("bus-{}-{}", tap.link, side), NodeKind::switch_node);
        };
        in = add("in");
        out = add("out");
        builder_.cable(in, link.name, out, {}, facts);
      }
      facts.latency_ps = 0;
      const Node place = nodes_[tap.place];
      builder_.cable(tap.into ? place : out, link.name, tap.into ? in : place, {}, facts);
    }
    buses_ = std::ssize(ends);
  }

  void note_remarks(ImportedFabric& fabric) {
    std::ranges::move(platform_.remarks, std::back_inserter(fabric.remarks));
    const auto note = [&](std::int64_t count, std::string_view text) {
      if (count > 0) fabric.remarks.push_back(fmt::format("{} {}", count, text));
    };
    note(shared_,
         "links share their bandwidth between both directions in SimGrid; here each has all of it");
    note(buses_,
         "links join more than two places: each is a bus, one link that all enter and leave");
    note(fat_pipes_, "links that messages do not share (FATPIPE) are shared here");
    note(unused_, "links are on no route and are left out");
    if (!platform_.routes.empty())
      fabric.remarks.emplace_back("the routes told what joins what; messages take weft's own");
  }

  XmlFile file_;
  const std::string& name_;
  Platform platform_;
  Placed placed_;
  FabricBuilder builder_;
  std::vector<Node> nodes_;                                         // by place
  std::map<std::pair<Node, Node>, std::vector<std::size_t>> arcs_;  // links, by ends as crossed
  std::set<std::size_t> taken_;
  std::int64_t shared_ = 0, fat_pipes_ = 0, unused_ = 0, buses_ = 0;
};

}  // namespace

ImportedFabric read_network(const FabricSource& source) {
  return Assembly(source).build();
}

}  // namespace weft::format::simgrid
