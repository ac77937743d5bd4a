#include "other_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "../text_lines.hpp"
#include "weft/base/text.hpp"

namespace weft::format::infiniband {

namespace {

constexpr std::int32_t kMostPorts = 254;
constexpr std::uint64_t kNear = 16;  // GUIDs of one adapter's ports follow each other

bool is_hexadecimal(std::string_view word) {
  return word.starts_with("0x") && number_in<std::uint64_t>(word.substr(2), 16).has_value();
}

// "SW", "CA" or "RT", lid, port, GUID.
bool begins_port(std::string_view text) {
  if (!text.starts_with("SW ") && !text.starts_with("CA ") && !text.starts_with("RT "))
    return false;
  const Line line("", 0, text);
  return line.words() >= 6 && number_in<std::int32_t>(line.word(1)) &&
         number_in<std::int32_t>(line.word(2)) && is_hexadecimal(line.word(3));
}

// Ca	 : 0x0008f10403961354 ports 2 devid 0x5a44 vendid 0x2c9 "h2 HCA-1"
bool is_device(std::string_view text) {
  const Line line("", 0, text);
  return line.words() >= 5 && line.word(1) == ":" && is_hexadecimal(line.word(2)) &&
         line.word(3) == "ports";
}

struct End {
  DeviceKind kind = DeviceKind::adapter;
  std::int32_t lid = 0, port = 0;
  std::uint64_t guid = 0;
  std::string name;
};

class Reader {
 public:
  Reader(std::string_view text, topology::ImportLog& log) : text_(text), log_(log) {}

  std::vector<Device> read() && {
    for (const std::string_view whole : lines_of(text_)) {
      ++number_;
      const std::string_view line = trim(whole);
      if (line.empty() || line.front() == '#') continue;
      if (begins_port(line))
        read_port(line);
      else
        log_.mend(
            "skipped, because the line is a message; its subject may be missing from the file",
            fmt::format("'{}'", printable(line.substr(0, 60))), number_);
    }
    name_peers();
    return std::move(devices_);
  }

 private:
  struct Peer {
    std::size_t device, line;  // whose line it is
    End end;
  };

  template <class... Args>
  [[noreturn]] void refuse(std::int64_t line, fmt::format_string<Args...> format,
                           Args&&... args) const {
    refuse_at(log_.file(), line, format, std::forward<Args>(args)...);
  }

  // From a word on: kind, lid, port, GUID.
  End end_at(const Line& line, std::size_t word) const {
    if (line.words() < word + 4)
      refuse(number_, "the line ends before its port; it may be truncated");
    const std::string_view kind = line.word(word);
    const auto guid = line.word(word + 3);
    if ((kind != "SW" && kind != "CA" && kind != "RT") || !is_hexadecimal(guid))
      refuse(number_, "expected SW, CA or RT, a lid, a port and its GUID");
    End end;
    end.kind = kind == "SW"   ? DeviceKind::switch_device
               : kind == "CA" ? DeviceKind::adapter
                              : DeviceKind::router;
    end.lid = static_cast<std::int32_t>(line.integer(word + 1, 0, 0xFFFF, "lid"));
    end.port = static_cast<std::int32_t>(line.integer(word + 2, 0, kMostPorts, "port"));
    end.guid = *number_in<std::uint64_t>(guid.substr(2), 16);
    return end;
  }

  // The two names in quotes, ( 'a' - 'b' ).
  void read_names(std::string_view text, End& own, End& peer) const {
    const std::size_t open = text.find("( '"), middle = text.find("' - '"),
                      close = text.rfind("' )");
    if (open == std::string_view::npos || middle == std::string_view::npos ||
        close == std::string_view::npos || middle < open + 3 || close < middle + 5)
      refuse(number_, "the names of the two ends are missing; the line may be truncated");
    own.name = trim(text.substr(open + 3, middle - open - 3));
    peer.name = trim(text.substr(middle + 5, close - middle - 5));
  }

