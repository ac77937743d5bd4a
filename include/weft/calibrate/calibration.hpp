// Calibration: a machine's speeds and start-ups from measured tables.
//
// What is fitted is the model that the simulators have. A message of m bytes that crosses links of
// the classes c, h_c of each, and shares the busiest of each class with w_c messages in all, takes
//
//     T(m) = o + sum over c of h_c L_c(m) + m * max over c of w_c / B_c(m)
//
// with the start-up o, latencies L and bandwidths B of classes, the latter two constant over ranges
// of sizes. A stream sends W of them before it waits for an answer; with y = m max(w_c / B_c) each
// message takes
//
//     (W max(o, y) + min(o, y) + 2 sum over c of h_c L_c + o) / W
//
// docs/explanation/calibration.md says how, and what the measurements cannot tell apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/calibrate/measured_table.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/size_factors.hpp"

namespace weft::calibrate {

/// What the measurements leave open: any value between is as good. `high` may be infinite.
struct Interval {
  double low = 0, high = 0;
};

/// A fitted number; with an interval where it is not separable from others.
struct Fitted {
  double value = 0;
  std::optional<Interval> interval = {};

  bool separable() const { return !interval; }
};

struct FittedClass {
  std::string name;
  bool measured = true;       // else the network's own speed
  Fitted latency_s = {};      // of the smallest messages
  Fitted bandwidth_Bps = {};  // of the largest
  /// Of ranges of sizes; empty where there is one.
  simulation::FactorsBySize factors = {};
};

/// How near the model comes to a table.
struct FittedTable {
  std::string path, benchmark;
  std::int32_t ranks = 0;
  std::vector<MeasuredRow> rows;
  std::vector<double> model_s;               // by row
  std::vector<std::string> algorithms = {};  // of a collective: by which its times are nearest
  double mean_error = 0, max_error = 0;      // relative
};

struct Calibration {
  Fitted startup_s;
  std::vector<FittedClass> classes = {};    // of the network, in its order
  std::vector<std::int64_t> starts_B = {};  // of ranges of sizes; the first is 0
  /// Nothing where no collective tells, or where it tells of none.
  std::optional<Fitted> copy_Bps = {}, reduce_Bps = {};
  std::vector<FittedTable> tables = {};
  std::int64_t first_B = 0, last_B = 0;  // of messages that were measured
  std::vector<std::string> remarks = {};
};

/// A table, and the node of each of its ranks.
struct PlacedTable {
  MeasuredTable table;
  std::vector<NodeId> nodes;
};

/// Fits the model to the tables on a network, whose own speeds say how latency is dealt out to
/// classes that the tables do not tell apart. Throws InvalidInput where they have no time of single
/// messages, or of one size alone. Collectives are simulated: cost O(tables * sizes) simulations.
Calibration calibrate(std::span<const PlacedTable> tables, const Network& network);

/// The machine file (machine_model.hpp), with what is not separable as intervals and remarks.
std::string machine_text(const Calibration& calibration, const std::string& where);

}  // namespace weft::calibrate
