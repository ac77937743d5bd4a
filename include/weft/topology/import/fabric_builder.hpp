// A fabric while its file is read: nodes and cables by name, put together once all is known.
//
//   FabricBuilder builder("net.conf", options);
//   const auto leaf = builder.node("leaf1", "leaf1", NodeKind::switch_node, {.line = 3});
//   builder.cable(host, "", leaf, "swp1", {.bandwidth_Bps = 12'500'000'000});
//   auto [network, numbers, notes] = std::move(builder).build();
//
// What all files have in common is put right here, each with a note: cables from a device to
// itself, devices without a cable, names that several have, parts that no cable joins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/fabric.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::topology {

class FabricBuilder {
 public:
  using Node = std::size_t;  // in the order of node()

  struct Rules {
    /// Hosts first, as people count them (node2 before node10), then switches in the order of the
    /// file, a node's links by port; or nodes and links just as they came.
    bool hosts_first = true;
    /// Everything stays: devices without cables and several parts, too.
    bool keep_all = false;
    /// A note tells which cables have no bandwidth.
    bool note_speeds = true;
  };

  /// `file` leads messages and names the network.
  explicit FabricBuilder(std::string file, const ImportOptions& options = {});
  FabricBuilder(std::string file, const ImportOptions& options, Rules rules);

  ImportLog& log() { return log_; }
  const std::string& file() const { return log_.file(); }

  /// What a node is called, if its name serves; else `fallback`, which is unlike all names of
  /// others. `line` is where the file has it; 0: it has no lines.
  Node node(std::string name, std::string fallback, NodeKind kind, std::int64_t line = 0);
  /// Makes it a host or a switch after all.
  void set_kind(Node node, NodeKind kind) { nodes_[node].kind = kind; }
  std::size_t node_count() const { return nodes_.size(); }

  /// What is known of a cable beside its ends.
  struct Facts {
    std::optional<std::int64_t> bandwidth_Bps = {}, latency_ps = {};  // of each direction
    std::string link_class = {};  // empty: "terminal" where a host meets a switch, else "link"
    bool one_way = false;         // from the first end to the second alone
    std::int64_t line = 0;        // where the file has it; 0: no line is known
  };
  /// Ports are in names and numbers as the file has them; empty where it has none.
  void cable(Node a, std::string port_a, Node b, std::string port_b, Facts facts);

  struct Built {
    BuiltTopology network;
    std::vector<std::optional<NodeId>> numbers;  // by node of the builder; nothing: left out
    std::vector<ImportNote> notes;
  };
  /// Throws InvalidInput for a fabric without hosts or without a cable, and for one in parts of
  /// which the options neither name one nor join all. O(n log n) for n nodes and cables.
  Built build() &&;

 private:
  struct NamedNode {
    std::string name, fallback;
    NodeKind kind;
    std::int64_t line = 0;
    bool stays = true;
  };
  struct End {
    Node node;
    std::string port;
  };
  struct Cable {
    End a, b;
    Facts facts;
  };
  struct Part {
    std::vector<Node> nodes;
    std::int64_t hosts = 0;
    Node head = 0;
  };

  void settle_names();
  void drop_cables_to_self();
  void drop_lone_devices();
  std::vector<Part> parts() const;
  std::vector<std::int32_t> distances_from_hosts() const;
  void find_heads(std::vector<Part>& parts) const;
  std::string parts_text(const std::vector<Part>& parts) const;
  void choose_part();
  void join(const std::vector<Part>& parts);
  void take(const std::vector<Part>& parts);
  void note_missing_speeds();
  std::vector<Node> in_order() const;
  void sort_cables(const std::vector<std::optional<NodeId>>& numbers);
  std::string where(Node node) const;

  ImportOptions options_;
  Rules rules_;
  ImportLog log_;
  std::vector<NamedNode> nodes_;
  std::vector<Cable> cables_;
};

}  // namespace weft::topology
