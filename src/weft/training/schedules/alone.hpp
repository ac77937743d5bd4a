// Alone: what algorithms take on one group of ranks while no other group sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/program/program.hpp"
#include "weft/training/schedules/contestants.hpp"
#include "weft/training/schedules/schedules.hpp"

namespace weft::training {

/// The program of a schedule that candidate.for_size(size_B) gave.
program::Program lowered(const Candidate& candidate, const schedule::Verified& verified,
                         std::int64_t size_B);

/// Refers to what it is made of.
class Alone {
 public:
  /// `sizes_B` in increasing order, each once.
  Alone(const Collective& collective, const Network& group,
        const std::vector<std::int64_t>& sizes_B, const OwnLinks& links, const PriceOptions& asked);

  /// Builds and proves the contestants that are worth a simulation at some size. Drops those whose
  /// exact fractions outgrow 128 bits; throws std::overflow_error where none is left.
  void build(std::vector<Contestant>& contestants) const;

  /// By contestant and size; infinite where it was not worth a simulation, or leads over links that
  /// are not the group's own.
  std::vector<std::vector<TimedSchedule>> times(const std::vector<Contestant>& contestants) const;

  /// The winner at each size. In the fluid model by a contest (evaluate/contest.hpp).
  std::vector<Fastest> fastest(const std::vector<Contestant>& contestants) const;

 private:
  std::vector<TimedSchedule> times_of(const Contestant& contestant) const;
  TimedSchedule time_of(const Candidate& candidate, std::int64_t size_B,
                        const simulation::SimulationOptions& simulation) const;
  std::vector<double> link_bytes(const Candidate& candidate, std::int64_t size_B) const;
  bool is_worth_a_run(const Contestant& contestant, std::size_t size) const;
  Fastest fastest_by_times(const std::vector<Contestant>& contestants,
                           std::vector<std::vector<TimedSchedule>>& timed, std::size_t size) const;
  std::vector<Fastest> fastest_by_contest(const std::vector<Contestant>& contestants) const;

  const Collective& collective_;
  const Network& group_;
  const std::vector<std::int64_t>& sizes_B_;
  const OwnLinks& links_;
  const PriceOptions& asked_;
  simulation::SimulationOptions simulation_;
};

}  // namespace weft::training
