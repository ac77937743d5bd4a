// Profiles fitted to forced algorithms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/process/command_line.hpp"
#include "weft/base/error.hpp"
#include "weft/calibrate/profile/profile_fit.hpp"
#include "weft/calibrate/published.hpp"

namespace weft::calibrate {
namespace {

using test::ScratchFolder;

constexpr const char* kTruth = R"([host]
startup = "400ns"
latency = "900ns"
rendezvous = "16KiB,3us"
eager_copy = "16KiB,4GBps"
reduce_bandwidth = "6GBps"
release = "injected"
[links.all]
line_rate = "100Gbps"
payload = 0.8
latency = "30ns"
switch_latency = "130ns"
)";
// Known: the line rate, cable and switch. Wrong: all that is fitted.
constexpr const char* kBase = R"([host]
startup = "500ns"
reduce_bandwidth = "10GBps"
release = "injected"
[links.all]
line_rate = "100Gbps"
payload = 0.97
latency = "30ns"
switch_latency = "130ns"
)";

ForcedPoint point_of(const char* collective, const char* algorithm, std::int32_t ranks,
                     std::int64_t size_B) {
  return {.path = "own.csv",
          .topology = fmt::format("xgft:1;{};1", ranks),
          .ranks = ranks,
          .collective = collective,
          .algorithm = algorithm,
          .size_B = size_B,
          .sampling = Sampling::loop};
}

// What the simulator predicts for the machine of a file, by the way of published points.
std::vector<ForcedPoint> measured_on(const std::string& machine) {
  std::vector<ForcedPoint> points;
  for (const std::int32_t ranks : {4, 16})
    for (std::int64_t size_B = 64; size_B <= 16 << 20; size_B *= 8) {
      points.push_back(point_of("allreduce", "ring", ranks, size_B));
      points.push_back(point_of("allreduce", "recursive-doubling", ranks, size_B));
      points.push_back(point_of("allgather", "ring", ranks, size_B));
      points.push_back(point_of("alltoall", "spread", ranks, size_B));
    }
  for (ForcedPoint& point : points) {
    point.machine = machine;
    point.time_s = calibrate::predicted_s(point);
  }
  return points;
}

const FittedValue& value_in(const ProfileFit& fit, std::string_view name) {
  return *std::ranges::find(fit.values, name, &FittedValue::name);
}

// Times that a profile made give the profile back, up to the three digits of its file.
TEST(ProfileFit, gives_back_the_profile_that_made_the_times) {
  const ScratchFolder folder;
  const auto points = measured_on(folder.file("truth.toml", kTruth));
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(kBase, "base.toml"), "");
  EXPECT_EQ(fit.within(0.01), 1) << fit.median_ratio();
  EXPECT_EQ(value_in(fit, "host.startup").text, "400.0ns");
  EXPECT_EQ(value_in(fit, "host.latency").text, "900.0ns");
  EXPECT_EQ(value_in(fit, "host.rendezvous").text, "3.000us");
  EXPECT_EQ(value_in(fit, "host.reduce_bandwidth").text, "6GBps");
  EXPECT_EQ(value_in(fit, "links.payload").text, "0.8");
  EXPECT_EQ(value_in(fit, "host.eager_copy").text, "4GBps");
  EXPECT_EQ(value_in(fit, "eager limit").text, "16KiB");
  // No sample was taken after a barrier, and no host has two ranks.
  EXPECT_EQ(value_in(fit, "host.skew").determined, Determined::no_effect);
  EXPECT_EQ(value_in(fit, "host.loopback").determined, Determined::no_effect);
}

// One switch has no link of the classes box and level1, so both keep what the base profile gives
// them: box although its payload differs, level1 although its payload is that of "all".
TEST(ProfileFit, keeps_classes_of_links_that_no_message_crosses) {
  const ScratchFolder folder;
  const auto points = measured_on(folder.file("truth.toml", kTruth));
  const std::string base = std::string(kBase) +
                           "[links.box]\nline_rate = \"450GBps\"\npayload = 0.8222\n"
                           "[links.level1]\nline_rate = \"100Gbps\"\npayload = 0.97\n";
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(base, "base.toml"), "");
  EXPECT_EQ(value_in(fit, "links.payload").text, "0.8");
  EXPECT_EQ(value_in(fit, "links.payload").link_classes, std::vector<std::string>{"all"});
  for (const char* kept : {"links.box.payload", "links.level1.payload"}) {
    ASSERT_EQ(std::ranges::count(fit.values, kept, &FittedValue::name), 1) << kept;
    EXPECT_EQ(value_in(fit, kept).text, value_in(fit, kept).base_text) << kept;
    EXPECT_EQ(value_in(fit, kept).determined, Determined::no_effect) << kept;
  }
  const auto has = [&](const std::string& line) {
    return fit.profile.find(line) != std::string::npos;
  };
  EXPECT_TRUE(has("[links.all]\nline_rate = \"100Gbps\"\npayload = 0.8\n")) << fit.profile;
  EXPECT_TRUE(has("[links.box]\nline_rate = \"3600Gbps\"\npayload = 0.8222\n")) << fit.profile;
  EXPECT_TRUE(has("[links.level1]\nline_rate = \"100Gbps\"\npayload = 0.97\n")) << fit.profile;
  EXPECT_TRUE(has("links.level1.payload: not determined, from base.toml (0.97)")) << fit.profile;
}

