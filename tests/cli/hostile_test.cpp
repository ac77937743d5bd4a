// Hostile input: files and arguments made to mislead. Each is refused in one line that names the
// file and, in texts, the line; or what it shows is made harmless.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"

namespace {

using weft::test::Ran;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::string from_hexadecimal(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// A line of the program, whose FOLDER is the test's own.
class Hostile : public testing::Test {
 protected:
  Ran run(std::string line) const {
    const std::string word = "FOLDER", own = folder_.path();
    for (std::size_t at = 0; (at = line.find(word, at)) != std::string::npos; at += own.size())
      line.replace(at, word.size(), own);
    return run_weft(words_of(line));
  }
  void write(const std::string& name, const std::string& content) { folder_.file(name, content); }

  void expect_refused(const std::string& line, const std::vector<std::string>& says) const {
    const Ran ran = run(line);
    EXPECT_EQ(ran.code, 2) << line << "\nout: " << ran.out << "\nerr: " << ran.err;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << ": " << ran.err;
    for (const std::string& part : says)
      EXPECT_NE(ran.err.find(part), std::string::npos)
          << line << ": " << ran.err << "wants " << part;
  }

  ScratchFolder folder_;
};

// A message by route 1 of 1, whose checksum is right; only a dump would look at the route.
TEST_F(Hostile, a_schedule_names_a_route_that_it_lacks) {
  write("r.weft",
        from_hexadecimal("89574546540d0a1a01000000ee83134e1e000000000000000402000001780100000101"
                         "00000000000000000000000101000202020001"));
  for (const char* options : {"", " --dump", " --dump --expand --json", " --json"})
    expect_refused(std::string("verify FOLDER/r.weft") + options,
                   {"r.weft' is damaged", "route is 2 (expected 0 to 0)"});
}

// Four ranks that name ring:100000000, and a family that there is not.
TEST_F(Hostile, a_schedule_names_a_network_of_another_size_or_none) {
  const std::string steps =
      "9b2a63529495ca140400020202000601000200030601010002000303010100020003030101000200020301010002"
      "0002"
      "040101000200020301";
  write("large.weft",
        from_hexadecimal("89574546540d0a1a01000000f87b6c665700000000000000060400000472"
                         "696e670100010401010e72696e673a313030303030303030" +
                         steps));
  const Ran large = run("verify FOLDER/large.weft");
  EXPECT_NE(large.err.find("large.weft': the network that the file names was not checked: "
                           "ring:100000000 is too large"),
            std::string::npos)
      << large.err;
  expect_refused("cost FOLDER/large.weft", {"large.weft", "ring:100000000 is too large"});
  expect_refused("simulate FOLDER/large.weft", {"large.weft", "ring:100000000 is too large"});

  write("z4.weft", from_hexadecimal("89574546540d0a1a01000000615927c74b000000000000000604000004726"
                                    "96e67010001040101027a34" +
                                    steps));
  const Ran unknown = run("verify FOLDER/z4.weft");
  EXPECT_NE(unknown.err.find("z4.weft': "), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("unknown topology family 'z4'; "), std::string::npos) << unknown.err;
  expect_refused("cost FOLDER/z4.weft", {"z4.weft", "unknown topology family"});
}

// Keys that nest deeper than the stack, in each way that TOML has.
TEST_F(Hostile, a_file_nests_its_keys_too_deep) {
  std::string key = "a";
  for (int i = 0; i < 25'000; ++i) key += ".a";
  for (const std::string& text : {key + " = 1\n", "[" + key + "]\n", "b = {" + key + " = 1}\n",
                                  "b = [1,\n{" + key + " = 1}]\n"}) {
    write("deep.toml", text);
    expect_refused("train FOLDER/deep.toml -t ring:4", {"deep.toml:", "nested deeper than 256"});
    expect_refused("sweep FOLDER/deep.toml", {"deep.toml:", "nested deeper than 256"});
  }
}

// What stat() refuses is no fault of weft: a link to itself, and a name longer than systems take.
TEST_F(Hostile, a_path_cannot_be_followed) {
  std::filesystem::create_symlink("loop", folder_.path("loop"));
  const std::string letters(300, 'a');
  for (const std::string& line :
       {std::string("train FOLDER/loop -t ring:4"),
        std::string("compare allreduce -t ring:4 --factors FOLDER/loop"),
        std::string("compare allreduce -t ring:4 --hosts FOLDER/loop"),
        std::string("compare allreduce -t ring:4 --names FOLDER/loop"),
        std::string("find -n 6 -d 2 --catalogue FOLDER/loop"),
        std::string("calibrate FOLDER/loop -t ring:4"), std::string("profile FOLDER/loop"),
        std::string("verify FOLDER/loop"), std::string("cost FOLDER/loop"),
        std::string("plan check FOLDER/loop")})
    expect_refused(line, {"cannot read", "loop"});
  for (const std::string& line :
       {"train " + letters + " -t ring:4", "compare allreduce -t ring:4 --hosts " + letters,
        "compare allreduce -t ring:4 --factors " + letters,
        "schedule allreduce -t ring:4 -a ring -o FOLDER/" + letters})
    expect_refused(line, {letters});
}

TEST_F(Hostile, an_option_stands_where_a_value_is_missing) {
  expect_refused("schedule allreduce -t ring:4 -a ring -o --quiet", {"-o needs a value"});
  expect_refused("schedule allreduce -t ring:4 -a ring -o -q", {"-o needs a value"});
  expect_refused("find -n 12 -d 4 --csv --json", {"--csv needs a value"});
  expect_refused("compare allreduce -t ring:4 --chart= --json", {"--chart needs a value"});
  expect_refused("compare allreduce -t --json", {"-t needs a value"});
  EXPECT_FALSE(std::filesystem::exists("--quiet"));
  EXPECT_FALSE(std::filesystem::exists("-q"));
  EXPECT_FALSE(std::filesystem::exists("--json"));
  // Behind "=" a value may begin as an option does.
  const Ran ran = run("compare allreduce -t ring:4 --routing=--x");
  EXPECT_NE(ran.err.find("'--x'"), std::string::npos) << ran.err;
}

constexpr const char* kProfile = "weft profile 1\nranks\t1\n0\tw\t1\tMPI_Allreduce\t";

TEST_F(Hostile, a_profile_has_numbers_out_of_range) {
  for (const char* end : {"4611686018427387904\t1\t1\t1\tx\n",  // sizes: 2^62
                          "8\t1\t9223372036854775807\t1\tx\n",  // bytes: 2^63 - 1
                          "8\t9223372036854775807\t8\t1\tx\n", "8\t1\t8\tinf\tx\n",
                          "8\t1\t8\tnan\tx\n", "8\t1\t8\t1e300\tx\n"}) {
    write("job.profile", std::string(kProfile) + end);
    expect_refused("profile FOLDER/job.profile", {"job.profile:3: ", "is to be a number from"});
  }
}

TEST_F(Hostile, a_measured_table_has_times_out_of_range) {
  const auto table = [](const char* times) {
    return std::string(
               "# weft-bench 1\n# Ranks: "
               "4\ntest,class,load,messages,size_B,calls,minimum_s,median_s\n"
               "allreduce,,,,64,1000,1.1e-05,1.6e-05\nallreduce,,,,128,1000,") +
           times + "\n";
  };
  for (const char* times :
       {"1e-320,1.3e-05", "1e300,1.3e-05", "2e-05,1.3e-05", "1e-05,inf", "1e-05,1e300"}) {
    write("t.csv", table(times));
    expect_refused("calibrate FOLDER/t.csv -t ring:4", {"t.csv:5: "});
  }
}

TEST_F(Hostile, a_message_shows_control_characters_and_no_utf_8) {
  using namespace std::string_literals;
  write("nul.edges", "0 1\n1 2\0\n2 0\n"s);
  expect_refused("topology file:FOLDER/nul.edges", {"'2?' is not a node number; a line is"});
  write("surrogate.edges", "0 1\n1 \xed\xa0\x80\n");
  expect_refused("topology file:FOLDER/surrogate.edges",
                 {"'\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd' is not a node number"});
  expect_refused("verify 'x\x1b[31m'", {"'x?[31m'"});
}

TEST_F(Hostile, a_picture_of_odd_names_is_valid_xml) {
  write(
      "n.json",
      R"({"format": "weft-topology", "version": 2, "expression": "ring:4", "hash": "14ca959452632a9b",
 "nodes": 4, "nominal_degree": 2, "switches": [], "classes": ["link"],
 "links": [[0, 1, 0, 3], [0, 3, 0, 6], [1, 2, 0, 5], [1, 0, 0, 0], [2, 3, 0, 7], [2, 1, 0, 2],
 [3, 0, 0, 1], [3, 2, 0, 4]], "names": ["n\ufffe", "b", "c", "d"]})");
  const Ran ran = run("draw file:FOLDER/n.json -o FOLDER/o.svg");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string svg = read_text(folder_.path("o.svg"));
  EXPECT_EQ(svg.find("\xef\xbf\xbe"), std::string::npos);
  EXPECT_NE(svg.find("n\xef\xbf\xbd"), std::string::npos);
}

// A line of 14 nodes that names ring:9, one of another degree, and one whose cost is another.
TEST_F(Hostile, a_catalogue_has_a_line_of_another_network) {
  const auto answer = [&](const std::string& line) {
    write("searched.csv",
          "nodes,degree,direction,steps,bandwidth_factor,how,seed,expression\n" + line + "\n");
    ::setenv("WEFT_CATALOGUE", folder_.path().c_str(), 1);
    expect_refused("find -n 14 -d 4", {"searched.csv:2: ", "remove the line"});
    ::unsetenv("WEFT_CATALOGUE");
  };
  answer(R"(14,4,bidirectional,2,13/14,cayley,1,"ring:9")");
  answer(R"(14,4,bidirectional,2,13/14,cayley,1,"ring:14")");
  answer(R"(14,4,bidirectional,2,13/14,cayley,1,"circulant:14,1,2")");  // it takes 4 steps
  answer(R"(14,4,bidirectional,2,13/14,cayley,1,"ring:100000000")");
  answer(R"(14,4,bidirectional,2,13/14,cayley,1,"nosuch:14")");
}

TEST_F(Hostile, an_experiment_has_no_measurements) {
  write("e.toml",
        "[experiment]\ntitle = \"T\"\nkind = \"testbed\"\n[grid]\ntopology = \"ring:4\"\n"
        "collective = \"allreduce\"\nalgorithm = \"ring\"\nsize = \"1KiB\"\n"
        "measurements = \"none-here.toml\"\n");
  expect_refused("sweep FOLDER/e.toml", {"e.toml:9: ", "none-here.toml"});
  expect_refused("sweep FOLDER/e.toml --dry-run", {"e.toml:9: ", "none-here.toml"});
  EXPECT_FALSE(std::filesystem::exists(folder_.path("e.sqlite")));
}

TEST_F(Hostile, a_fault_found_after_reading_has_file_and_line) {
  write("lone.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\n}\n");
  expect_refused("import FOLDER/lone.goal -o FOLDER/x.weft",
                 {"lone.goal:3: ", "never received; add"});
  write("u.factors", "# remark\nx=1KiB:2,0.5\n");
  expect_refused("compare allreduce -t ring:4 --factors FOLDER/u.factors --model fluid",
                 {"u.factors:2: ", "class 'x'", "its classes are link"});
}

// The search of the tightest cut took close to a minute of this network whatever the limit.
TEST_F(Hostile, a_network_takes_longer_than_the_time_limit) {
  const Ran ran =
      run("optimum allgather 'line^6(bidirectional(bipartite:3,5))' --time-limit 1ms --threads 1");
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(
      ran.err.find(
          "the time limit was reached before an answer was found; give a longer --time-limit"),
      std::string::npos)
      << ran.err;
}

}  // namespace
