#include "weft/algorithm/libraries.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <tuple>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {
namespace {

using schedule::allgather;
using schedule::broadcast;

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Libraries, name_algorithms_that_are_here_once_for_each_collective) {
  for (const Library& library : libraries()) {
    std::set<std::tuple<CollectiveKind, std::string_view>> seen;
    for (const LibraryName& name : library.names) {
      EXPECT_TRUE(seen.insert({name.collective, name.name}).second) << name.name;
      const Algorithm& ours = find_algorithm(name.algorithm);
      EXPECT_EQ(ours.name, name.algorithm);
      EXPECT_TRUE(ours.supports(name.collective)) << name.name;
      EXPECT_EQ(name.flat, ours.takes(kRadix) && name.flat) << name.name;
    }
  }
}

// What is called ring there is a rotation, and ours is NTSLR.
TEST(Libraries, a_name_stands_for_what_sends_the_same) {
  const Library& smpi = find_library("SMPI");
  EXPECT_EQ(known_as(smpi, allgather(16), "ring").algorithm, "lin");
  EXPECT_EQ(known_as(smpi, allgather(16), "ntslr-nb").algorithm, "ring");
  EXPECT_EQ(known_as(find_library("mpich"), allgather(16), "ring").algorithm, "ring");
  EXPECT_EQ(known_as(smpi, broadcast(9), "flattree").radix, 9);
  EXPECT_FALSE(known_as(smpi, broadcast(9), "binomial_tree").radix.has_value());
}

TEST(Libraries, refuse_names_that_they_have_not_and_ranks_that_send_something_else) {
  EXPECT_EQ(message_of([] { find_library("smp"); }), "unknown library 'smp'; known: smpi, mpich");
  EXPECT_EQ(message_of([] { known_as(find_library("smpi"), allgather(12), "pair"); }),
            "pair of smpi is supported for powers of two of ranks, but not for 12, where it "
            "sends other messages");
  EXPECT_EQ(message_of([] { known_as(find_library("mpich"), schedule::scatter(4), "ring"); }),
            "no scatter of mpich is supported; remove --library");
  EXPECT_NE(message_of([] {
              known_as(find_library("smpi"), allgather(16), "lr");
            }).find("no allgather of smpi is supported with the name 'lr' (known: pair, bruck, "),
            std::string::npos);
}

}  // namespace
}  // namespace weft::algorithm
