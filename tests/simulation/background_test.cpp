// Background traffic and jobs that run together, under the packet model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Setting {
  Network network;
  Program program;
};

// A binomial broadcast among `ranks` hosts of a Dragonfly with 8 hosts a group.
Setting setting(std::int32_t ranks, std::int32_t first_host = 0, std::int32_t stride = 1,
                std::int64_t global_Bps = 12'500'000'000, std::int64_t size_B = 4096) {
  LinkOptions links;
  links.by_class["global"] = {global_Bps, 1'000'000};
  const Fabric fabric(build_topology("dragonfly:a=4,p=2,h=2"), links);
  topology::Placement placement;
  for (std::int32_t r = 0; r < ranks; ++r)
    placement.nodes.push_back(fabric.topology().hosts()[first_host + r * stride]);
  Network network(fabric, placement, {}, make_routing("minimal", fabric));
  const Schedule schedule =
      algorithm::build_schedule("binomial", schedule::broadcast(ranks), &network);
  return {std::move(network), lower(schedule::verify_own(schedule), {.size_B = size_B})};
}

SimulationOptions packets() {
  SimulationOptions options{.model = Model::packet, .release = Release::injected};
  options.packet.routing = "minimal";
  return options;
}

TEST(Background, brings_all_of_its_payload) {
  const Setting s = setting(8);  // of 72 hosts
  SimulationOptions options = packets();
  options.background = {.traffic = "neighbor", .message_B = 1000, .payload_B = 2500};
  const SimulationResult result = simulate(s.program, s.network, options);
  ASSERT_TRUE(result.packet->background.has_value());
  // The job outlasts 3 messages of most hosts, not of all: what was sent is whole messages.
  EXPECT_GT(result.packet->background->messages, 0);
  EXPECT_LE(result.packet->background->messages, 64 * 3);
  EXPECT_LE(result.packet->background->bytes, 64 * 2500);
}

// Messages of 1 kB every 750 ns from 64 hosts, until the job is over.
TEST(Background, comes_at_the_rate_that_was_asked_for) {
  const Setting s = setting(8);
  SimulationOptions options = packets();
  options.background = {.traffic = "uniform", .message_B = 1000};
  const SimulationResult result = simulate(s.program, s.network, options);
  const double expected = 64 * result.time_s / 750e-9;
  // The number of messages is Poisson: five standard deviations.
  EXPECT_NEAR(static_cast<double>(result.packet->background->messages), expected,
              5 * std::sqrt(expected) + 64);
  EXPECT_EQ(result.packet->background->bytes, 1000 * result.packet->background->messages);
}

TEST(Background, slows_a_job_and_repeats_itself) {
  const Setting s = setting(8, 0, 9);  // one in each group
  SimulationOptions options = packets();
  const double alone_s = simulate(s.program, s.network, options).time_s;
  options.background = {.traffic = "uniform", .message_B = 8192};
  const SimulationResult one = simulate(s.program, s.network, options);
  const SimulationResult two = simulate(s.program, s.network, options);
  EXPECT_GT(one.time_s, alone_s);
  EXPECT_EQ(one.time_s, two.time_s);
  EXPECT_EQ(one.packet->engine.events, two.packet->engine.events);
  options.packet.seed = 2;
  EXPECT_NE(simulate(s.program, s.network, options).packet->engine.events,
            one.packet->engine.events);
}

// Minimal ways on a HyperX network are those of dimension order, hop by hop: whatever crosses them
// meets the same packets.
TEST(Background, goes_minimally_on_a_hyperx_network) {
  const Fabric fabric(build_topology("hosts(2, hyperx:3x4,2,1)"), LinkOptions{});
  topology::Placement placement;
  for (int r = 0; r < 8; ++r) placement.nodes.push_back(fabric.topology().hosts()[3 * r]);
  const Network network(fabric, placement, {}, make_routing("minimal", fabric));
  const Program program = lower(
      schedule::verify_own(algorithm::build_schedule("binomial", schedule::broadcast(8), &network)),
      {.size_B = 4096});
  const auto run = [&](const char* routing) {
    SimulationOptions options = packets();
    options.packet.routing = routing;
    options.background = {.traffic = "uniform", .message_B = 8192};
    return simulate(program, network, options);
  };
  const SimulationResult minimal = run("minimal"), by_dimension = run("dimension-order");
  EXPECT_GT(minimal.packet->background->messages, 0);
  EXPECT_EQ(minimal.time_s, by_dimension.time_s);
  EXPECT_EQ(minimal.packet->engine.events, by_dimension.packet->engine.events);
}

