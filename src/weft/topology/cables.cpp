#include "weft/topology/cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::topology {

namespace {

enum class Thing : std::uint8_t { cable, link };

constexpr std::string_view kDash = " - ";

// A node, and the port of it where one is said.
struct End {
  NodeId node;
  std::string_view port = {};
};

// "128~136#2": two ends, and which of those that fit, counted from 1.
struct Ends {
  End from, to;
  std::optional<int> nth = {};
};

std::int32_t integer(std::string_view text) {
  const auto number = number_in<std::int32_t>(text);
  require(number.has_value(), "'{}' is not a number from 0 to {}", text, INT32_MAX);
  return *number;
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("-0123456789") == std::string_view::npos;
}

// "leaf1[19]"
End end_in(const NodesByText& nodes, std::string_view text) {
  text = trim(text);
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return {nodes.find(text)};
  return {nodes.find(trim(text.substr(0, open))),
          trim(text.substr(open + 1, text.size() - open - 2))};
}

// Where the text parts into two ends: names may have '~' in them, but no blanks.
std::size_t parting(const NodesByText& nodes, std::string_view text) {
  const auto is_end = [&](std::string_view end) {
    end = trim(end.substr(0, end.find('[')));
    return is_number(end) || nodes.has_name(end);
  };
  const std::size_t first = text.find('~');
  for (std::size_t at = first; at != std::string_view::npos; at = text.find('~', at + 1))
    if (is_end(text.substr(0, at)) && is_end(text.substr(at + 1))) return at;
  return first;
}

Ends ends_in(const NodesByText& nodes, std::string_view text) {
  Ends ends;
  const std::size_t bracket = text.rfind(']');  // a port may have '#' in it
  const std::size_t hash = text.find('#', bracket == std::string_view::npos ? 0 : bracket);
  if (hash != std::string_view::npos) {
    ends.nth = integer(trim(text.substr(hash + 1)));
    text = text.substr(0, hash);
  }
  const std::size_t dash = text.find(kDash);
  const std::size_t at = dash == std::string_view::npos ? parting(nodes, text) : dash;
  ends.from = end_in(nodes, text.substr(0, at));
  ends.to = end_in(nodes, text.substr(at + (dash == std::string_view::npos ? 1 : kDash.size())));
  return ends;
}

// For messages.
std::string said(const Topology& topology, const End& end) {
  const std::string& name = name_of(topology, end.node);
  return (name.empty() ? fmt::format("node {}", end.node.value()) : name) +
         (end.port.empty() ? "" : fmt::format("[{}]", end.port));
}

const std::string& far_port(const Topology& topology, LinkId link) {
  return port_of(topology, topology.reverse(link).value_or(link));
}

bool fits(const Topology& topology, LinkId link, const Ends& ends) {
  return topology.tail(link) == ends.from.node && topology.head(link) == ends.to.node &&
         (ends.from.port.empty() || port_of(topology, link) == ends.from.port) &&
         (ends.to.port.empty() || far_port(topology, link) == ends.to.port);
}

// Links from one end to the other by number; of cables one link each, by their number.
std::vector<LinkId> fitting(const Topology& topology, const Ends& ends, Thing thing) {
  std::vector<LinkId> found;
  const auto collect = [&](const Ends& way) {
    for (const LinkId link : topology.out_links(way.from.node))
      if (fits(topology, link, way) && std::ranges::none_of(found, [&](LinkId other) {
            return topology.cable(other) == topology.cable(link) && thing == Thing::cable;
          }))
        found.push_back(link);
  };
  collect(ends);
  if (thing == Thing::link) return found;
  if (ends.from.node != ends.to.node) collect({ends.to, ends.from});
  std::ranges::sort(found, {}, [&](LinkId link) { return topology.cable(link); });
  return found;
}

// What the node has links to, with the ports where some are asked for; for a message.
std::string neighbours_text(const Topology& topology, NodeId node, bool with_ports) {
  constexpr std::size_t kMost = 12;
  std::set<std::pair<NodeId, std::string>> others;
  for (const LinkId link : topology.out_links(node)) {
    const NodeId head = topology.head(link);
    others.emplace(head, with_ports ? fmt::format("{}[{}] by port {}", node_text(topology, head),
                                                  far_port(topology, link), port_of(topology, link))
                                    : node_text(topology, head));
  }
  if (others.empty()) return "no node";
  std::string text;
  std::size_t shown = 0;
  for (const auto& [other, name] : others) {
    if (shown++ == kMost) return text + fmt::format(", ... ({} in all)", others.size());
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

LinkId find(const NodesByText& nodes, std::string_view text, Thing thing) {
  const Topology& topology = nodes.topology();
  const Ends ends = ends_in(nodes, text);
  const char* what = thing == Thing::cable ? "cable" : "link";
  const std::vector<LinkId> found = fitting(topology, ends, thing);
  require(
      !found.empty(), "no {} {} {} {} {} in {} ({} has links to {}); name one of those", what,
      thing == Thing::cable ? "joins" : "leads from", said(topology, ends.from),
      thing == Thing::cable ? "and" : "to", said(topology, ends.to), topology.name(),
      said(topology, {ends.from.node}),
      neighbours_text(topology, ends.from.node, !ends.from.port.empty() || !ends.to.port.empty()));
  const int nth = ends.nth.value_or(1);
  require(nth >= 1 && nth <= std::ssize(found),
          "{} {} does not exist in {} (there {}); use a number from 1 to {}", what, text,
          topology.name(),
          found.size() == 1 ? std::string("is one") : fmt::format("are {}", found.size()),
          found.size());
  return found[static_cast<std::size_t>(nth - 1)];
}

// That the name of a port or a node can stand within an expression.
bool can_be_said(const std::string& port) {
  return !port.empty() && std::ranges::none_of(port, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 127 ||
           std::string_view("#,[]()\"\\").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string cable_text(const Topology& topology, LinkId link) {
  Ends ends{{topology.tail(link)}, {topology.head(link)}};
  const auto sayable = [&](NodeId node) {
    const std::string& name = name_of(topology, node);
    return name.empty() ||
           (can_be_said(name) && name.find_first_not_of("0123456789-") != std::string::npos);
  };
  const bool named =
      sayable(ends.from.node) && sayable(ends.to.node) &&
      !(name_of(topology, ends.from.node).empty() && name_of(topology, ends.to.node).empty());
  if (named && can_be_said(port_of(topology, link))) ends.from.port = port_of(topology, link);
  if (named && topology.reverse(link) && can_be_said(far_port(topology, link)))
    ends.to.port = far_port(topology, link);
  const auto text = [&](const End& end) {
    return (named ? node_text(topology, end.node) : std::to_string(end.node.value())) +
           (end.port.empty() ? "" : fmt::format("[{}]", end.port));
  };
  std::string all = text(ends.from) + (named ? std::string(kDash) : "~") + text(ends.to);
  const std::vector<LinkId> alike = fitting(topology, ends, Thing::cable);
  for (std::size_t i = 0; i < alike.size() && alike.size() > 1; ++i)
    if (topology.cable(alike[i]) == topology.cable(link)) all += fmt::format("#{}", i + 1);
  return all;
}

NodeId NodesByText::find(std::string_view text) const {
  if (const auto found = names_.find(text)) return *found;
  if (is_number(text)) {
    const std::int32_t number = integer(text);
    require(number >= 0 && number < topology_->node_count(),
            "node {} does not exist in {} (it has nodes 0 to {})", number, topology_->name(),
            topology_->node_count() - 1);
    return NodeId(number);
  }
  std::vector<std::string> known;
  for (const NodeId node : topology_->nodes())
    if (!name_of(*topology_, node).empty()) known.push_back(name_of(*topology_, node));
  if (known.empty())
    reject("invalid node '{}': {} has no node names; give a number from 0 to {}", text,
           topology_->name(), topology_->node_count() - 1);
  const std::string nearest = suggest(text, known);
  reject(
      "unknown node '{}' of {}; {}", text, topology_->name(),
      nearest.starts_with("did") ? nearest : fmt::format("they are called {} and so on", known[0]));
}

bool names_ends(std::string_view text) {
  return text.find('~') != std::string_view::npos || text.find(kDash) != std::string_view::npos;
}

CableId find_cable(const NodesByText& nodes, std::string_view text) {
  return nodes.topology().cable(find(nodes, text, Thing::cable));
}

LinkId find_link(const NodesByText& nodes, std::string_view text) {
  return find(nodes, text, Thing::link);
}

}  // namespace weft::topology
