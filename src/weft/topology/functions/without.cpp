#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/cables.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
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

// How many numbers from the first on are equally far apart, 1 or more; and how far.
struct Run {
  std::ptrdiff_t count = 1;
  std::int64_t stride = 1;
};

Run run_from(Ids::const_iterator first, Ids::const_iterator end) {
  if (first + 1 == end) return {};
  Run run{.count = 2, .stride = first[1] - first[0]};
  while (run.count < end - first && first[run.count] - first[run.count - 1] == run.stride)
    ++run.count;
  return run;
}

// The failures' canonical text: cables, links, nodes, each ascending and named once, three and more
// in a row as a range, and four and more that are equally far apart as one with a stride.
std::string canonical(const Failures& failures) {
  constexpr std::ptrdiff_t kShortest = 3, kShortestApart = 4;
  std::string text;
  const auto append = [&](std::string_view key, Ids ids) {
    ids = sorted(std::move(ids));
    for (auto first = ids.begin(); first != ids.end();) {
      const Run run = run_from(first, ids.end());
      const bool is_range = run.count >= (run.stride == 1 ? kShortest : kShortestApart);
      const auto last = first + (is_range ? run.count : 1);
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, *first);
      if (is_range) text += fmt::format("-{}", *(last - 1));
      if (is_range && run.stride > 1) text += fmt::format("/{}", run.stride);
      first = last;
    }
  };
  append("cable", failures.cables);
  append("link", failures.links);
  append("node", failures.nodes);
  return text;
}

// As it was written.
struct Range {
  std::string_view first, last;
  std::string_view stride = "1";
};

// "3-17", or "3-17/7" of every seventh; nothing where it is none, but a number or a name.
std::optional<Range> range_in(std::string_view value) {
  const std::size_t dash = value.find('-'), slash = value.find('/');
  if (dash == std::string_view::npos || slash < dash) return std::nullopt;
  const std::string_view first = trim(value.substr(0, dash));
  const std::string_view last = trim(value.substr(dash + 1, slash - dash - 1));
  const std::string_view stride =
      slash == std::string_view::npos ? "1" : trim(value.substr(slash + 1));
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!is_number(first) || !is_number(last) || !is_number(stride)) return std::nullopt;
  return Range{first, last, stride};
}

// Adds the numbers of a range, of things that there are `count` of.
void add_range(Ids& ids, const Range& range, std::int64_t count, std::string_view what,
               const Parameters& parameters) {
  const std::int64_t first = parameters.integer(range.first);
  const std::int64_t last = parameters.integer(range.last);
  const std::int64_t stride = parameters.integer(range.stride);
  if (first > last)
    parameters.fail(
        fmt::format("the range {}-{} is descending; write {}-{}", first, last, last, first));
  if (last >= count)
    parameters.fail(
        fmt::format("{} {} does not exist ({}s are 0 to {})", what, last, what, count - 1));
  if (stride < 1)
    parameters.fail(fmt::format("the range {}-{}/{} has step 0; write {}-{}/1", first, last, stride,
                                first, last));
  for (std::int64_t id = first; id <= last; id += std::min(stride, count)) ids.push_back(id);
}

// A flag for each of `count` things, set for those named.
template <class IdType>
IdVector<IdType, char> marks(const Ids& ids, std::int32_t count, std::string_view what,
                             const Topology& inner) {
  IdVector<IdType, char> marked(count, 0);
  for (std::int64_t id : ids) {
    require(id >= 0 && id < count, "{} {} does not exist in {} (it has {}s 0 to {})", what, id,
            inner.name(), what, count - 1);
    marked[IdType(id)] = 1;
  }
  return marked;
}

// The new number of every node that stays; -1 for the others.
IdVector<NodeId, std::int32_t> renumbered(const IdVector<NodeId, char>& dead) {
  IdVector<NodeId, std::int32_t> number(dead.size(), -1);
  std::int32_t next = 0;
  for (const NodeId node : dead.ids())
    if (dead[node] == 0) number[node] = next++;
  return number;
}

// All of them, less the nodes that failed.
Facets with_holes(Facets facets, const IdVector<NodeId, char>& dead_nodes) {
  std::vector<std::int32_t> failed;
  for (const NodeId node : dead_nodes.ids())
    if (dead_nodes[node] != 0) failed.push_back(node.value());
  facets.holes = facets.holes.value_or(Holes()).with(failed);
  return facets;
}

// Of the nodes and links that stay; links by what the builder calls them. Forwarding tables come
// later: they name links as the new network does.
Facets with_names(Facets facets, const Topology& whole,
                  const IdVector<NodeId, std::int32_t>& number,
                  const IdVector<LinkId, TopologyBuilder::Handle>& handles) {
  facets.tables = nullptr;
  if (!facets.names) return facets;
  Names left;
  for (const NodeId node : whole.nodes())
    if (number[node] >= 0) left.nodes.push_back(name_of(whole, node));
  for (const LinkId link : whole.links())
    if (handles[link] >= 0 && !facets.names->ports.empty())
      left.ports.push_back(port_of(whole, link));
  facets.names = std::make_shared<const Names>(std::move(left));
  return facets;
}