TEST(Background, refuses_what_cannot_be) {
  const Setting s = setting(8);
  const auto message = [&](const BackgroundOptions& background, Model model = Model::packet) {
    SimulationOptions options = packets();
    options.model = model;
    options.background = background;
    try {
      simulate(s.program, s.network, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({.traffic = "uniform", .interval_ps = 1'000})
                .find("per host exceeds what its links carry"),
            std::string::npos);
  // 64 hosts at 1 KiB per 750 ns to one of them: 87 GB/s, its link carries 12.5.
  EXPECT_NE(message({.traffic = "hot-spot:1"})
                .find("to host 44 exceeds what its links carry (12.50GB/s)"),
            std::string::npos);
  // 64 hosts of 12.5 GB/s send 56/63 to other groups, 24 GB/s at a
  // thirtieth; 72 global links of 100 MB/s carry 7.2 GB/s, and no routing helps.
  constexpr std::int64_t kFullRate_ps = 81'920;  // 1 KiB at 12.5 GB/s
  EXPECT_EQ(message({.traffic = "uniform", .interval_ps = 4 * kFullRate_ps}), "");
  EXPECT_EQ(message({.traffic = "next-group"}), "");
  const Setting slow = setting(8, 0, 1, 100'000'000);
  SimulationOptions on_slow = packets();
  on_slow.background = {.traffic = "uniform", .interval_ps = 30 * kFullRate_ps};
  try {
    simulate(slow.program, slow.network, on_slow);
    ADD_FAILURE() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("class 'global'"), std::string::npos) << error.what();
  }
  EXPECT_NE(message({.traffic = "uniform"}, Model::fluid).find("choose packet"), std::string::npos);
  const Setting all = setting(71);
  SimulationOptions options = packets();
  options.background.traffic = "uniform";
  EXPECT_THROW(simulate(all.program, all.network, options), InvalidInput);
}

// Two jobs in groups of their own share no link: each takes what it takes alone.
TEST(SimulateTogether, leaves_jobs_apart_alone) {
  const Setting a = setting(8), b = setting(8, 16);
  const SimulationOptions options = packets();
  const std::vector<Job> jobs{{a.program, a.network}, {b.program, b.network}};
  const auto both = simulate_together(jobs, options);
  EXPECT_EQ(both[0].time_s, simulate(a.program, a.network, options).time_s);
  EXPECT_EQ(both[1].time_s, simulate(b.program, b.network, options).time_s);
}

// Two ranks are done long before 64, whose root sends 64 KiB six times, 31 us: links are used over
// the time of both.
TEST(SimulateTogether, measures_links_until_the_last_job_is_done) {
  const Setting a = setting(2), b = setting(64, 8, 1, 12'500'000'000, 65'536);
  SimulationOptions options = packets();
  options.link_statistics = true;
  const std::vector<Job> jobs{{a.program, a.network}, {b.program, b.network}};
  const auto both = simulate_together(jobs, options);
  ASSERT_LT(both[0].time_s, both[1].time_s);
  EXPECT_EQ(both[0].run_s, both[1].time_s);
  double most = 0;
  for (const LinkId link : a.network.topology().links()) {
    most = std::max(most, both[0].busy_s(link, a.network));
    EXPECT_LE(both[0].utilisation(link, a.network), 1);
    EXPECT_EQ(both[0].utilisation(link, a.network), both[1].utilisation(link, b.network));
  }
  EXPECT_GT(most, both[0].time_s);
}

// On the same hosts they share every adapter: neither is faster, one is slower.
TEST(SimulateTogether, shares_what_jobs_have_in_common) {
  const Setting a = setting(8);
  const SimulationOptions options = packets();
  const double alone_s = simulate(a.program, a.network, options).time_s;
  const std::vector<Job> jobs{{a.program, a.network}, {a.program, a.network}};
  const auto both = simulate_together(jobs, options);
  EXPECT_GE(both[0].time_s, alone_s);
  EXPECT_GE(both[1].time_s, alone_s);
  EXPECT_GT(both[0].time_s + both[1].time_s, 2 * alone_s);
}

}  // namespace
}  // namespace weft::simulation
