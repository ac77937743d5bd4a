// Start-up, latencies and bandwidths from tables of single messages and streams.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/calibrate/calibration.hpp"
#include "weft/calibrate/ranges.hpp"
#include "weft/calibrate/unknowns.hpp"
#include "weft/calibrate/ways.hpp"

namespace weft::calibrate {

/// A table with its ways.
struct WayTable {
  const MeasuredTable* table = nullptr;
  Ways ways;
  std::vector<SizedTime> times;  // of a message
};

/// Bytes of a range count where they are this share of its longest message's time, at least.
inline constexpr double kSeen = 0.02;

class LinkFit {
 public:
  /// Throws InvalidInput where no table has times of single messages at two sizes.
  LinkFit(std::vector<WayTable> tables, const Network& network);

  /// All but copies, reductions and tables.
  Calibration result() const;
  /// The model's time of a message, or of one of a stream.
  double model_s(const WayTable& table, double size_B) const;

 private:
  std::size_t range_of(double size_B) const;
  double per_byte_s(const Ways& ways, std::size_t range) const;
  double latency_s(const Ways& ways, std::size_t range) const;
  double end_B(std::size_t range) const;
  double longest_B(std::size_t table, std::size_t range) const;
  bool crossed(std::size_t link_class) const;
  void find_lines();
  void mend_lone_points(std::size_t range);
  void find_startup();
  void find_latencies();
  void find_bandwidths();
  std::optional<double> stream_startup(const WayTable& stream) const;
  void add_stream_sums();
  void take_own_per_byte(std::size_t link_class);
  void take_per_byte(std::size_t link_class, std::size_t range);
  void raise_to_own();
  double own_Bps(std::size_t link_class) const;
  void raise(std::size_t link_class);
  bool decides(const std::vector<std::size_t>& link_classes, std::size_t range) const;
  Fitted bandwidth_of(std::size_t link_class) const;
  Fitted unknown(std::size_t j, double value) const;
  std::string remark_on(const FittedClass& of_class, std::size_t link_class) const;

  /// What one table says of bandwidth in a range: max over classes of load * per byte is this.
  struct Rate {
    const Ways* ways;
    double per_byte_s;
    double points;
    bool stream;
  };

  const Network& network_;
  std::size_t classes_;
  std::vector<WayTable> latencies_, streams_;
  std::vector<double> starts_B_;          // of ranges
  std::vector<std::vector<Line>> lines_;  // by range, then by latency table
  std::vector<Sum> sums_;                 // of the first range: o, then latencies of classes
  double startup_s_ = 0;
  std::vector<std::vector<double>> latency_s_, class_per_byte_s_;  // by range, then by class
  std::vector<std::optional<double>> least_Bps_;  // of classes whose bandwidth no table tells
  std::vector<std::optional<double>> lower_Bps_;  // of classes that may be faster than measured
  std::vector<char> is_raised_;                   // by class: has the network's own speed therefore
  std::vector<std::vector<Rate>> rates_;          // by range
  std::vector<std::string> remarks_;
};

}  // namespace weft::calibrate
