// The rows of the table of functions, and what their files share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/facets.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

Function hosts_function();
Function without_function();
Function product_function();
Function power_function();
Function transpose_function();
Function line_function();
Function degree_function();
Function bidirectional_function();
Function splice_function();
Function exchange_function();
Function idle_function();
Function boxes_function();
Function planes_function();
Function names_function();
Function tables_function();

/// Throws InvalidInput where the topology has switches, which `function` cannot expand.
void require_equal_nodes(const Topology& topology, std::string_view function);

/// attach_hosts() as a network with a name of its own.
BuiltTopology attach_hosts_as(Expression name, int hosts_per_switch, const BuiltTopology& inner);

/// name(parameters, inner); repeated functions without own arguments become a power.
Expression apply(std::string name, std::string parameters, const Expression& inner);

/// Keeps of `whole` the names of its nodes and the group of which it is a Cayley graph, also of its
/// transpose and of both together: translations map links to links in either direction.
void keep_group(TopologyBuilder& builder, const Topology& whole);

/// For a network of the same nodes, whose links are others: the names without ports. None: null.
std::shared_ptr<const Names> names_of_nodes(const Topology& whole);

/// The speeds of a topology built from links of others: the speed of the link that each handle
/// copies, where there is one.
class CopiedSpeeds {
 public:
  /// The next handle copies `link` of a topology with these speeds.
  void copy(const FileSpeeds& from, LinkId link);
  /// The next handle is new.
  void none() { ++handles_; }
  /// By link id, once the handles' ids are known.
  FileSpeeds finish(const std::vector<LinkId>& ids_of_handles) &&;

 private:
  std::size_t handles_ = 0;
  // By handle, as far as the last one with a speed.
  std::vector<std::optional<std::int64_t>> bandwidth_Bps_, latency_ps_;
};

}  // namespace weft::topology