std::int64_t node_in(const NodesByText& nodes, std::string_view value,
                     const Parameters& parameters) {
  if (names_ends(value) && !nodes.has_name(value))
    parameters.fail(fmt::format("unexpected '{}': a node has no ends", value));
  return nodes.find(value).value();
}

// Names and ends become numbers at once, so that a network has one name however its failures were
// told.
Failures read_failures(const Parameters& parameters, const Topology& whole) {
  Failures failures;
  if (parameters.text().empty()) parameters.fail("nothing is removed");
  const NodesByText nodes(whole);
  std::string_view key;
  for (std::string_view part : split(parameters.text(), ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      parameters.fail(
          key.empty() ? fmt::format("'{}' has no key", part)
                      : fmt::format("'{}' has no key; write {}={}", trim(part), key, trim(part)));
    key = trim(part.substr(0, equals));
    const std::string_view value = trim(part.substr(equals + 1));
    const auto range = nodes.has_name(value) ? std::nullopt : range_in(value);
    if (range && key == "cable")
      add_range(failures.cables, *range, whole.cable_count(), key, parameters);
    else if (range && key == "link")
      add_range(failures.links, *range, whole.link_count(), key, parameters);
    else if (range && key == "node")
      add_range(failures.nodes, *range, whole.node_count(), key, parameters);
    else if (key == "cable")
      failures.cables.push_back(names_ends(value) ? find_cable(nodes, value).value()
                                                  : parameters.integer(value));
    else if (key == "link")
      failures.links.push_back(names_ends(value) ? find_link(nodes, value).value()
                                                 : parameters.integer(value));
    else if (key == "node")
      failures.nodes.push_back(node_in(nodes, value, parameters));
    else
      parameters.fail(
          unknown_text({"key", key}, std::vector<std::string>{"cable", "link", "node"}));
  }
  return failures;
}

Parameters parameters_of(const Expression& without) {
  return {"without(cable=c, link=l, node=n, X)", "without(link=5, torus:4x4)", without.parameters};
}

}  // namespace

BuiltTopology remove_failed(const Failures& failures, const BuiltTopology& inner) {
  const Topology& whole = inner.topology;
  const auto dead_cables = marks<CableId>(failures.cables, whole.cable_count(), "cable", whole);
  const auto dead_links = marks<LinkId>(failures.links, whole.link_count(), "link", whole);
  const auto dead_nodes = marks<NodeId>(failures.nodes, whole.node_count(), "node", whole);
  const auto number = renumbered(dead_nodes);
  const std::int64_t left = std::count(dead_nodes.begin(), dead_nodes.end(), 0);
  require(left >= 1, "without() removes every node of {}; leave one", whole.name());

  TopologyBuilder builder(left);
  CopiedSpeeds speeds;
  for (const std::string& each : whole.class_names()) builder.link_class(each);
  for (NodeId node : whole.nodes())
    if (number[node] >= 0) builder.set_kind(NodeId(number[node]), whole.kind(node));
  IdVector<LinkId, TopologyBuilder::Handle> handles(dead_links.size(), -1);
  for (LinkId link : whole.links()) {
    const std::int32_t tail = number[whole.tail(link)];
    const std::int32_t head = number[whole.head(link)];
    if (tail < 0 || head < 0 || dead_links[link] != 0 || dead_cables[whole.cable(link)] != 0)
      continue;
    handles[link] = builder.add_link(NodeId(tail), NodeId(head), whole.link_class(link));
    speeds.copy(inner.speeds, link);
    const auto reverse = whole.reverse(link);
    if (reverse && *reverse < link && handles[*reverse] >= 0)
      builder.pair(handles[*reverse], handles[link]);
  }
  builder.set_nominal_degree(whole.nominal_degree());
  builder.set_facets(with_names(with_holes(whole.facets(), dead_nodes), whole, number, handles));
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(
      apply("without", canonical(failures), whole.expression()), &ids_of_handles);
  if (const auto& tables = whole.facets().tables) {
    Survivors survivors{number, IdVector<LinkId, std::int32_t>(handles.size(), -1)};
    for (const LinkId link : handles.ids())
      if (handles[link] >= 0) survivors.links[link] = ids_of_handles[handles[link]].value();
    topology =
        with_tables(topology, past_failures(whole, tables, topology, survivors), topology.name());
  }
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function without_function() {
  return {"without", "cable=c, link=l, node=n, X",
          "X without failed cables, links (one direction) or nodes, by number, name, ends "
          "(cable=4~5; cable=4~5#2 is the second of parallel cables) or range (node=12-15; "
          "node=0-63/8 is every eighth); keys may repeat",
          "without(cable=3, node=7, kautz:4,2)",
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            return remove_failed(read_failures(parameters_of(node), operands[0].topology),
                                 operands[0]);
          }};
}

}  // namespace weft::topology
