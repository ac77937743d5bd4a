// Row: one point of an experiment's grid, and what is measured there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/fields/value.hpp"

namespace weft::rows {

struct RowKind;

struct Row {
  const RowKind* kind = nullptr;
  /// Every parameter that has an influence, defaults filled in, in canonical form (sizes in bytes,
  /// names in lower case), so that two ways to write one thing are one row.
  Values parameters;
  /// Variables of the file, to filter and draw by; not part of the key.
  Values variables;
  /// Hash of kind, parameters, the graph behind the topology, the content of files that are named,
  /// and the version of the models: 32 hexadecimal digits.
  std::string key;
  /// Of the topology; for estimates, not part of the key.
  std::int64_t nodes = 0, hosts = 0;
  double mean_links = 0;  // between hosts, of rows by packets
  /// The topology as the file writes it, braces and all, to match and draw by ("network"); not part
  /// of the key.
  Value written = {};
};

/// The models' version: changed whenever a result may change, so that stored rows are computed
/// again.
inline constexpr int kModelVersion = 13;

/// Runs the row: builds, proves, prices, simulates. The names are those of the command's JSON
/// answer. Throws InvalidInput.
Values measure(const Row& row);

/// A guess of the seconds that a row takes and the bytes it needs, by messages and ranks, or by the
/// links that packets cross: for the order of work and for --dry-run.
struct Estimate {
  double time_s = 0;
  double memory_B = 0;
  double packet_hops = 0;  // links crossed by packets, of rows by packets
};
Estimate estimate(const Row& row);

}  // namespace weft::rows

namespace weft {
using rows::Estimate;
using rows::Row;
}  // namespace weft