// No value of the fit is the rate of exchanges or the start-up of a receiver, so both stay, and the
// fit and its file say so.
TEST(ProfileFit, names_the_costs_of_hosts_that_it_keeps) {
  const ScratchFolder folder;
  std::string base = kBase;
  base.insert(base.find("startup"), "exchange = \"64MiB,27GBps\"\nstartup_receive = \"50ns\"\n");
  const auto points = measured_on(folder.file("truth.toml", kTruth));
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(base, "base.toml"), "");
  for (const auto& [name, text] :
       {std::pair("host.exchange", "64MiB,27GBps"), std::pair("host.startup_receive", "50ns"),
        std::pair("host.release", "injected")}) {
    ASSERT_EQ(std::ranges::count(fit.values, name, &FittedValue::name), 1) << name;
    EXPECT_EQ(value_in(fit, name).text, text);
    EXPECT_EQ(value_in(fit, name).base_text, text);
    EXPECT_EQ(value_in(fit, name).determined, Determined::not_fitted) << name;
    EXPECT_NE(fit.profile.find(fmt::format("{}: not fitted, from base.toml ({})", name, text)),
              std::string::npos)
        << fit.profile;
  }
  EXPECT_NE(fit.profile.find("exchange = \"64MiB,27GBps\""), std::string::npos) << fit.profile;
  EXPECT_EQ(std::ranges::count(fit.values, "host.ports", &FittedValue::name),
            0);  // not of the base
}

// Two levels of switches with equal payloads: messages fill the links of both, so neither can be
// faster than was measured.
TEST(ProfileFit, gives_one_payload_to_classes_that_messages_fill) {
  const ScratchFolder folder;
  const auto machine = [](const char* payload) {
    return fmt::format(
        "[host]\nstartup = \"400ns\"\nrelease = \"injected\"\n"
        "[links.all]\nline_rate = \"100Gbps\"\npayload = {0}\nlatency = \"30ns\"\n"
        "[links.level1]\nline_rate = \"100Gbps\"\npayload = {0}\nlatency = \"30ns\"\n",
        payload);
  };
  const std::string truth = folder.file("truth.toml", machine("0.9"));
  std::vector<ForcedPoint> points;
  for (const auto& [collective, algorithm] :
       {std::pair("allreduce", "ring"), std::pair("allreduce", "recursive-doubling"),
        std::pair("allgather", "ring"), std::pair("alltoall", "spread")})
    for (std::int64_t size_B = 64; size_B <= 16 << 20; size_B *= 8) {
      points.push_back(point_of(collective, algorithm, 4, size_B));
      points.back().topology = "xgft:2;2,2;1,2";
      points.back().machine = truth;
      points.back().time_s = calibrate::predicted_s(points.back());
    }
  const ProfileFit fit =
      fit_profile(points, fields::parse_machine_model(machine("0.7"), "base.toml"), "");
  EXPECT_EQ(value_in(fit, "links.payload").text, "0.9");
  EXPECT_EQ(value_in(fit, "links.payload").link_classes,
            (std::vector<std::string>{"all", "level1"}));
}

// The file predicts what the fit printed.
TEST(ProfileFit, writes_a_profile_with_the_fitted_times) {
  const ScratchFolder folder;
  const auto points = measured_on(folder.file("truth.toml", kTruth));
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(kBase, "base.toml"), "");
  const auto again = measured_on(folder.file("fitted.toml", fit.profile));
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(again[i].time_s, fit.points[i].time_s, 1e-6 * again[i].time_s) << i;
}

// Every second size of each algorithm is predicted alone; a profile that made the times meets it.
TEST(ProfileFit, predicts_points_that_are_held_out) {
  const ScratchFolder folder;
  const auto points = measured_on(folder.file("truth.toml", kTruth));
  const ProfileFit fit =
      fit_profile(points, fields::parse_machine_model(kBase, "base.toml"), "", 2);
  const ProfileFit held = fit.held_out();
  EXPECT_EQ(held.points.size(), 24U);  // three of seven sizes, of four algorithms at 4 and 16 ranks
  for (const PredictedPoint& each : held.points) EXPECT_FALSE(each.fitted);
  EXPECT_LT(held.median_error(), 0.01);
}

// Errors of 10, 20 and 60 %: the middle one.
TEST(ProfileFit, has_the_median_of_errors) {
  ProfileFit fit{.base = ""};
  for (const double time_s : {0.9, 1.6, 1.2}) {
    ForcedPoint point = point_of("allreduce", "ring", 4, 8);
    point.time_s = 1;
    fit.points.push_back({.point = point, .time_s = time_s});
  }
  EXPECT_NEAR(fit.median_error(), 0.2, 1e-12);
}

