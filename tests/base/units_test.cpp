#include "weft/base/units.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "weft/base/error.hpp"

namespace weft {
namespace {

TEST(Units, reads_sizes_in_powers_of_1000_and_1024) {
  EXPECT_EQ(parse_size("4096"), 4096);
  EXPECT_EQ(parse_size("64KiB"), 65536);
  EXPECT_EQ(parse_size("1.5MB"), 1'500'000);
  EXPECT_EQ(parse_size("1KB"), 1000);
}

TEST(Units, rejects_sizes_with_wrong_units) {
  for (const char* text : {"", "KiB", "64Kib", "-1", "1.5B", "64Gbps", "99999999999999999999"})
    EXPECT_THROW(parse_size(text), InvalidInput) << text;
}

TEST(Units, ranges_double_and_include_both_ends) {
  EXPECT_EQ(parse_sizes("1KiB:4KiB"), (std::vector<std::int64_t>{1024, 2048, 4096}));
  EXPECT_EQ(parse_sizes("1:5"), (std::vector<std::int64_t>{1, 2, 4, 5}));
  EXPECT_EQ(parse_sizes("8,1KiB:2KiB"), (std::vector<std::int64_t>{8, 1024, 2048}));
  EXPECT_EQ(parse_sizes("1KiB:3KiB:1KiB"), (std::vector<std::int64_t>{1024, 2048, 3072}));
  EXPECT_THROW(parse_sizes("4KiB:1KiB"), InvalidInput);
  EXPECT_THROW(parse_sizes("1..4"), InvalidInput);
}

TEST(Units, bits_and_bytes_per_second_differ_by_eight) {
  EXPECT_EQ(parse_bandwidth("100Gbps"), 12'500'000'000);
  EXPECT_EQ(parse_bandwidth("12.5GBps"), 12'500'000'000);
  EXPECT_EQ(parse_bandwidth("10GB/s"), 10'000'000'000);
  EXPECT_EQ(parse_bandwidth("4.7GBps"), 4'700'000'000);
  EXPECT_EQ(parse_bandwidth("50GiB/s"), 50LL << 30);
  EXPECT_THROW(parse_bandwidth("100"), InvalidInput);
  EXPECT_THROW(parse_bandwidth("0Gbps"), InvalidInput);
}

TEST(Units, times_are_exact_picoseconds) {
  EXPECT_EQ(parse_time("1us"), 1'000'000);
  EXPECT_EQ(parse_time("0.5ns"), 500);
  EXPECT_EQ(parse_time("0"), 0);
  EXPECT_THROW(parse_time("1"), InvalidInput);
  EXPECT_THROW(parse_time("1m"), InvalidInput);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Units, take_what_is_meant_without_doubt) {
  EXPECT_EQ(parse_bandwidth("200gbps"), 25'000'000'000);
  EXPECT_EQ(parse_bandwidth("200gBps"), 200'000'000'000);
  EXPECT_EQ(parse_bandwidth("200GIB/s"), 200LL << 30);
  EXPECT_EQ(parse_size("64KIB"), 65536);
  EXPECT_EQ(parse_size("64kiB"), 65536);
  for (const char* micro : {"1us", "1\u00b5s", "1\u03bcs"}) {
    EXPECT_EQ(parse_time(micro), 1'000'000) << micro;
    EXPECT_DOUBLE_EQ(parse_seconds(micro), 1e-6) << micro;
  }
}

TEST(Units, name_what_may_have_been_meant) {
  EXPECT_EQ(message_of([] { parse_size("64K"); }),
            "size '64K' has the unknown unit 'K'; did you mean 64KiB (powers of 1024) or 64KB (of "
            "1000)?");
  for (const char* text : {"64kb", "64k", "64kib", "1.5mb"})
    EXPECT_NE(message_of([&] { parse_size(text); }).find("did you mean"), std::string::npos)
        << text;
  EXPECT_EQ(message_of([] { parse_bandwidth("200G"); }),
            "bandwidth '200G' has the unknown unit 'G'; did you mean 200Gbps (bits) or 200GBps "
            "(bytes)?");
  for (const char* text : {"200GBPS", "200gb", "200Gbit"})
    EXPECT_NE(message_of([&] { parse_bandwidth(text); }).find("200GBps (bytes)"), std::string::npos)
        << text;
}

TEST(Units, a_missing_unit_is_named_with_examples) {
  EXPECT_EQ(message_of([] { parse_bandwidth("10"); }),
            "bandwidth '10' has no unit; write 10Gbps (bits) or 10GBps (bytes)");
  EXPECT_EQ(message_of([] { parse_time("1.5"); }), "time '1.5' has no unit; write 1.5us or 1.5ns");
}

TEST(Units, formats_are_read_back) {
  for (std::int64_t v : {0LL, 1LL, 1000LL, 1024LL, 1LL << 26, 123456789LL})
    EXPECT_EQ(parse_size(format_size(v)), v);
  for (std::int64_t v : {1LL, 12'500'000'000LL, 4'700'000'000LL})
    EXPECT_EQ(parse_bandwidth(format_bandwidth(v)), v);
  for (std::int64_t v : {0LL, 1LL, 1'000'000LL, 1'500'000LL})
    EXPECT_EQ(parse_time(format_time(v)), v);
}

}  // namespace
TEST(Units, read_measured_times_and_limits_as_seconds) {
  EXPECT_DOUBLE_EQ(weft::parse_seconds("45.71921892547613us"), 45.71921892547613e-6);
  EXPECT_EQ(weft::parse_seconds("60"), 60);
  EXPECT_EQ(weft::parse_seconds("1.5min"), 90);
  EXPECT_EQ(weft::parse_seconds("1h"), 3600);
  for (const char* text : {"", "-1s", "nan", "inf", "1 s", "1d", "s"})
    EXPECT_THROW(weft::parse_seconds(text), weft::InvalidInput) << text;
}

}  // namespace weft
