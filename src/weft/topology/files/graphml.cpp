// GraphML (http://graphml.graphdrawing.org), with the attributes
//   node: kind ("host" or "switch"), edge: class, bandwidth_Bps, latency_ps.
// A cable is an undirected edge, a one-way link a directed one. Nodes are numbered in document
// order; attributes of other programs are ignored.
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <unordered_map>

#include "weft/base/error.hpp"
#include "weft/base/xml.hpp"
#include "weft/topology/files/formats.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr std::size_t kMostClasses = 1000;

class Reader {
 public:
  Reader(std::string_view content, const std::string& path) : content_(content), path_(path) {}

  BuiltTopology read() {
    const auto result = document_.load_buffer(content_.data(), content_.size());
    if (!result) reject("{}: not XML ({})", place(result.offset), result.description());
    const pugi::xml_node graph = document_.child("graphml").child("graph");
    require(!graph.empty(), "{} has no <graph> in a <graphml>; is it GraphML?", path_);
    read_keys();
    number_nodes(graph);
    const bool directed = std::string_view(graph.attribute("edgedefault").value()) == "directed";
    TopologyBuilder builder(static_cast<std::int64_t>(nodes_.size()));
    set_kinds(graph, builder);
    SpeedColumns speeds;
    for (const pugi::xml_node edge : graph.children("edge"))
      add_edge(edge, directed, builder, speeds);
    std::vector<LinkId> ids_of_handles;
    Topology topology = std::move(builder).build(file_expression(path_), &ids_of_handles);
    return {std::move(topology), speeds.finish(ids_of_handles)};
  }

