// A fabric while its file is read: nodes and cables by name, put together once all is known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/format/format.hpp"

namespace weft::format {

class FabricBuilder {
 public:
  using Node = std::size_t;  // in the order of node()

  /// What a node is called, if its name serves; else `fallback`, which is unlike all names of
  /// others. `where` it stands, FILE:LINE, leads messages of it; empty: the file.
  Node node(std::string name, std::string fallback, NodeKind kind, std::string where = {});
  /// What is known of a cable beside its ends.
  struct Facts {
    std::optional<std::int64_t> bandwidth_Bps = {}, latency_ps = {};  // of each direction
    std::string link_class = {};  // empty: "terminal" where a host meets a switch, else "link"
    bool one_way = false;         // from the first end to the second alone
  };
  /// Ports are in names and numbers as the file has them; empty where it has none.
  void cable(Node a, std::string port_a, Node b, std::string port_b, Facts facts);

  /// Hosts first, as people count them (node2 before node10), then switches in the order of the
  /// file; a node's links by port. Node i of this builder is `numbers[i]`. Throws InvalidInput for
  /// a fabric without hosts, and for one of several parts that no cable joins.
  BuiltTopology build(const std::string& file, std::vector<NodeId>& numbers) &&;

 private:
  struct NamedNode {
    std::string name, fallback;
    NodeKind kind;
    std::string where;
  };
  struct End {
    Node node;
    std::string port;
  };
  struct Cable {
    End a, b;
    Facts facts;
  };

  std::vector<std::string> final_names() const;
  const std::string& where(Node node, const std::string& file) const;
  void require_one_network(const std::vector<std::string>& names, const std::string& file) const;

  std::vector<NamedNode> nodes_;
  std::vector<Cable> cables_;
};

}  // namespace weft::format
