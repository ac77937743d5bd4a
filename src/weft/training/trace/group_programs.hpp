// What the ranks of a group do in a collective of a training step, by the schedule that was chosen.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/evaluate/candidate.hpp"
#include "weft/program/operations.hpp"
#include "weft/training/groups.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

class GroupPrograms {
 public:
  /// Both have to outlive it.
  GroupPrograms(const Network& network, const TrainingQuestion& asked)
      : network_(network), asked_(asked) {}

  /// Of a group that makes the call, its ranks numbered by their places in the group. Groups whose
  /// routes are alike but for the numbers of links share one program. Throws InvalidInput where the
  /// schedule has helpers or does not serve the group.
  const program::Operations& of(const TrainingCall& call, const RankGroup& group);

 private:
  struct Kind {
    std::string schedule;
    std::int64_t segments = 1;
    CollectiveKind kind = CollectiveKind::allreduce;
    std::vector<std::int64_t> routes;  // as routes_mark() has them

    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  /// The candidate refers to its network.
  struct Built {
    Network network;
    std::unique_ptr<const Candidate> candidate = {};
    std::map<std::int64_t, Program> of_size = {};
  };

  const std::vector<std::int64_t>& mark_of(const RankGroup& group);
  void build(const Kind& kind, std::int32_t ranks, Built& built) const;
  static Program written(const Kind& kind, const Built& built, std::int64_t size_B,
                         const simulation::SimulationOptions& simulation);

  const Network& network_;
  const TrainingQuestion& asked_;
  std::map<RankGroup, std::vector<std::int64_t>> marks_;
  std::map<Kind, std::unique_ptr<Built>> built_;
};

}  // namespace weft::training
