// Predicted times of forced points by profiles that differ in their values.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/calibrate/profile/forced_points.hpp"
#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/program/program.hpp"

namespace weft::calibrate {

/// Bytes that a node sends to others or receives from them, and the rate of its links together.
struct BusiestPort {
  double bytes = 0, rate_Bps = 0;
  bool sends = true;

  double least_s() const { return rate_Bps > 0 ? bytes / rate_Bps : 0; }
};

/// The schedules are those of one profile, with their copies; only the simulation is repeated. For
/// that profile a time is what weft simulate gives, but for calls in a row, which have no skew.
class PointTimes {
 public:
  /// Throws InvalidInput with file and line for a point that cannot be simulated. Keeps a view of
  /// the points. Cost: a schedule a point, proved.
  PointTimes(std::span<const ForcedPoint> points, const ProfileState& base,
             const std::string& topology);

  /// Builds the schedules again, those that the algorithms have on the machine of this profile.
  void build_schedules(const ProfileState& state);

  std::span<const ForcedPoint> points() const { return points_; }
  /// Seconds, by the fluid model. Cost: one simulation.
  double predicted_s(std::size_t point, const ProfileState& state) const;
  /// Returns what the busiest node sends to others, or receives from them, and what all its links
  /// in that direction carry at their line rates. The bytes over the rate are a lower bound of the
  /// time whatever the routes are. O(messages).
  BusiestPort busiest_port(std::size_t point, const ProfileState& state) const;

 private:
  struct Place {  // where points ran: a topology with its ranks
    std::string topology;
    std::int32_t ranks = 0, per_host = 0;
    std::shared_ptr<const BuiltTopology> built = {};
    std::string routing = {};
  };

  std::size_t place_of(const ForcedPoint& point, const std::string& topology);
  Network network(const Place& place, const ProfileState& state) const;
  const Place& place(std::size_t point) const { return places_[place_[point]]; }

  std::span<const ForcedPoint> points_;
  std::vector<Place> places_;
  std::vector<std::size_t> place_;  // by point
  std::vector<Program> programs_;
};

}  // namespace weft::calibrate
