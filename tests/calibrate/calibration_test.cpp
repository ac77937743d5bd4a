// Calibration against tables whose parameters are known: each time is the formula's, off by up to
// 3 % either way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "two_leaves.hpp"
#include "weft/base/error.hpp"
#include "weft/calibrate/calibration.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {
namespace {

struct Truth {
  double startup_s = 0.4e-6;
  double terminal_s = 0.3e-6, link_s = 0.9e-6;           // latencies of small messages
  double terminal_Bps = 12.5e9, link_Bps = 10e9;         // bandwidths of large ones
  double rendezvous_B = 16384, later = 3, slower = 0.4;  // factors: latency above, bandwidth below

  double latency(double size_B) const { return size_B < rendezvous_B ? 1 : later; }
  double bandwidth(double size_B) const { return size_B < rendezvous_B ? slower : 1; }
};

class Tables {
 public:
  explicit Tables(unsigned seed, double noise = 0.03) : random_(seed), noise_(noise) {}

  // Two ranks on hosts of one leaf, or on hosts of two.
  std::string ping_pong(const Truth& t, bool far) {
    std::string text = "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n";
    for (double size_B = 1; size_B <= 4 << 20; size_B *= 2)
      text += fmt::format("{:.0f} {:.6f}\n", size_B, 1e6 * off(single(t, size_B, far)));
    return text;
  }
  static double single(const Truth& t, double size_B, bool far) {
    const double latency_s = 2 * t.terminal_s + (far ? t.link_s : 0);
    const double slowest_Bps = far ? std::min(t.terminal_Bps, t.link_Bps) : t.terminal_Bps;
    return t.startup_s + t.latency(size_B) * latency_s +
           size_B / (t.bandwidth(size_B) * slowest_Bps);
  }

  // Hosts 0 and 1 to 2 and 3 in windows of 64: both streams cross the one cable.
  std::string streams(const Truth& t) {
    std::string text =
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 2 ] [ window size: 64 "
        "]\n# Size                  MB/s        Messages/s\n";
    for (double size_B = 1; size_B <= 4 << 20; size_B *= 2) {
      const double bytes_s =
          size_B / t.bandwidth(size_B) * std::max(1 / t.terminal_Bps, 2 / t.link_Bps);
      const double way_s = t.latency(size_B) * (2 * t.terminal_s + t.link_s);
      const double window_s = 64 * std::max(t.startup_s, bytes_s) + std::min(t.startup_s, bytes_s) +
                              2 * way_s + t.startup_s;
      const double rate_Bps = 2 * 64 * size_B / off(window_s);
      text += fmt::format("{:.0f} {:.6f} {:.2f}\n", size_B, rate_Bps * 1e-6, rate_Bps / size_B);
    }
    return text;
  }

 private:
  double off(double time_s) {
    return time_s * (1 + std::uniform_real_distribution<double>(-noise_, noise_)(random_));
  }

  std::mt19937_64 random_;
  double noise_;
};

void expect_within(const Fitted& fitted, double truth, double part, const std::string& what) {
  EXPECT_TRUE(fitted.separable()) << what;
  EXPECT_NEAR(fitted.value, truth, part * truth) << what;
}

// Near and far messages tell both classes apart, and streams the start-up.
TEST(Calibration, finds_what_the_tables_tell_apart) {
  const Truth t;
  const Network network = two_leaves();
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Tables tables(seed);
    std::vector<PlacedTable> all;
    for (int run = 0; run < 3; ++run) {
      all.push_back(placed(tables.ping_pong(t, false), {0, 1}));
      all.push_back(placed(tables.ping_pong(t, true), {0, 2}));
      all.push_back(placed(tables.streams(t), {0, 1, 2, 3}));
    }
    const Calibration fit = calibrate(all, network);
    const std::string of = fmt::format("seed {}", seed);
    EXPECT_EQ(fit.starts_B, (std::vector<std::int64_t>{0, 16384})) << of;
    expect_within(fit.startup_s, t.startup_s, 0.03, of + " start-up");
    const FittedClass &terminal = class_of(fit, "terminal"), &link = class_of(fit, "link");
    expect_within(terminal.latency_s, t.terminal_s, 0.03, of + " latency of terminal");
    expect_within(link.latency_s, t.link_s, 0.03, of + " latency of link");
    expect_within(terminal.bandwidth_Bps, t.terminal_Bps, 0.03, of + " bandwidth of terminal");
    expect_within(link.bandwidth_Bps, t.link_Bps, 0.03, of + " bandwidth of link");
    for (const FittedTable& table : fit.tables) EXPECT_LT(table.mean_error, 0.03) << of;
  }
}

