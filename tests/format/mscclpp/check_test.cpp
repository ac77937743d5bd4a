// The checker of MSCCL++ plans: exported plans have no fault; what is broken is found, or harmless.
#include "weft/format/mscclpp_check.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/every_schedule.hpp"
#include "support/gpu/mscclpp_runs.hpp"
#include "support/samples.hpp"
#include "weft/format/mscclpp_export.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::mscclpp {
namespace {

Plan plan_of(std::string_view algorithm, schedule::CollectiveKind kind, std::int32_t ranks,
             const ExportOptions& options) {
  const schedule::Schedule made =
      build_schedule(std::string(algorithm), {.kind = kind, .ranks = ranks}, nullptr, {});
  return build(schedule::verify_own(expand_symmetry(made)), options);
}

// One operation of a plan is dropped, moved, or put elsewhere.
class Mutator {
 public:
  Mutator(Plan& plan, std::uint64_t seed) : plan_(plan), random_(seed) {}

  /// What was done; empty: it could not be done here.
  std::string mutate() {
    Gpu& gpu = plan_.gpus[below(plan_.gpus.size())];
    if (gpu.blocks.empty()) return {};
    Block& block = gpu.blocks[below(gpu.blocks.size())];
    if (block.ops.empty()) return {};
    const std::size_t at = below(block.ops.size());
    Op& op = block.ops[at];
    const std::string where =
        "operation " + std::to_string(at) + ' ' + std::string(name_of(op.type));
    switch (below(5)) {
      case 0:
        block.ops.erase(block.ops.begin() + static_cast<std::ptrdiff_t>(at));
        return "dropped " + where;
      case 1:
        if (at + 1 == block.ops.size()) return {};
        std::swap(block.ops[at], block.ops[at + 1]);
        return "swapped " + where;
      case 2:
        return move_slice(op) ? "moved a slice of " + where : "";
      case 3:
        return change_channel(op, block) ? "changed a channel of " + where : "";
      default:
        block.ops.insert(block.ops.begin() + static_cast<std::ptrdiff_t>(at), Op(op));
        return "doubled " + where;
    }
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  bool move_slice(Op& op) {
    auto& slices = below(2) == 0 ? op.sources : op.targets;
    if (slices.empty()) return false;
    Slice& slice = slices[below(slices.size())];
    slice.index = slice.index > 0 && below(2) == 0 ? slice.index - 1 : slice.index + 1;
    return true;
  }

  bool change_channel(Op& op, const Block& block) {
    const auto count = op.channel_type == ChannelType::port ? block.port_channels.size()
                                                            : block.memory_channels.size();
    if (op.channels.empty() || count < 2) return false;
    std::int32_t& channel = op.channels[below(op.channels.size())];
    channel = static_cast<std::int32_t>((static_cast<std::size_t>(channel) + 1) % count);
    return true;
  }

  Plan& plan_;
  std::mt19937_64 random_;
};

struct MutationCase {
  std::string_view algorithm;
  schedule::CollectiveKind kind;
  std::int32_t ranks;
};

// Whatever goes wrong in some run is found: of two calls, of random interleavings.
TEST(Mutations, are_found_if_any_run_goes_wrong) {
  using schedule::CollectiveKind;
  int wrong = 0, found = 0, mutations = 0;
  for (const MutationCase& one : {MutationCase{"ring", CollectiveKind::allreduce, 3},
                                  MutationCase{"recursive-doubling", CollectiveKind::allreduce, 4},
                                  MutationCase{"pairwise", CollectiveKind::alltoall, 3},
                                  MutationCase{"binomial", CollectiveKind::broadcast, 4},
                                  MutationCase{"ring", CollectiveKind::reduce_scatter, 3}})
    for (const bool packets : {false, true})
      for (const ChannelType channels : {ChannelType::memory, ChannelType::port}) {
        const schedule::Collective collective{.kind = one.kind, .ranks = one.ranks};
        const Plan right =
            plan_of(one.algorithm, one.kind, one.ranks, {.packets = packets, .channels = channels});
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
          Plan plan = right;
          const std::string what = Mutator(plan, seed).mutate();
          if (what.empty()) continue;
          ++mutations;
          const bool is_found = !check(plan, {.root = 0}).right();
          std::string bad;
          for (std::uint64_t run = 1; run <= 6 && bad.empty(); ++run)
            bad = test::run_mscclpp(plan, collective, {.calls = 3, .seed = run});
          wrong += bad.empty() ? 0 : 1;
          found += is_found ? 1 : 0;
          EXPECT_TRUE(bad.empty() || is_found)
              << plan.name << ", seed " << seed << ": " << what << ": " << bad;
        }
      }
  EXPECT_GE(mutations, 500);
  EXPECT_GE(found, wrong);
  EXPECT_GE(wrong, mutations / 3) << "the runs should see most of what is wrong";
}

// All interleavings of small plans decide: what the checker finds is wrong in one of them, but for
// what it cannot know to be harmless (kinds "early" and "late", which need rarer calls).
TEST(Mutations, are_found_exactly_if_some_interleaving_goes_wrong) {
  int decided = 0, wrong = 0;
  const schedule::Collective collective{.kind = schedule::CollectiveKind::allreduce, .ranks = 2};
  for (const bool packets : {false, true})
    for (const ChannelType channels : {ChannelType::memory, ChannelType::port}) {
      const Plan right = plan_of("ring", collective.kind, collective.ranks,
                                 {.packets = packets, .channels = channels});
      ASSERT_EQ(test::explore_mscclpp(right, collective, 2'000'000), "") << right.name;
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Plan plan = right;
        const std::string what = Mutator(plan, seed).mutate();
        if (what.empty()) continue;
        const std::string bad = test::explore_mscclpp(plan, collective, 100'000);
        if (bad == "too many states") continue;
        const Report report = check(plan);
        const std::string kind = report.findings.empty() ? "" : report.findings.front().kind;
        ++decided;
        wrong += bad.empty() ? 0 : 1;
        EXPECT_TRUE(bad.empty() || !report.right()) << plan.name << ": " << what << ": " << bad;
        EXPECT_TRUE(!bad.empty() || report.right() || kind == "early" || kind == "late")
            << plan.name << ": " << what << ": " << kind << ": " << report.findings.front().text;
      }
    }
  EXPECT_GE(decided, 120);
  EXPECT_GE(wrong, decided / 3);
}

}  // namespace
}  // namespace weft::format::mscclpp
