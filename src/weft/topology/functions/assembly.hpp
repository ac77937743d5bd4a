// A network put together from the links of others, their speeds kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/formats.hpp"

namespace weft::topology {

class Assembly {
 public:
  /// That many hosts, then that many switches.
  Assembly(std::int64_t hosts, std::int64_t switches);

  /// The links of `part` between the nodes that its own stand for here, of the classes that it has
  /// under these names; links without a speed get `otherwise`.
  void add_links(const BuiltTopology& part, IdSpan<NodeId, const NodeId> place,
                 const std::function<std::string(const std::string&)>& class_name,
                 const GivenSpeed& otherwise = {});
  void add_cable(NodeId u, NodeId v, std::string_view link_class, const GivenSpeed& speed = {});

  TopologyBuilder& builder() { return builder_; }
  /// By handle, the port of its tail that a link is in, as the parts call it; may end early.
  std::vector<std::string> ports() const { return ports_; }
  BuiltTopology build(Expression name) &&;

 private:
  TopologyBuilder builder_;
  SpeedColumns speeds_;
  std::vector<std::string> ports_;
};

/// The groups of switches of copies of `part`, whose switches stand from `first` on, copy by copy;
/// nothing where it shows none, or was damaged.
std::optional<SwitchGroups> switch_groups_of_copies(const Topology& part, std::int64_t first,
                                                    std::int64_t copies);

/// Where the nodes of `part` stand: its hosts and its switches in their order from these on.
IdVector<NodeId, NodeId> places(const Topology& part, std::int64_t first_host,
                                std::int64_t first_switch);

}  // namespace weft::topology
