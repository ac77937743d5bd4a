// No command writes over a file that it reads, and none writes two answers to one file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;
namespace fs = std::filesystem;

class Outputs : public testing::Test {
 protected:
  // Refused in one line, which says `why`, with every file as it was.
  void expect_refused(const std::string& line, const std::string& why) {
    const auto before = contents();
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_NE(ran.err.find(why), std::string::npos) << ran.err;
    EXPECT_EQ(contents(), before) << line;
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : folder_.files()) all[name] = read_text(folder_.path(name));
    return all;
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  // The word for a file that is read and named once more.
  static std::string read(const std::string& file, const std::string& option = "-o") {
    return "the output " + file + " is the input " + file + "; give " + option + " another file";
  }
  void make(const std::string& line) {
    const auto ran = run_weft(words_of(line));
    ASSERT_EQ(ran.code, 0) << line << '\n' << ran.err;
  }

  ScratchFolder folder_;
};

TEST_F(Outputs, of_calibrations_are_no_tables_and_no_networks) {
  fs::copy_file(weft::test::source_dir() + "/examples/osu/latency.txt", path("far.toml"));
  make("topology complete:2 -q -o " + path("o.json"));
  fs::rename(path("o.json"), path("o.toml"));
  const std::string calibrate = "calibrate " + path("far.toml");
  expect_refused(calibrate + " -o " + path("far.toml"), read(path("far.toml")));
  expect_refused(calibrate + "@0,1 -o " + path("far.toml"), read(path("far.toml")));
  expect_refused(calibrate + " -t file:" + path("o.toml") + " -o " + path("o.toml"),
                 read(path("o.toml")));
  expect_refused(calibrate + " -o " + path("m.json"), "writes a machine file in TOML, not '.json'");
  expect_refused(calibrate + " --plot " + path("x.toml") + " -o " + path("x.toml"),
                 path("x.toml") + " is the output of both ");
  expect_refused(calibrate + " --plot " + path("x.toml") + " -o " + path("./x.toml"),
                 "is the output of both");
  make(calibrate + " -q -o " + path("m.toml"));
  make(calibrate + " -q -o " + path("m.toml"));  // an answer of before is replaced
}

TEST_F(Outputs, of_other_commands_are_nothing_that_they_read) {
  make("topology ring:4 -q -o " + path("o.json"));
  make("schedule allreduce -t ring:4 -a ring -q -o " + path("ring.weft"));
  folder_.file("m.toml", "[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n");
  folder_.file("names", "a\nb\nc\nd\n");
  const std::string o = path("o.json"), file = "file:" + o;
  expect_refused("topology " + file + " -o " + o, read(o));
  expect_refused("order allreduce -t " + file + " --size 1MiB -o " + o, read(o));
  expect_refused("export " + file + " --to ibsim -o " + o, read(o));
  expect_refused("export " + path("ring.weft") + " --to goal -o " + path("ring.weft"),
                 read(path("ring.weft")));
  expect_refused("schedule allreduce -t " + file + " -a ring -o " + o, read(o));
  expect_refused(
      "compare allreduce -t ring:4 --machine " + path("m.toml") + " --csv " + path("m.toml"),
      read(path("m.toml"), "--csv"));
  expect_refused("compare allreduce -t ring:4 --names " + path("names") + " --csv " + path("names"),
                 read(path("names"), "--csv"));
  expect_refused("compare allreduce -t ring:4 --csv " + path("a.svg") + " --chart " + path("a.svg"),
                 path("a.svg") + " is the output of both ");
}

// What is asked for makes no sense either, which work would find.
TEST_F(Outputs, that_cannot_be_written_are_refused_before_any_work) {
  for (const char* line :
       {"compare allreduce -t nosuch --chart", "compare allreduce -t nosuch --csv",
        "compare allreduce -t nosuch --steps 3.. --steps-chart",
        "degrade allreduce -t nosuch --chart", "draw nosuch -o", "find -n 1 --csv",
        "find -n 1 --steps-chart", "load-curve -t nosuch --chart",
        "optimum allreduce -t nosuch --chart", "order allreduce -t nosuch -o", "plan -t nosuch -o",
        "results nosuch --csv", "schedule allreduce -t nosuch -a ring -o",
        "simulate allreduce -t nosuch -a ring --series-chart", "topology nosuch -o",
        "train nosuch -t nosuch --timeline", "train nosuch -t nosuch --write-trace",
        "export nosuch --to chakra -o", "export nosuch --to simgrid-platform -o"})
    expect_refused(line + (" " + path("none/file.svg")),
                   "cannot write '" + path("none/file.svg") + "'");
  expect_refused(
      "compare allreduce -t ring:4 --csv " + path("none/rows.csv") + " --chart " + path("a.svg"),
      "cannot write '" + path("none/rows.csv"));
  fs::create_directory(path("folder"));
  expect_refused("plan -t nosuch -o " + path("folder"), "it is a folder");
  expect_refused("export complete:4 --to simgrid-platform -o " + path("folder"), "it is a folder");
}

// Chakra's files are FILE.RANK.et, and a platform is FILE itself.
TEST_F(Outputs, may_stand_beside_folders_of_other_names) {
  make("schedule allreduce -t ring:4 -a ring -q -o " + path("ring.weft"));
  for (const char* folder : {"b.xml.0", "traces"}) fs::create_directory(path(folder));
  make("export complete:4 --to simgrid-platform -q -o " + path("b.xml"));
  EXPECT_TRUE(fs::is_regular_file(path("b.xml")));
  make("export " + path("ring.weft") + " --to chakra --size 1KiB -q -o " + path("traces"));
  EXPECT_TRUE(fs::is_regular_file(path("traces.3.et")));
}

// A fabric's forwarding tables are written beside it.
TEST_F(Outputs, beside_others_are_none_that_are_read) {
  fs::copy_file(weft::test::source_dir() + "/examples/leaf-spine.ibnet", path("ls.ibnet"));
  fs::copy_file(weft::test::source_dir() + "/examples/leaf-spine.lfts", path("fabric.routes"));
  fs::copy_file(path("fabric.routes"), path("fabric.routes.new"));
  const std::string import = "import " + path("ls.ibnet") + " -q -o " + path("fabric.json");
  for (const char* tables : {"fabric.routes", "fabric.routes.new"})
    expect_refused(import + " --routes " + path(tables),
                   "the output " + path(tables) + " (written next to " + path("fabric.json") +
                       ") is the input " + path(tables) + "; give -o another file");
}

}  // namespace
