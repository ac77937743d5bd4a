// weft schema: the schema of an answer accepts what the command prints, and nothing that it lacks.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"
#include "support/process/schema_faults.hpp"
#include "support/process/source_dir.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/schedule.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::schema_faults;
using weft::test::words_of;

// One command line of lines.txt, after "weft".
std::vector<std::string> lines() {
  std::vector<std::string> lines;
  std::ifstream file(weft::test::source_dir() + "/tests/cli/schema/lines.txt");
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
  EXPECT_FALSE(lines.empty());
  return lines;
}

void replace(std::string& line, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = line.find(part, at)) != std::string::npos; at += by.size())
    line.replace(at, part.size(), by);
}

// Runs the commands of a line, joined by &&, and returns what the last one prints. Each OUT is the
// folder.
weft::test::Ran run_line(std::string line, const std::string& folder) {
  replace(line, " OUT", " " + folder);
  for (const char* tree : {"examples/", "reproduction/", "tests/"})
    for (const char* before : {" ", ":"})
      replace(line, before + std::string(tree), before + weft::test::source_dir() + "/" + tree);
  std::size_t first = 0;
  for (std::size_t end = 0; (end = line.find(" && ", first)) != std::string::npos; first = end + 4)
    run_weft(words_of(line.substr(first, end - first)));
  return run_weft(words_of(line.substr(first) + " --json"));
}

// The command whose answer the line prints.
std::string command_of(const std::string& line) {
  const std::size_t last = line.rfind(" && ");
  return words_of(last == std::string::npos ? line : line.substr(last + 4)).front();
}

class SchemaOf : public testing::TestWithParam<std::string> {};

// What the schema of the command does not accept.
std::vector<std::string> faults_in(const std::string& command, const std::string& answer) {
  return schema_faults(json::parse(run_weft({"schema", command}).out), json::parse(answer));
}

// Where the answer to the line does not fit the schema of its command.
std::vector<std::string> faults_of(const std::string& line) {
  const weft::test::ScratchFolder folder;
  const auto ran = run_line(line, folder.path());
  if (ran.out.empty()) return {ran.err};
  return faults_in(command_of(line), ran.out);
}

TEST_P(SchemaOf, accepts_what_the_command_prints) {
  EXPECT_EQ(faults_of(GetParam()), std::vector<std::string>()) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Lines, SchemaOf, testing::ValuesIn(lines()));

// No rank gets the block of the other.
TEST(SchemaCommand, accepts_an_incorrect_schedule) {
  const weft::test::ScratchFolder folder;
  const std::string file = folder.path("a.weft");
  weft::schedule::save(weft::ScheduleBuilder(weft::schedule::allgather(2)).build(), file);
  const auto ran = run_weft({"verify", file, "--json"});
  ASSERT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["fault"]["message"], nullptr);
  EXPECT_EQ(faults_in("verify", ran.out), std::vector<std::string>());
}

// The commands that read files which a test must write first.
TEST(SchemaCommand, accepts_answers_about_files) {
  const weft::test::ScratchFolder folder;
  const std::string study = folder.file("study.toml", R"([experiment]
title = "t"
[grid]
topology = "ring:4"
collective = "allgather"
algorithm = ["ring", "recursive-doubling"]
size = ["1KiB", "2KiB"]
[quick]
size = ["1KiB"]
[[claim]]
text = "t"
where = { algorithm = "ring" }
than = { algorithm = "recursive-doubling" }
[[claim]]
text = "steps of a ring"
column = "steps"
where = { algorithm = "ring" }
expected = 3
)");
  const std::string a = folder.path("a.sqlite"), b = folder.path("b.sqlite");
  const std::string times = folder.file("times.csv",
                                        "steps,bandwidth_factor,size,time\n14,15/8,1KB,208us\n"
                                        "8,15/8,1KB,128us\n14,15/8,1GB,0.19\n");
  const std::string forced = folder.file("forced.csv",
                                         "collective,algorithm,ranks,size,time\n"
                                         "allreduce,ring,4,1KiB,40us\n"
                                         "allreduce,ring,4,4KiB,45us\n"
                                         "allreduce,ring,4,64KiB,90us\n"
                                         "allreduce,ring,4,256KiB,250us\n"
                                         "allreduce,ring,4,1MiB,900us\n"
                                         "allreduce,ring,4,4MiB,3600us\n");
  const std::string plan = folder.path("a.plan");
  ASSERT_EQ(run_weft({"plan", "-t", "ring:4", "--collectives", "allreduce", "--sizes", "1KiB,1MiB",
                      "-o", plan})
                .code,
            0);
  for (const std::string& line :
       {"sweep " + study + " --store " + a, "sweep " + study + " --quick --store " + b,
        "results " + study + " --wall --store " + a, "results " + study + " --store " + b,
        "results diff " + a + " " + b, "results merge " + b + " " + a, "reproduce " + study,
        "fit " + times, "calibrate " + forced, "calibrate " + forced + " --hold-out 3",
        "profile examples/job.profile --plan " + plan})
    EXPECT_EQ(faults_of(line), std::vector<std::string>()) << line;
  if (run_weft({"where", "pmpi"}).code == 0) {  // it was built
    EXPECT_EQ(faults_of("where pmpi"), std::vector<std::string>());
  }
}

TEST(SchemaCommand, refuses_other_answers) {
  const json schema = json::parse(run_weft({"schema", "economics"}).out);
  json answer = json::parse(run_weft({"economics", "--radix", "36", "--json"}).out);
  answer["rows"][0]["kind"] = 7;
  answer["rows"][1].erase("endpoints");
  answer["rows"][2]["bisection"] = "0.5";
  answer["more"] = 1;
  EXPECT_EQ(schema_faults(schema, answer),
            (std::vector<std::string>{" has more", ".rows[].kind is 7", ".rows[] lacks endpoints",
                                      ".rows[].bisection does not match"}));
}

TEST(SchemaCommand, names_units_and_meanings) {
  const json schema = json::parse(run_weft({"schema", "economics", "--json"}).out);
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["properties"]["optical_m"]["description"],
            "length of all optical cables, in metres");
  EXPECT_EQ(schema["properties"]["prices"]["properties"]["name"]["type"], "string");
}

TEST(SchemaCommand, says_which_commands_have_one) {
  const auto without = run_weft({"schema", "schema"});
  EXPECT_EQ(without.code, 2);
  EXPECT_EQ(without.out, "");
  EXPECT_TRUE(without.err.starts_with("weft: weft schema has no schema")) << without.err;
  EXPECT_NE(without.err.find("compare, "), std::string::npos) << without.err;
  const auto unknown = run_weft({"schema", "finds"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean find?"), std::string::npos) << unknown.err;
}

}  // namespace
