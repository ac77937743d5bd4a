// Advice on orders is never slower than where it began, on networks that people own.
#include "weft/order/order_advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/network/routing.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/registry.hpp"

namespace weft::order {
namespace {

using schedule::CollectiveKind;

// Four boxes of two hosts: host i of each on rail i, the hosts of a box on a switch of their own.
BuiltTopology rails() {
  topology::TopologyBuilder builder(15);
  for (int node = 8; node < 15; ++node)
    builder.set_kind(NodeId(node), topology::NodeKind::switch_node);
  for (int host = 0; host < 8; ++host) {
    builder.add_cable(NodeId(host), NodeId(8 + host / 2));
    builder.add_cable(NodeId(host), NodeId(12 + host % 2));
  }
  for (int rail = 12; rail < 14; ++rail) builder.add_cable(NodeId(rail), NodeId(14));
  return {std::move(builder).build(topology::parse_expression("file:rails.json")), {}};
}

Network network_of(const BuiltTopology& built, const std::string& routing) {
  const Fabric fabric(built);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(routing, fabric, 1)};
}

// The choice of an algorithm is part of what a time limit is for.
TEST(OrderChoices, end_with_the_time_limit_of_their_caller) {
  const Network network = network_of(topology::build_topology("hosts(2, ring:4)"), "auto");
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  OrderQuestion question;
  question.collective = CollectiveKind::allreduce;
  question.size_B = 1 << 20;
  {
    const TimeLimit limit(0.0);
    EXPECT_THROW((void)choose_algorithm(network, question, hosts), OutOfTime);
  }
  const TimeLimit limit(3600.0);
  const OrderChoice choice = choose_algorithm(network, question, hosts);
  EXPECT_FALSE(choice.out_of_time);
  EXPECT_GT(choice.timed.size(), 1u);
}

class OrderAdvices : public testing::TestWithParam<const char*> {
 protected:
  Network network() const {
    const std::string expression = GetParam();
    return network_of(expression == "rails" ? rails() : topology::build_topology(expression),
                      "auto");
  }
};

// Whatever the seed, start, size and collective; what is said of the times is what they are.
TEST_P(OrderAdvices, are_never_slower_than_the_start) {
  const Network network = this->network();
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  std::uint64_t seed = 1;
  for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::alltoall,
                                    CollectiveKind::broadcast, CollectiveKind::allgather})
    for (const std::int64_t size_B : {1024, 1 << 20})
      for (const char* start : {"linear", "random"}) {
        ++seed;
        OrderQuestion question;
        question.collective = kind;
        question.size_B = size_B;
        question.start.policy = start;
        question.start.seed = seed;
        const OrderChoice choice = choose_algorithm(network, question, hosts);
        const OrderStudy study(network, choice.question, hosts);
        for (const auto& objective :
             {std::optional<OrderObjectiveKind>(), std::optional(OrderObjectiveKind::hops)}) {
          const OrderAdvice advice = advise_order(
              study,
              {.objective = objective,
               .search = {.method = search::OrderMethod::anneal, .attempts = 500, .seed = seed},
               .attempts = 60});
          const double time_s = study.time_s(advice.found().order);
          EXPECT_LE(time_s, study.time_s(study.start())) << GetParam() << ' ' << name_of(kind);
          EXPECT_EQ(time_s, advice.found().cost.time_s);
          EXPECT_GE(advice.found().cost.hops, study.least_hops());
          for (const OrderCandidate& other : advice.candidates) {  // fewer hops decide a tie
            const bool ties = !objective && advice.best != 0 && other.cost.time_s <= time_s;
            EXPECT_TRUE(!ties || other.cost.hops >= advice.found().cost.hops) << GetParam();
          }
          auto used = advice.found().order;
          std::sort(used.begin(), used.end());
          for (std::int32_t r = 0; r < study.ranks(); ++r) EXPECT_EQ(used[r], r);  // each host once
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Networks, OrderAdvices,
                         testing::Values("xgft:2;4,4;1,2", "dragonfly:a=2,p=2,h=1", "torus:3x3x2",
                                         "hosts(2, torus:3x3)", "fat-tree:2,3", "rails"));

// Which algorithm is the fastest does not hang on the first order: linear is one of the simple
// ones.
TEST(OrderAdvice, chooses_the_algorithm_in_its_best_simple_order) {
  const Network network = network_of(topology::build_topology("xgft:2;8,4;1,2"), "auto");
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  OrderQuestion question{.collective = CollectiveKind::allreduce, .size_B = 64 << 20};
  double least_s = std::numeric_limits<double>::infinity();
  for (const auto& each : choose_algorithm(network, question, hosts).timed)
    least_s = std::min(least_s, each.time_s);
  question.start.policy = "random";
  const OrderChoice choice = choose_algorithm(network, question, hosts);
  EXPECT_LE(choice.timed.front().least_s, least_s);
  EXPECT_GT(choice.timed.front().time_s, least_s);  // in the random order alone it would not win
}

// One message from each to each, at once: orders give messages other names, and simulated one by
// one they take as long. Not with a place to spare, a start-up, or steps.
TEST(OrderStudies, know_where_all_orders_are_alike) {
  const Network network = network_of(topology::build_topology("torus:4x3"), "auto");
  const auto study_of = [](const Network& on, const OrderQuestion& question) {
    return OrderStudy(on, question);
  };
  const OrderQuestion question{.collective = CollectiveKind::alltoall, .algorithm = "spread"};
  const OrderStudy study = study_of(network, question);
  ASSERT_TRUE(study.is_alike_in_all_orders());
  const auto verified =
      schedule::verify_own(algorithm::build_schedule("spread", schedule::alltoall(study.ranks())));
  const Program program = lower(verified, {.size_B = question.size_B});
  for (const char* policy : {"linear", "random", "bfs", "metis"}) {
    const search::Order order = study.start_by(policy);
    const double simulated_s = simulate(program, study.network_at(order), {}).time_s;
    EXPECT_NEAR(study.time_s(order), simulated_s, 1e-9 * simulated_s) << policy;
  }
  OrderQuestion other = question;
  other.algorithm = "pairwise";
  EXPECT_FALSE(study_of(network, other).is_alike_in_all_orders());
  other = question;
  other.ranks = 11;
  EXPECT_FALSE(study_of(network, other).is_alike_in_all_orders());
  HostParameters slow = network.host();
  slow.startup_ps = 1'000'000;
  EXPECT_FALSE(study_of(network.with_host(slow), question).is_alike_in_all_orders());
}

// A random order of a ring on a torus of hosts is far from the best, and is bettered.
TEST(OrderAdvice, betters_a_bad_order) {
  const Network network = network_of(topology::build_topology("hosts(2, torus:4x4)"), "shortest");
  const OrderStudy study(network, {.collective = CollectiveKind::allgather,
                                   .algorithm = "ring",
                                   .start = {.policy = "random"}});
  const OrderAdvice advice = advise_order(study, {.attempts = 20'000});
  EXPECT_NE(advice.best, 0U);
  EXPECT_LT(advice.found().cost.time_s, 0.9 * advice.start().cost.time_s);
  EXPECT_EQ(advise_order(study, {.attempts = 20'000}).found().order, advice.found().order);
}

// Judged by its objective alone an order may be slower; judged by time it is not handed over.
TEST(OrderAdvice, says_what_an_objective_finds_when_asked) {
  const Network network = network_of(topology::build_topology("xgft:2;4,4;1,2"), "shortest");
  const OrderStudy study(network, {.collective = CollectiveKind::broadcast, .size_B = 1 << 20});
  const OrderAdviceOptions options{.objective = OrderObjectiveKind::hops,
                                   .judge = OrderJudge::objective,
                                   .search = {.attempts = 300}};
  const OrderAdvice raw = advise_order(study, options);
  ASSERT_EQ(raw.candidates.size(), 2U);
  EXPECT_EQ(raw.best, 1U);
  EXPECT_EQ(raw.found().order, study.search(OrderObjectiveKind::hops, options.search).result.order);
}

}  // namespace
}  // namespace weft::order
