// compare, plan, design and train name the same winner for the same call.
//
// Each command asks for the fastest algorithm of a set of its own: plans take what MPI processes
// can run, over the network's routes, and designs include paths of flows. compare is asked for the
// winner of the same set each time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "support/samples.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/advise/plan/plan_choice.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/random.hpp"
#include "weft/design/network/contest.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/plan/rank_programs.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"
#include "weft/training/prices.hpp"

namespace weft::training {
namespace {

struct Call {
  CollectiveKind kind = CollectiveKind::allreduce;
  std::string topology, link;
  std::int64_t startup_ps = 0, size_B = 0;
  simulation::Model model = simulation::Model::fluid;

  std::string text() const {
    return fmt::format("{} of {} B on {}, links of {}, start-up {} ps", name_of(kind), size_B,
                       topology, link, startup_ps);
  }
  std::shared_ptr<const Network> network() const {
    LinkOptions links;
    topology::parse_link_option(link, links);
    const Fabric fabric(build_topology(topology), links);
    return std::make_shared<const Network>(fabric, topology::place(fabric.topology(), {}),
                                           network::HostParameters{.startup_ps = startup_ps},
                                           make_routing("shortest", fabric));
  }
};

// 1 B to 16 MiB, on networks of 4 to 16 ranks.
Call drawn(Rng random) {
  constexpr std::array kKinds{CollectiveKind::allreduce, CollectiveKind::alltoall,
                              CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                              CollectiveKind::broadcast};
  constexpr std::array kTopologies{"ring:6",
                                   "torus:4x3",
                                   "2dfc:3x4",
                                   "kautz:2,2",
                                   "kautz:3,2",
                                   "hypercube:3",
                                   "complete:5",
                                   "mesh:3x3",
                                   "xgft:2;4,3;1,2",
                                   "genkautz:2,7",
                                   "bidirectional(kautz:2,2)",
                                   "leaf-spine:leaves=4,spines=2,hosts=4",
                                   "rail:boxes=3,gpus=4,spines=2",
                                   "random-regular:10,3,seed=2",
                                   "dragonfly:a=2,p=2,h=1",
                                   "torus:4x4"};
  constexpr std::array kLinks{"100Gbps,1us", "25GBps,200ns", "1GBps,10us"};
  constexpr std::array<std::int64_t, 3> kStartups_ps{0, 500'000, 5'000'000};
  const auto one_of = [&](const auto& all) { return all[random.below(std::ssize(all))]; };
  return {.kind = one_of(kKinds),
          .topology = one_of(kTopologies),
          .link = one_of(kLinks),
          .startup_ps = one_of(kStartups_ps),
          .size_B = (std::int64_t{1} << random.below(25)) + random.below(2)};
}

// An algorithm without the options that it chose, and its time.
struct Winner {
  std::string algorithm;
  double time_s = 0;
};

std::string without_options(const std::string& schedule) {
  return schedule.substr(0, schedule.find('('));
}

Winner by_compare(const Call& call, const Network& network, std::vector<std::string> algorithms,
                  const algorithm::AlgorithmOptions& parameters = {}) {
  const advise::Comparison found = advise::compare({call.kind, network.ranks()}, network,
                                                   {.algorithms = std::move(algorithms),
                                                    .sizes_B = {call.size_B},
                                                    .algorithm = parameters,
                                                    .simulation = {.model = call.model},
                                                    .advice = advise::Advice::left_out});
  const ComparisonRow& row = *found.winners().front();
  return {found.contenders[row.contender].algorithm, row.result.time_s};
}

// What MPI processes can run.
std::vector<std::string> plannable(const Call& call, const Network& network) {
  const Collective collective{call.kind, network.ranks()};
  std::vector<std::string> names;
  for (const algorithm::Algorithm* each : algorithm::applicable(collective, &network)) {
    const Candidate made = make_candidate(*each, collective, network, {});
    if (plan::unplannable(made.verified.schedule()).empty()) names.push_back(each->name);
  }
  return names;
}

// Over the network's routes alone.
Winner by_compare_of_routes(const Call& call, const Network& network,
                            const std::vector<std::string>& names) {
  algorithm::AlgorithmOptions parameters;
  for (const std::string& name : names)
    if (algorithm::find_algorithm(name).takes(algorithm::kRoutes))
      parameters.values["routes"] = std::string(algorithm::kNetworkRoutes);
  return by_compare(call, network, names, parameters);
}

Winner by_plan(const Call& call, const Network& network, std::vector<std::string> algorithms) {
  const advise::ChosenPlan found =
      advise::choose_plan(network, {.collectives = {call.kind},
                                    .sizes_B = {call.size_B},
                                    .algorithms = std::move(algorithms),
                                    .simulation = {.model = call.model}});
  const plan::PlannedSchedule& planned = found.plan.schedules.at(*found.plan.ranges[0].schedule);
  return {without_options(planned.algorithm), found.plan.ranges[0].time_s};
}

Winner by_design(const Call& call, const Network& network) {
  design::Contest contest({call.kind, network.ranks()}, network, call.size_B);
  const design::DesignedCall found = contest.by_fluid();
  return {without_options(found.algorithm), *found.fluid_s};
}

Winner by_train(const Call& call, const std::shared_ptr<const Network>& network) {
  RankGroup group(static_cast<std::size_t>(network->ranks()));
  std::iota(group.begin(), group.end(), 0);
  const GroupPrice price =
      GroupPrices(network, {}).price(call.kind, std::array{call.size_B}, std::array{group}).front();
  return {without_options(price.schedule), price.time_s};
}

// The same algorithm, or a time within `tie` of the other's.
void expect_same(const Winner& one, const Winner& other, double tie = evaluate::kTie) {
  if (one.algorithm == other.algorithm) return;
  EXPECT_LE(std::max(one.time_s, other.time_s), std::min(one.time_s, other.time_s) * (1 + tie))
      << one.algorithm << " or " << other.algorithm;
}

TEST(OneWinner, is_that_of_compare_in_every_command) {
  constexpr int kFast = 20, kAll = 200;
  const int calls = test::share_of_samples() < 1 ? kFast : kAll;
  for (int i = 0; i < calls; ++i) {
    const Call call = drawn(Rng(11).split(static_cast<std::uint64_t>(i)));
    SCOPED_TRACE(fmt::format("call {}: {}", i, call.text()));
    const auto network = call.network();
    const Winner compared = by_compare(call, *network, {});
    {
      SCOPED_TRACE("train");
      expect_same(by_train(call, network), compared);
    }
    {
      SCOPED_TRACE("design");
      const bool flows = call.kind == CollectiveKind::alltoall;
      expect_same(by_design(call, *network),
                  flows ? by_compare(call, *network, {"all", "flow"}) : compared);
    }
    {
      SCOPED_TRACE("plan");
      const std::vector<std::string> names = plannable(call, *network);
      const Winner planned = by_plan(call, *network, names);
      const Winner routed = by_compare_of_routes(call, *network, names);
      expect_same(planned, routed);
      EXPECT_NEAR(planned.time_s, routed.time_s, 2 * evaluate::kTie * routed.time_s);
      EXPECT_LE(compared.time_s, routed.time_s * (1 + evaluate::kTie));
    }
  }
}

// There both search for segments in the model itself.
TEST(OneWinner, is_that_of_compare_in_plans_by_other_models) {
  const int calls = test::share_of_samples() < 1 ? 6 : 40;
  for (int i = 0; i < calls; ++i) {
    Call call = drawn(Rng(12).split(static_cast<std::uint64_t>(i)));
    call.model = i % 2 == 0 ? simulation::Model::alpha_beta : simulation::Model::packet;
    call.size_B = std::min<std::int64_t>(call.size_B, 1 << 18);  // of few packets
    SCOPED_TRACE(fmt::format("call {}: {} by {}", i, call.text(), name_of(call.model)));
    const auto network = call.network();
    const std::vector<std::string> names = plannable(call, *network);
    const Winner planned = by_plan(call, *network, names);
    const Winner routed = by_compare_of_routes(call, *network, names);
    expect_same(planned, routed);
    EXPECT_NEAR(planned.time_s, routed.time_s, 2 * evaluate::kTie * routed.time_s);
  }
}

}  // namespace
}  // namespace weft::training
