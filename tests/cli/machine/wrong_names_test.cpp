// Sizes, algorithm names, link classes and file names that cannot be right, and what is suggested.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"

namespace weft::test {
namespace {

std::string refusal_of(const std::string& line) {
  const Ran ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 2) << line << ran.out;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << line << ": " << ran.err;
  return ran.err;
}

TEST(WrongNames, sizes_of_0_are_refused_where_algorithms_are_compared) {
  for (const auto& [line, says] : std::vector<std::pair<std::string, std::string>>{
           {"compare allreduce -t ring:4 --sizes 0", "sizes above 0"},
           {"compare allreduce -t ring:4 --sizes 8,0B", "sizes above 0"},
           {"plan -t ring:4 --sizes 0:64:8 -o unwritten.plan", "sizes above 0"},
           {"optimum allreduce -t ring:4 --size 0", "moves no data"}})
    EXPECT_NE(refusal_of(line).find(says), std::string::npos) << line;
}

// Bruck's algorithm is one of alltoall and allgather; no broadcast runs by it.
TEST(WrongNames, suggestions_are_algorithms_of_the_collective) {
  for (const char* command : {"compare", "degrade", "simulate", "schedule"}) {
    const std::string of_allgather =
        refusal_of(std::string(command) + " allgather -t ring:4 -a brukc");
    EXPECT_NE(of_allgather.find("unknown algorithm 'brukc' of allgather; did you mean bruck?"),
              std::string::npos)
        << of_allgather;
    const std::string of_broadcast =
        refusal_of(std::string(command) + " broadcast -t ring:4 -a brukc");
    EXPECT_NE(of_broadcast.find("unknown algorithm 'brukc' of broadcast; known: "),
              std::string::npos)
        << of_broadcast;
    EXPECT_EQ(of_broadcast.find("bruck,"), std::string::npos) << of_broadcast;
    EXPECT_EQ(of_broadcast.find("pairwise"), std::string::npos) << of_broadcast;
  }
}

TEST(MachineNames, a_machine_file_has_its_own_extension) {
  const ScratchFolder folder;
  const std::string table =
      folder.file("forced.csv", "collective,algorithm,ranks,size,time\nallreduce,ring,8,8,30us\n");
  EXPECT_NE(refusal_of("calibrate " + table + " -o " + folder.path("m.json"))
                .find("writes a machine file in TOML, not '.json'; write -o "),
            std::string::npos);
}

TEST(MachineNames, a_machine_file_names_link_classes_that_exist) {
  const ScratchFolder folder;
  const std::string machine =
      folder.file("m.toml", "[host]\nstartup = \"1us\"\n[links.foo]\nline_rate = \"1Gbps\"\n");
  EXPECT_NE(refusal_of("compare allreduce -t ring:4 --machine " + machine)
                .find("m.toml:3: unknown link class 'foo' (the link classes of ring:4 are link)"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::test