 private:
  std::string place(std::ptrdiff_t offset) const {
    const auto end =
        content_.begin() +
        std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(content_.size()));
    return fmt::format("{}:{}", path_, 1 + std::count(content_.begin(), end, '\n'));
  }
  std::string place(const pugi::xml_node& node) const { return place(node.offset_debug()); }

  void read_keys() {
    for (const pugi::xml_node key : document_.child("graphml").children("key"))
      names_[key.attribute("id").value()] = key.attribute("attr.name").value();
  }

  void number_nodes(const pugi::xml_node& graph) {
    for (const pugi::xml_node child : graph.children()) {
      const std::string_view tag = child.name();
      require(tag != "hyperedge" && child.child("graph").empty(),
              "{}: hyperedges and nested graphs are no networks; flatten the graph", place(child));
      if (tag != "node") continue;
      const auto [known, added] = nodes_.emplace(child.attribute("id").value(), nodes_.size());
      require(added, "{}: node id \"{}\" is given twice", place(child), known->first);
    }
    require(!nodes_.empty(), "{} has no nodes", path_);
  }

  // The text of the attribute named `name`, or nothing.
  std::optional<std::string> attribute(const pugi::xml_node& element, std::string_view name) const {
    for (const pugi::xml_node data : element.children("data")) {
      const auto key = names_.find(data.attribute("key").value());
      if (key != names_.end() && key->second == name) return std::string(trim(data.text().get()));
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> number(const pugi::xml_node& element, std::string_view name) const {
    const auto text = attribute(element, name);
    if (!text) return std::nullopt;
    const auto value = number_in<std::int64_t>(*text);
    require(value.has_value(), "{}: {} \"{}\" is not an integer", place(element), name, *text);
    return value;
  }

  void set_kinds(const pugi::xml_node& graph, TopologyBuilder& builder) const {
    std::int64_t index = 0;
    for (const pugi::xml_node node : graph.children("node")) {
      const std::string kind = attribute(node, "kind").value_or("host");
      require(kind == "host" || kind == "switch", "{}: kind \"{}\" is neither host nor switch",
              place(node), kind);
      if (kind == "switch") builder.set_kind(NodeId(index), NodeKind::switch_node);
      ++index;
    }
  }

  NodeId end_of(const pugi::xml_node& edge, const char* which) const {
    const auto node = nodes_.find(edge.attribute(which).value());
    require(node != nodes_.end(), "{}: {} \"{}\" is no node of the graph", place(edge), which,
            edge.attribute(which).value());
    return NodeId(node->second);
  }

  ClassId class_of(const pugi::xml_node& edge, TopologyBuilder& builder) {
    const std::string name = attribute(edge, "class").value_or("link");
    classes_.try_emplace(name, 0);
    require(classes_.size() <= kMostClasses, "{}: more than {} link classes", place(edge),
            kMostClasses);
    return builder.link_class(name);
  }

  void add_edge(const pugi::xml_node& edge, bool directed_by_default, TopologyBuilder& builder,
                SpeedColumns& speeds) {
    const NodeId from = end_of(edge, "source"), to = end_of(edge, "target");
    const GivenSpeed speed{number(edge, "bandwidth_Bps"), number(edge, "latency_ps")};
    require_speed(speed, place(edge));
    const pugi::xml_attribute own = edge.attribute("directed");
    const bool directed = own.empty() ? directed_by_default : own.as_bool();
    const ClassId link_class = class_of(edge, builder);
    require(directed || from != to, "{}: node \"{}\" is cabled to itself; leave the edge out",
            place(edge), edge.attribute("source").value());
    speeds.add(speed);
    if (directed) {
      builder.add_link(from, to, link_class);
    } else {
      builder.add_cable(from, to, link_class);
      speeds.add(speed);
    }
  }

  std::string_view content_;
  const std::string& path_;
  pugi::xml_document document_;
  std::unordered_map<std::string, std::string> names_;  // key id -> attribute name
  std::unordered_map<std::string, std::size_t> nodes_;  // node id -> number
  std::unordered_map<std::string, int> classes_;
};

void append_data(std::string& text, std::string_view key, std::string_view value) {
  text += fmt::format("<data key=\"{}\">{}</data>", key, escape_xml(value));
}

void append_edge(std::string& text, const BuiltTopology& built, LinkId link, bool directed) {
  const Topology& topology = built.topology;
  text += fmt::format("<edge source=\"{}\" target=\"{}\" directed=\"{}\">",
                      topology.tail(link).value(), topology.head(link).value(), directed);
  append_data(text, "class", topology.class_names()[topology.link_class(link)]);
  const GivenSpeed speed = given_speed(built.speeds, link);
  if (speed.bandwidth_Bps) append_data(text, "bandwidth_Bps", std::to_string(*speed.bandwidth_Bps));
  if (speed.latency_ps) append_data(text, "latency_ps", std::to_string(*speed.latency_ps));
  text += "</edge>\n";
}

constexpr std::string_view kHeader = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="kind" for="node" attr.name="kind" attr.type="string"/>
<key id="class" for="edge" attr.name="class" attr.type="string"/>
<key id="bandwidth_Bps" for="edge" attr.name="bandwidth_Bps" attr.type="long"/>
<key id="latency_ps" for="edge" attr.name="latency_ps" attr.type="long"/>
)";

}  // namespace

BuiltTopology read_graphml(std::string_view content, const std::string& path) {
  return Reader(content, path).read();
}

std::string write_graphml(const BuiltTopology& built) {
  const Topology& topology = built.topology;
  bool one_way = false;
  for (LinkId link : topology.links()) one_way = one_way || !topology.reverse(link);
  std::string text(kHeader);
  text += fmt::format("<graph id=\"{}\" edgedefault=\"{}\">\n", escape_xml(topology.name()),
                      one_way ? "directed" : "undirected");
  for (NodeId node : topology.nodes())
    text += fmt::format("<node id=\"{}\"><data key=\"kind\">{}</data></node>\n", node.value(),
                        topology.is_host(node) ? "host" : "switch");
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    const GivenSpeed forth = given_speed(built.speeds, link);
    if (!reverse) {
      append_edge(text, built, link, true);
      continue;
    }
    require(topology.tail(link) != topology.head(link),
            "{} has a cable from node {} to itself, which GraphML can't hold; use .json",
            topology.name(), topology.tail(link).value());
    if (*reverse < link) continue;
    const GivenSpeed back = given_speed(built.speeds, *reverse);
    require(forth.bandwidth_Bps == back.bandwidth_Bps && forth.latency_ps == back.latency_ps,
            "{} has a cable with unequal directions, which GraphML can't hold; use .json",
            topology.name());
    append_edge(text, built, link, false);
  }
  return text + "</graph>\n</graphml>\n";
}

}  // namespace weft::topology