// The machine file, read back and simulated, gives the times without noise.
TEST(Calibration, foretells_times_within_the_noise) {
  const Truth t;
  const Network network = two_leaves();
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Tables tables(seed);
    const std::vector<PlacedTable> all{placed(tables.ping_pong(t, false), {0, 1}),
                                       placed(tables.ping_pong(t, true), {0, 2}),
                                       placed(tables.streams(t), {0, 1, 2, 3})};
    const Calibration fit = calibrate(all, network);
    const FittedTable &near = fit.tables[0], &far = fit.tables[1];
    for (std::size_t i = 0; i < near.rows.size(); ++i) {
      const auto size_B = static_cast<double>(near.rows[i].size_B);
      const double near_s = Tables::single(t, size_B, false),
                   far_s = Tables::single(t, size_B, true);
      EXPECT_NEAR(near.model_s[i], near_s, 0.03 * near_s) << "seed " << seed << " size " << size_B;
      EXPECT_NEAR(far.model_s[i], far_s, 0.03 * far_s) << "seed " << seed << " size " << size_B;
    }
    EXPECT_EQ(fit.first_B, 1);
    EXPECT_EQ(fit.last_B, 4 << 20);
  }
}

// One ping-pong has start-up and latency as a sum only, and says what each may be.
TEST(Calibration, says_what_one_ping_pong_leaves_open) {
  const Truth t;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<PlacedTable> all{placed(Tables(seed).ping_pong(t, true), {0, 2})};
    const Calibration fit = calibrate(all, two_leaves());
    ASSERT_FALSE(fit.startup_s.separable());
    EXPECT_LE(fit.startup_s.interval->low, t.startup_s);
    EXPECT_GE(fit.startup_s.interval->high, t.startup_s);
    for (const auto& [name, latency_s] :
         {std::pair("terminal", t.terminal_s), std::pair("link", t.link_s)}) {
      const Fitted& latency = class_of(fit, name).latency_s;
      ASSERT_FALSE(latency.separable());
      EXPECT_LE(latency.interval->low, latency_s) << name;
      EXPECT_GE(latency.interval->high, latency_s) << name;
    }
    // Which of the two classes is the slower one no table says; none is slower than both together.
    const Fitted& terminal = class_of(fit, "terminal").bandwidth_Bps;
    ASSERT_FALSE(terminal.separable());
    EXPECT_LE(terminal.interval->low * 0.97, t.terminal_Bps);
    const std::string text = machine_text(fit, "a test");
    EXPECT_NE(text.find("not separable"), std::string::npos);
    EXPECT_NE(text.find("[intervals]"), std::string::npos);
    // The sum is known all the same.
    for (std::size_t i = 0; i < fit.tables[0].rows.size(); ++i) {
      const double true_s =
          Tables::single(t, static_cast<double>(fit.tables[0].rows[i].size_B), true);
      EXPECT_NEAR(fit.tables[0].model_s[i], true_s, 0.03 * true_s);
    }
  }
}

