// Searches by time that foresee times, against searches that simulate every order to its end.
#include <gtest/gtest.h>

#include <random>

#include "support/samples.hpp"
#include "weft/order/order_study.hpp"
#include "weft/topology/registry.hpp"

namespace weft::order {
namespace {

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

Network random_network(std::mt19937_64& random) {
  const auto name = "hosts(" + std::to_string(1 + random() % 2) +
                    ", random-regular:8,3,seed=" + std::to_string(random() % 20 + 1) + ")";
  const Fabric fabric(make_topology(name),
                      LinkSpeed{.bandwidth_Bps = 12'500'000'000, .latency_ps = 0});
  const Network plain{fabric,
                      topology::place(fabric.topology(), {}),
                      {.copy_bandwidth_Bps = one_of<std::int64_t>(random, {0, 498'000'000})},
                      make_routing("shortest", fabric)};
  return switched_network(plain, 100'000, "shortest", 1);
}

OrderQuestion random_question(std::mt19937_64& random) {
  OrderQuestion question;
  question.algorithm = one_of(random, {"binomial", "scatter-doubling", "chain"});
  question.size_B = one_of<std::int64_t>(random, {1000, 65536});
  question.start = {.policy = "random", .cores = one_of(random, {1, 2}), .seed = random() % 100};
  question.simulation.sharing = one_of(random, {Sharing::max_min, Sharing::smpi});
  question.simulation.call.receives = one_of(random, {Receives::early, Receives::in_step});
  question.simulation.call.eager_B = one_of<std::int64_t>(random, {0, 65536});
  question.calls = one_of(random, {1, 1, 2, 12, 25});
  return question;
}

// Ties come about, as where hosts of several cores change places, and are decided alike.
TEST(OrderSearch, by_times_foreseen_finds_what_whole_simulations_find) {
  int accepted = 0;
  for (int run = 0; run < test::samples(24); ++run) {
    std::mt19937_64 random(static_cast<std::uint64_t>(run) * 1009 + 5);
    const OrderStudy study(random_network(random), random_question(random));
    const search::OrderSearchOptions options{
        .method = search::OrderMethod::two_opt,
        .moves = one_of(random, {search::OrderMoves::reversal, search::OrderMoves::both}),
        .attempts = 40,
        .restarts = one_of(random, {1, 2}),
        .seed = random() % 1000};
    search::EvaluatedObjective whole(
        [&](std::span<const std::int32_t> order) { return study.time_s(order); }, study.start());
    const search::OrderResult expected = search::search_order(whole, options);
    const search::OrderResult found =
        study.search_from(study.start(), OrderObjectiveKind::time, options);
    SCOPED_TRACE(testing::Message() << "run " << run << ", " << study.question().algorithm << ", "
                                    << study.question().calls << " calls");
    EXPECT_EQ(found.order, expected.order);
    EXPECT_EQ(found.value, expected.value);  // to the bit
    EXPECT_EQ(found.accepted, expected.accepted);
    EXPECT_EQ(found.attempts, expected.attempts);
    if (testing::Test::HasFailure()) return;
    accepted += static_cast<int>(found.accepted);
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace weft::order
