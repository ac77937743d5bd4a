#include <algorithm>
#include <optional>
#include <set>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

using Ids = std::vector<std::int64_t>;

Ids sorted(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// The failures' canonical text: cables, links, nodes, each ascending and named once.
std::string canonical(const Failures& failures) {
  std::string text;
  const auto append = [&](std::string_view key, const Ids& ids) {
    for (std::int64_t id : sorted(ids))
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, id);
  };
  append("cable", failures.cables);
  append("link", failures.links);
  append("node", failures.nodes);
  return text;
}

// A flag for each of `count` things, set for those named.
std::vector<char> marks(const Ids& ids, std::int64_t count, std::string_view what,
                        const Topology& inner) {
  std::vector<char> marked(static_cast<std::size_t>(count), 0);
  for (std::int64_t id : ids) {
    require(id >= 0 && id < count, "{} {} does not exist in {} (it has {}s 0 to {})", what, id,
            inner.name(), what, count - 1);
    marked[id] = 1;
  }
  return marked;
}

// The new number of every node that stays; -1 for the others.
std::vector<std::int32_t> renumbered(const std::vector<char>& dead) {
  std::vector<std::int32_t> number(dead.size(), -1);
  std::int32_t next = 0;
  for (std::size_t i = 0; i < dead.size(); ++i)
    if (dead[i] == 0) number[i] = next++;
  return number;
}

// All of them, less the nodes that failed.
Facets with_holes(Facets facets, const std::vector<char>& dead_nodes) {
  std::vector<std::int32_t> failed;
  for (std::size_t node = 0; node < dead_nodes.size(); ++node)
    if (dead_nodes[node] != 0) failed.push_back(static_cast<std::int32_t>(node));
  facets.holes = facets.holes.value_or(Holes()).with(failed);
  return facets;
}

// Of the nodes and links that stay; links by what the builder calls them. Forwarding tables are
// those of the whole network alone: what fails makes the subnet manager write others.
Facets with_names(Facets facets, const Topology& whole, const std::vector<std::int32_t>& number,
                  const std::vector<TopologyBuilder::Handle>& handles) {
  facets.tables = nullptr;
  if (!facets.names) return facets;
  Names left;
  for (const NodeId node : whole.nodes())
    if (number[node.index()] >= 0) left.nodes.push_back(name_of(whole, node));
  for (const LinkId link : whole.links())
    if (handles[link.index()] >= 0 && !facets.names->ports.empty())
      left.ports.push_back(port_of(whole, link));
  facets.names = std::make_shared<const Names>(std::move(left));
  return facets;
}

// "128~136#2": two node numbers, and which of the parallel ones between them, counted from 1.
struct Ends {
  std::int64_t from = 0, to = 0;
  std::int64_t nth = 1;
};

std::optional<Ends> read_ends(std::string_view value, const Parameters& parameters) {
  const std::size_t tilde = value.find('~');
  if (tilde == std::string_view::npos) return std::nullopt;
  Ends ends;
  std::string_view to = value.substr(tilde + 1);
  if (const std::size_t hash = to.find('#'); hash != std::string_view::npos) {
    ends.nth = parameters.integer(trim(to.substr(hash + 1)));
    to = to.substr(0, hash);
  }
  ends.from = parameters.integer(trim(value.substr(0, tilde)));
  ends.to = parameters.integer(trim(to));
  return ends;
}

// The nodes that the node has links to, for a message.
std::string neighbours_text(const Topology& whole, NodeId node) {
  constexpr std::size_t kMost = 12;
  std::set<NodeId> others;
  for (const LinkId link : whole.out_links(node)) others.insert(whole.head(link));
  if (others.empty()) return "no node";
  std::string text;
  std::size_t shown = 0;
  for (const NodeId other : others) {
    if (shown++ == kMost) return text + fmt::format(", ... ({} in all)", others.size());
    text += fmt::format("{}{}", text.empty() ? "" : ", ", other.value());
  }
  return text;
}

// Links from one node to the other, by number; of cables also those that were made the other way
// round, each once.
std::vector<LinkId> between(const Topology& whole, NodeId from, NodeId to, std::string_view what) {
  std::vector<LinkId> found;
  const auto collect = [&](NodeId tail, NodeId head) {
    for (const LinkId link : whole.out_links(tail))
      if (whole.head(link) == head && std::ranges::none_of(found, [&](LinkId other) {
            return whole.cable(other) == whole.cable(link) && what == "cable";
          }))
        found.push_back(link);
  };
  collect(from, to);
  if (what == "cable" && from != to) collect(to, from);
  return found;
}

