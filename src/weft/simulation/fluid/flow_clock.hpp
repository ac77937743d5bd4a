// FlowClock: when flows at max-min fair rates have carried their bytes.
//
// All flows of a group have one level, so in the time dt each gets level * dt of service per
// weight. The group's clock adds this up; a flow that joins at clock v with b bytes left is done
// when the clock shows v + b / weight, whatever happens to the level. A change of level thus costs
// nothing per flow: only the group's first finish is looked up anew. The heap of finishes has one
// entry a link.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "weft/simulation/fluid/max_min.hpp"

namespace weft::simulation {

class FlowClock {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  /// Times that differ by less, relatively, are one instant: rates that are equal in theory differ
  /// by rounding in the last digits, and symmetric messages would end one by one.
  static constexpr double kSameTime = 1e-12;

  explicit FlowClock(std::span<const double> capacities);

  /// Starts a flow of `bytes` > 0 at the time of the next settle(); `tag` comes back at its end.
  void start(std::span<const LinkId> path, std::span<const double> shares, double weight,
             double bytes, std::int64_t tag);
  /// Brings rates up to date after starts and finishes, at the time they happened.
  void settle(double now);
  /// When the next flow is done.
  double next_finish() const { return finishes_.empty() ? kNever : finishes_.top().key; }
  /// Ends the flows that are done by `until` and appends their tags; then settle() is due.
  void finish(double until, std::vector<std::int64_t>& tags);
  bool unsettled() const { return unsettled_; }
  /// Flows and links looked at so far.
  std::int64_t work() const { return work_ + rates_.work(); }
  /// From then on settle() may throw OutOfWork.
  void limit_work(std::int64_t most) { rates_.limit_work(most); }

  /// A flow, the rest of which takes so long at its level.
  struct UnderWay {
    std::int64_t tag;
    double left_s, level;
  };
  /// Those that are not through, once settled. O(flows).
  std::vector<UnderWay> under_way(double now) const;

 private:
  struct Group {
    double clock = 0;      // service per weight
    double since = 0;      // time at which `clock` was right
    double first_end = 0;  // on the clock
    bool due = false;      // in due_
  };
  struct Service {
    double end = 0;  // on its group's clock; of a new flow: bytes / weight
    std::int64_t tag = 0;
  };

  Group& group(std::int32_t link) { return groups_[link]; }
  Service& service(FlowIndex flow) { return services_[flow]; }
  void advance(std::int32_t link, double level, double now);
  void call(std::int32_t link);
  void look_up(std::int32_t link, double now);

  MaxMin rates_;
  std::vector<Group> groups_;      // by link
  std::vector<Service> services_;  // by flow
  IndexedHeap finishes_;           // links by the time of their group's first finish
  std::vector<std::int32_t> due_;  // groups whose first finish is to be looked up
  std::vector<FlowIndex> done_;
  bool unsettled_ = false;
  std::int64_t work_ = 0;
};

}  // namespace weft::simulation
