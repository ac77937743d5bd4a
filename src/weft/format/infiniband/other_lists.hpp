// What else InfiniBand's tools print, which people take for the topology: ibnetdiscover -p lists
// ports with their peers, from which the cables are read; ibnetdiscover -l, -H, -S and -R list
// devices alone, and iblinkinfo is another tool's. The latter are known by their form, so that the
// refusal can name them.
//
//   SW     6 22 0x005442ba00003080 4x SDR - CA     4  1 0x0008f10403961355 ( 'sw1' - 'h2 HCA-1' )
#pragma once

#include <string_view>
#include <vector>

#include "devices.hpp"

namespace weft::format::infiniband {

enum class ListKind : std::uint8_t { none, ports, devices, links };

/// What a text is a list of, by its first line that is of such a list.
ListKind list_kind(std::string_view text);

/// The devices of a list of ports. A port without a peer is left out; adapters are told apart by
/// their names, the order of their ports and the nearness of the ports' GUIDs, since the list has
/// no GUIDs of adapters. Throws InvalidInput naming file and line for what is no such list.
std::vector<Device> read_port_list(std::string_view text, topology::ImportLog& log);

}  // namespace weft::format::infiniband
