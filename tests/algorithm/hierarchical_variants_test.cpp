// Variants of hierarchical for small sizes: against all choices of its levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/groups/levels.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

const std::vector<CollectiveKind> kKinds = {
    CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::allgather,
    CollectiveKind::reduce_scatter, CollectiveKind::allreduce};

// Leaves of these numbers of hosts, of which each has as many links up as hosts.
Network leaves(int hosts, int count, int left_out) {
  Network network = test::on("xgft:2;" + std::to_string(hosts) + "," + std::to_string(count) +
                                 ";1," + std::to_string(hosts),
                             {}, "d-mod-k");
  Placement placement = network.placement();
  placement.nodes.resize(placement.nodes.size() - left_out);
  return network.with_placement(std::move(placement));
}

// Picoseconds of an empty call: each step takes the longest latency, and the start-ups of the rank
// that sends most in it.
std::int64_t empty_ps(const Schedule& given, const Network& network) {
  const Schedule schedule = schedule::expand_symmetry(given);
  std::int64_t sent = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    std::vector<std::int64_t> of_rank(network.ranks(), 0);
    for (const Message& message : schedule.messages(t)) ++of_rank[message.from.index()];
    sent += std::ranges::max(of_rank);
  }
  const auto cost = schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
  return cost.steps * cost.longest_latency_ps + sent * network.host().startup_ps;
}

// All choices of two levels are tried one by one, and the variants hold the quickest.
void expect_quickest(const Network& network) {
  for (const CollectiveKind kind : kKinds) {
    const Collective collective{.kind = kind, .ranks = network.ranks()};
    std::int64_t least_ps = std::numeric_limits<std::int64_t>::max(), found_ps = least_ps;
    for (const std::string_view inner : kLevelChoices)
      for (const std::string_view outer : kLevelChoices) {
        const AlgorithmOptions options{
            .values = {{"inner", std::string(inner)}, {"outer", std::string(outer)}}};
        if (misfit(find_algorithm("hierarchical"), {collective, &network, options})) continue;
        try {
          const Schedule built = build_schedule("hierarchical", collective, &network, options);
          least_ps = std::min(least_ps, empty_ps(built, network));
        } catch (const InvalidInput&) {  // units, or a smaller group
        }
      }
    const auto variants = build_variants("hierarchical", collective, &network);
    for (const Schedule& each : variants) found_ps = std::min(found_ps, empty_ps(each, network));
    EXPECT_EQ(found_ps, least_ps) << name_of(kind) << " on " << network.topology().name();
  }
}

TEST(HierarchicalVariants, are_quickest_of_all_choices) {
  for (const std::int64_t startup_ps : {0, 3'000'000}) {
    HostParameters host;
    host.startup_ps = startup_ps;
    expect_quickest(leaves(4, 3, 0).with_host(host));
    expect_quickest(leaves(4, 3, 2).with_host(host));
  }
}

// Each to each: a step for the reduce-scatter within the leaves, two for the allreduce across, one
// for the allgather within. No other takes fewer, and the first variant is the one of large sizes.
TEST(HierarchicalVariants, take_four_steps_for_an_allreduce) {
  for (const int left_out : {0, 3}) {
    const Network network = leaves(8, 4, left_out);
    const Collective collective = schedule::allreduce(network.ranks());
    const auto variants = build_variants("hierarchical", collective, &network);
    EXPECT_EQ(variants.front(), build_schedule("hierarchical", collective, &network));
    std::set<std::string> names;
    std::int64_t fewest = variants.front().steps();
    for (const Schedule& each : variants) {
      names.insert(each.algorithm());
      fewest = std::min(fewest, each.steps());
    }
    EXPECT_EQ(fewest, 4);
    EXPECT_EQ(names.size(), variants.size());
  }
}

TEST(HierarchicalVariants, are_one_where_a_level_is_named) {
  const Network network = leaves(8, 4, 1);
  for (const char* option : {"inner", "outer"})
    EXPECT_EQ(build_variants("hierarchical", schedule::allreduce(31), &network,
                             {.values = {{option, std::string("ring")}}})
                  .size(),
              1u);
}

}  // namespace
}  // namespace weft::algorithm