// Whatever is fitted, the file can be read again: times are whole picoseconds, numbers have no
// exponent.
TEST(Calibration, writes_values_of_every_magnitude_as_they_are_read) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> exponent(-12, 1), rate(3, 15);
  for (int draw = 0; draw < 3000; ++draw) {
    Calibration fit;
    fit.startup_s.value = draw == 0 ? 8.4314e-9 : std::pow(10, exponent(random));
    FittedClass& links = fit.classes.emplace_back();
    links.name = "link";
    links.latency_s.value = std::pow(10, exponent(random));
    links.bandwidth_Bps.value = draw == 0 ? 9.99996e13 : std::pow(10, rate(random));
    const std::string text = machine_text(fit, "here");
    ASSERT_NO_THROW(fields::parse_machine_model(text, "m.toml")) << text;
  }
}

// What the file says is what was fitted: a message simulated with it takes the model's time.
TEST(Calibration, writes_a_file_that_simulates_as_fitted) {
  const Truth t;
  const Network network = two_leaves();
  Tables tables(3);
  const std::vector<PlacedTable> all{placed(tables.ping_pong(t, false), {0, 1}),
                                     placed(tables.ping_pong(t, true), {0, 2})};
  const Calibration fit = calibrate(all, network);
  const MachineModel machine = fields::parse_machine_model(machine_text(fit, "here"), "m.toml");
  EXPECT_EQ(machine.where, "here");
  ASSERT_TRUE(machine.measured);
  EXPECT_EQ(machine.measured->last_B, 4 << 20);
  Values said;
  (void)fields::put_beneath(machine, said);
  NetworkSpec spec = fields::network_in(said);
  const Network there = fields::make_network(spec, build_topology("hosts(2, complete:2)"), {});
  const FittedTable& far = fit.tables[1];
  for (const std::size_t i : {0UL, 10UL, 13UL, 14UL, 22UL}) {
    schedule::Collective message{.kind = CollectiveKind::point_to_point, .ranks = 4};
    message.peer = schedule::Rank(2);
    const Program program =
        lower(schedule::verify_own(algorithm::build_schedule("direct", message, &there)),
              {.size_B = far.rows[i].size_B});
    EXPECT_NEAR(simulate(program, there, fields::simulation_options_in(said)).time_s,
                far.model_s[i], 1e-3 * far.model_s[i]);
  }
}

// A collective that the formula gives: recursive doubling on four ranks sends the whole buffer
// twice, over a terminal each way and the cable, and reduces it twice.
TEST(Calibration, finds_reductions_from_an_allreduce) {
  Truth t;
  t.slower = t.later = 1;
  const Network network = two_leaves();
  Tables exact(1, 0);
  const std::vector<PlacedTable> links{placed(exact.ping_pong(t, false), {0, 1}),
                                       placed(exact.ping_pong(t, true), {0, 2}),
                                       placed(exact.streams(t), {0, 1, 2, 3})};
  constexpr double kReduce_Bps = 4e9;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> noise(-0.03, 0.03);
    std::string text = "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n";
    // Small buffers alone, for which no other algorithm is as fast.
    for (double size_B = 64; size_B <= 4096; size_B *= 2) {
      const double near_s = Tables::single(t, size_B, false);
      const double far_s = t.startup_s + 2 * t.terminal_s + t.link_s + 2 * size_B / t.link_Bps;
      text += fmt::format("{:.0f} {:.6f}\n", size_B,
                          1e6 * (near_s + far_s + 2 * size_B / kReduce_Bps) * (1 + noise(random)));
    }
    auto all = links;
    all.push_back(placed(text, {0, 1, 2, 3}));
    const Calibration fit = calibrate(all, network);
    ASSERT_TRUE(fit.reduce_Bps) << "seed " << seed;
    const bool within = std::abs(fit.reduce_Bps->value / kReduce_Bps - 1) < 0.03;
    const auto& interval = fit.reduce_Bps->interval;
    EXPECT_TRUE(within ||
                (interval && interval->low <= kReduce_Bps && interval->high >= kReduce_Bps))
        << "seed " << seed << ": " << fit.reduce_Bps->value;
    EXPECT_LT(fit.tables.back().mean_error, 0.03);
  }
}

