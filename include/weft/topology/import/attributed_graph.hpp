// Graphs with attributes, as GraphML, GML and NetworkX keep them, on their way to a fabric.
//
//   AttributedGraph graph(source.file, source.options);
//   const auto a = graph.node("0", {{"label", "Hamburg"}}, 3);
//   graph.edge({.from = a, .to = b, .line = 9}, {{"capacity", "10 Gbps"}});
//   FabricBuilder builder = std::move(graph).fabric();
//
// What all such files have in common is decided here. A node is called by its label or name where
// no other is called so, else by its id. It is a host unless an attribute (kind, type, role) says
// of every node whether it is a host or a switch. Speeds are found by SpeedReader. One-way edges
// that all have their opposite are cables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/topology/import/fabric_builder.hpp"
#include "weft/topology/import/speed_attributes.hpp"

namespace weft::topology {

class AttributedGraph {
 public:
  using Node = std::size_t;  // in the order of node()

  /// Numbering in the order of the file, unless the rules say otherwise.
  explicit AttributedGraph(std::string file, const ImportOptions& options = {},
                           FabricBuilder::Rules rules = {.hosts_first = false});
  AttributedGraph(const AttributedGraph&) = delete;
  AttributedGraph& operator=(const AttributedGraph&) = delete;

  ImportLog& log() { return builder_.log(); }
  SpeedReader& speeds() { return speeds_; }
  const std::string& file() const { return builder_.file(); }

  /// Throws InvalidInput, with the line, for an id that stands there already.
  Node node(const std::string& id, const GraphAttributes& attributes, std::int64_t line);
  std::optional<Node> find(const std::string& id) const;
  /// The node of that id, a new one where there is none yet.
  Node node_of(const std::string& id, std::int64_t line);
  std::size_t node_count() const { return nodes_.size(); }
  /// Its name, for messages.
  const std::string& id(Node node) const { return nodes_[node].id; }

  struct Edge {
    Node from = 0, to = 0;
    bool one_way = false;
    std::string port_from = {}, port_to = {};
    std::string link_class = {};
    std::int64_t line = 0;
  };
  void edge(Edge edge, const GraphAttributes& attributes);

  /// What the whole graph says: units of capacities and delays; the rest is not read.
  void read_graph_attributes(const GraphAttributes& attributes, std::int64_t line);

  /// Throws InvalidInput for a graph without nodes.
  FabricBuilder fabric() &&;

 private:
  struct Described {
    std::string id, name;
    GraphAttributes kinds;  // that may say whether it is a host or a switch
    std::int64_t line = 0;
  };
  struct Sped {
    Edge edge;
    EdgeSpeed speed;
  };

  std::string where(const Described& node) const;
  std::vector<NodeKind> kinds();
  std::optional<std::vector<NodeKind>> kinds_by(const std::string& key) const;
  bool is_own(const std::string& key) const;
  std::vector<std::string> fallbacks() const;
  void pair_opposites();
  void pair_single_directions();
  bool all_reached(bool backwards) const;

  FabricBuilder builder_;
  SpeedReader speeds_;
  std::vector<Described> nodes_;
  std::unordered_map<std::string, Node> by_id_;
  std::vector<Sped> edges_;
};

/// Which graph of a file of several is meant, from 0: the only one, or the one whose name or number
/// (from 1) is --part, which is then left out of `options`. Throws InvalidInput, naming them, where
/// none is chosen.
std::size_t chosen_graph(const std::vector<std::string>& names, const std::string& file,
                         ImportOptions& options);

}  // namespace weft::topology
