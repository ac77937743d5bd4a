// Files of measured times: read as they are written, and refused with their place.
#include "weft/rows/measurements.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"

namespace weft::rows {
namespace {

MeasuredCall call(double least_s) {
  return {.asked = {{"algorithm", "bfb"}, {"size", "1024"}, {"topology", "circulant:7,1,2"}},
          .calls = 3,
          .least_s = least_s,
          .median_s = 2 * least_s,
          .load = 0.5,
          .at = "2026-01-31T12:00:00Z"};
}

TEST(Measurements, are_read_as_they_are_written) {
  const Measurements written{
      .machine = "a \"small\" one", .mpi = "Open MPI", .calls = {call(0.25), call(0.125)}};
  const Measurements read = parse_measurements(text_of(written), "m.toml");
  EXPECT_EQ(read.machine, written.machine);
  EXPECT_EQ(read.mpi, written.mpi);
  ASSERT_EQ(read.calls.size(), 2U);
  EXPECT_EQ(read.calls[0].asked, written.calls[0].asked);
  EXPECT_EQ(read.calls[0].calls, 3);
  EXPECT_EQ(read.calls[0].least_s, 0.25);
  EXPECT_EQ(read.calls[0].median_s, 0.5);
  EXPECT_EQ(read.calls[0].load, 0.5);
  EXPECT_EQ(read.calls[0].at, "2026-01-31T12:00:00Z");
}

TEST(Measurements, give_what_was_measured_last) {
  const Measurements all{.machine = "m", .mpi = "i", .calls = {call(0.25), call(0.125)}};
  ASSERT_NE(all.find(call(0).asked), nullptr);
  EXPECT_EQ(all.find(call(0).asked)->least_s, 0.125);
  EXPECT_EQ(all.find({{"algorithm", "ring"}}), nullptr);
}

TEST(Measurements, name_the_line_of_what_is_wrong) {
  try {
    parse_measurements("machine = \"m\"\nmpi = \"i\"\ncalls = [\n  { calls = 0 },\n]\n", "m.toml");
    FAIL() << "a call of no calls is taken";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("m.toml:4"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft::rows