std::int64_t id_of(std::string_view what, const Ends& ends, const Topology& whole) {
  for (const std::int64_t node : {ends.from, ends.to})
    require(node >= 0 && node < whole.node_count(),
            "node {} does not exist in {} (it has nodes 0 to {})", node, whole.name(),
            whole.node_count() - 1);
  const NodeId from(static_cast<std::int32_t>(ends.from)), to(static_cast<std::int32_t>(ends.to));
  std::vector<LinkId> found = between(whole, from, to, what);
  require(!found.empty(),
          "no {} {} node {} {} node {} in {} (node {} has links to {}); name one of those", what,
          what == "cable" ? "joins" : "leads from", from.value(), what == "cable" ? "and" : "to",
          to.value(), whole.name(), from.value(), neighbours_text(whole, from));
  require(ends.nth >= 1 && ends.nth <= std::ssize(found),
          "{} {}~{}#{} does not exist in {} (there {}); use a number from 1 to {}", what,
          from.value(), to.value(), ends.nth, whole.name(),
          found.size() == 1 ? std::string("is one") : fmt::format("are {}", found.size()),
          found.size());
  if (what == "link") return found[ends.nth - 1].value();
  std::ranges::sort(found, {}, [&](LinkId link) { return whole.cable(link); });
  return whole.cable(found[ends.nth - 1]).value();
}

// Ends become numbers at once, so that a network has one name however its failures were told.
Failures read_failures(const Parameters& parameters, const Topology& whole) {
  Failures failures;
  if (parameters.text().empty()) parameters.fail("nothing is removed");
  for (std::string_view part : split(parameters.text(), ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) parameters.fail(fmt::format("\"{}\" has no key", part));
    const std::string_view key = trim(part.substr(0, equals));
    const std::string_view value = trim(part.substr(equals + 1));
    Ids* ids = key == "cable"  ? &failures.cables
               : key == "link" ? &failures.links
               : key == "node" ? &failures.nodes
                               : nullptr;
    if (ids == nullptr) parameters.fail(fmt::format("unknown key \"{}\"", key));
    const auto ends = read_ends(value, parameters);
    if (ends && key == "node") parameters.fail(fmt::format("a node has no ends, \"{}\"", value));
    ids->push_back(ends ? id_of(key, *ends, whole) : parameters.integer(value));
  }
  return failures;
}

Parameters parameters_of(const Expression& without) {
  return {"without(cable=c, link=l, node=n, X)", "without(link=5, torus:4x4)", without.parameters};
}

}  // namespace

BuiltTopology remove_failed(const Failures& failures, const BuiltTopology& inner) {
  const Topology& whole = inner.topology;
  const auto dead_cables = marks(failures.cables, whole.cable_count(), "cable", whole);
  const auto dead_links = marks(failures.links, whole.link_count(), "link", whole);
  const auto dead_nodes = marks(failures.nodes, whole.node_count(), "node", whole);
  const auto number = renumbered(dead_nodes);
  const std::int64_t left = std::count(dead_nodes.begin(), dead_nodes.end(), 0);
  require(left >= 1, "without() removes every node of {}; leave one", whole.name());

  TopologyBuilder builder(left);
  CopiedSpeeds speeds;
  for (const std::string& each : whole.class_names()) builder.link_class(each);
  for (NodeId node : whole.nodes())
    if (number[node.index()] >= 0) builder.set_kind(NodeId(number[node.index()]), whole.kind(node));
  std::vector<TopologyBuilder::Handle> handles(dead_links.size(), -1);
  for (LinkId link : whole.links()) {
    const std::int32_t tail = number[whole.tail(link).index()];
    const std::int32_t head = number[whole.head(link).index()];
    if (tail < 0 || head < 0 || dead_links[link.index()] != 0 ||
        dead_cables[whole.cable(link).index()] != 0)
      continue;
    handles[link.index()] = builder.add_link(NodeId(tail), NodeId(head), whole.link_class(link));
    speeds.copy(inner.speeds, link);
    const auto reverse = whole.reverse(link);
    if (reverse && *reverse < link && handles[reverse->index()] >= 0)
      builder.pair(handles[reverse->index()], handles[link.index()]);
  }
  builder.set_nominal_degree(whole.nominal_degree());
  builder.set_facets(with_names(with_holes(whole.facets(), dead_nodes), whole, number, handles));
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(
      apply("without", canonical(failures), whole.expression()), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function without_function() {
  return {"without", "cable=c, link=l, node=n, X",
          "X with these cables, links (one direction) or nodes failed, by number or by ends, "
          "cable=4~5 (cable=4~5#2: the second of parallel ones); keys may repeat",
          "without(cable=3, node=7, kautz:4,2)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            return remove_failed(read_failures(parameters_of(node), operands[0].topology),
                                 operands[0]);
          }};
}

}  // namespace weft::topology