  void read_port(std::string_view text) {
    const Line line(log_.file(), number_, text);
    if (line.words() < 7 || line.word(6) != "-") return;  // no cable is in it
    End own = end_at(line, 0), peer = end_at(line, 7);
    read_names(text, own, peer);
    PortLine port;
    port.line = number_;
    port.port = own.port;
    port.guid = own.guid;
    port.peer_port = peer.port;
    if (own.kind == DeviceKind::adapter) port.lid = own.lid;
    const std::string rate = fmt::format("{}{}", line.word(4), line.word(5));
    port.bandwidth_Bps = data_rate_Bps(rate);
    if (port.bandwidth_Bps)
      port.rate = rate;
    else if (rate.find('?') == std::string::npos)
      refuse(number_, "'{} {}' is not a width and speed, such as 4x EDR", line.word(4),
             line.word(5));
    const std::size_t device = device_of(own);
    Device& at = devices_[device];
    at.ports = std::max(at.ports, own.port);
    if (!by_port_.emplace(key(own), device).second)
      refuse(number_, "port {} of '{}' is repeated", own.port, own.name);
    peers_.push_back({device, at.lines.size(), std::move(peer)});
    at.lines.push_back(std::move(port));
  }

  // A port's GUID is its adapter's plus a little; all ports of a switch have the switch's.
  static std::string key(const End& end) { return fmt::format("{:x}/{}", end.guid, end.port); }

  std::size_t device_of(const End& end) {
    if (end.kind == DeviceKind::switch_device) {
      const auto known = by_guid_.find(end.guid);
      if (known != by_guid_.end()) return known->second;
    } else if (!devices_.empty() && goes_on(devices_.back(), end)) {
      return devices_.size() - 1;
    }
    Device device;
    device.kind = end.kind;
    device.guid = end.kind == DeviceKind::switch_device ? end.guid : 0;
    if (end.kind == DeviceKind::switch_device) device.lid = end.lid;
    device.id =
        fmt::format("{}-{:016x}", end.kind == DeviceKind::switch_device ? 'S' : 'H', end.guid);
    if (end.kind != DeviceKind::switch_device && !ids_.emplace(device.id, number_).second)
      refuse(number_, "GUID 0x{:x} is repeated, first at line {}", end.guid, ids_.at(device.id));
    device.description = end.name.empty() ? device.id : end.name;
    device.line = number_;
    if (end.kind == DeviceKind::switch_device) by_guid_.emplace(end.guid, devices_.size());
    devices_.push_back(std::move(device));
    return devices_.size() - 1;
  }

  // The list has an adapter's ports from the last to the first.
  static bool goes_on(const Device& device, const End& end) {
    if (device.kind != end.kind || device.description != end.name) return false;
    const PortLine& last = device.lines.back();
    return end.port < last.port && end.guid < last.guid && last.guid - end.guid <= kNear;
  }

  void name_peers() {
    for (const Peer& peer : peers_) {
      PortLine& line = devices_[peer.device].lines[peer.line];
      const auto known = by_port_.find(key(peer.end));
      if (known == by_port_.end())
        refuse(line.line, "the cable leads to port {} of '{}', which is not in the list",
               peer.end.port, peer.end.name);
      line.peer = devices_[known->second].id;
    }
  }

  std::string_view text_;
  topology::ImportLog& log_;
  std::int64_t number_ = 0;
  std::vector<Device> devices_;
  std::vector<Peer> peers_;
  std::unordered_map<std::uint64_t, std::size_t> by_guid_;  // switches
  std::unordered_map<std::string, std::size_t> by_port_;
  std::unordered_map<std::string, std::int64_t> ids_;  // of adapters, and their lines
};

}  // namespace

ListKind list_kind(std::string_view text) {
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = trim(whole);
    if (line.find("==(") != std::string_view::npos && line.find(")==>") != std::string_view::npos)
      return ListKind::links;
    if (begins_port(line)) return ListKind::ports;
    if (is_device(line)) return ListKind::devices;
  }
  return ListKind::none;
}

std::vector<Device> read_port_list(std::string_view text, topology::ImportLog& log) {
  return Reader(text, log).read();
}

}  // namespace weft::format::infiniband
