// Names: what people call the nodes of a network, and the ports that its cables are in.
//
//   const Topology named = make_topology("names(hosts=node[001-512], torus:8x8x8)");
//   node_text(named, NodeId(7));               // "node008", or "7" where it has no name
//   NodeNames(named).find("node008");          // NodeId(7)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Of a network, as a facet of it. No two nodes have one name; an empty name is none.
struct Names {
  std::vector<std::string> nodes;  // by node; may end early
  std::vector<std::string> ports;  // by link: the port of its tail that it is in; or empty

  friend bool operator==(const Names&, const Names&) = default;
};

/// The name of a node, empty where it has none.
const std::string& name_of(const Topology& topology, NodeId node);
/// The port of its tail that a link is in, empty where nobody said so. Of the head's port ask the
/// link's reverse.
const std::string& port_of(const Topology& topology, LinkId link);
/// For people: the name, or else the number.
std::string node_text(const Topology& topology, NodeId node);

/// For other systems, whose nodes need names: the name, or else host3 or switch7 by its number.
std::string exported_name(const Topology& topology, NodeId node);

/// What another system takes as a name.
struct ForeignNames {
  std::string_view forbidden = {};  // characters
  std::size_t longest = 255;        // bytes
};
struct ExportedNames {
  std::vector<std::string> names;    // by node, each once
  std::vector<std::string> renamed;  // "\"desk 0\" as host3", of nodes that could not keep theirs
};
/// exported_name() of all nodes, and host3 or switch7 in place of names that the system does not
/// take; another number of dashes behind it where that is the name of another node. O(nodes).
ExportedNames exported_names(const Topology& topology, const ForeignNames& taken);

/// Whether a node may be called so: any UTF-8 text of 1 to 255 bytes without control characters and
/// without blanks at its ends. Other systems' files may allow less: see export_names.hpp.
bool is_name(std::string_view text);

/// The name as a list of names takes it: in double quotes where it has blanks, commas, brackets,
/// quotes or #.
std::string quoted_name(std::string_view name);

/// Whether a stands before b as people count: runs of digits by their value.
bool counts_before(std::string_view a, std::string_view b);

/// Throws InvalidInput where a name is no name; `where` leads the message.
void require_name(std::string_view name, std::string_view where);
/// Throws InvalidInput where a name is no name or stands there twice; `where` leads the message.
void check_names(const std::vector<std::string>& names, const std::string& where);

/// What a line of a list has before its comment; # within double quotes begins none.
std::string_view without_comment(std::string_view line);

inline constexpr std::size_t kMostNamesOfList = std::size_t{1} << 24;

/// The names of a list as schedulers write it, "login,node[001-003,7]": commas part it, brackets
/// hold numbers and ranges, whose leading zeros stay; what stands in double quotes is one name as
/// it is, \" and \\ in it a quote and a backslash. Throws InvalidInput for what is no such list,
/// and above `most` names; `where` leads the message. Names are not checked.
std::vector<std::string> expand_names(std::string_view list, const std::string& where,
                                      std::size_t most = kMostNamesOfList);

/// Names of a file: lists as above, one or several a line, blanks between them, comments behind #.
/// Throws InvalidInput naming file and line; also for a name that stands there twice.
std::vector<std::string> read_names(const std::string& path);

/// The same network with these names, in place of those that it had, as this expression. Throws
/// InvalidInput where they are not one for each node (an empty one: none) or check_names() refuses
/// them.
Topology with_names(const Topology& topology, Names names, Expression expression,
                    const std::string& where);

/// The same network with these facets, in place of those that it had, as this expression.
Topology with_facets(const Topology& topology, Facets facets, Expression expression);

/// Nodes by their names.
class NodeNames {
 public:
  explicit NodeNames(const Topology& topology);
  std::optional<NodeId> find(std::string_view name) const;

 private:
  std::shared_ptr<const Names> names_;  // of which the keys are views
  std::unordered_map<std::string_view, NodeId> nodes_;
};

}  // namespace weft::topology
