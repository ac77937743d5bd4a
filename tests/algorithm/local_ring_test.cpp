// Local rings: the groups that they find, and what is made of any.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/process/source_dir.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/groups/levels.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using schedule::allgather;
using schedule::allreduce;

using test::on;

/// Steps of a local ring's allgather, g + G - 2, tell the group size that was found.
std::int64_t local_steps(const Network& network) {
  return build_schedule("local-ring", allgather(network.ranks()), &network).steps();
}

TEST(LocalRing, finds_its_groups_in_the_network) {
  EXPECT_EQ(local_steps(on("torus:5x3")), 5 + 3 - 2);              // lines of the first dimension
  EXPECT_EQ(local_steps(on("hamming:6x2x2")), 6 + 4 - 2);          // likewise
  EXPECT_EQ(local_steps(on("hosts(3, ring:8)")), 3 + 8 - 2);       // switches
  EXPECT_EQ(local_steps(on("dragonfly:a=4,p=2,h=2")), 8 + 9 - 2);  // groups of 4 routers
  EXPECT_EQ(local_steps(on("dragonfly-plus:l=2,s=3,p=2,h=1")), 4 + 4 - 2);  // groups of 2 leaves
  EXPECT_EQ(local_steps(on("hyperx:5x3,1,2")), 5 + 3 - 2);                  // lines of x
  EXPECT_EQ(local_steps(on("xgft:2;4,3;1,2")), 4 + 3 - 2);                  // leaf switches
  // Boxes of 8 GPUs on NVSwitch, 9 times as wide as their 8 rails: the box, not the rail.
  EXPECT_EQ(local_steps(on("file:" + test::source_dir() + "/examples/gpu-rails.json")), 8 + 4 - 2);
}

// Two networks of hosts 0..7 in boxes {0..3} and {4..7}, beside two switches that take every second
// host, narrower than the boxes: as many steps for both groupings, so the neighbours tell.
TEST(LocalRing, takes_the_widest_links) {
  const auto stays_in_boxes = [](const std::string& boxes, std::int32_t switches) {
    const std::string path = fmt::format("{}/boxes-{}.json", ::testing::TempDir(), getpid());
    std::string text = R"({"format": "weft-topology", "version": 1, "nodes": )";
    text +=
        fmt::format("{}, \"switches\": [{}8, 9], \"classes\": [\"box\", \"rail\"], \"links\": [{}",
                    8 + switches, switches == 4 ? "10, 11, " : "", boxes);
    for (int host = 0; host < 8; ++host)
      text += fmt::format(", [{0}, {1}, 1], [{1}, {0}, 1]", host, 8 + host % 2);
    write_file(path, text + "]}");
    const Fabric fabric(build_topology("file:" + path),
                        {.all = {}, .by_class = {{"box", {.bandwidth_Bps = 400'000'000'000}}}});
    std::remove(path.c_str());
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          make_routing("shortest", fabric));
    const Schedule schedule = build_schedule("local-ring", allgather(8), &network);
    // The last steps are those of the local rings.
    const auto last = schedule.messages(schedule.steps() - 1);
    return std::ranges::all_of(last, [](const schedule::Message& message) {
      return message.from.value() / 4 == message.to.value() / 4;
    });
  };
  std::string switched, meshed;
  for (int host = 0; host < 8; ++host) {
    switched +=
        fmt::format("{0}[{1}, {2}, 0], [{2}, {1}, 0]", host == 0 ? "" : ", ", host, 10 + host / 4);
    for (int other = 0; other < 8; ++other)
      if (other != host && other / 4 == host / 4)
        meshed += fmt::format("{}[{}, {}, 0]", meshed.empty() ? "" : ", ", host, other);
  }
  EXPECT_TRUE(stays_in_boxes(switched, 4));
  EXPECT_TRUE(stays_in_boxes(meshed, 2));
}

TEST(LocalRing, follows_the_placement) {
  const Network network = on("hosts(3, ring:4)", {.policy = "round-robin"});
  const Schedule schedule = build_schedule("local-ring", allreduce(12), &network);
  EXPECT_TRUE(schedule::verify(schedule));
  // The first messages stay on a switch: ranks 0, 4, 8 share one.
  EXPECT_EQ(schedule.message(0).from, Agent(0));
  EXPECT_EQ(schedule.message(0).to.value() % 4, 0);
}

TEST(LocalRing, needs_groups) {
  const Network ring = on("ring:9"), uneven = on("hosts(3, ring:4)", {.ranks = 10});
  EXPECT_TRUE(misfit(find_algorithm("local-ring"), {allgather(9), &ring}).has_value());
  EXPECT_FALSE(
      misfit(find_algorithm("local-ring"), {allgather(9), &ring, {.values = {{"group", 3}}}}));
  EXPECT_FALSE(misfit(find_algorithm("local-ring"), {allgather(10), &uneven}).has_value());
}

/// What local-ring builds of these groups.
Schedule rings(const Collective& collective, const LocalGroups& groups) {
  return schedule_in_levels(collective, {groups}, {"ring", "ring"});
}

TEST(LocalRing, serves_any_equal_groups) {
  const LocalGroups scattered = {{Rank(5), Rank(0), Rank(3)}, {Rank(1), Rank(4), Rank(2)}};
  for (const Collective& collective : {allgather(6), schedule::reduce_scatter(6), allreduce(6)})
    EXPECT_EQ(test::execute(rings(collective, scattered)).violation, "");
  EXPECT_THROW(rings(allgather(3), {{Rank(0)}, {Rank(1), Rank(2)}}), InvalidInput);
  EXPECT_THROW(rings(allgather(2), {{Rank(0)}, {Rank(0)}}), InvalidInput);
}

// 3,071 steps across 3,072 groups, for each of 8 places: 151 million messages, 12 GB.
TEST(LocalRing, is_refused_before_it_is_built_where_it_is_too_large_to_hold) {
  EXPECT_THROW(rings(allreduce(24'576), consecutive_groups(24'576, 8)), InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
