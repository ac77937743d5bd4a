// What is remembered of searches for trees, and for which questions.
#include "weft/flow/trees/shallow/searched.hpp"

#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {
namespace {

// Whether it had to be searched; what is found has so many joins.
bool is_searched(const Carrier& carrier, const ShallowQuestion& question, std::size_t joins = 1) {
  bool searched = false;
  const Forest found = searched_once(carrier, question, [&] {
    searched = true;
    return Forest{.roots = {0}, .count = 7, .joins = std::vector<Join>(joins, Join{3, 2})};
  });
  EXPECT_EQ(found.count, 7);
  EXPECT_EQ(found.joins, std::vector<Join>(joins, Join{3, 2}));
  return searched;
}

ShallowQuestion question_on(const Network& network) {
  return {.trees = {.places = network.placement().nodes}, .depth = 3, .seed = 77};
}

TEST(SearchedOnce, searches_for_a_question_once) {
  const Network network = test::on("mesh:2x3");
  const ShallowQuestion question = question_on(network);
  const Carrier carrier = carrier_of(network.fabric(), question.trees);
  EXPECT_TRUE(is_searched(carrier, question));
  EXPECT_FALSE(is_searched(carrier, question));
  EXPECT_FALSE(is_searched(carrier_of(test::on("mesh:2x3").fabric(), question.trees), question));
}

TEST(SearchedOnce, searches_for_what_differs_in_anything) {
  const Network network = test::on("mesh:2x4");
  const ShallowQuestion first = question_on(network);
  const Carrier carrier = carrier_of(network.fabric(), first.trees);
  EXPECT_TRUE(is_searched(carrier, first));
  ShallowQuestion deeper = first, longer = first, other_seed = first, unweighed = first;
  deeper.depth = 4;
  longer.segments = 2;
  other_seed.seed = 78;
  unweighed.weighing = Weighing::none;
  ShallowQuestion fewer = first, against = first, of_one = first;
  fewer.trees.most_trees = 5;
  against.trees.sense = graph::Sense::against;
  of_one.trees.roots = {2};
  for (const ShallowQuestion& each :
       {deeper, longer, other_seed, unweighed, fewer, against, of_one}) {
    const Carrier own = carrier_of(network.fabric(), each.trees);
    EXPECT_TRUE(is_searched(own, each));
    EXPECT_FALSE(is_searched(own, each));
  }
  for (const char* other : {"mesh:4x2", "ring:8", "without(cable=3, mesh:2x4)"})
    EXPECT_TRUE(is_searched(carrier_of(test::on(other).fabric(), first.trees), first)) << other;
  Carrier wider = carrier;
  wider.arcs[2].capacity += 1;
  EXPECT_TRUE(is_searched(wider, first));
  EXPECT_FALSE(is_searched(carrier, first));
}

// 16 MiB take two forests of a million joins of 8 bytes, but not three.
TEST(SearchedOnce, forgets_the_oldest) {
  const Network network = test::on("mesh:3x3");
  const ShallowQuestion question = question_on(network);
  const Carrier carrier = carrier_of(network.fabric(), question.trees);
  std::vector<ShallowQuestion> asked(3, question);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    asked[i].seed = 100 + i;
    EXPECT_TRUE(is_searched(carrier, asked[i], 1'000'000));
  }
  EXPECT_FALSE(is_searched(carrier, asked[2], 1'000'000));
  EXPECT_FALSE(is_searched(carrier, asked[1], 1'000'000));
  EXPECT_TRUE(is_searched(carrier, asked[0], 1'000'000));
}

}  // namespace
}  // namespace weft::flow
