// A step of training with the prices of its collectives, and its messages as they come.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "weft/training/prices.hpp"
#include "weft/training/timeline/driven_timeline.hpp"

namespace weft::training {

/// By call of all steps.
using CallPrices = std::map<workload::GroupCall, GroupPrice>;

struct StepRun {
  /// When each task runs, of each replica of the model; one stands for all where all do the same.
  std::vector<std::vector<workload::Ran>> replicas = {};
  /// By call of the step: how long it takes, a mean of its uses; nothing where that is its price.
  std::vector<std::optional<double>> messages_s = {};
  std::int64_t end_ps = 0;
};

/// What a step takes at least.
struct StepLeast {
  /// By call of the step, likewise: a mean of what its messages take at least.
  std::vector<std::optional<double>> messages_s = {};
  std::int64_t least_ps = 0;
};

class ReplicaTimeline;

class StepRunner {
 public:
  /// All have to outlive it.
  StepRunner(const GroupPrices& prices, const workload::Parallelism& parallel,
             const RankOrder& order)
      : prices_(prices), parallel_(parallel), order_(order) {}

  /// Gives each call its price and runs the step. Messages between stages that go straight, by
  /// `direct`, share links with those that are under way at the same time, unless groups are
  /// isolated or links carry any number at once (alpha-beta); of a replica's tensor group the last
  /// to arrive counts. O(replicas * tasks) memory.
  StepRun run(workload::TrainingStep& step, const CallPrices& prices) const;
  /// No schedules of the calls and no order of the same tasks lead to less: by
  /// Timeline::least_ps(), of each replica with its own messages. Likewise.
  StepLeast least(workload::TrainingStep step, const CallPrices& prices) const;

 private:
  bool is_sent(const workload::GroupCall& call, const CallPrices& prices) const;
  std::vector<std::int32_t> senders_of(const workload::TrainingStep& step,
                                       const CallPrices& prices) const;
  std::vector<TimelineMessage> messages_of(const workload::TrainingStep& step,
                                           std::span<const std::int32_t> senders,
                                           const ReplicaTimeline& all) const;
  void run_replicas(const workload::TrainingStep& step, std::span<const std::int32_t> senders,
                    StepRun& run) const;

  const GroupPrices& prices_;
  const workload::Parallelism& parallel_;
  const RankOrder& order_;
};

/// Picoseconds of a call. Throws InvalidInput where 64 bits cannot hold them.
std::int64_t picoseconds(double seconds, const workload::GroupCall& call);
/// By call of the step, in picoseconds. Throws InvalidInput where 64 bits cannot hold one.
std::vector<std::int64_t> times_of(const workload::TrainingStep& step, const CallPrices& prices,
                                   double GroupPrice::*time);

}  // namespace weft::training
