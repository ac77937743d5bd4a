// GraphML (http://graphml.graphdrawing.org), with the attributes
//   node: kind ("host" or "switch"), edge: class, bandwidth_Bps, latency_ps,
//   graph: machine (its profile) and infiniband_Bps (the rate of most cables of hosts), if any.
// A cable is an undirected edge, a one-way link a directed one. Nodes are numbered in document
// order. Files of weft's own declare those of nodes and edges by their names and are read as they
// are; those of others go through AttributedGraph, which knows other names and what files lack.
#include "weft/topology/import/graphml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <pugixml.hpp>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/xml.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/formats.hpp"
#include "weft/topology/import/attributed_graph.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr std::size_t kMostClasses = 1000;
constexpr std::size_t kMostDefaults = 100;
constexpr std::array<std::string_view, 4> kOwnKeys{"kind", "class", "bandwidth_Bps", "latency_ps"};

// Without its namespace: some libraries write ns0:edge.
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name.substr(name.find(':') + 1);
}

std::vector<pugi::xml_node> children(const pugi::xml_node& node, std::string_view name) {
  std::vector<pugi::xml_node> found;
  for (const pugi::xml_node child : node.children())
    if (local_name(child) == name) found.push_back(child);
  return found;
}

class Reader {
 public:
  Reader(std::string_view content, const std::string& path) : content_(content), path_(path) {
    for (std::size_t end = content.find('\n'); end != std::string_view::npos;
         end = content.find('\n', end + 1))
      line_ends_.push_back(end);
  }

  FabricBuilder::Built read(ImportOptions options) {
    const auto result = document_.load_buffer(content_.data(), content_.size());
    if (!result)
      reject("{}:{}: the file is not XML ({})", path_, line(result.offset), result.description());
    pugi::xml_node root;
    for (const pugi::xml_node& each : children(document_, "graphml")) root = each;
    const auto graphs = children(root, "graph");
    require(!graphs.empty(), "{} has no <graph> in a <graphml>; check that it is GraphML", path_);
    read_keys(root);
    std::vector<std::string> names;
    for (const pugi::xml_node& graph : graphs) names.emplace_back(graph.attribute("id").value());
    const pugi::xml_node graph = graphs[chosen_graph(names, path_, options)];
    return is_own() && options.part.empty() && !options.join ? read_own(graph)
                                                             : read_others(graph, options);
  }

 private:
  struct Key {
    std::string name;
    std::string domain;  // node, edge, graph or all
    std::optional<std::string> otherwise = {};
  };

  std::int64_t line(std::ptrdiff_t offset) const {
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
    return 1 + (std::ranges::lower_bound(line_ends_, at) - line_ends_.begin());
  }
  std::int64_t line(const pugi::xml_node& node) const { return line(node.offset_debug()); }
  std::string place(const pugi::xml_node& node) const {
    return fmt::format("{}:{}", path_, line(node));
  }

  void read_keys(const pugi::xml_node& root) {
    for (const pugi::xml_node& key : children(root, "key")) {
      Key& known = keys_[key.attribute("id").value()];
      known.name = key.attribute("attr.name").value();
      if (known.name.empty()) known.name = key.attribute("yfiles.type").value();
      known.domain = key.attribute("for").as_string("all");
      for (const pugi::xml_node& value : children(key, "default"))
        known.otherwise = std::string(trim(value.text().get()));
    }
    for (const auto& [id, key] : keys_)
      if (key.otherwise) with_default_.emplace(id, &key);
    // Each element has those that it does not give.
    require(with_default_.size() <= kMostDefaults,
            "{}: {} keys have a default value (at most {}); write the values into the elements",
            path_, with_default_.size(), kMostDefaults);
  }

  bool is_own() const {
    return std::ranges::all_of(kOwnKeys, [&](std::string_view name) {
      const auto key = keys_.find(std::string(name));
      return key != keys_.end() && key->second.name == name;
    });
  }

  void number_nodes(const pugi::xml_node& graph) {
    for (const pugi::xml_node child : graph.children()) {
      const std::string_view tag = local_name(child);
      require(tag != "hyperedge" && children(child, "graph").empty(),
              "{}: hyperedges and nested graphs are not supported; flatten the graph",
              place(child));
      if (tag != "node") continue;
      const auto [known, added] = nodes_.emplace(child.attribute("id").value(), nodes_.size());
      require(added, "{}: node id '{}' is repeated", place(child), known->first);
    }
    require(!nodes_.empty(), "{} has no nodes", path_);
  }

