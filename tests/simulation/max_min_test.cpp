// MaxMin on instances whose rates are known.
#include "weft/simulation/fluid/max_min.hpp"

#include <gtest/gtest.h>

namespace weft::simulation {
namespace {

std::vector<LinkId> path(std::initializer_list<int> links) {
  std::vector<LinkId> result;
  for (const int link : links) result.emplace_back(link);
  return result;
}

TEST(MaxMin, shares_one_link_evenly) {
  MaxMin rates(std::vector{12.0});
  std::vector<FlowIndex> flows;
  for (int i = 0; i < 4; ++i) flows.push_back(rates.add(path({0})));
  rates.solve();
  for (const FlowIndex flow : flows) EXPECT_DOUBLE_EQ(rates.rate(flow), 3);
  rates.remove(flows.front());
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(flows.back()), 4);
  EXPECT_EQ(rates.flows_on(LinkId(0)), 3);
}

// A long flow over n links, each with a short flow of its own: all get half.
TEST(MaxMin, solves_the_parking_lot) {
  MaxMin rates(std::vector<double>(5, 1.0));
  const FlowIndex longest = rates.add(path({0, 1, 2, 3, 4}));
  std::vector<FlowIndex> shorts;
  for (int l = 0; l < 5; ++l) shorts.push_back(rates.add(path({l})));
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(longest), 0.5);
  for (const FlowIndex flow : shorts) EXPECT_DOUBLE_EQ(rates.rate(flow), 0.5);
}

// Bertsekas and Gallager, Data Networks, 2nd edition, figure 6.23 in essence: links of capacity 1;
// three sessions share link 1, so 1/3 each; one of them leaves 2/3 of link 0 to the fourth; link 2
// carries one session of 1/3 and stays open.
TEST(MaxMin, solves_the_textbook_example) {
  MaxMin rates(std::vector{1.0, 1.0, 1.0});
  const FlowIndex one = rates.add(path({0, 1}));
  const FlowIndex two = rates.add(path({1}));
  const FlowIndex three = rates.add(path({1, 2}));
  const FlowIndex four = rates.add(path({0}));
  rates.solve();
  for (const FlowIndex flow : {one, two, three}) EXPECT_DOUBLE_EQ(rates.rate(flow), 1.0 / 3);
  EXPECT_DOUBLE_EQ(rates.rate(four), 2.0 / 3);
  EXPECT_EQ(rates.bottleneck(four), LinkId(0));
  EXPECT_EQ(rates.level(LinkId(2)), MaxMin::kNoLevel);
}

// Weights 3:1 on one link share it 3:1.
TEST(MaxMin, shares_by_weight) {
  MaxMin rates(std::vector{8.0});
  const FlowIndex heavy = rates.add(path({0}), 3);
  const FlowIndex light = rates.add(path({0}), 1);
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(heavy), 6);
  EXPECT_DOUBLE_EQ(rates.rate(light), 2);
}

// Half of the flow on each of two links: it fills the smaller one at twice its capacity.
TEST(MaxMin, splits_by_shares) {
  MaxMin rates(std::vector{1.0, 4.0});
  const FlowIndex flow = rates.add(path({0, 1}), 1, std::vector{0.5, 0.5});
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(flow), 2);
}

TEST(MaxMin, counts_a_link_as_often_as_it_is_crossed) {
  MaxMin rates(std::vector{1.0, 1.0});
  const FlowIndex flow = rates.add(path({0, 1, 0}));
  rates.solve();
  EXPECT_DOUBLE_EQ(rates.rate(flow), 0.5);
  rates.remove(flow);
  rates.solve();
  EXPECT_EQ(rates.flows_on(LinkId(0)), 0);
}

// Two links, each with its own group; what happens on one leaves the other alone.
TEST(MaxMin, reports_only_what_changes) {
  MaxMin rates(std::vector{1.0, 1.0});
  rates.add(path({0}));
  rates.add(path({1}));
  rates.solve();
  EXPECT_EQ(rates.changed_groups().size(), 2U);
  EXPECT_EQ(rates.moved_flows().size(), 2U);
  rates.add(path({1}));
  rates.solve();
  ASSERT_EQ(rates.changed_groups().size(), 1U);
  EXPECT_EQ(rates.changed_groups()[0].link, LinkId(1));
  EXPECT_DOUBLE_EQ(rates.changed_groups()[0].old_level, 1);
  EXPECT_EQ(rates.moved_flows().size(), 1U);  // the new one
  rates.solve();
  EXPECT_TRUE(rates.changed_groups().empty());
}

}  // namespace
}  // namespace weft::simulation
