// The checker of MSCCL XML against a model checker that goes through all states.
#include <gtest/gtest.h>

#include <set>

#include "support/gpu/msccl_builder.hpp"
#include "support/gpu/msccl_model.hpp"
#include "support/gpu/msccl_random.hpp"
#include "support/samples.hpp"
#include "weft/base/random.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::format::msccl {
namespace {

using test::explore;
using test::ModelAnswer;
using test::ModelOptions;

std::set<std::string> kinds_of(const Report& report) {
  std::set<std::string> kinds;
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::fault) kinds.insert(finding.kind);
  return kinds;
}

std::string texts_of(const Report& report) {
  std::string texts;
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::fault) texts += finding.kind + ": " + finding.text + "\n";
  return texts;
}

// What makes a file hang, or not exist, without a look at its interleavings.
bool is_linked(const std::set<std::string>& kinds) {
  for (const char* kind : {"unpaired", "count-mismatch", "shared-connection", "bad-peer",
                           "bad-dependency", "outside-buffer", "no-mode"})
    if (kinds.contains(kind)) return false;
  return true;
}

// Steps whose meaning the model does not know: they overlap themselves, or readers join them.
bool is_strange(const Report& report) {
  for (const Finding& finding : report.findings)
    if (finding.text.find("overlap") != std::string::npos || finding.kind == "joined-reductions")
      return true;
  return false;
}

// Whether the checker and the model agree on deadlocks, for messages of `group` chunks.
void expect_same_depth(const Algorithm& algorithm, std::optional<std::int64_t> least,
                       std::int32_t group, const std::string& name) {
  for (const std::int32_t depth : {1, 2, 3, 100}) {
    const ModelAnswer model = explore(algorithm, {.depth = depth, .group = group, .values = false});
    EXPECT_EQ(model.deadlock, !least || *least > depth) << name << ", depth " << depth;
  }
}

// On what any order leads to; both are asked for sizes at which no connection is full.
void expect_same_outcome(const Algorithm& algorithm, const Report& report,
                         const std::string& name) {
  const std::set<std::string> kinds = kinds_of(report);
  if (!report.depth_of_steps || is_strange(report)) return;
  const bool raced = kinds.contains("race");
  const ModelAnswer model = explore(algorithm, {.in_place = algorithm.in_place,
                                                .group = 1,
                                                .any_order = algorithm.protocol != Protocol::simple,
                                                .root = report.root.value_or(0)});
  ASSERT_FALSE(model.given_up) << name;
  EXPECT_EQ(model.race, raced) << name << "\n" << texts_of(report);
  if (raced) return;
  EXPECT_FALSE(model.differs) << name;
  if (!report.result_checked) return;
  std::set<std::string> of_result = kinds;
  of_result.erase("deadlock");
  of_result.erase("overwrites-input");
  EXPECT_EQ(model.wrong_step || model.wrong_result, !of_result.empty()) << name << "\n"
                                                                        << texts_of(report);
}

TEST(MscclModel, agrees_with_the_checker_on_random_algorithms) {
  int deadlocks = 0, shallow = 0, races = 0, orderly = 0;
  const int all = std::max(1'000, test::samples(5'000));
  for (int seed = 1; seed <= all; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    Algorithm algorithm = test::random_msccl(rng);
    if (seed % 2 == 0) algorithm.protocol = seed % 4 == 0 ? Protocol::ll : Protocol::ll128;
    const Report report = check(algorithm);
    const std::string name = "seed " + std::to_string(seed);
    ASSERT_TRUE(is_linked(kinds_of(report))) << name << texts_of(report);
    expect_same_depth(algorithm, report.depth_of_steps, 99, name + ", whole steps");
    expect_same_depth(algorithm, report.depth_of_chunks, 1, name + ", single chunks");
    expect_same_outcome(algorithm, report, name);
    deadlocks += report.depth_of_steps ? 0 : 1;
    shallow += report.depth_of_chunks.value_or(1) > 1 ? 1 : 0;
    races += kinds_of(report).contains("race") ? 1 : 0;
    orderly += report.depth_of_steps && !kinds_of(report).contains("race") ? 1 : 0;
  }
  // Each of them is tried often enough to mean something.
  EXPECT_GT(deadlocks, all / 50);
  EXPECT_GT(shallow, all / 50);
  EXPECT_GT(races, all / 10);
  EXPECT_GT(orderly, all / 10);
}

