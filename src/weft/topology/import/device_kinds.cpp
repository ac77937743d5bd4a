#include "weft/topology/import/device_kinds.hpp"

#include <array>
#include <initializer_list>
#include <span>
#include <string>

#include "weft/base/suggest.hpp"

namespace weft::topology {

namespace {

constexpr auto kHost = NodeKind::host, kSwitch = NodeKind::switch_node;

// What a word says of a device, by how it begins; the longest that fits counts.
struct Prefix {
  std::string_view text;
  NodeKind kind;
};
// As roles and within names.
constexpr std::array kDevices{
    Prefix{"host", kHost},         Prefix{"server", kHost},   Prefix{"compute", kHost},
    Prefix{"gpu", kHost},          Prefix{"dgx", kHost},      Prefix{"storage", kHost},
    Prefix{"client", kHost},       Prefix{"worker", kHost},   Prefix{"login", kHost},
    Prefix{"switch", kSwitch},     Prefix{"leaf", kSwitch},   Prefix{"spine", kSwitch},
    Prefix{"core", kSwitch},       Prefix{"tor", kSwitch},    Prefix{"agg", kSwitch},
    Prefix{"superspine", kSwitch}, Prefix{"border", kSwitch}, Prefix{"exit", kSwitch},
    Prefix{"edge", kSwitch},       Prefix{"router", kSwitch}};
constexpr std::array kRoles{Prefix{"h", kHost},          Prefix{"s", kSwitch},
                            Prefix{"hca", kHost},        Prefix{"ca", kHost},
                            Prefix{"nic", kHost},        Prefix{"npu", kHost},
                            Prefix{"end_host", kHost},   Prefix{"endhost", kHost},
                            Prefix{"endpoint", kHost},   Prefix{"terminal", kHost},
                            Prefix{"machine", kHost},    Prefix{"workstation", kHost},
                            Prefix{"oob-server", kHost}, Prefix{"oob-switch", kSwitch},
                            Prefix{"internet", kSwitch}, Prefix{"super", kSwitch},
                            Prefix{"fabric", kSwitch},   Prefix{"access", kSwitch},
                            Prefix{"nvswitch", kSwitch}, Prefix{"distribution", kSwitch},
                            Prefix{"backbone", kSwitch}, Prefix{"bridge", kSwitch},
                            Prefix{"gateway", kSwitch}};
constexpr std::array kNames{Prefix{"srv", kHost},  Prefix{"node", kHost}, Prefix{"cn", kHost},
                            Prefix{"nid", kHost},  Prefix{"sw", kSwitch}, Prefix{"rtr", kSwitch},
                            Prefix{"isl", kSwitch}};
// Ports of switches: Cumulus, SONiC and Arista, Juniper. Ports of servers: Linux, InfiniBand.
constexpr std::array kPorts{
    Prefix{"swp", kSwitch}, Prefix{"ethernet", kSwitch}, Prefix{"et-", kSwitch},
    Prefix{"xe-", kSwitch}, Prefix{"ge-", kSwitch},      Prefix{"sw", kSwitch},
    Prefix{"eth", kHost},   Prefix{"ens", kHost},        Prefix{"enp", kHost},
    Prefix{"eno", kHost},   Prefix{"ib", kHost},         Prefix{"mlx", kHost},
    Prefix{"hca", kHost},   Prefix{"nic", kHost},        Prefix{"hsn", kHost},
    Prefix{"roce", kHost},  Prefix{"bond", kHost},       Prefix{"rdma", kHost}};
// A word of two letters is no part of a longer one: "ca" is no "cabinet".
bool begins_with(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  const bool goes_on =
      text.size() > prefix.size() && text[prefix.size()] >= 'a' && text[prefix.size()] <= 'z';
  return prefix.size() > 2 || !goes_on;
}

std::optional<NodeKind> kind_by(std::initializer_list<std::span<const Prefix>> tables,
                                std::string_view word) {
  const std::string text = lower(std::string(word));
  const Prefix* longest = nullptr;
  for (const std::span<const Prefix> table : tables)
    for (const Prefix& each : table)
      if (begins_with(text, each.text) &&
          (longest == nullptr || each.text.size() > longest->text.size()))
        longest = &each;
  return longest == nullptr ? std::nullopt : std::optional(longest->kind);
}

bool is_letter_and_number(std::string_view name, char letter) {
  return name.size() > 1 && name.front() == letter &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

std::optional<NodeKind> kind_by_role(std::string_view role) {
  return kind_by({kDevices, kRoles}, role);
}

std::optional<NodeKind> kind_by_name(std::string_view name) {
  return kind_by({kDevices, kNames}, name);
}

// eth1/1 and Eth1/1/1 are ports of switches.
std::optional<NodeKind> kind_by_port(std::string_view port) {
  return port.find('/') != std::string_view::npos ? kSwitch : kind_by({kPorts}, port);
}

std::optional<NodeKind> kind_by_letter(std::string_view name) {
  if (is_letter_and_number(name, 'h')) return kHost;
  if (is_letter_and_number(name, 's')) return kSwitch;
  return std::nullopt;
}

}  // namespace weft::topology
