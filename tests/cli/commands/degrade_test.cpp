// weft degrade, as people and scripts see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/file.hpp"

namespace {

using nlohmann::json;
using weft::test::Ran;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

Ran run_line(const std::string& line) {
  return run_weft(words_of(line));
}

json answer(const std::string& line) {
  const Ran ran = run_line(line + " --json");
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return json::parse(ran.out);
}

TEST(Degrade, has_a_row_for_each_algorithm_and_failure) {
  const json found = answer("degrade allreduce -t torus:3x3 -a ring,bfb --size 1MiB");
  EXPECT_EQ(found["routing"], "dimension-order");
  EXPECT_EQ(found["size"], 1 << 20);
  EXPECT_EQ(found["possible"], 18);
  ASSERT_EQ(found["failures"].size(), 18u);
  ASSERT_EQ(found["rows"].size(), 36u);
  for (const json& row : found["rows"]) {
    for (const char* key : {"algorithm", "failed", "time", "slowdown", "schedule"})
      EXPECT_TRUE(row.contains(key)) << key;
    const auto of = std::ranges::find_if(found["algorithms"], [&](const json& each) {
      return each["algorithm"] == row["algorithm"];
    });
    ASSERT_NE(of, found["algorithms"].end());
    EXPECT_NEAR(row["time"].get<double>() / (*of)["time"].get<double>(),
                row["slowdown"].get<double>(), 1e-12);
  }
  double worst = 0;
  for (const json& row : found["rows"])
    if (row["algorithm"] == "ring") worst = std::max(worst, row["slowdown"].get<double>());
  EXPECT_EQ(found["algorithms"][0]["worst_slowdown"], worst);
}

// What a failure leaves, by its name and by its numbers. The name of a failure is what without()
// takes.
void expect_same_network(const json& failed, const std::string& network) {
  std::string numbers;
  for (const json& cable : failed["cables"]) numbers += "cable=" + cable.dump() + ", ";
  for (const json& node : failed["nodes"]) numbers += "node=" + node.dump() + ", ";
  const std::string name = failed["failed"];
  EXPECT_EQ(answer("topology \"without(" + name + ", " + network + ")\"")["name"],
            answer("topology \"without(" + numbers + network + ")\"")["name"])
      << name;
}

TEST(Degrade, names_failures_as_without_takes_them) {
  const std::string network = "hyperx:3x2,2";  // with parallel cables
  const std::string line = "degrade allgather -t \"" + network + "\" -a ring --schedules rebuilt";
  const json found = answer(line);
  for (const json& failed : found["failures"]) {
    EXPECT_TRUE(failed["failed"].get<std::string>().starts_with("cable=")) << failed;
    expect_same_network(failed, network);
  }
  for (const char* const more : {" --failures 2 --cables 9", " --failures 2 --nodes 5"}) {
    const json two = answer(line + more);
    for (const json& failed : two["failures"]) expect_same_network(failed, network);
  }
}

// The same by names and ports, as the table has them for people.
TEST(Degrade, names_named_failures_as_without_takes_them) {
  const ScratchFolder folder;
  const std::string fabric = folder.path("fabric.json");
  ASSERT_EQ(
      run_line("import " + weft::test::source_dir() + "/examples/leaf-spine.ibnet -o " + fabric)
          .code,
      0);
  for (const std::string& network :
       {"file:" + fabric, std::string("names(hosts=n[1-6], hyperx:3x2,2)")})
    for (const char* failures : {" --nodes all --cables all", " --failures 2 --cables 9"}) {
      const json found = answer("degrade allgather -a ring --schedules rebuilt" +
                                std::string(failures) + " -t \"" + network + "\"");
      for (const json& failed : found["failures"]) expect_same_network(failed, network);
    }
}

// A ring of four has 4 cables and 4 nodes, and 4 * 3 / 2 = 6 pairs of each.
TEST(Degrade, refuses_more_failures_than_there_are) {
  const std::string ring = "degrade allreduce -t ring:4 -a ring";
  for (const auto& [more, reason] :
       {std::pair(" --cables 999",
                  "--cables 999 is too many, because ring:4 has 4 cables; give at most 4, or all"),
        std::pair(" --nodes 5", "--nodes 5 is too many, because ring:4 has 4 nodes"),
        std::pair(" --cables 7 --failures 2",
                  "because ring:4 has 6 sets of 2 cables; give at most 6, or all")}) {
    const Ran ran = run_line(ring + more);
    EXPECT_EQ(ran.code, 2) << more;
    EXPECT_EQ(ran.out, "") << more;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
  EXPECT_EQ(run_line(ring + " --cables 4").code, 0);
  EXPECT_EQ(run_line(ring + " --cables 6 --failures 2").code, 0);
}

TEST(Degrade, says_cables_by_the_names_of_hosts) {
  const json found = answer("degrade allgather -t ring:3 --names h[1-3] -a ring");
  EXPECT_EQ(found["failures"][0]["failed"], "cable=h1 - h2");
  const json two = answer("degrade allgather -t ring:3 --names h[1-3] -a ring --failures 2");
  EXPECT_EQ(two["failures"][0]["failed"], "cable=h1 - h2, cable=h1 - h3");
  const std::string hosts = " leaf-spine:leaves=2,spines=1,hosts=1 --names n[1-2] -a ring";
  EXPECT_NE(run_line("degrade allgather -t" + hosts).out.find("(n2)"), std::string::npos);
}

// Swing is for a whole torus: kept it goes round the cable, and anew there is none.
TEST(Degrade, says_why_no_schedule_can_be_made_anew) {
  const std::string line = "degrade allreduce -t torus:4x4 -a swing";
  const std::string reason = "it needs a torus or ring with rank r on node r";
  EXPECT_EQ(run_line(line).out.find(reason), std::string::npos);
  const Ran anew = run_line(line + " --schedules rebuilt");
  EXPECT_NE(anew.out.find("None of these algorithms can run after any of the failures.\n"
                          "No schedule fits the damaged network: swing after 32 failures (" +
                          reason + "); the old schedules may work: omit --schedules rebuilt\n"),
            std::string::npos)
      << anew.out;
  const Ran beside = run_line("degrade allreduce -t torus:4x4 -a swing,ring --nodes 2");
  EXPECT_NE(beside.out.find("No schedule fits the damaged network: swing after 2 failures (" +
                            reason + ")\n"),
            std::string::npos)
      << beside.out;
}

// A one-way ring that is cut leads nobody all the way round.
TEST(Degrade, says_how_many_failures_it_speaks_of) {
  EXPECT_NE(run_line("degrade allreduce -t uniring:4 -a ring")
                .out.find("The collective cannot run after any of the failures.\n4 of 4 failures "
                          "disconnect ranks"),
            std::string::npos);
  EXPECT_NE(run_line("degrade allreduce -t uniring:40 -a ring --cables 3")
                .out.find("The collective cannot run after any of the 3 failures that were tried."),
            std::string::npos);
  EXPECT_NE(run_line("degrade broadcast -t complete:4 --nodes all -a binomial")
                .out.find("After 1 failure there is nothing to run"),
            std::string::npos);
}

// Each of 4 hosts hangs on one cable; past one of 8 others all go on.
TEST(Degrade, names_who_is_cut_off) {
  const std::string line = "degrade allreduce -t leaf-spine:leaves=4,spines=2,hosts=1 -a ring";
  const json found = answer(line);
  EXPECT_EQ(std::ranges::count_if(found["failures"],
                                  [](const json& failed) { return !failed["cut_off"].empty(); }),
            4);
  EXPECT_EQ(found["rows"].size(), 8u);
  const Ran ran = run_line(line);
  EXPECT_NE(ran.out.find("4 of 12 failures disconnect ranks and are not in the table"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("(rank 0)"), std::string::npos) << ran.out;
}

// A two-way ring that is cut carries everything one way round; a new schedule may know better.
TEST(Degrade, says_that_new_schedules_may_be_faster) {
  const std::string line = "degrade allgather -t ring:6 -a bidirectional-ring";
  EXPECT_NE(run_line(line).out.find("--schedules rebuilt"), std::string::npos);
  EXPECT_EQ(run_line(line + " --schedules rebuilt").out.find("--schedules rebuilt"),
            std::string::npos);
}

// The tables of a fabric do not know of the dead cable: each of the two spines has the way of half
// of the pairs between leaves, or so, and what lost its way is given another.
TEST(Degrade, says_what_forwarding_tables_lose) {
  const ScratchFolder folder;
  const std::string fabric = folder.path("fabric.json"),
                    examples = weft::test::source_dir() + "/examples/";
  ASSERT_EQ(run_line("import " + examples + "leaf-spine.ibnet --routes " + examples +
                     "leaf-spine.lfts -o " + fabric)
                .code,
            0);
  const std::string line = "degrade alltoall -t file:" + fabric + " -a spread";
  const json found = answer(line);
  EXPECT_EQ(found["routing"], "table");
  std::int64_t on_spines = 0;
  const std::int64_t ranks = found["ranks"];
  for (const json& failed : found["failures"]) {
    ASSERT_TRUE(failed.contains("pairs_without_way"));
    if (!failed["cut_off"].empty()) {  // a host's cable has all its pairs
      EXPECT_EQ(failed["pairs_without_way"], 2 * (ranks - 1));
      continue;
    }
    EXPECT_EQ(failed.value("routing", "table"), "table");
    on_spines += failed["pairs_without_way"].get<std::int64_t>();
  }
  EXPECT_EQ(on_spines, 2 * (ranks * ranks / 2));  // two cables for each pair of hosts of two leaves
  EXPECT_NE(run_line(line).out.find("the forwarding tables are updated, up to "),
            std::string::npos);
}

// A pair that the tables join by no way loses none, and a collective that does without it runs:
// without leaf1's entry for h0 two of the eight pairs between leaves have no way, and cross two
// cables less each.
TEST(Degrade, goes_on_past_holes_in_forwarding_tables) {
  const ScratchFolder folder;
  const std::string fabric = folder.path("fabric.json"), tables = folder.path("fabric.lfts");
  std::string text = weft::test::read_text(weft::test::source_dir() + "/examples/leaf-spine.lfts");
  const std::size_t entry = text.find("0x0002 005");
  text.erase(entry, text.find('\n', entry) + 1 - entry);
  text.replace(text.find("8 valid"), 1, "7");
  weft::write_file(tables, text);
  ASSERT_EQ(run_line("import " + weft::test::source_dir() + "/examples/leaf-spine.ibnet --routes " +
                     tables + " -o " + fabric)
                .code,
            0);
  const json found = answer("degrade broadcast -a binomial -t file:" + fabric);
  std::int64_t on_spines = 0;
  for (const json& failed : found["failures"])
    if (failed["cut_off"].empty()) on_spines += failed["pairs_without_way"].get<std::int64_t>();
  EXPECT_EQ(on_spines, 2 * (8 - 2));
}

TEST(Degrade, draws_a_chart) {
  const ScratchFolder folder;
  const std::string chart = folder.path("worst.svg");
  const Ran ran = run_line("degrade allgather -t ring:5 --chart " + chart);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string svg = weft::test::read_text(chart);
  for (const char* text : {"<svg", "slowdown", "worst", "mean", "fastest", "bidirectional-ring"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Degrade, refuses_what_makes_no_sense) {
  const auto message = [](const std::string& line) {
    const Ran ran = run_line("degrade allreduce -t ring:4 " + line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_EQ(message("--cables some"),
            "weft: invalid number of cables that fail: 'some' (expected all, none, or 1 to "
            "1000000 random ones)\n");
  EXPECT_EQ(message("--failures 0"),
            "weft: invalid failures '0' (expected an integer from 1 to 64)\n");
  EXPECT_EQ(message("--cables none"),
            "weft: nothing fails with --cables none; give --nodes, or remove --cables none\n");
  EXPECT_EQ(message("--failures 5"),
            "weft: 5 cables cannot fail at once, because there are 4; use --failures 4 or less\n");
  EXPECT_EQ(message("--ranks 1"),
            "weft: a single rank does not exchange data; place at least two ranks\n");
  EXPECT_NE(message("-a nonsense").find("nonsense"), std::string::npos);
  EXPECT_NE(message("-a ring,ring").find("repeats ring"), std::string::npos);
  EXPECT_NE(message("--size 1KiB,2KiB").find("weft compare accepts several"), std::string::npos);
  EXPECT_NE(message("--chart x.pdf").find(".svg"), std::string::npos);
  EXPECT_EQ(message("--schedules new")
                .find("weft: unknown value of --schedules 'new'; known: kept, rebuilt"),
            0u);
}

}  // namespace