std::vector<Algorithm> right_algorithms() {
  Algorithm small = test::msccl_ring(2, 2);
  small.max_bytes = 1 << 20;
  return {test::msccl_ring(3),     small,
          test::msccl_alltoall(2), test::msccl_ring_of_blocks(3),
          test::msccl_exchange(),  test::msccl_direct_reduce_scatter(2),
          test::msccl_chain(3, 0), test::msccl_reduce_chain(3, 0)};
}

// Whether all interleavings end, with the right result and without a race, in each mode.
bool is_harmless(const Algorithm& algorithm, std::int32_t root) {
  for (const bool in_place : {false, true}) {
    if (in_place ? !algorithm.in_place : !algorithm.works_out_of_place()) continue;
    const ModelAnswer free = explore(algorithm, {.in_place = in_place, .group = 1, .root = root});
    if (free.deadlock || free.race || free.wrong_step || free.wrong_result || free.given_up)
      return false;
    const bool whole = algorithm.max_bytes.value_or(0) > 0;
    if (explore(algorithm, {.depth = 2, .group = whole ? 99 : 1, .values = false}).deadlock)
      return false;
  }
  return true;
}

// Dependencies on what does not exist, and the like, are no case for the model.
TEST(MscclModel, damage_is_found_or_harmless) {
  const std::vector<Algorithm> all = right_algorithms();
  int harmless = 0, judged = 0, found = 0;
  const int damages = 10'000;
  const int every = static_cast<int>(1 / test::share_of_samples());
  for (int seed = 1; seed <= damages; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    Algorithm algorithm = all[static_cast<std::size_t>(seed) % all.size()];
    test::damage_msccl(algorithm, rng);
    const Report report = check(algorithm);
    const std::set<std::string> kinds = kinds_of(report);
    ++(report.right() ? harmless : found);
    if (!is_linked(kinds) || is_strange(report) || seed % every != 0) continue;
    ++judged;
    const bool only_input = kinds == std::set<std::string>{"overwrites-input"};
    EXPECT_EQ(is_harmless(algorithm, report.root.value_or(0)), report.right() || only_input)
        << "seed " << seed << "\n"
        << texts_of(report);
  }
  EXPECT_GT(found, damages / 2);
  EXPECT_GT(harmless, damages / 20);
  EXPECT_GT(judged, damages / 10 / every);
}

// Of algorithms that are right but for dependencies, repair makes right ones.
TEST(MscclModel, repairs_dropped_dependencies) {
  for (const Algorithm& whole : {test::msccl_ring_of_blocks(4), test::msccl_exchange(),
                                 test::msccl_direct_reduce_scatter(4)}) {
    Algorithm bare = whole;
    for (Gpu& gpu : bare.gpus) {
      for (ThreadBlock& block : gpu.blocks) {
        std::erase_if(block.steps, [](const Step& step) { return step.type == StepType::nop; });
        for (Step& step : block.steps) {
          step.depends_on = {};
          step.has_dependent = false;
        }
      }
    }
    ASSERT_FALSE(check(bare).right());
    const Repair repair = fix(bare);
    ASSERT_TRUE(repair.algorithm) << repair.reason;
    EXPECT_TRUE(check(*repair.algorithm).right());
    EXPECT_FALSE(repair.added.empty());
    const bool small = whole.ranks() < 3;
    EXPECT_TRUE(!small || is_harmless(*repair.algorithm, 0));
    EXPECT_EQ(limits_of(*repair.algorithm, find_profile("msccl")).size(),
              limits_of(whole, find_profile("msccl")).size());
  }
}

}  // namespace
}  // namespace weft::format::msccl
