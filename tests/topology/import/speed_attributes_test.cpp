// Speeds of links as people write them; each expected number follows from the unit.
#include "weft/topology/import/speed_attributes.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"

namespace weft::topology {
namespace {

TEST(RateIn, knows_units_of_bits_and_bytes) {
  const struct {
    const char* text;
    std::int64_t bytes_per_s;
  } cases[] = {{"10 Gbps", 1'250'000'000},   {"1G", 125'000'000},
               {"100Mbit", 12'500'000},      {"2.5 Gb/s", 312'500'000},
               {"10Gbit/s", 1'250'000'000},  {"10 GBit/s", 1'250'000'000},
               {"1.25 GB/s", 1'250'000'000}, {"8bps", 1},
               {"64 kbit/s", 8'000},         {"1.544 Mbps", 193'000},
               {"50 GiB/s", 53'687'091'200}, {"10 GE", 1'250'000'000},
               {"10GbE", 1'250'000'000},     {"2 Gigabits/s", 250'000'000},
               {"1e9 bps", 125'000'000},     {"100 Mb", 12'500'000}};
  for (const auto& c : cases) EXPECT_EQ(rate_in(c.text), c.bytes_per_s) << c.text;
}

TEST(RateIn, takes_no_number_without_a_unit_and_no_other_unit) {
  for (const char* text : {"10", "", "fast", "10 km", "100m", "0 Gbps", "-1 Gbps", "10 GB",
                           "10 GBPS", "nan Gbps", "1e300 Gbps", "10 Gbps or more"})
    EXPECT_EQ(rate_in(text), std::nullopt) << text;
  EXPECT_EQ(rate_in("10", "Mbps"), 1'250'000);
}

TEST(TimeIn, knows_units_of_time) {
  EXPECT_EQ(time_in("2 ms"), 2'000'000'000);
  EXPECT_EQ(time_in("1.5us"), 1'500'000);
  EXPECT_EQ(time_in("3 microseconds"), 3'000'000);
  EXPECT_EQ(time_in("0"), 0);
  EXPECT_EQ(time_in("5"), std::nullopt);
  EXPECT_EQ(time_in("5", "ns"), 5'000);
}

struct Reading {
  EdgeSpeed speed;
  std::vector<std::string> notes;
};

Reading read(const GraphAttributes& attributes, bool strict = false) {
  ImportLog log("f", strict);
  SpeedReader reader(log);
  Reading reading{reader.read(attributes, "a - b", 7), {}};
  for (const ImportNote& note : log.notes()) reading.notes.push_back(note.text);
  return reading;
}

TEST(SpeedReader, reads_the_topology_zoos_attributes) {
  EXPECT_EQ(read({{"LinkSpeedRaw", "10000000000.0"}}).speed.bandwidth_Bps, 1'250'000'000);
  EXPECT_EQ(read({{"LinkSpeed", "155"}, {"LinkSpeedUnits", "M"}}).speed.bandwidth_Bps, 19'375'000);
  EXPECT_EQ(read({{"LinkSpeedUnits", "G"}, {"LinkSpeed", "2.5"}}).speed.bandwidth_Bps, 312'500'000);
}

TEST(SpeedReader, takes_units_from_names) {
  EXPECT_EQ(read({{"bw_gbps", "40"}}).speed.bandwidth_Bps, 5'000'000'000);
  EXPECT_EQ(read({{"Bandwidth (Mbps)", "8"}}).speed.bandwidth_Bps, 1'000'000);
  EXPECT_EQ(read({{"capacity_GBps", "2"}}).speed.bandwidth_Bps, 2'000'000'000);
  EXPECT_EQ(read({{"delay_ms", "2"}}).speed.latency_ps, 2'000'000'000);
  EXPECT_EQ(read({{"latency", "5us"}}).speed.latency_ps, 5'000'000);
}

TEST(SpeedReader, a_number_without_a_unit_is_no_speed) {
  for (const char* key : {"capacity", "bandwidth", "bw", "rate", "speed"}) {
    const Reading reading = read({{key, "10"}});
    EXPECT_EQ(reading.speed.bandwidth_Bps, std::nullopt) << key;
    ASSERT_EQ(reading.notes.size(), 1u) << key;
    EXPECT_NE(reading.notes[0].find("has no unit"), std::string::npos) << reading.notes[0];
    EXPECT_THROW(read({{key, "10"}}, true), InvalidInput) << key;
  }
}

TEST(SpeedReader, a_weight_is_a_speed_only_with_a_unit) {
  EXPECT_EQ(read({{"weight", "3"}}).speed.bandwidth_Bps, std::nullopt);
  EXPECT_EQ(read({{"weight", "10 Gbps"}}).speed.bandwidth_Bps, 1'250'000'000);
  EXPECT_EQ(read({{"weight", "10G"}}).speed.bandwidth_Bps, 1'250'000'000);
  EXPECT_EQ(read({{"label", "10G"}}).speed.bandwidth_Bps, std::nullopt);  // may be a name
  EXPECT_EQ(read({{"label", "10 Gb/s"}}).speed.bandwidth_Bps, 1'250'000'000);
  EXPECT_EQ(read({{"label", "10 GB/s"}}).speed.bandwidth_Bps, std::nullopt);
}

TEST(SpeedReader, the_more_exact_attribute_wins_and_a_difference_is_named) {
  const Reading same = read({{"LinkLabel", "10 Gbps"}, {"LinkSpeedRaw", "10000000000"}});
  EXPECT_EQ(same.notes, std::vector<std::string>{"not read: attribute 'LinkLabel' (line 7)"});
  const Reading reading = read({{"capacity", "1 Gbps"}, {"LinkSpeedRaw", "10000000000"}});
  EXPECT_EQ(reading.speed.bandwidth_Bps, 1'250'000'000);
  ASSERT_EQ(reading.notes.size(), 1u);
  EXPECT_NE(reading.notes[0].find("the speed of a - b (line 7)"), std::string::npos)
      << reading.notes[0];
}

TEST(SpeedReader, what_the_file_says_of_units_holds_for_all) {
  ImportLog log("f");
  SpeedReader reader(log);
  reader.set_unit("capacity", "Mbps");
  reader.set_unit("delay", "ms");
  const EdgeSpeed speed = reader.read({{"capacity", "80"}, {"delay", "3"}}, "a - b", 1);
  EXPECT_EQ(speed.bandwidth_Bps, 10'000'000);
  EXPECT_EQ(speed.latency_ps, 3'000'000'000);
}

TEST(SpeedReader, refuses_wrong_numbers_of_wefts_own_attributes) {
  EXPECT_THROW(read({{"bandwidth_Bps", "-5"}}), InvalidInput);
  EXPECT_THROW(read({{"bandwidth_Bps", "5.5"}}), InvalidInput);
  EXPECT_THROW(read({{"latency_ps", "-1"}}), InvalidInput);
}

}  // namespace
}  // namespace weft::topology
