// weft import: what it does with its files and lists. tests/format holds the readers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;
namespace fs = std::filesystem;

const std::string kConf = weft::test::source_dir() + "/examples/topology.conf";

// The one line of a refusal.
std::string why(const std::string& line) {
  const auto ran = run_weft(words_of("import " + line));
  EXPECT_EQ(ran.code, 2) << line;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  return ran.err;
}

// The list is of one name, without a mark of its own: the file of that name shows what it is.
TEST(ImportCommand, knows_a_list_of_one_trace) {
  const ScratchFolder folder;
  folder.file("all.txt", "0 init\n1 init\n0 send 1 0 8\n1 recv 0 0 8\n0 finalize\n1 finalize\n");
  const std::string list = folder.file("list", "all.txt\n");
  const auto ran = run_weft(words_of("import " + list + " -o " + folder.path("app.weft")));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("2 ranks, 2 operations, 1 message"), std::string::npos) << ran.err;
  const std::string other = folder.file("other", "none.txt\n");
  EXPECT_NE(why(other + " -o x.weft").find("the format of this file is unknown (weft recognises"),
            std::string::npos);
}

// Parts of 16, 16 and 8 hosts: those of one may be named, and no cable is invented.
TEST(ImportCommand, hosts_of_one_part_are_named_beside_the_file) {
  const std::string forest =
      "topology file:" + weft::test::source_dir() + "/tests/data/cases/forest.conf";
  const std::string compare = "compare allreduce -t file:" + weft::test::source_dir() +
                              "/tests/data/cases/forest.conf --sizes 1KiB -a ring";
  const auto ran = run_weft(words_of(compare + " --hosts gpu[001-016]"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("no cable connects the 3 parts of"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("spineA (16 hosts), spineB (16 hosts), leafC (8 hosts)"),
            std::string::npos);
  for (const char* hosts : {"", " --hosts gpu[016-017]"}) {
    const auto refused = run_weft(words_of(compare + hosts));
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_NE(refused.err.find("is disconnected"), std::string::npos) << refused.err;
  }
  EXPECT_EQ(run_weft(words_of(forest)).code, 0);
}

// The file itself, another spelling of its path, and links to it.
TEST(ImportCommand, never_writes_over_what_it_reads) {
  const ScratchFolder folder;
  const std::string file = folder.path("tree.json");
  fs::copy_file(kConf, file);
  fs::create_directory(folder.path("in"));
  fs::create_symlink(file, folder.path("link.json"));
  fs::create_hard_link(file, folder.path("hard.json"));
  const std::string before = read_text(file);
  for (const char* same : {"tree.json", "in/../tree.json", "./tree.json", "link.json", "hard.json"})
    EXPECT_EQ(why(file + " -o " + folder.path(same)), "weft: the output " + folder.path(same) +
                                                          " is the input " + file +
                                                          "; give -o another file\n");
  EXPECT_NE(why(folder.path("link.json") + " -o " + file).find("is the input"), std::string::npos);
  EXPECT_NE(why(kConf + " --routes " + file + " -o " + file).find("is the input"),
            std::string::npos);
  EXPECT_EQ(read_text(file), before);
  EXPECT_EQ(run_weft(words_of("import " + file + " -q -o " + folder.path("other.json"))).code, 0);
}

TEST(ImportCommand, refuses_empty_items_of_lists) {
  const ScratchFolder folder;
  const std::string line = kConf + " -o " + folder.path("tree.json") + " --uplinks";
  for (const char* list : {"4,", ",4", "4,,2"}) {
    const std::string expected = "--uplinks '" + std::string(list) + "' has an empty item";
    EXPECT_NE(why(line + " " + list).find(expected), std::string::npos) << list;
    EXPECT_NE(why(line + "=" + list).find(expected), std::string::npos) << list;
  }
  EXPECT_EQ(run_weft(words_of("import " + line + " 4 -q")).code, 0);
}

TEST(ImportCommand, says_that_a_file_is_empty) {
  const ScratchFolder folder;
  for (const char* nothing : {"", " \n\n"}) {
    const std::string file = folder.file("net.ibnet", nothing);
    EXPECT_EQ(
        why(file + " -o " + folder.path("x.json")).find("weft: " + file + ": the file is empty"),
        0u);
  }
}

TEST(ImportCommand, is_what_makes_routes_of_a_dump) {
  const ScratchFolder folder;
  const std::string fabric = folder.path("fabric.json"),
                    tables = weft::test::source_dir() + "/examples/leaf-spine.lfts";
  const std::string line = weft::test::source_dir() + "/examples/leaf-spine.ibnet";
  ASSERT_EQ(run_weft(words_of("import " + line + " -q -o " + fabric)).code, 0);
  const auto ran = run_weft(
      words_of("compare allreduce -a ring -t file:" + fabric + " --routing table:" + tables));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("weft import FABRIC --routes " + tables + " -o fabric.json"),
            std::string::npos)
      << ran.err;
}

TEST(ImportCommand, says_which_line_names_a_trace_that_is_not_there) {
  const ScratchFolder folder;
  const std::string list = folder.file("list", "a.0\na.1\n");
  folder.file("a.0", "0 init\n0 sleep 1\n");
  const std::string said = why(list + " -o " + folder.path("x.weft"));
  EXPECT_EQ(said.find("weft: " + list + ":2: cannot read "), 0u) << said;
}

}  // namespace
