// Machines that people own, as data: network:NAME is share/networks/NAME.toml.
//
//   summary = "..."                    what it is, in a line
//   source = ["...", ...]              where its figures come from
//   topology = "complete:8"            an expression; or hosts, switches and their cables:
//   hosts = 8
//   switches = 4
//   [[cables]]
//   class = "nvlink"
//   between = [[0, 7], [8, 9]]         each node of the first range with each of the second; or
//   pairs = [[0, 1], [2, 3]]           these
//   parallel = 5                       cables of each pair; 1 if left out
//   [speeds]
//   nvlink = "25GBps"                  of links of a class: bandwidth, or bandwidth,latency
//   [cards]
//   count = 8                          that join boxes(n, network:NAME, X), in the hosts' order
//   bandwidth = "400Gbps"
//
// Hosts are the nodes 0 to hosts - 1, switches those behind them. A speed that is not given is the
// default, and --link overrides what is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/functions.hpp"

namespace weft::topology {

struct MachineInfo {
  std::string name, summary;
  std::vector<std::string> sources;
  std::string profile = {};  // the machine whose start-ups and link classes it has, if any
};

struct Machine {
  MachineInfo info;
  BuiltTopology network;
  std::optional<Cards> cards;
};

/// What a machine file says of itself. Throws InvalidInput as parse_machine().
MachineInfo parse_machine_info(std::string_view text, const std::string& name,
                               const std::string& path);

/// Reads a machine file; `path` leads messages. Throws InvalidInput with the line of what is wrong.
Machine parse_machine(std::string_view text, const std::string& name, const std::string& path);

/// The machine of that name, in any case where no other file has exactly that. Throws InvalidInput
/// for an unknown one, with the nearest, and for one whose file leads to itself.
Machine read_machine(std::string_view name);

/// The machines that come with weft, by name, none of them built; none where their folder is not
/// found.
std::vector<MachineInfo> machines();

/// The machine of rail:... networks, whose boxes have GPUs.
inline constexpr std::string_view kGpuMachine = "gpus";

/// The machine of the first network:NAME or rail:... in the expression that has one; empty where
/// none has.
std::string profile_in(const Expression& expression);

/// The machine that a network has: the one that its file names, that of its expression, or of the
/// files that the expression reads; empty where none has one.
std::string machine_in(const Topology& topology);

/// The cards of a box that is network:NAME; nothing of other networks.
std::optional<Cards> cards_of(const Expression& box);

/// The cards that a machine has among its nodes, as imported ones do: switches that links of class
/// "card" alone lead to. Ascending.
std::vector<NodeId> card_nodes(const Topology& machine);

/// The class of links to cards.
constexpr std::string_view kCardClass = "card";

}  // namespace weft::topology