// Without single messages an allreduce is a ring: 2 (n - 1) messages of M / n one after the other.
TEST(Calibration, takes_a_lone_allreduce_for_a_ring) {
  const Fabric fabric(build_topology("complete:4"));
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        make_routing("shortest", fabric));
  std::string text =
      "# Collective test starting: all_reduce_perf\n#  Rank  0\n#  Rank  1\n#  Rank  2\n#  Rank  "
      "3\n#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)\n";
  for (std::int64_t size_B = 1024; size_B <= 64 << 20; size_B *= 2) {
    const double time_us = 6 * (4 + static_cast<double>(size_B) / 4 / 20e9 * 1e6);
    const double rate = static_cast<double>(size_B) / time_us * 1e-3;
    text += fmt::format("{} {} float sum -1 {:.4f} {:.3f} {:.3f} 0\n", size_B, size_B / 4, time_us,
                        rate, rate * 1.5);
  }
  PlacedTable table{read_measured_tables(text, "t.txt").tables.at(0), network.placement().nodes};
  EXPECT_EQ(table.table.ranks, 4);
  const Calibration fit = calibrate(std::vector{table}, network);
  EXPECT_NEAR(fit.startup_s.value + fit.classes[0].latency_s.value, 4e-6, 1e-9);
  expect_within(fit.classes[0].bandwidth_Bps, 20e9, 0.001, "bandwidth");
  ASSERT_FALSE(fit.remarks.empty());
  EXPECT_NE(fit.remarks.back().find("taken for a ring of 4 ranks"), std::string::npos);
}

std::string osu_rows(const std::string& rows) {
  return "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n" + rows;
}

// T = 1 us + m / 10 GB/s, of every size in one file and of 1 MiB in another: the latter's time is
// nearly all bytes, and no latency of 106 us.
TEST(Calibration, takes_no_bytes_of_a_lone_size_for_latency) {
  const auto time_us = [](double size_B) { return 1 + size_B / 10e3; };
  std::string rows;
  for (double size_B = 1; size_B <= 4 << 20; size_B *= 2)
    rows += fmt::format("{:.0f} {:.9f}\n", size_B, time_us(size_B));
  const std::string large = fmt::format("1048576 {:.9f}\n", time_us(1 << 20));
  const std::vector<PlacedTable> all{placed(osu_rows(rows), {0, 1}),
                                     placed(osu_rows(large), {0, 1})};
  const Calibration fit = calibrate(all, two_leaves());
  const FittedClass& terminal = class_of(fit, "terminal");
  EXPECT_NEAR(fit.startup_s.value + 2 * terminal.latency_s.value, 1e-6, 1e-11);
  EXPECT_NEAR(terminal.bandwidth_Bps.value, 10e9, 1e5);
  for (const FittedTable& table : fit.tables) EXPECT_LT(table.max_error, 1e-4);
}

// Near as above, far one size of 8 bytes, 3 us + 8 B / 10 GB/s: of its time 2 us are the cable's.
TEST(Calibration, takes_latency_from_a_lone_small_size) {
  std::string rows;
  for (double size_B = 1; size_B <= 4 << 20; size_B *= 2)
    rows += fmt::format("{:.0f} {:.9f}\n", size_B, 1 + size_B / 10e3);
  const std::vector<PlacedTable> all{placed(osu_rows(rows), {0, 1}),
                                     placed(osu_rows("8 3.0008\n"), {0, 2})};
  const Calibration fit = calibrate(all, two_leaves());
  EXPECT_NEAR(class_of(fit, "link").latency_s.value, 2e-6, 1e-9);
  EXPECT_LT(fit.tables[1].max_error, 1e-3);
}

