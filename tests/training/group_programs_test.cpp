// What ranks of a group do in a file is the schedule that was timed, whichever is faster.
#include "weft/training/trace/group_programs.hpp"

#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::training {
namespace {

std::int64_t messages_of(const program::Operations& operations) {
  return std::ssize(operations.messages());
}

TEST(GroupPrograms, are_of_the_schedule_that_was_timed) {
  const Network network = test::on("xgft:2;4,4;1,2");
  const TrainingQuestion asked{.algorithms = {"packing"}};
  GroupPrograms programs(network, asked);
  RankGroup all;
  for (std::int32_t rank = 0; rank < network.ranks(); ++rank) all.push_back(rank);
  for (const std::int64_t set : {1, 2, 3})
    for (const std::int64_t segments : {1, 4}) {
      algorithm::AlgorithmOptions options;
      options.values["tree-set"] = set;
      const Schedule built = algorithm::build_schedule(
          "packing", Collective{.kind = CollectiveKind::reduce, .ranks = network.ranks()}, &network,
          options);
      const auto verified = schedule::verify_own(built, &network.topology());
      TrainingCall call;
      call.schedule = built.algorithm();
      call.segments = segments;
      call.call = {.kind = CollectiveKind::reduce, .size_B = 1 << 20};
      EXPECT_EQ(messages_of(programs.of(call, all)),
                verified.with_segments(segments).schedule().message_count())
          << call.schedule;
    }
}

}  // namespace
}  // namespace weft::training
