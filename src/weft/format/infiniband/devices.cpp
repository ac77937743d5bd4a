#include "devices.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format::infiniband {

namespace {

constexpr std::int32_t kMostPorts = 254;  // by the architecture: port numbers are one byte
constexpr std::array kWidths{1, 2, 4, 8, 12};
// What stands before a device, KEY=VALUE; ibsim takes all, ibnetdiscover prints the first six.
constexpr std::array<std::string_view, 12> kKeys{
    "vendid",  "devid",    "sysimgguid", "switchguid",  "caguid",   "rtguid",
    "hcaguid", "nodeguid", "portguid",   "switchguids", "hcaguids", "rtguids"};

struct Lane {
  std::string_view name;
  double bits_per_s;  // of data
};
// SDR to QDR spend 2 of 10 bits on their code, FDR10 to EDR 2 of 66; what follows is sold by its
// rate behind the code. InfiniBand Trade Association, "InfiniBand Roadmap".
constexpr std::array kLanes{Lane{"SDR", 2e9},
                            Lane{"DDR", 4e9},
                            Lane{"QDR", 8e9},
                            Lane{"FDR10", 10e9},
                            Lane{"FDR", 14.0625e9 * 64 / 66},
                            Lane{"EDR", 25e9},
                            Lane{"HDR", 50e9},
                            Lane{"NDR", 100e9},
                            Lane{"XDR", 200e9}};

// One line, read from its front.
class Cursor {
 public:
  Cursor(std::string_view text, const std::string& file, std::int64_t line)
      : rest_(trim(text)), file_(file), line_(line) {}

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_at(file_, line_, format, std::forward<Args>(args)...);
  }
  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view until(char c, std::string_view what) {
    const std::size_t end = rest_.find(c);
    if (end == std::string_view::npos) refuse("{} has no closing {}", what, c);
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return found;
  }
  std::int32_t number(std::string_view text, std::int32_t least, std::int32_t most,
                      std::string_view what) const {
    const auto value = number_in<std::int64_t>(trim(text));
    if (!value || *value < least || *value > most)
      refuse("'{}' is not a {} ({} to {})", text, what, least, most);
    return static_cast<std::int32_t>(*value);
  }
  // Hexadecimal, with or without its mark.
  std::uint64_t guid(std::string_view text) const {
    text = trim(text);
    const std::string_view digits = text.starts_with("0x") ? text.substr(2) : text;
    const auto guid = number_in<std::uint64_t>(digits, 16);
    if (!guid) refuse("'{}' is not a GUID, such as 0x2c90300a1b2c3", text);
    return *guid;
  }
  std::string_view rest() {
    skip();
    return rest_;
  }
  std::string_view word() {
    skip();
    const std::size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string_view rest_;
  const std::string& file_;
  std::int64_t line_;
};

// The number behind a word: lid 7.
std::optional<std::int32_t> number_behind(std::string_view text, std::string_view word) {
  std::vector<std::string_view> words;
  for (const std::string_view each : split(text, ' '))
    if (!each.empty()) words.push_back(each);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == word) return number_in<std::int32_t>(words[i + 1]);
  return std::nullopt;
}

// A comment: what stands before the name in quotes, the name, and what stands behind.
struct Comment {
  std::string_view before, name, behind;
};