// Each table has one size in each range that could be; all of them are one range then.
TEST(Calibration, joins_ranges_of_lone_sizes) {
  std::vector<PlacedTable> all{placed(osu_rows("8 1.0008\n1048576 105.8576\n"), {0, 1})};
  for (const double size_B : {64.0, 128.0, 65536.0, 262144.0})
    all.push_back(
        placed(osu_rows(fmt::format("{:.0f} {:.6f}\n", size_B, 1 + size_B / 10e3)), {0, 1}));
  const Calibration fit = calibrate(all, two_leaves());
  EXPECT_NEAR(class_of(fit, "terminal").bandwidth_Bps.value, 10e9, 1e6);
  for (const FittedTable& table : fit.tables) EXPECT_LT(table.max_error, 1e-3);
}

// The same two ranks take 1 us in one file and 2 us in the other: no start-up fits both.
TEST(Calibration, keeps_values_in_their_intervals) {
  const std::vector<PlacedTable> all{placed(osu_rows("1 1.0001\n10000 2\n20000 3\n"), {0, 1}),
                                     placed(osu_rows("1 2.0001\n10000 3\n20000 4\n"), {0, 1})};
  const Calibration fit = calibrate(all, two_leaves());
  const FittedClass& terminal = class_of(fit, "terminal");
  for (const Fitted* fitted : {&fit.startup_s, &terminal.latency_s}) {
    ASSERT_TRUE(fitted->interval);
    EXPECT_GT(fitted->value, 0);
    EXPECT_LE(fitted->interval->low, fitted->value);
    EXPECT_GE(fitted->interval->high, fitted->value);
  }
}

// 1.00 us of 1 to 8 bytes: latency is known, and of the bandwidth that 8 bytes take no more than
// 2 % of the time, 8 B / 20 ns = 400 MB/s.
TEST(Calibration, keeps_the_latency_where_no_table_tells_a_bandwidth) {
  const std::string flat = osu_rows("1 1.00\n2 1.00\n4 1.00\n8 1.00\n");
  const Calibration fit = calibrate(std::vector{placed(flat, {0, 1})}, two_leaves());
  const FittedClass &terminal = class_of(fit, "terminal"), &link = class_of(fit, "link");
  EXPECT_TRUE(terminal.measured);
  EXPECT_FALSE(link.measured);
  EXPECT_NEAR(fit.startup_s.value + 2 * terminal.latency_s.value, 1e-6, 1e-12);
  const Network network = two_leaves();
  for (const LinkId each : network.topology().links()) {
    const ClassId of_class = network.topology().link_class(each);
    if (network.topology().class_names()[of_class] != "terminal") continue;
    EXPECT_NEAR(terminal.bandwidth_Bps.value,
                static_cast<double>(network.fabric().bandwidth_Bps(each)), 1);
  }
  ASSERT_TRUE(terminal.bandwidth_Bps.interval);
  EXPECT_NEAR(terminal.bandwidth_Bps.interval->low, 400e6, 1);
  ASSERT_EQ(fit.remarks.size(), 2u);
  const bool first = fit.remarks[0].find("class link") == std::string::npos;
  EXPECT_NE(fit.remarks[first ? 0 : 1].find("the bandwidth of class terminal is"),
            std::string::npos);
  EXPECT_NE(fit.remarks[first ? 1 : 0].find("links of class link keep their"), std::string::npos);
}

TEST(Calibration, needs_messages_of_several_sizes) {
  const Network network = two_leaves();
  const auto table = [](const std::string& rows) {
    return placed("# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n" + rows, {0, 1});
  };
  EXPECT_THROW(calibrate(std::vector{table("8 1.5\n")}, network), InvalidInput);
  EXPECT_THROW(calibrate({}, network), InvalidInput);
  EXPECT_NO_THROW(calibrate(std::vector{table("8 1.5\n1048576 100\n")}, network));
  PlacedTable same = table("8 1.5\n1048576 100\n");
  same.nodes[1] = same.nodes[0];
  EXPECT_THROW(calibrate(std::vector{same}, network), InvalidInput);
}

}  // namespace
}  // namespace weft::calibrate
