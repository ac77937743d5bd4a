// A training step as the trace that its ranks would leave behind.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/format/execution_trace.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

/// Throws InvalidInput where tokens go to experts unevenly, which no trace can tell.
void require_even_in_trace(bool is_even);

class StepTrace {
 public:
  /// The step's times of computing; of its collectives what they are, not how long they took. The
  /// step and the model have to outlive it. Throws InvalidInput for all-to-alls of unequal parts.
  StepTrace(const workload::TrainingStep& step, const workload::TrainingModel& model,
            const workload::Parallelism& parallel, const RankOrder& order);

  std::int32_t ranks() const { return static_cast<std::int32_t>(places_.size()); }
  const std::vector<format::TraceGroup>& groups() const { return groups_; }
  /// What one rank does. O(tasks).
  format::RankTrace of(std::int32_t rank) const;

 private:
  struct Place {
    std::int32_t tensor = 0, data = 0, stage = 0;
  };

  void find_groups();
  std::int32_t other_end(const workload::GroupCall& call, const Place& place, bool sends) const;
  bool arrives(const workload::GroupCall& call, std::int32_t stage) const;
  format::TraceNode node_of(std::int32_t task, std::int32_t rank, bool receives) const;
  std::string name_of(std::int32_t task, bool receives) const;

  const workload::TrainingStep& step_;
  const workload::TrainingModel& model_;
  workload::Parallelism parallel_;
  RankOrder order_;
  std::int32_t last_priority_ = 0;
  std::vector<Place> places_;  // by rank
  std::vector<format::TraceGroup> groups_;
  std::vector<std::vector<std::int32_t>> group_of_;  // by call and rank; of messages by call alone
};

}  // namespace weft::training
