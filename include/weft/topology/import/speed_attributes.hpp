// Speeds of links by the names and units that people give them in graphs.
//
//   SpeedReader speeds(log);
//   speeds.read({{"LinkSpeedRaw", "10000000000.0"}}, "a - b", 12);  // 1.25 GB/s
//   speeds.read({{"capacity", "10 Gbps"}, {"delay_ms", "2"}}, "a - b", 13);
//
// A number is a speed only where a unit is known: in the value ("10G"), in the name of the
// attribute ("bw_gbps"), in an attribute beside it ("LinkSpeedUnits"), or by what the format or
// the whole graph says (set_unit). What is left is not read, and a note says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/topology/import/import_notes.hpp"

namespace weft::topology {

/// What a file says of a node, an edge or a graph.
struct GraphAttribute {
  std::string key, value;
};
using GraphAttributes = std::vector<GraphAttribute>;
/// "attribute 'color'", for messages: without control characters, and not too long.
std::string attribute_text(std::string_view key);

struct EdgeSpeed {
  std::optional<std::int64_t> bandwidth_Bps = {}, latency_ps = {};
};

/// Bytes a second of "10 Gbps", "1G", "100Mbit", "2.5 GB/s"; a prefix alone counts bits. `unit` is
/// that of a number without one; empty: none. Nothing: this is no rate above 0 that fits.
std::optional<std::int64_t> rate_in(std::string_view text, std::string_view unit = {});
/// Picoseconds of "2 ms", "1.5us", "3 microseconds", likewise.
std::optional<std::int64_t> time_in(std::string_view text, std::string_view unit = {});

/// The unit in the name of an attribute that is called as bandwidths are: "gbps" of "bw_gbps", ""
/// of "bw". Nothing: it is called otherwise. "bandwidth_Bps" and "latency_ps" are weft's own.
std::optional<std::string> unit_of_rate(std::string_view key);
/// Likewise of latencies.
std::optional<std::string> unit_of_time(std::string_view key);

class SpeedReader {
 public:
  /// `log` must outlive this.
  explicit SpeedReader(ImportLog& log) : log_(log) {}

  /// The unit of numbers of an attribute that carry none: "Mbps", "ms". "capacity" and "bandwidth"
  /// stand for all names of a bandwidth, "latency" and "delay" for all of a latency.
  void set_unit(std::string_view key, std::string_view unit);

  /// The speed of an edge, which messages call `edge`. What is not read is logged. Throws
  /// InvalidInput for bandwidth_Bps and latency_ps that are no numbers of theirs.
  EdgeSpeed read(const GraphAttributes& attributes, std::string_view edge, std::int64_t line);

 private:
  friend std::optional<std::string> unit_of_rate(std::string_view key);
  friend std::optional<std::string> unit_of_time(std::string_view key);
  enum class Role : std::uint8_t { exact_rate, exact_time, rate, time, unit, either, other };
  struct Meaning {
    Role role = Role::other;
    int rank = 0;           // of several rates, the one of the least rank is taken
    std::string unit = {};  // that the name carries
  };
  struct Found {
    std::int64_t value = 0;
    int rank = 0;
    const GraphAttribute* from = nullptr;
  };

  static Meaning meaning_of(std::string_view key);
  const Meaning& known(const std::string& key);
  std::int64_t exact(const GraphAttribute& attribute, Role role, std::int64_t line) const;
  std::optional<std::int64_t> value_of(const GraphAttribute& attribute, const Meaning& meaning,
                                       std::string_view unit_beside, std::int64_t line);
  void take(std::optional<Found>& best, const Found& found, std::string_view edge,
            std::int64_t line);

  ImportLog& log_;
  std::string rate_unit_, time_unit_;
  std::unordered_map<std::string, Meaning> meanings_;
};

}  // namespace weft::topology
