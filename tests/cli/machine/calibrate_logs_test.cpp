// weft calibrate: logs of several groups of ranks, and strict reading.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

// Of two ranks each sends half of the data in each of two steps: 268.4 MB in 11.15 ms. On a cable
// each that is its speed; over a cable that all eight pairs share, which only groups tell, eight
// times as much.
TEST(CalibrateLogs, takes_groups_for_rings_at_once) {
  const std::string line = "calibrate " + source_dir() + "/tests/data/cases/groups.txt";
  const json alone = answer_of(line);
  EXPECT_NEAR(alone["classes"][0]["bandwidth"]["value"].get<double>() / 24.07e9, 1, 0.03);
  const json shared = answer_of(line + " -t hosts(8,mesh:2) --link 10000Gbps,1us");
  bool found = false;
  for (const json& fitted : shared["classes"]) {
    if (fitted["class"] == "terminal" || !fitted["measured"]) continue;
    found = true;
    EXPECT_NEAR(fitted["bandwidth"]["value"].get<double>() / (8 * 24.07e9), 1, 0.03);
  }
  EXPECT_TRUE(found) << shared.dump();
}

// A launcher's line is passed over with a note, and refused where reading is strict.
TEST(CalibrateLogs, refuses_lines_of_others_where_strict) {
  const ScratchFolder folder;
  const std::string table = folder.file("t.txt",
                                        "starting on two nodes\n# OSU MPI Latency Test v7.4\n# "
                                        "Size          Latency (us)\n1 2.001\n1000 3.0\n");
  const Ran usual = run_weft(words_of("calibrate --tables " + table));
  EXPECT_EQ(usual.code, 0) << usual.err;
  EXPECT_NE(usual.err.find("not read: line of text"), std::string::npos) << usual.err;
  const Ran strict = run_weft(words_of("calibrate --tables --strict " + table));
  EXPECT_EQ(strict.code, 2) << strict.out;
  EXPECT_NE(
      strict.err.find(
          "t.txt:1: line of text is not supported, and --strict refuses what weft cannot read"),
      std::string::npos)
      << strict.err;
}

}  // namespace
}  // namespace weft::test
