// Who makes a call of a step, and who may make such a call meanwhile.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "weft/training/groups.hpp"

namespace weft::training {

struct Callers {
  std::vector<RankGroup> groups;
  /// That make a call of this kind, of another size, when these do: those of the other stages, and
  /// all messages between neighbours, both ways but by gpipe, which sends none back before the last
  /// has gone forward.
  std::vector<RankGroup> beside;

  friend auto operator<=>(const Callers&, const Callers&) = default;
};

class CallersOf {
 public:
  /// Of steps that differ in their buckets. The options' parallelism and the order of ranks have to
  /// outlive it.
  CallersOf(std::span<const workload::TrainingStep> steps, const workload::StepOptions& options,
            const RankOrder& order);

  /// Stages beside a call's follow upon it, round the pipeline, so that what is alike of several
  /// stands in the same order.
  Callers of(const workload::GroupCall& call) const;
  /// Stages that make such a call.
  std::int32_t stages(const workload::GroupCall& call) const;

 private:
  using Kind = std::pair<workload::GroupKind, CollectiveKind>;

  void add_stage(workload::GroupCall call, std::int32_t stage, std::vector<RankGroup>& to) const;

  const workload::Parallelism& parallel_;
  bool two_ways_;  // messages go forward and back at once
  const RankOrder& order_;
  std::map<Kind, std::set<std::int32_t>> stages_;  // that make calls
};

}  // namespace weft::training
