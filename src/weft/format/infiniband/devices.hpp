// What ibnetdiscover prints and ibsim reads: devices with a line for each port that a cable is in.
//
//   Switch	8 "S-0000000000200001"		# "leaf1" base port 0 lid 3 lmc 0
//   [1]	"H-0000000000100004"[1](100005) 		# "h2" lid 7 4xSDR
//
// Written from what the tools print and from ibsim's examples; both have the same grammar, but that
// ibsim's nets name devices by hand, may tell a cable at one end alone and speeds only in comments.
// Messages of the tools, which reach the file where errors are redirected to it, are skipped with a
// note; the headings of ibnetdiscover -g say nothing of cables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/topology/import/import_notes.hpp"

namespace weft::format::infiniband {

struct PortLine {
  std::int32_t port = 0;
  std::string peer;  // a device's id
  std::int32_t peer_port = 0;
  std::uint64_t guid = 0;           // of this port, where it says so
  std::optional<std::int32_t> lid;  // of this port
  std::int32_t lmc = 0;
  std::string rate;                           // width and speed, 4xEDR; empty where not known
  std::optional<std::int64_t> bandwidth_Bps;  // of each direction, by the rate
  std::int64_t line = 0;
};

enum class DeviceKind : std::uint8_t { switch_device, adapter, router };

struct Device {
  DeviceKind kind = DeviceKind::adapter;
  std::int32_t ports = 0;
  std::string id, description;
  std::string model;                // its devid; empty where it has none
  std::uint64_t guid = 0;           // 0 where it has none
  std::optional<std::int32_t> lid;  // of a switch
  std::vector<PortLine> lines;      // ports
  std::int64_t line = 0;
};

/// What it skips goes to the log. Throws InvalidInput naming file and line for what is no such
/// text, for a device or a port that stands there twice, a port that the device has not, and a peer
/// that is nowhere.
std::vector<Device> read_devices(std::string_view text, topology::ImportLog& log);

/// The data rate of each direction of a cable such as 4xEDR or 1xFDR10, in bytes a second: width
/// times the lane's rate less its line code. Nothing for what is none.
std::optional<std::int64_t> data_rate_Bps(std::string_view width_and_speed);

}  // namespace weft::format::infiniband