Comment comment_in(std::string_view text) {
  const std::size_t first = text.find('"'), last = text.rfind('"');
  if (first == std::string_view::npos || first == last) return {text, {}, text};
  return {text.substr(0, first), trim(text.substr(first + 1, last - first - 1)),
          text.substr(last + 1)};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Whether a word has the form of a width and a speed, 4xEDR, whatever speed it is. Those that the
// tools do not know they print as question marks.
bool looks_like_rate(std::string_view word) {
  const std::size_t x = word.find_first_not_of("0123456789");
  return x != 0 && x != std::string_view::npos && word[x] == 'x' && x + 1 < word.size() &&
         !is_digit(word[x + 1]) && word[x + 1] != '?';
}

// What ibnetdiscover -g prints between devices.
bool is_heading(std::string_view line) {
  return line.starts_with("Chassis ") || line.starts_with("Non-Chassis ") ||
         line.starts_with("Hostname:");
}

// A word, a number of ports, a name in quotes: what a device looks like, of whatever kind.
bool looks_like_device(std::string_view line) {
  constexpr std::array<std::string_view, 6> kKinds{"Switch", "Ca", "Hca", "HCA", "Rt", "Router"};
  const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
  if (std::ranges::find(kKinds, line.substr(0, blank)) != kKinds.end()) return true;
  std::string_view rest = trim(line.substr(blank));
  return take_number<std::int64_t>(rest) && trim(rest).starts_with('"');
}

class Reader {
 public:
  Reader(std::string_view text, topology::ImportLog& log)
      : text_(text), log_(log), file_(log.file()) {}

  std::vector<Device> read() && {
    for (const std::string_view line : lines_of(text_)) {
      ++number_;
      read_line(line);
    }
    require(!devices_.empty(), "{} has no devices; check that it is the output of ibnetdiscover",
            file_);
    check_peers();
    return std::move(devices_);
  }

 private:
  void read_line(std::string_view line) {
    Cursor cursor(line, file_, number_);
    const std::string_view rest = cursor.rest();
    if (rest.empty() || rest.front() == '#') return;
    if (rest.front() == '[') return read_port(cursor);
    const std::size_t equals = rest.find('=');
    const std::string_view key = rest.substr(0, equals);
    if (equals != std::string_view::npos && key.find_first_of(" \t\"") == std::string_view::npos) {
      return read_key(cursor, key, rest.substr(equals + 1));
    }
    if (is_heading(rest)) return;
    if (looks_like_device(rest)) return read_device(cursor);
    if (rest.starts_with("include") || rest.front() == '@')
      cursor.refuse("'{}' is an abbreviation, which weft cannot read; write it in full",
                    rest.substr(0, kExcerpt));
    log_.mend("skipped, because the line is a message; its subject may be missing from the file",
              fmt::format("'{}'", printable(rest.substr(0, kExcerpt))), number_);
  }

  void read_key(const Cursor& cursor, std::string_view key, std::string_view value) {
    if (std::ranges::find(kKeys, key) == kKeys.end())
      return log_.skip(fmt::format("key '{}'", printable(key.substr(0, kExcerpt))), number_);
    if (key == "switchguid" || key == "caguid" || key == "hcaguid" || key == "rtguid")
      guid_ = cursor.guid(value.substr(0, value.find('(')));
    if (key == "devid") model_ = trim(value);
  }

  // Switch	8 "S-0000000000200001"		# "leaf1" base port 0 lid 3 lmc 0
  void read_device(Cursor& cursor) {
    Device device;
    const std::string_view kind = cursor.word();
    if (kind == "Switch") {
      device.kind = DeviceKind::switch_device;
    } else if (kind == "Rt" || kind == "Router") {
      device.kind = DeviceKind::router;
    } else if (kind != "Ca" && kind != "Hca" && kind != "HCA") {
      cursor.refuse("unexpected '{}' (expected Switch, Ca or [PORT])", kind);
    }
    device.ports = cursor.number(cursor.word(), 1, kMostPorts, "number of ports");
    if (!cursor.take('"')) cursor.refuse("the device has no name in quotes");
    device.id = cursor.until('"', "the device's name");
    if (device.id.empty()) cursor.refuse("the device's name is empty");
    const Comment comment = comment_in(comment_of(cursor));
    device.description = comment.name.empty() ? device.id : std::string(comment.name);
    device.lid = number_behind(comment.behind, "lid");
    device.guid = guid_;
    device.model = model_;
    device.line = number_;
    guid_ = 0;
    model_.clear();
    const auto [entry, is_new] = by_id_.emplace(device.id, devices_.size());
    if (!is_new)
      cursor.refuse("device '{}' is repeated, first at line {}; check that this is one fabric",
                    device.id, devices_[entry->second].line);
    devices_.push_back(std::move(device));
  }

  // [1](100005) 	"S-0000000000200001"[2]		# lid 8 lmc 0 "leaf1" lid 3 4xSDR
  void read_port(Cursor& cursor) {
    if (devices_.empty()) cursor.refuse("a port comes before any device");
    Device& device = devices_.back();
    PortLine port;
    port.line = number_;
    cursor.take('[');
    port.port = cursor.number(cursor.until(']', "the port"), 1, device.ports, "port of its device");
    if (cursor.take('[')) cursor.until(']', "the port's label");  // [ext 3], of a chassis
    if (cursor.take('(')) port.guid = cursor.guid(cursor.until(')', "the port's GUID"));
    if (!cursor.take('"')) cursor.refuse("no device follows the port");
    port.peer = cursor.until('"', "the device's name");
    port.peer_port = 1;  // as ibsim takes it where none is given
    if (cursor.take('['))
      port.peer_port = cursor.number(cursor.until(']', "the port"), 1, kMostPorts, "port");
    if (cursor.take('[')) cursor.until(']', "the port's label");
    if (cursor.take('(')) cursor.until(')', "the port's GUID");
    skip_options(cursor);
    const Comment comment = comment_in(comment_of(cursor));
    if (device.kind == DeviceKind::adapter && !comment.name.empty()) {
      port.lid = number_behind(comment.before, "lid");
      port.lmc = number_behind(comment.before, "lmc").value_or(0);
      if (port.lmc < 0 || port.lmc > 7) cursor.refuse("lmc {} is out of range (0 to 7)", port.lmc);
    }
    port.rate = rate_in(comment.behind, cursor);
    port.bandwidth_Bps = data_rate_Bps(port.rate);
    for (const PortLine& other : device.lines)
      if (other.port == port.port)
        cursor.refuse("port {} of '{}' has two cables, the other at line {}", port.port, device.id,
                      other.line);
    device.lines.push_back(std::move(port));
  }

  // w=4 s=1, by which ibsim's nets ask for widths and speeds that ports do not reach by themselves.
  void skip_options(Cursor& cursor) {
    while (cursor.rest().find('=') < cursor.rest().find_first_of(" \t#")) {
      const std::string_view option = cursor.word();
      log_.skip(fmt::format("option '{}'", printable(option.substr(0, option.find('=')))), number_);
    }
  }

  static std::string rate_in(std::string_view text, const Cursor& cursor) {
    for (const std::string_view word : split(text, ' ')) {
      if (data_rate_Bps(word)) return std::string(word);
      if (looks_like_rate(word))
        cursor.refuse("'{}' is not a width and speed; expected one of {}x and then one of {}", word,
                      fmt::join(kWidths, "x, "), lane_names());
    }
    return {};
  }

  static std::string lane_names() {
    std::string names;
    for (const Lane& lane : kLanes) names.append(names.empty() ? "" : ", ").append(lane.name);
    return names;
  }

  static std::string_view comment_of(Cursor& cursor) {
    const std::string_view rest = cursor.rest();
    if (rest.empty()) return rest;
    if (rest.front() != '#') cursor.refuse("unexpected '{}' at the end", rest);
    return rest.substr(1);
  }

  void check_peers() const {
    for (const Device& device : devices_)
      for (const PortLine& port : device.lines) {
        const auto peer = by_id_.find(port.peer);
        require(peer != by_id_.end(),
                "{}:{}: the cable leads to '{}', which is not in the file; the file may be "
                "truncated",
                file_, port.line, port.peer);
        require(port.peer_port <= devices_[peer->second].ports,
                "{}:{}: '{}' has {} ports, so port {} does not exist", file_, port.line, port.peer,
                devices_[peer->second].ports, port.peer_port);
      }
  }

  static constexpr std::size_t kExcerpt = 60;

  std::string_view text_;
  topology::ImportLog& log_;
  const std::string& file_;
  std::int64_t number_ = 0;
  std::uint64_t guid_ = 0;  // of the device that follows
  std::string model_;
  std::vector<Device> devices_;
  std::unordered_map<std::string, std::size_t> by_id_;
};

}  // namespace

std::optional<std::int64_t> data_rate_Bps(std::string_view width_and_speed) {
  const std::size_t x = width_and_speed.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto width = number_in<std::int32_t>(width_and_speed.substr(0, x));
  const auto lane = std::ranges::find(kLanes, width_and_speed.substr(x + 1), &Lane::name);
  if (!width || std::ranges::find(kWidths, *width) == kWidths.end() || lane == kLanes.end())
    return std::nullopt;
  return static_cast<std::int64_t>(*width * lane->bits_per_s / 8);
}

std::vector<Device> read_devices(std::string_view text, topology::ImportLog& log) {
  return Reader(text, log).read();
}

}  // namespace weft::format::infiniband
