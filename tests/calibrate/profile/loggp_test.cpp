// LogGP of netgauge, and the profile that follows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/base/error.hpp"
#include "weft/calibrate/profile/loggp.hpp"

namespace weft::calibrate {
namespace {

constexpr const char* kHead =
    "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n";
// 12.5 GB/s; two cables and a switch take 190 ns.
constexpr const char* kLink = R"([host]
startup = "500ns"
[links.all]
line_rate = "100Gbps"
payload = 0.9
latency = "30ns"
switch_latency = "130ns"
)";

// The times of the model, in microseconds: a message takes o_s + L + o_r + s G, the next of a
// stream follows g + s G later. netgauge's L is half of the first PRTT.
std::string table_of(double o_s, double L, double o_r, double g, double G, int first = 1) {
  std::string text = kHead;
  for (int size = first; size <= 1 << 20; size *= 4) {
    const double one = 2 * (o_s + L + o_r + size * G), gap = g + size * G;
    text += fmt::format("{} 10 {:.6f} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f} -nan -nan -nan\n", size,
                        one, one + 9 * gap, 10 * one, one / 2, o_s, o_r);
  }
  return text;
}

LogGPFit fit_of(const std::string& table) {
  return fit_loggp(read_loggp_table(table, "loggp.out"),
                   fields::parse_machine_model(kLink, "base.toml"), "loggp.out");
}

const LogGPValue& value_of(const LogGPFit& fit, std::string_view name) {
  return *std::ranges::find(fit.values, name, &LogGPValue::name);
}

// G of 0.0001 us a byte is 10 GB/s, 0.8 of the line; 1.2 us of L are 190 ns of wires and the
// hosts'.
TEST(LogGP, gives_back_the_parameters_that_made_the_table) {
  const LogGPFit fit = fit_of(table_of(0.3, 1.2, 0.4, 0.2, 0.0001));
  EXPECT_EQ(value_of(fit, "host.startup").text, "300.0ns");
  EXPECT_EQ(value_of(fit, "host.startup_receive").text, "400.0ns");
  EXPECT_EQ(value_of(fit, "host.latency").text, "1.010us");
  EXPECT_EQ(value_of(fit, "links.payload").text, "0.8");
  EXPECT_EQ(value_of(fit, "host.startup").from, "o_s of 1B, line 2");
  EXPECT_EQ(value_of(fit, "host.startup").base_text, "500.0ns");
  const auto rows = read_loggp_table(table_of(0.3, 1.2, 0.4, 0.2, 0.0001), "loggp.out");
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_NEAR(fit.predicted_s[i], rows[i].one_way_s, 1e-3 * rows[i].one_way_s) << i;
}

// Messages that follow each other by more than o_s: the gap is the start-up; the sum stays.
TEST(LogGP, takes_the_gap_where_it_is_longer) {
  const LogGPFit fit = fit_of(table_of(0.1, 1.4, 0.4, 0.7, 0.0001));
  EXPECT_EQ(value_of(fit, "host.startup").text, "700.1ns");  // g + G of one byte
  EXPECT_EQ(value_of(fit, "host.latency").text, "610.0ns");  // 1.9 us - 0.7 - 0.4 - 0.19
  EXPECT_NE(value_of(fit, "host.startup").from.find("gap g"), std::string::npos);
}

// 20 GB/s through a link of 12.5.
TEST(LogGP, holds_payload_at_the_line_rate) {
  const LogGPFit fit = fit_of(table_of(0.3, 1.2, 0.4, 0.2, 0.00005));
  EXPECT_EQ(value_of(fit, "links.payload").text, "1");
  EXPECT_TRUE(value_of(fit, "links.payload").at_limit);
}

// Small messages are copied at 2.5 GB/s.
LogGPFit fit_with_copies(const std::string& table) {
  std::string base(kLink);
  base.insert(base.find("startup"), "eager_copy = \"16KiB,2.5GBps\"\n");
  return fit_loggp(read_loggp_table(table, "loggp.out"),
                   fields::parse_machine_model(base, "base.toml"), "loggp.out");
}

// netgauge sends no two large messages at once and adds up nothing.
TEST(LogGP, names_the_costs_of_hosts_that_it_keeps) {
  std::string base(kLink);
  base.insert(base.find("startup"), "exchange = \"4MiB,27GBps\"\nreduce_bandwidth = \"10GBps\"\n");
  const LogGPFit fit =
      fit_loggp(read_loggp_table(table_of(0.3, 1.2, 0.4, 0.2, 0.0001), "loggp.out"),
                fields::parse_machine_model(base, "base.toml"), "loggp.out");
  for (const auto& [name, text] :
       {std::pair("host.exchange", "4MiB,27GBps"), std::pair("host.reduce_bandwidth", "10GBps")}) {
    ASSERT_EQ(std::ranges::count(fit.values, name, &LogGPValue::name), 1) << name;
    EXPECT_EQ(value_of(fit, name).text, text);
    EXPECT_FALSE(value_of(fit, name).determined) << name;
    EXPECT_NE(fit.profile.find(fmt::format("{}: not determined, from base.toml ({})", name, text)),
              std::string::npos)
        << fit.profile;
  }
}

TEST(LogGP, keeps_the_copies_of_small_messages_where_none_was_measured) {
  const LogGPFit fit = fit_with_copies(table_of(0.3, 1.2, 0.4, 0.2, 0.0001, 4096));
  EXPECT_EQ(value_of(fit, "host.eager_copy").text, "2.5GBps");
  EXPECT_FALSE(value_of(fit, "host.eager_copy").determined);
}

// Below 16 KiB bytes take 0.5 ns, beyond 0.1 ns: copies take 0.4.
TEST(LogGP, finds_the_copies_of_small_messages) {
  std::string text = kHead;
  for (int size = 1; size <= 1 << 20; size *= 4) {
    const double bytes_us = size * (size < 16'384 ? 0.0005 : 0.0001), one = 2 * (1.9 + bytes_us);
    text += fmt::format("{} 10 {:.6f} {:.6f} 90 1.9 0.3 0.4 -nan -nan -nan\n", size, one,
                        one + 9 * (0.2 + bytes_us));
  }
  const LogGPFit fit = fit_with_copies(text);
  EXPECT_EQ(value_of(fit, "host.eager_copy").text, "2.5GBps");
  EXPECT_TRUE(value_of(fit, "host.eager_copy").determined);
}

// Messages of 64 KiB and more take 2 us longer; the base profile says 5.
TEST(LogGP, finds_the_rendezvous_beyond_the_limit) {
  std::string text = kHead;
  for (int size = 1; size <= 1 << 20; size *= 4) {
    const double one = 2 * (1.9 + size * 0.0001 + (size >= 65'536 ? 2 : 0));
    text += fmt::format("{} 10 {:.6f} {:.6f} 90 1.9 0.3 0.4 -nan -nan -nan\n", size, one,
                        one + 9 * (0.2 + size * 0.0001));
  }
  std::string base = kLink;
  base.insert(base.find("startup"), "rendezvous = \"64KiB,5us\"\n");
  const LogGPFit fit = fit_loggp(read_loggp_table(text, "loggp.out"),
                                 fields::parse_machine_model(base, "base.toml"), "loggp.out");
  EXPECT_EQ(value_of(fit, "host.rendezvous").text, "2.000us");
  EXPECT_EQ(value_of(fit, "links.payload").text, "0.8");
}

TEST(LogGP, leaves_what_the_sizes_do_not_determine) {
  const LogGPFit fit = fit_of(table_of(0.3, 1.2, 0.4, 0.2, 0.0001, 1 << 20));
  for (const LogGPValue& value : fit.values) {
    EXPECT_FALSE(value.determined) << value.name;
    EXPECT_EQ(value.text, value.base_text) << value.name;
  }
  EXPECT_NE(fit.profile.find("host.startup: not determined"), std::string::npos) << fit.profile;
}

TEST(LogGP, tells_netgauge_from_others) {
  EXPECT_TRUE(is_loggp_table(kHead));
  EXPECT_TRUE(is_loggp_table("# Info:   (0): Netgauge v2.4.6 MPI enabled (P=2)\n"));
  EXPECT_FALSE(is_loggp_table("# OSU MPI Latency Test v7.4\n1 2.0\n"));
}

TEST(LogGP, refuses_wrong_tables) {
  const auto refused = [](const std::string& text, const char* says) {
    try {
      (void)read_loggp_table(text, "loggp.out");
      ADD_FAILURE() << text;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("loggp.out"), 0U) << error.what();
    }
  };
  const std::string head = kHead;
  refused(head, "the table of netgauge has no rows");
  refused(head + "1 10 4.2 9.1\n", "loggp.out:2: ");
  refused(head + "1 1 4.2 9.1 42 2.1 0.3 0.4 0 0 0\n", "2 messages or more");
  refused(head + "1 10 4.2 4.1 42 2.1 0.3 0.4 0 0 0\n", "no longer than 1");
  refused(head + "1 10 4.2 9.1 42 2.1 -nan 0.4 0 0 0\n", "o_s");
  refused(head + "1 10 1e300 2e300 42 2.1 0.3 0.4 0 0 0\n", "microseconds");
  const std::string row = "8 10 4.2 9.1 42 2.1 0.3 0.4 0 0 0\n";
  refused(head + row + row, "loggp.out:3: sizes do not increase");
  refused("# Info:   (0): Netgauge v2.4.6 MPI enabled (P=2)\n", "-o FILE");
}

}  // namespace
}  // namespace weft::calibrate
