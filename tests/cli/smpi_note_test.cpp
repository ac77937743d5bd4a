// SMPI's factors alone are not SMPI: the line that says what else its times need.
#include <gtest/gtest.h>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

const std::string kPair =
    "simulate allgather -t 2dfc:4x4 --library smpi -a pair --size 1MiB --factors smpi-3.28 "
    "--cables shared";

// What smpirun 3.32 takes for it is 4.774 ms (its own pair, reproduction/notes/kautz-2dfc.md).
TEST(SmpiNote, what_it_names_gives_the_times_of_smpi) {
  const Ran alone = run_weft(words_of(kPair));
  const std::string needs = "only the factors of SMPI are in use; to get the times of SMPI, add";
  const std::size_t from = alone.err.find(needs);
  ASSERT_NE(from, std::string::npos) << alone.err;
  std::string named = alone.err.substr(from + needs.size());
  named = named.substr(0, named.find(" and "));
  const Ran all = run_weft(words_of(kPair + named + " --routing shortest"));
  EXPECT_NE(all.out.find(" 4.774ms\n"), std::string::npos) << all.out << all.err;
  EXPECT_EQ(all.err.find(needs), std::string::npos) << all.err;
}

TEST(SmpiNote, other_factors_and_quiet_answers_have_none) {
  const std::string own = "simulate allgather -t ring:4 -a ring --factors 0:2,0.5";
  EXPECT_EQ(run_weft(words_of(own)).err, "");
  EXPECT_EQ(run_weft(words_of(kPair + " --quiet")).err, "");
}

}  // namespace
}  // namespace weft::test
