// Edge lists: "u v [bandwidth [latency]]", a cable (.edges) or a one-way link (.arcs) a line.
#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/files/formats.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

struct Edge {
  std::int32_t from, to;
  GivenSpeed speed;
  std::int64_t line;
};

std::vector<std::string_view> words(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> result;
  for (std::size_t start = line.find_first_not_of(kBlanks); start != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, start), line.size());
    result.push_back(line.substr(start, end - start));
    start = line.find_first_not_of(kBlanks, end);
  }
  return result;
}

std::int32_t node_number(std::string_view word, const std::string& where) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  require(error != std::errc::result_out_of_range, "{}: node {} is out of range (0 to 2^31 - 1)",
          where, word);
  require(error == std::errc() && end == word.data() + word.size(),
          "{}: '{}' is not a node number; a line is \"u v [bandwidth [latency]]\"", where, word);
  require(number >= 0, "{}: node {} is negative; nodes are numbered from 0", where, number);
  return number;
}

Edge read_edge(const std::vector<std::string_view>& line, std::int64_t number,
               const std::string& path) {
  const std::string where = fmt::format("{}:{}", path, number);
  require(line.size() >= 2 && line.size() <= 4,
          "{}: the line has {} columns (expected \"u v [bandwidth [latency]]\")", where,
          line.size());
  Edge edge{node_number(line[0], where), node_number(line[1], where), {}, number};
  try {
    if (line.size() > 2) edge.speed.bandwidth_Bps = parse_bandwidth(line[2]);
    if (line.size() > 3) edge.speed.latency_ps = parse_time(line[3]);
  } catch (const InvalidInput& error) {
    reject("{}: {}", where, error.what());
  }
  require_speed(edge.speed, where);
  return edge;
}

std::vector<Edge> read_lines(std::string_view content, const std::string& path) {
  std::vector<Edge> edges;
  std::int64_t number = 0;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    ++number;
    const auto columns = words(line.substr(0, line.find('#')));
    if (!columns.empty()) edges.push_back(read_edge(columns, number, path));
  }
  require(!edges.empty(), "{} has no links; write one \"u v\" on each line", path);
  return edges;
}

// 1 + the largest node, once every number below stands on a line; so it is at most twice the lines.
std::int64_t count_nodes(const std::vector<Edge>& edges, const std::string& path) {
  std::vector<char> named(2 * edges.size(), 0);
  std::int64_t largest = 0;
  for (const Edge& edge : edges) {
    for (std::int32_t node : {edge.from, edge.to}) {
      require(static_cast<std::size_t>(node) < named.size(),
              "{}:{}: node {} is too large for {} lines (nodes are numbered from 0 without gaps)",
              path, edge.line, node, edges.size());
      named[node] = 1;
      largest = std::max<std::int64_t>(largest, node);
    }
  }
  const auto gap = std::find(named.begin(), named.begin() + largest + 1, 0);
  require(gap == named.begin() + largest + 1,
          "{}: node {} has no line, but node {} has (nodes are numbered from 0 without gaps)", path,
          gap - named.begin(), largest);
  return largest + 1;
}

// One cable between two nodes in an undirected list: a second line is nearly always the same cable
// listed from its other end, and would double the bandwidth unseen.
void require_simple(const std::vector<Edge>& edges, const std::string& path) {
  std::unordered_map<std::uint64_t, std::int64_t> line_of;
  line_of.reserve(edges.size());
  for (const Edge& edge : edges) {
    const auto [low, high] = std::minmax(edge.from, edge.to);
    require(low != high, "{}:{}: node {} is linked to itself; remove the line", path, edge.line,
            low);
    const std::uint64_t key =
        static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
    const auto [known, added] = line_of.emplace(key, edge.line);
    require(added,
            "{}:{}: {} {} repeats line {} (a line is both directions); for parallel cables give "
            "their total bandwidth, or use .graphml or .json",
            path, edge.line, edge.from, edge.to, known->second);
  }
}

