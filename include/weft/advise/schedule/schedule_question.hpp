// What weft schedule is asked, and what it answers: a proved schedule, and what is worth knowing of
// one that is a pipeline or made of trees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::advise {

struct ScheduleQuestion {
  std::string algorithm = {};
  algorithm::AlgorithmOptions options = {};  // without a size
  std::optional<std::int64_t> size_B = {};  // --size that it is for; nothing: large, in one segment
  std::optional<double> time_limit_s = {};
};

/// False where the algorithm has one schedule for every size.
bool depends_on_size(const ScheduleQuestion& asked);

/// How deep trees are that were to be no deeper than --depth: of an allreduce both halves.
struct TreeDepth {
  std::int64_t links = 0;
  std::optional<Rational> optimum = {};  // T_B of any depth, where it is known
};

/// What trees come to in however many segments, where the network could carry more.
struct TreeLimit {
  Rational bandwidth_factor, optimum;
  std::optional<std::int64_t> least_of = {};  // no so many trees of a rank, or fewer, have less
};

struct ScheduleAnswer {
  schedule::Verified verified;
  /// T_B if blocks were cut at will, where chunks keep the algorithm from it.
  std::optional<Rational> exact_bandwidth_factor = {};
};

/// The schedule that compare and simulate would run, where a size is named. Nothing where the time
/// limit came first. Throws InvalidInput as algorithm::build_schedule() does.
std::optional<ScheduleAnswer> answer(const ScheduleQuestion& asked, const Collective& collective,
                                     const Network& network);

/// What is worth knowing of packed trees; nothing of schedules that are none.
struct TreeFacts {
  std::optional<bool> halves_joined = {};  // of an allreduce: in and out at once
  std::optional<TreeDepth> depth = {};
  std::optional<TreeLimit> limit = {};
};

/// May make the schedule once more, in thousands of segments.
TreeFacts tree_facts(const ScheduleQuestion& asked, const schedule::Verified& verified,
                     const Network& network);

/// What more segments bring a pipeline that runs in one.
struct PipelineAdvice {
  std::int64_t segments = 0;
  schedule::Cost cost;            // in so many
  std::optional<int> depth = {};  // --depth that searches for trees which are good in one
};

/// Nothing where somebody said in how many segments, how deep or how large, and where more bring
/// nothing. Makes the schedule once more.
std::optional<PipelineAdvice> pipeline_advice(const ScheduleQuestion& asked,
                                              const schedule::Verified& verified,
                                              const Network& network);

}  // namespace weft::advise
