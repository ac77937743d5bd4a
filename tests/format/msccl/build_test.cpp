// Every algorithm as MSCCL XML: it runs to the right end under any interleaving with connections
// that hold two messages, in place and out of place, within the limits of each profile.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "support/every_schedule.hpp"
#include "support/gpu/msccl_runs.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "support/small_networks.hpp"
#include "weft/base/error.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::msccl {
namespace {

std::string first_of_runs(const Algorithm& algorithm, const schedule::Collective& collective) {
  for (const bool in_place : {false, true}) {
    if (in_place ? !algorithm.in_place : !algorithm.works_out_of_place()) continue;
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      if (const std::string error = test::run_msccl(
              algorithm, collective, {.in_place = in_place, .depth = 2, .seed = seed});
          !error.empty())
        return error;
  }
  return {};
}

// Of each connection one thread block at each end, with one peer of either direction.
std::string first_beyond(const Algorithm& algorithm, const Profile& profile) {
  for (const Gpu& gpu : algorithm.gpus) {
    if (std::ssize(gpu.blocks) > profile.blocks) return "too many thread blocks";
    std::set<std::tuple<int, int, bool>> connections;
    for (const ThreadBlock& block : gpu.blocks) {
      if (std::ssize(block.steps) > profile.steps) return "too many steps";
      if (block.steps.empty()) return "an idle thread block";
      if (block.channel >= algorithm.channels) return "a channel too high";
      if (block.send_peer >= 0 && !connections.emplace(block.send_peer, block.channel, true).second)
        return "two thread blocks send on one connection";
      if (block.receive_peer >= 0 &&
          !connections.emplace(block.receive_peer, block.channel, false).second)
        return "two thread blocks receive on one connection";
      for (const Step& step : block.steps)
        if (step.count > profile.count) return "too many chunks in a step";
    }
  }
  return {};
}

// What the checker finds, which knows nothing of how files are built.
std::string first_finding(const Algorithm& algorithm, const Profile& profile) {
  const Report report = check(algorithm, {.profile = &profile});
  if (!report.result_checked) return "the result was not checked";
  if (report.depth_of_chunks.value_or(99) > 2) return "two messages in flight are too few";
  for (const Finding& finding : report.findings)  // small files may need many thread blocks
    if (finding.kind != "many-blocks") return finding.kind + ": " + finding.text;
  return "";
}

// Whether a file is refused for what its readers can take.
bool is_of_limits(const std::string& why) {
  return why.find("profile") != std::string::npos ||
         why.find("steps, but readers allow") != std::string::npos ||
         why.find("chunks, but MSCCL allows at most") != std::string::npos;
}

// How many files were judged, of those that the limits of their profile allow.
int judge(const std::string& label, const schedule::Schedule& made, int number) {
  if (made.helpers() > 0 || made.collective().kind == schedule::CollectiveKind::point_to_point)
    return 0;
  const auto verified = schedule::verify_own(expand_symmetry(without_routes(made)));
  // In turn, so that a run of few samples has each of them.
  const Profile& profile = profiles()[static_cast<std::size_t>(number % 3)];
  const int instances = 1 + number / 3 % 3;
  try {
    const Algorithm algorithm =
        build(verified, {.profile = profile,
                         .protocol = number % 5 == 0 ? Protocol::ll : Protocol::simple,
                         .instances = instances,
                         .fuse = number % 4 != 0});
    EXPECT_EQ(first_beyond(algorithm, profile), "") << label << ' ' << profile.name;
    EXPECT_EQ(first_finding(algorithm, profile), "")
        << label << ' ' << profile.name << ", instances " << instances;
    EXPECT_EQ(first_of_runs(algorithm, made.collective()), "")
        << label << ' ' << profile.name << ", instances " << instances;
    return 1;
  } catch (const InvalidInput& error) {
    EXPECT_TRUE(is_of_limits(error.what())) << label << ": " << error.what();
    return 0;
  }
}

class EveryAlgorithmOfMsccl : public testing::TestWithParam<std::string> {};

TEST_P(EveryAlgorithmOfMsccl, runs_right_in_every_profile) {
  int judged = 0, number = 0;
  for (const std::int32_t ranks : test::samples_between(2, 17))
    for (const auto& [label, schedule, options] :
         test::schedules_of(algorithm::find_algorithm(GetParam()), ranks))
      judged += judge(label, schedule, number++);
  EXPECT_GE(judged, number / 4);
}

TEST_P(EveryAlgorithmOfMsccl, runs_right_on_small_networks) {
  const algorithm::Algorithm& algorithm = algorithm::find_algorithm(GetParam());
  const std::int32_t most_ranks = test::share_of_samples() < 1 ? 12 : 24;
  int number = 0;
  for (const std::string& expression : test::samples(test::small_networks(64))) {
    const Network network = test::on(expression);
    for (const CollectiveKind kind : algorithm.collectives) {
      const Collective collective{kind, network.ranks()};
      const algorithm::Context context{collective, &network, {}};
      if (network.ranks() < 2 || network.ranks() > most_ranks ||
          kind == CollectiveKind::point_to_point || algorithm::misfit(algorithm, context) ||
          algorithm::ranks_apart(collective, network) ||
          (algorithm.too_long != nullptr && algorithm.too_long(context)))
        continue;
      judge(fmt::format("{} {} on {}", algorithm.name, name_of(kind), expression),
            build_schedule(algorithm.name, collective, &network), number++);
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    result.push_back(algorithm.name);
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithmOfMsccl, testing::ValuesIn(names()), test_name);

schedule::Verified first_schedule(const std::string& algorithm, std::int32_t ranks) {
  const auto all = test::schedules_of(algorithm::find_algorithm(algorithm), ranks);
  return schedule::verify_own(expand_symmetry(all.front().schedule));
}

// More thread blocks than the flags of 8 bits can name, which nobody waits for then.
TEST(MscclBuild, has_129_thread_blocks) {
  const Profile& profile = find_profile("msccl-executor");
  const Algorithm algorithm = build(first_schedule("pairwise", 130), {.profile = profile});
  EXPECT_EQ(algorithm.gpus[0].blocks.size(), 129u);
  EXPECT_EQ(first_finding(algorithm, profile), "");
}

TEST(MscclBuild, has_as_many_ranks_as_the_readers_take) {
  const Profile& profile = find_profile("msccl-executor");
  const Algorithm algorithm = build(first_schedule("binomial", 1024), {.profile = profile});
  EXPECT_EQ(first_finding(algorithm, profile), "");
  EXPECT_THROW((void)build(first_schedule("binomial", 1025), {.profile = profile}), InvalidInput);
}

}  // namespace
}  // namespace weft::format::msccl
