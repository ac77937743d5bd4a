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

/// Schedules are built once, by the base profile; only the simulation is repeated.
class PointTimes {
 public:
  /// Throws InvalidInput with file and line for a point that cannot be simulated. Keeps a view of
  /// the points. Cost: a schedule a point, proved.
  PointTimes(std::span<const ForcedPoint> points, const ProfileState& base,
             const std::string& topology);

  std::span<const ForcedPoint> points() const { return points_; }
  /// Seconds, by the fluid model. Cost: one simulation.
  double predicted_s(std::size_t point, const ProfileState& state) const;

 private:
  struct Place {  // where points ran: a topology with its ranks
    std::string topology;
    std::int32_t ranks = 0, per_host = 0;
    std::shared_ptr<const BuiltTopology> built = {};
    std::string routing = {};
  };

  std::size_t place_of(const ForcedPoint& point, const std::string& topology);
  Network network(const Place& place, const ProfileState& state) const;
  Program program_of(const ForcedPoint& point, const Network& network) const;

  std::span<const ForcedPoint> points_;
  std::vector<Place> places_;
  std::vector<std::size_t> place_;  // by point
  std::vector<Program> programs_;
};

}  // namespace weft::calibrate