// 3 MiB leave each host at 12.5 GB/s in 251.7 us at least: 250 us are within the noise of 1 %.
TEST(ProfileFit, holds_payload_at_the_line_rate) {
  ForcedPoint point = point_of("allgather", "ring", 4, 1 << 20);
  point.time_s = 250e-6;
  ForcedPoint small = point_of("allgather", "ring", 4, 64);
  small.time_s = 1e-6;
  const std::vector points = {point, small};
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(kBase, "base.toml"), "");
  EXPECT_EQ(value_in(fit, "links.payload").text, "1");
  EXPECT_EQ(value_in(fit, "links.payload").determined, Determined::at_limit);
}

// 15 blocks of 1 MiB that leave each host in 699 us have 22.5 GB/s, which no link of 12.5 GB/s
// carries.
TEST(ProfileFit, refuses_rates_that_no_link_allows) {
  ForcedPoint fast = point_of("allgather", "ring", 16, 1 << 20);
  fast.line = 2;
  fast.time_s = 699e-6;
  ForcedPoint small = point_of("allgather", "ring", 16, 64);
  small.time_s = 10e-6;
  const MachineModel base = fields::parse_machine_model(kBase, "base.toml");
  try {
    (void)fit_profile(std::vector{small, fast}, base, "");
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "own.csv:2: faster than the links allow: allgather ring of 16 ranks at 1MiB in "
        "699.0us needs 22.50GB/s from one host, whose links carry at most 12.50GB/s at the line "
        "rate of base.toml; check the size and the time, or give --machine with the line rate "
        "of your links");
  }
  // Two links of each host carry 25 GB/s together.
  fast.topology = "xgft:1;16;2";
  small.topology = fast.topology;
  EXPECT_NO_THROW((void)fit_profile(std::vector{small, fast, fast, fast}, base, ""));
}

// Six steps of a ring take 1.1 us in cables and switches alone: the start-up falls to nothing, and
// does not return to the base profile's 500 ns because nothing has no effect.
TEST(ProfileFit, keeps_what_fell_to_its_lower_limit) {
  std::vector<ForcedPoint> points;
  for (const std::int64_t size_B : {64, 128, 256}) {
    points.push_back(point_of("allreduce", "ring", 4, size_B));
    points.back().time_s = 0.9e-6;
  }
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(kBase, "base.toml"), "");
  EXPECT_EQ(value_in(fit, "host.startup").text, "1.000ns");
  EXPECT_EQ(value_in(fit, "host.startup").determined, Determined::at_limit);
}

// Times of one size determine one value; all others are named and keep the base profile's.
TEST(ProfileFit, one_size_determines_one_value) {
  ForcedPoint point = point_of("allreduce", "ring", 8, 1 << 20);
  point.time_s = 300e-6;
  const std::vector points = {point, point};
  const ProfileFit fit = fit_profile(points, fields::parse_machine_model(kBase, "base.toml"), "");
  int fitted = 0;
  for (const FittedValue& value : fit.values) {
    if (value.name == "eager limit") continue;
    const bool own =
        value.determined == Determined::fitted || value.determined == Determined::at_limit;
    fitted += own ? 1 : 0;
    if (!own) {
      EXPECT_EQ(value.text, value.base_text) << value.name;
    }
  }
  EXPECT_EQ(fitted, 1);
  EXPECT_NE(fit.profile.find("not separable from"), std::string::npos) << fit.profile;
}

// Any time of one point is met exactly by one value.
TEST(ProfileFit, refuses_as_many_values_as_points) {
  ForcedPoint point = point_of("allreduce", "ring", 8, 1 << 20);
  point.time_s = 300e-6;
  try {
    (void)fit_profile(std::vector{point}, fields::parse_machine_model(kBase, "base.toml"), "");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("1 point cannot determine 1 value ("),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("give 2 or more"), std::string::npos);
  }
}

TEST(ProfileFit, refuses_points_that_cannot_be_simulated) {
  const MachineModel base = fields::parse_machine_model(kBase, "base.toml");
  const auto refused = [&](ForcedPoint point, const char* says) {
    point.line = 7;
    point.time_s = 1e-3;
    try {
      (void)fit_profile(std::vector{point}, base, "");
      ADD_FAILURE() << says;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()).find("own.csv:7: "), 0U) << error.what();
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  };
  refused(point_of("allreduce", "rings", 8, 1024), "rings");
  ForcedPoint more = point_of("allreduce", "ring", 8, 1024);
  more.ranks = 13;  // two on each of 8 hosts leave one over
  refused(more, "13 ranks");
  const MachineModel links = fields::parse_machine_model(
      "[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n", "links.toml");
  EXPECT_THROW((void)fit_profile(std::vector{more}, links, ""), InvalidInput);
}

}  // namespace
}  // namespace weft::calibrate
