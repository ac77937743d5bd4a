// What order finds in the first order of ranks, against compare on the same network.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/base/random.hpp"
#include "weft/order/order_advice.hpp"

namespace weft::order {
namespace {

// One of the values.
template <class T, std::size_t n>
T drawn(Rng& random, const std::array<T, n>& values) {
  return values[random.below(std::ssize(values))];
}

Network network_drawn(Rng& random) {
  const std::string expression =
      drawn<std::string, 6>(random, {"ring:6", "torus:3x3", "complete:5", "hosts(2, ring:4)",
                                     "xgft:2;3,3;1,2", "leaf-spine:leaves=2,spines=2,hosts=4"});
  HostParameters host;
  host.startup_ps = drawn<std::int64_t, 3>(random, {0, 500'000, 2'000'000});
  host.latency_ps = drawn<std::int64_t, 2>(random, {0, 1'000'000});
  host.reduce_bandwidth_Bps = drawn<std::int64_t, 2>(random, {0, 10'000'000'000});
  host.rendezvous = drawn<network::Rendezvous, 2>(random, {{{}, {8192, 4'000'000}}});
  return test::on(expression).with_host(host);
}

// The time of each algorithm in the first order, in seconds: those that `order` moves to other
// hosts, and those built for the network.
std::map<std::string, double> times_by_order(const Network& network, OrderQuestion question) {
  const auto hosts = std::make_shared<const search::OrderNetwork>(network.fabric());
  const OrderChoice choice = choose_algorithm(network, std::move(question), hosts);
  std::map<std::string, double> times_s;
  for (const OrderChoice::Timed& each : choice.timed) times_s[each.algorithm] = each.time_s;
  const OrderStudy study(network, choice.question, hosts);
  for (const OrderAlternative& each : following_algorithms(study))
    times_s[each.algorithm] = each.time_s;
  return times_s;
}

// Both simulate the same schedules, so the winner of one is that of the other, or ties with it.
TEST(OrderAndCompare, agree_on_the_fastest_in_the_first_order) {
  constexpr std::array kKinds{CollectiveKind::allreduce, CollectiveKind::alltoall,
                              CollectiveKind::allgather, CollectiveKind::broadcast,
                              CollectiveKind::reduce,    CollectiveKind::reduce_scatter};
  for (int run = 0; run < test::samples(30); ++run) {
    Rng random(static_cast<std::uint64_t>(run) + 1);
    const Network network = network_drawn(random);
    const CollectiveKind kind = drawn(random, kKinds);
    const std::int64_t size_B = std::int64_t{64} << (2 * random.below(8));
    SCOPED_TRACE(fmt::format("run {}: {} of {} B on {}", run, name_of(kind), size_B,
                             network.topology().name()));
    const advise::Comparison all = advise::compare(
        {kind, network.ranks()}, network,
        {.sizes_B = {size_B}, .effort = advise::Effort::full, .cuts = Cuts::left_out});
    ASSERT_EQ(all.winners().size(), 1u);
    const ComparisonRow& winner = *all.winners().front();
    const std::string& name = all.contenders[winner.contender].algorithm;
    const auto times_s = times_by_order(network, {.collective = kind, .size_B = size_B});
    double least_s = std::numeric_limits<double>::infinity();
    for (const auto& [algorithm, time_s] : times_s) least_s = std::min(least_s, time_s);
    ASSERT_TRUE(times_s.contains(name)) << name;
    EXPECT_NEAR(times_s.at(name), winner.result.time_s, 1e-9 * winner.result.time_s) << name;
    EXPECT_LE(winner.result.time_s, least_s * (1 + 2 * kTie)) << name;
  }
}

}  // namespace
}  // namespace weft::order