  FabricBuilder::Built read_own(const pugi::xml_node& graph) {
    number_nodes(graph);
    const bool directed = is_directed(graph);
    TopologyBuilder builder(static_cast<std::int64_t>(nodes_.size()));
    set_kinds(graph, builder);
    SpeedColumns speeds;
    for (const pugi::xml_node& edge : children(graph, "edge"))
      add_edge(edge, directed, builder, speeds);
    std::vector<LinkId> ids_of_handles;
    Topology topology = std::move(builder).build(file_expression(path_), &ids_of_handles);
    Facets facets;
    facets.machine = machine_of(graph);
    if (const auto rate_Bps = number(graph, "infiniband_Bps")) {
      require(*rate_Bps >= 1, "{}: infiniband_Bps is {} (expected 1 or more)", place(graph),
              *rate_Bps);
      facets.infiniband_Bps = *rate_Bps;
    }
    if (!facets.machine.empty() || facets.infiniband_Bps > 0)
      topology = with_facets(topology, std::move(facets), topology.expression());
    return {.network = {std::move(topology), speeds.finish(ids_of_handles)},
            .numbers = {},
            .notes = {}};
  }

  static bool is_directed(const pugi::xml_node& graph) {
    return std::string_view(graph.attribute("edgedefault").value()) == "directed";
  }

  // A name, because a path would mean another file elsewhere.
  std::string machine_of(const pugi::xml_node& graph) const {
    const auto machine = attribute(graph, "machine");
    if (!machine) return "";
    require(!machine->empty() && machine->find('/') == std::string::npos,
            "{}: machine is '{}' (expected the name of a machine, as weft list machines has it)",
            place(graph), *machine);
    return *machine;
  }