// What the reader of .edges refuses too: see require_simple.
void require_single_cables(const Topology& topology) {
  for (const NodeId node : topology.nodes()) {
    std::vector<NodeId> heads;
    for (const LinkId link : topology.out_links(node)) heads.push_back(topology.head(link));
    std::sort(heads.begin(), heads.end());
    require(std::find(heads.begin(), heads.end(), node) == heads.end(),
            "{} links node {} to itself, which .edges cannot store; use .json", topology.name(),
            node.value());
    const auto twin = std::adjacent_find(heads.begin(), heads.end());
    require(twin == heads.end(),
            "{} has parallel cables from node {} to {}, which .edges cannot store; use .json or "
            ".graphml",
            topology.name(), node.value(), twin == heads.end() ? 0 : twin->value());
  }
}

bool is_cable_end(const Topology& topology, LinkId link, TopologyFormat format) {
  if (format == TopologyFormat::arcs) return true;
  const auto reverse = topology.reverse(link);
  require(reverse.has_value(),
          "{} has one-way links, which .edges cannot store; use .arcs, .graphml or .json",
          topology.name());
  return link < *reverse;
}

// An .edges line holds one speed for both directions.
void require_equal_directions(const BuiltTopology& built, LinkId link) {
  const auto reverse = built.topology.reverse(link);
  if (!reverse || built.speeds.empty()) return;
  const GivenSpeed forth = given_speed(built.speeds, link);
  const GivenSpeed back = given_speed(built.speeds, *reverse);
  require(forth.bandwidth_Bps == back.bandwidth_Bps && forth.latency_ps == back.latency_ps,
          "{} has a cable with unequal directions, which .edges cannot store; use .arcs or "
          ".json",
          built.topology.name());
}

void append_line(std::string& text, const Topology& topology, LinkId link,
                 const GivenSpeed& speed) {
  text += fmt::format("{} {}", topology.tail(link).value(), topology.head(link).value());
  require(speed.bandwidth_Bps.has_value() || !speed.latency_ps.has_value(),
          "{} has a latency without a bandwidth, which edge lists cannot store; use .json",
          topology.name());
  if (speed.bandwidth_Bps) text += " " + format_bandwidth(*speed.bandwidth_Bps);
  if (speed.latency_ps) text += " " + format_time(*speed.latency_ps);
  text += "\n";
}

}  // namespace

BuiltTopology read_edge_list(std::string_view content, TopologyFormat format,
                             const std::string& path) {
  const std::vector<Edge> edges = read_lines(content, path);
  const std::int64_t nodes = count_nodes(edges, path);
  if (format == TopologyFormat::edges) require_simple(edges, path);
  require_size(path, static_cast<double>(nodes), 2.0 * static_cast<double>(edges.size()));
  TopologyBuilder builder(nodes);
  SpeedColumns speeds;
  for (const Edge& edge : edges) {
    if (format == TopologyFormat::edges) {
      builder.add_cable(NodeId(edge.from), NodeId(edge.to));
      speeds.add(edge.speed);
    } else {
      builder.add_link(NodeId(edge.from), NodeId(edge.to));
    }
    speeds.add(edge.speed);
  }
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(file_expression(path), &ids_of_handles);
  return {std::move(topology), speeds.finish(ids_of_handles)};
}

std::string write_edge_list(const BuiltTopology& built, TopologyFormat format) {
  const Topology& topology = built.topology;
  require(!topology.has_switches(),
          "{} has switches, which edge lists cannot store; use .graphml or .json", topology.name());
  for (NodeId node : topology.nodes())
    require(topology.out_degree(node) + topology.in_degree(node) > 0,
            "node {} of {} has no link, so an edge list cannot store it; use .graphml or .json",
            node.value(), topology.name());
  std::string text = fmt::format("# {}: {} nodes\n", topology.name(), topology.node_count());
  for (LinkId link : topology.links()) {
    if (!is_cable_end(topology, link, format)) continue;
    if (format == TopologyFormat::edges) require_equal_directions(built, link);
    append_line(text, topology, link, given_speed(built.speeds, link));
  }
  if (format == TopologyFormat::edges) require_single_cables(topology);
  return text;
}

}  // namespace weft::topology
