// Schedules of phases in which every block goes straight to where it is wanted.
#pragma once

#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

inline const std::vector<schedule::CollectiveKind> kPhasedCollectives = {
    schedule::CollectiveKind::alltoall, schedule::CollectiveKind::allgather,
    schedule::CollectiveKind::reduce_scatter};

/// Collects the messages of phase after phase. Phases without a message are left out. Messages to
/// oneself are kept in an all-to-all of several ranks alone: elsewhere there is nothing to move.
class Phases {
 public:
  /// Throws InvalidInput for collectives other than kPhasedCollectives.
  Phases(const schedule::Collective& collective, schedule::ScheduleOptions options)
      : builder_(collective, std::move(options)) {
    require(schedule_kind() == schedule::CollectiveKind::alltoall ||
                schedule_kind() == schedule::CollectiveKind::allgather ||
                schedule_kind() == schedule::CollectiveKind::reduce_scatter,
            "exchanges in phases support alltoall, allgather and reduce-scatter, not {}",
            schedule::name_of(schedule_kind()));
  }

  void send(std::int64_t from, std::int64_t to) {
    using schedule::CollectiveKind;
    const CollectiveKind kind = schedule_kind();
    const std::int64_t ranks = builder_.collective().ranks;
    if (from == to && (kind != CollectiveKind::alltoall || ranks == 1)) return;
    used_ = true;
    const std::int64_t block = kind == CollectiveKind::alltoall    ? from * ranks + to
                               : kind == CollectiveKind::allgather ? from
                                                                   : to;
    builder_.at(step_).send(schedule::Agent(static_cast<std::int32_t>(from)),
                            schedule::Agent(static_cast<std::int32_t>(to)), builder_.block(block),
                            kind == CollectiveKind::reduce_scatter ? schedule::Arrival::reduce
                                                                   : schedule::Arrival::copy);
  }

  void next() {
    if (used_) ++step_;
    used_ = false;
  }

  schedule::Schedule build() && { return std::move(builder_).build(); }

 private:
  schedule::CollectiveKind schedule_kind() const { return builder_.collective().kind; }

  schedule::ScheduleBuilder builder_;
  std::int64_t step_ = 0;
  bool used_ = false;
};

}  // namespace weft::algorithm