  // The text of the attribute named `name`, or nothing.
  std::optional<std::string> attribute(const pugi::xml_node& element, std::string_view name) const {
    for (const pugi::xml_node& data : children(element, "data")) {
      const auto key = keys_.find(data.attribute("key").value());
      if (key != keys_.end() && key->second.name == name)
        return std::string(trim(data.text().get()));
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> number(const pugi::xml_node& element, std::string_view name) const {
    const auto text = attribute(element, name);
    if (!text) return std::nullopt;
    const auto value = number_in<std::int64_t>(*text);
    require(value.has_value(), "{}: {} '{}' is not an integer", place(element), name, *text);
    return value;
  }

  void set_kinds(const pugi::xml_node& graph, TopologyBuilder& builder) const {
    std::int64_t index = 0;
    for (const pugi::xml_node& node : children(graph, "node")) {
      const std::string kind = attribute(node, "kind").value_or("host");
      require(kind == "host" || kind == "switch", "{}: kind '{}' is neither host nor switch",
              place(node), kind);
      if (kind == "switch") builder.set_kind(NodeId(index), NodeKind::switch_node);
      ++index;
    }
  }

  std::size_t end_of(const pugi::xml_node& edge, const char* which) const {
    const auto node = nodes_.find(edge.attribute(which).value());
    require(node != nodes_.end(), "{}: {} '{}' is not a node of the graph", place(edge), which,
            edge.attribute(which).value());
    return node->second;
  }

  void count_class(const pugi::xml_node& edge, const std::string& name) {
    classes_.try_emplace(name, 0);
    require(classes_.size() <= kMostClasses, "{}: more than {} link classes", place(edge),
            kMostClasses);
  }

  static bool is_directed(const pugi::xml_node& edge, bool by_default) {
    const pugi::xml_attribute own = edge.attribute("directed");
    return own.empty() ? by_default : own.as_bool();
  }

  void add_edge(const pugi::xml_node& edge, bool directed_by_default, TopologyBuilder& builder,
                SpeedColumns& speeds) {
    const NodeId from(end_of(edge, "source")), to(end_of(edge, "target"));
    const GivenSpeed speed{number(edge, "bandwidth_Bps"), number(edge, "latency_ps")};
    require_speed(speed, place(edge));
    const bool directed = is_directed(edge, directed_by_default);
    const std::string class_name = attribute(edge, "class").value_or("link");
    count_class(edge, class_name);
    const ClassId link_class = builder.link_class(class_name);
    require(directed || from != to, "{}: node '{}' is connected to itself; remove the edge",
            place(edge), edge.attribute("source").value());
    speeds.add(speed);
    if (directed) {
      builder.add_link(from, to, link_class);
    } else {
      builder.add_cable(from, to, link_class);
      speeds.add(speed);
    }
  }

  // Of other programs: all attributes, with the keys' defaults; graphics of yEd hold labels.
  GraphAttributes attributes_of(const pugi::xml_node& element, std::string_view domain) const {
    GraphAttributes found;
    std::unordered_set<std::string_view> given;
    for (const pugi::xml_node& data : children(element, "data")) {
      const char* id = data.attribute("key").value();
      const auto key = keys_.find(id);
      const std::string& name = key == keys_.end() ? id : key->second.name;
      given.insert(id);
      const bool is_graphics = data.first_child().type() == pugi::node_element;
      if (!is_graphics)
        found.push_back({name, std::string(trim(data.text().get()))});
      else if (const auto label = label_in(data); !label.empty() && domain == "node")
        found.push_back({"label", label});
    }
    for (const auto& [id, key] : with_default_)
      if ((key->domain == domain || key->domain == "all") && !given.contains(id))
        found.push_back({key->name, *key->otherwise});
    return found;
  }

  static std::string label_in(const pugi::xml_node& graphics) {
    const pugi::xml_node label = graphics.find_node(
        [](const pugi::xml_node& node) { return local_name(node) == "NodeLabel"; });
    std::string text(trim(label.text().get()));
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  FabricBuilder::Built read_others(const pugi::xml_node& graph, const ImportOptions& options) {
    number_nodes(graph);
    AttributedGraph read(path_, options);
    read.read_graph_attributes(attributes_of(graph, "graph"), line(graph));
    for (const pugi::xml_node& node : children(graph, "node"))
      read.node(node.attribute("id").value(), attributes_of(node, "node"), line(node));
    const bool directed = is_directed(graph);
    for (const pugi::xml_node& edge : children(graph, "edge")) add_edge(edge, directed, read);
    return std::move(read).fabric().build();
  }

  void add_edge(const pugi::xml_node& edge, bool directed_by_default, AttributedGraph& graph) {
    AttributedGraph::Edge added{.from = end_of(edge, "source"),
                                .to = end_of(edge, "target"),
                                .one_way = is_directed(edge, directed_by_default),
                                .port_from = edge.attribute("sourceport").value(),
                                .port_to = edge.attribute("targetport").value(),
                                .link_class = "link",
                                .line = line(edge)};
    GraphAttributes attributes = attributes_of(edge, "edge");
    const auto named = std::ranges::find(attributes, "class", &GraphAttribute::key);
    if (named != attributes.end()) {
      added.link_class = named->value.empty() ? "link" : named->value;
      count_class(edge, added.link_class);
      attributes.erase(named);
    }
    graph.edge(std::move(added), attributes);
  }

  std::string_view content_;
  const std::string& path_;
  std::vector<std::size_t> line_ends_;
  pugi::xml_document document_;
  std::unordered_map<std::string, Key> keys_;            // by id
  std::map<std::string_view, const Key*> with_default_;  // by id
  std::unordered_map<std::string, std::size_t> nodes_;   // node id -> number
  std::unordered_map<std::string, int> classes_;
};

void append_data(std::string& text, std::string_view key, std::string_view value) {
  text += fmt::format("<data key=\"{}\">{}</data>", key, escape_xml(value));
}

std::string graph_data(std::string_view key, std::string_view value) {
  std::string text;
  append_data(text, key, value);
  return text + '\n';
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
// Only where the network has them.
constexpr std::string_view kMachineKey =
    "<key id=\"machine\" for=\"graph\" attr.name=\"machine\" attr.type=\"string\"/>\n";
constexpr std::string_view kRateKey =
    "<key id=\"infiniband_Bps\" for=\"graph\" attr.name=\"infiniband_Bps\" attr.type=\"long\"/>\n";

}  // namespace

FabricBuilder::Built read_graphml(std::string_view content, const std::string& path,
                                  const ImportOptions& options) {
  return Reader(content, path).read(options);
}

BuiltTopology read_graphml(std::string_view content, const std::string& path) {
  auto [network, numbers, notes] = read_graphml(content, path, {});
  if (notes.empty()) return std::move(network);
  Facets facets = network.topology.facets();
  facets.import_notes = std::make_shared<const std::vector<ImportNote>>(std::move(notes));
  network.topology =
      with_facets(network.topology, std::move(facets), network.topology.expression());
  return std::move(network);
}

std::string write_graphml(const BuiltTopology& built) {
  const Topology& topology = built.topology;
  bool one_way = false;
  for (LinkId link : topology.links()) one_way = one_way || !topology.reverse(link);
  std::string text(kHeader);
  const std::string machine = machine_in(topology);
  const std::int64_t rate_Bps = topology.facets().infiniband_Bps;
  if (!machine.empty()) text += kMachineKey;
  if (rate_Bps > 0) text += kRateKey;
  text += fmt::format("<graph id=\"{}\" edgedefault=\"{}\">\n", escape_xml(topology.name()),
                      one_way ? "directed" : "undirected");
  if (!machine.empty()) text += graph_data("machine", machine);
  if (rate_Bps > 0) text += graph_data("infiniband_Bps", std::to_string(rate_Bps));
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
            "{} has a cable from node {} to itself, which GraphML cannot store; use .json",
            topology.name(), topology.tail(link).value());
    if (*reverse < link) continue;
    const GivenSpeed back = given_speed(built.speeds, *reverse);
    require(forth.bandwidth_Bps == back.bandwidth_Bps && forth.latency_ps == back.latency_ps,
            "{} has a cable with unequal directions, which GraphML cannot store; use .json",
            topology.name());
    append_edge(text, built, link, false);
  }
  return text + "</graph>\n</graphml>\n";
}

}  // namespace weft::topology
