// Readers of schedules, as files and as text, fed with damaged input.
#include <gtest/gtest.h>

#include "fuzz/feed.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/text.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace {

using namespace weft;
using test::feed;
using test::Mutator;

// What the reader takes must be something that the verifier can judge.
TEST(Readers, read_damaged_schedules) {
  std::vector<std::string> seeds;
  for (const char* algorithm : {"bruck", "ring", "recursive-doubling"})
    seeds.push_back(schedule::encode(algorithm::build_schedule(
        algorithm, Collective{CollectiveKind::allgather, 6, Rank(0)}, nullptr)));
  const Mutator mutate(test::bytes_of_numbers());
  const int taken = feed(10'000, seeds, mutate, [](const std::string& damaged) {
    const Schedule read = schedule::decode(test::with_right_checksum(damaged), "damaged");
    if (read.route_count() == 0 && read.collective().ranks < 10'000) (void)verify(read);
  });
  EXPECT_GT(taken, 100);
}

// The same of text: what is taken settles, that is, reads back as itself.
TEST(Readers, read_damaged_texts_of_schedules) {
  std::vector<std::string> seeds;
  for (const char* algorithm : {"bruck", "ring", "neighbor"})
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::alltoall})
      if (kind != CollectiveKind::alltoall || std::string(algorithm) == "bruck") {
        const Schedule built =
            algorithm::build_schedule(algorithm, Collective{kind, 4, Rank(0)}, nullptr);
        seeds.push_back(schedule::write_text(built));
        const Schedule expanded = schedule::expand_symmetry(built);
        seeds.push_back(schedule::write_text(expanded));
        if (std::string(algorithm) == "ring") seeds.push_back(schedule::write_trees(expanded));
      }
  const Mutator mutate({"step",
                        "tree root 0 share 1/2",
                        " units ",
                        "copy",
                        "reduce",
                        " > ",
                        "-",
                        ".",
                        ":",
                        ",",
                        "#",
                        "\n",
                        "via 0",
                        "route 0 1\n",
                        "helpers 2\n",
                        "h0",
                        "segments 2\n",
                        "symmetry Z2\n",
                        "nodes 0-3\n",
                        "\"",
                        "\\x0",
                        "/3",
                        "99999999999999999999",
                        "2147483648",
                        "units-per-block 3\n"});
  const int taken = feed(10'000, seeds, mutate, [](const std::string& damaged) {
    const Schedule read = schedule::read_text(damaged, "damaged").schedule;
    EXPECT_EQ(schedule::read_text(schedule::write_text(read), "again").schedule, read) << damaged;
    if (read.route_count() == 0 && read.agents() < 10'000) (void)verify(read);
  });
  EXPECT_GT(taken, 100);
}

}  // namespace
