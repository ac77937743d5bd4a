// Every schedule of every algorithm, written as text and read back.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "support/every_schedule.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/text.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

// Units by what carries them, whatever the order of messages and however they are joined.
using Carried =
    std::map<std::tuple<std::int64_t, Agent, Agent, Arrival, RouteId>, std::vector<std::int64_t>>;

Carried carried(const Schedule& schedule) {
  Carried result;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      auto& units = result[{t, message.from, message.to, message.arrival, message.route}];
      for (const Piece& piece : schedule.pieces(m))
        for (std::int64_t unit = piece.first; unit < piece.end(); ++unit) units.push_back(unit);
      std::ranges::sort(units);
    }
  return result;
}

// Returns whether the schedule is a packing of trees.
bool expect_trees_read_back(const Schedule& schedule, const std::string& label) {
  std::string text;
  try {
    text = write_trees(schedule);
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("the schedule is not a packing of trees"),
              std::string::npos)
        << label;
    return false;
  }
  const Schedule back = read_text(text, "trees").schedule;
  EXPECT_EQ(carried(back), carried(schedule)) << label << '\n' << text;
  EXPECT_TRUE(verify(back)) << label;
  return true;
}

TEST(ScheduleTextProperty, every_schedule_reads_back) {
  std::int64_t trees = 0, all = 0;
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    for (const std::int32_t ranks : {1, 2, 3, 4, 6, 8, 9, 16, 17})
      for (const auto& [label, schedule, options] : test::schedules_of(algorithm, ranks)) {
        EXPECT_EQ(read_text(write_text(schedule), "text").schedule, schedule) << label;
        const Schedule expanded = expand_symmetry(schedule);
        EXPECT_EQ(read_text(write_text(expanded), "text").schedule, expanded) << label;
        trees += expect_trees_read_back(expanded, label) ? 1 : 0;
        ++all;
      }
  // Rings, binomial trees and chains are packings of trees, recursive doubling is none.
  EXPECT_GT(trees, all / 4);
  EXPECT_LT(trees, all);
}

}  // namespace
}  // namespace weft::schedule
