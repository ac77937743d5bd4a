// weft sweep, called as a function.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

// Three sizes; rows run in no time.
constexpr const char* kExperiment = R"(
[experiment]
title = "small"
[grid]
collective = "allgather"
topology = "ring:4"
algorithm = ["ring", "bruck"]
size = "1KiB:4KiB"
[quick]
size = "1KiB"
)";

nlohmann::json json_of(const Ran& ran) {
  return nlohmann::json::parse(ran.out);
}

TEST(SweepCommand, keeps_rows_beside_the_file) {
  const ScratchFolder folder;
  const std::string file = folder.file("small.toml", kExperiment);
  const Ran first = run_weft({"sweep", file});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, "6 rows: 0 known, 6 computed; " + folder.path("small.sqlite") + "\n");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"small.sqlite", "small.toml"}));
  const Ran second = run_weft({"sweep", file, "--json"});
  EXPECT_EQ(json_of(second)["known"], 6);
  EXPECT_EQ(json_of(second)["computed"], 0);
}

TEST(SweepCommand, the_quick_grid_is_part_of_the_full_one) {
  const ScratchFolder folder;
  const std::string file = folder.file("small.toml", kExperiment);
  EXPECT_EQ(json_of(run_weft({"sweep", file, "--quick", "--json"}))["computed"], 2);
  EXPECT_EQ(json_of(run_weft({"sweep", file, "--json"}))["computed"], 4);
}

TEST(SweepCommand, the_full_grid_is_computed_when_asked_for) {
  const ScratchFolder folder;
  const std::string file =
      folder.file("small.toml", std::string(kExperiment) + "[full]\nsize = \"1KiB:16KiB\"\n");
  EXPECT_EQ(json_of(run_weft({"sweep", file, "--json"}))["computed"], 6);
  const auto full = json_of(run_weft({"sweep", file, "--full", "--json"}));
  EXPECT_EQ(full["computed"], 4);
  EXPECT_EQ(full["grid"], "full");
  const Ran both = run_weft({"sweep", file, "--full", "--quick"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("--quick"), std::string::npos) << both.err;
}

TEST(SweepCommand, a_changed_file_computes_the_rows_that_changed) {
  const ScratchFolder folder;
  std::string text = kExperiment;
  const auto computed = [&](const std::string& old, const std::string& now) {
    text.replace(text.find(old), old.size(), now);
    return json_of(run_weft({"sweep", folder.file("small.toml", text), "--json"}))["computed"];
  };
  EXPECT_EQ(computed("title = \"small\"", "title = \"other\""), 6);
  EXPECT_EQ(computed("\"1KiB:4KiB\"", "\"1024:8192\""), 2);              // 8 KiB
  EXPECT_EQ(computed("\"ring:4\"", "[\"ring:4\", \"ring:5\"]"), 8);      // ring:5
  EXPECT_EQ(computed("title", "source = \"s\"\ntitle"), 0);              // no parameter
  EXPECT_EQ(computed("[quick]", "link = \"100Gbps,1us\"\n[quick]"), 0);  // the default
  EXPECT_EQ(computed("100Gbps", "200Gbps"), 16);
}

TEST(SweepCommand, a_dry_run_only_looks) {
  const ScratchFolder folder;
  const std::string file = folder.file("small.toml", kExperiment);
  const Ran ran = run_weft({"sweep", file, "--dry-run", "--json", "--threads", "2"});
  EXPECT_EQ(json_of(ran)["missing"], 6);
  EXPECT_EQ(json_of(ran)["workers"], 2);
  EXPECT_GT(json_of(ran)["estimated_time_s"], 0);
  EXPECT_GT(json_of(ran)["estimated_memory_B"], 0);
  EXPECT_EQ(folder.files().size(), 1U);
  run_weft({"sweep", file, "--shard", "1/4"});
  EXPECT_NE(run_weft({"sweep", file, "--dry-run"}).out.find("known             2\n"),
            std::string::npos);
}

// A ring of 2^18 ranks sends 2^36 messages of 64 bytes, 4 TiB.
TEST(SweepCommand, a_dry_run_warns_of_more_memory_than_there_is) {
  const ScratchFolder folder;
  std::string text = kExperiment;
  EXPECT_EQ(run_weft({"sweep", folder.file("small.toml", text), "--dry-run"}).err, "");
  text.replace(text.find("ring:4"), 6, "ring:262144");
  text.replace(text.find("[\"ring\", \"bruck\"]"), 17, "\"ring\"");
  const Ran ran = run_weft({"sweep", folder.file("large.toml", text), "--dry-run"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(ran.err.starts_with("warning: it may need ")) << ran.err;
}

TEST(SweepCommand, shards_share_the_rows) {
  const ScratchFolder folder;
  const std::string file = folder.file("small.toml", kExperiment);
  for (const char* shard : {"0/4", "1/4", "2/4", "3/4"})
    EXPECT_EQ(json_of(run_weft({"sweep", file, "--json", "--shard", shard}))["rows"],
              shard[0] < '2' ? 2 : 1);
  EXPECT_EQ(json_of(run_weft({"sweep", file, "--json"}))["known"], 6);
}

TEST(SweepCommand, refuses_what_makes_no_sense) {
  const ScratchFolder folder;
  const std::string file = folder.file("small.toml", kExperiment);
  for (const char* shard : {"4/4", "-1/4", "1", "a/b", "1/0", "1/2/3", "/", "0/"}) {
    const Ran ran = run_weft({"sweep", file, "--shard", shard});
    EXPECT_EQ(ran.code, 2) << shard;
    EXPECT_NE(ran.err.find("shard"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(run_weft({"sweep", folder.path("none.toml")}).code, 2);
  EXPECT_EQ(run_weft({"sweep", file, "--store", file}).code, 2);
  EXPECT_EQ(read_text(file), kExperiment);
  EXPECT_EQ(folder.files().size(), 1U);
}

}  // namespace
}  // namespace weft::test
