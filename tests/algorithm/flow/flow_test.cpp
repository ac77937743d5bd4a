// All-to-all over the paths of an optimal flow.
#include "weft/algorithm/flow_alltoall.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "support/graphs.hpp"
#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using test::on;

Schedule built_on(const Network& network, OptionValues values = {}) {
  return build_schedule("flow", schedule::alltoall(network.ranks()), &network,
                        {.values = std::move(values)});
}

Cost cost_of(const Network& network, OptionValues values = {}) {
  const Schedule schedule = built_on(network, std::move(values));
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

const OptionValues kByRanks{{"forwarding", std::string("ranks")}};

OptionValues by_ranks(std::int64_t segments) {
  OptionValues values = kByRanks;
  values["segments"] = segments;
  return values;
}

// f of the direct-connect paper's table 7 (column MCF, three digits), of four links a node: T_B is
// 4 / (N f).
TEST(Flow, reaches_the_printed_throughputs) {
  for (const auto& [topology, printed, digit] :
       test::samples({std::tuple("line(bipartite:4,4)", 5.71e-2, 1e-4),
                      {"distance-regular:ag-2-4-minus-class", 5.26e-2, 1e-4},
                      {"genkautz:4,64", 2.17e-2, 1e-4},
                      {"line(debruijn-mod:4,2)", 2.21e-2, 1e-4},
                      {"power(2, diamond)", 1.87e-2, 1e-4},
                      {"line^2(bipartite:4,4)", 9.89e-3, 1e-5},
                      {"line(distance-regular:ag-2-4-minus-class)", 9.26e-3, 1e-5},
                      {"biring:2,8 * power(2, uniring:1,4)", 5.21e-3, 1e-5}})) {
    const Network network = on(topology);
    const Cost cost = cost_of(network);
    EXPECT_EQ(cost.steps, 1) << topology;
    EXPECT_NEAR(4 / (network.ranks() * cost.bandwidth_factor.to_double()), printed, digit)
        << topology;
  }
}

// Exact optima: the bound of edge-transitive networks, sum of distances over links; 2(m-1)/m on
// m x m Hamming networks (Pham, 2026); m a multiple of 4 on an m x m torus m/2.
TEST(Flow, is_exact_where_shares_are_of_few_units) {
  for (const auto& [topology, factor] :
       {std::tuple("hypercube:4", Rational(2)),
        {"uniring:7", Rational(3)},
        {"hamming:4x4", Rational(3, 2)},
        {"torus:4x4", Rational(2)},
        {"line(bipartite:4,4)", Rational(35, 16)},
        {"distance-regular:ag-2-4-minus-class", Rational(19, 8)},
        {"line(distance-regular:ag-2-4-minus-class)", Rational(27, 8)}})
    EXPECT_EQ(cost_of(on(topology)).bandwidth_factor, factor) << topology;
}

// On networks of all sorts, whole, damaged and switched: the schedule is right, and costs what weft
// throughput says, in one step or, in full flow, passed on by ranks.
TEST(Flow, serves_any_network) {
  for (const char* topology : test::samples(
           {"mesh:3x4", "kautz:2,3", "random-regular:20,3,seed=4", "without(cable=3, torus:4x4)",
            "network:dgx-1", "dragonfly:a=4,p=2,h=2", "leaf-spine:leaves=4,spines=2,hosts=4",
            "without(cable=17, leaf-spine:leaves=3,spines=2,hosts=4)", "xgft:2;4,4;1,2",
            "hosts(2, torus:3x3)"})) {
    SCOPED_TRACE(topology);
    const Network network = on(topology);
    std::vector<std::int64_t> capacity;
    std::int64_t fastest = 0;
    for (const LinkId link : network.topology().links()) {
      capacity.push_back(network.fabric().bandwidth_Bps(link));
      fastest = std::max(fastest, capacity.back());
    }
    const flow::Throughput throughput = flow::all_to_all_throughput(network.topology(), capacity);
    const double egress = static_cast<double>(network.fabric().node_egress_Bps()) /
                          static_cast<double>(fastest) / network.ranks();
    const double factor = cost_of(network).bandwidth_factor.to_double();
    EXPECT_GE(factor, egress / throughput.upper_bound * (1 - 1e-9));
    EXPECT_LE(factor, egress / throughput.throughput * (1 + 1e-5));
    const std::int64_t depth = cost_of(network, kByRanks).steps;
    for (const std::int64_t s : {1, 5, 1'000}) {
      const Cost cost = cost_of(network, by_ranks(s));
      EXPECT_EQ(cost.steps, depth + s - 1);
      EXPECT_GE(cost.bandwidth_factor.to_double(), factor * (1 - 1e-9));
      EXPECT_LE(cost.bandwidth_factor.to_double(),
                factor * static_cast<double>(depth + s - 1) / static_cast<double>(s) * (1 + 1e-9));
    }
  }
}

// Paths wait where that evens out the steps: one way round a ring, one segment costs no more than
// the flow.
TEST(Flow, needs_one_segment_where_all_links_are_alike) {
  for (const char* topology : {"uniring:7", "ring:8", "line(uniring:5)"}) {
    const Network network = on(topology);
    EXPECT_EQ(cost_of(network, kByRanks).bandwidth_factor, cost_of(network).bandwidth_factor)
        << topology;
  }
}

// The brute-force executor moves every unit.
TEST(Flow, delivers_every_block_to_its_rank) {
  for (const char* topology : {"torus:3x3", "kautz:2,2", "hosts(2, ring:4)"}) {
    const Network network = on(topology);
    for (const OptionValues& values : {OptionValues{}, kByRanks, by_ranks(2)})
      EXPECT_EQ(test::execute(built_on(network, values)).violation, "") << topology;
  }
}

TEST(Flow, stores_one_rank_of_cayley_networks) {
  const Network network = on("torus:4x4");
  for (const OptionValues& values : {OptionValues{}, kByRanks}) {
    const Schedule stored = built_on(network, values);
    EXPECT_EQ(stored.symmetry().order(), 16);
    const AlgorithmOptions expand{.values = values, .symmetries = Symmetries::expand};
    const Schedule all = build_schedule("flow", schedule::alltoall(16), &network, expand);
    EXPECT_EQ(all.symmetry().order(), 1);
    EXPECT_EQ(
        schedule::cost(schedule::verify_own(all, &network.topology()), network).bandwidth_factor,
        cost_of(network, values).bandwidth_factor);
  }
}

// Ranks anywhere: in another order, or on some of the nodes, which the others forward for.
TEST(Flow, serves_ranks_placed_anyhow) {
  EXPECT_EQ(cost_of(on("torus:4x4", {.policy = "random", .seed = 3})).bandwidth_factor,
            Rational(2));
  const Network some = on("hypercube:4", {.ranks = 7});
  EXPECT_EQ(cost_of(some).steps, 1);
  const Network hosts = on("leaf-spine:leaves=4,spines=2,hosts=4", {.ranks = 9});
  EXPECT_EQ(cost_of(hosts, kByRanks).steps, 1);  // through switches alone
}

// Several ranks a host, equally many or not: within a host nothing crosses a link, and T_B is what
// the throughput between ranks says.
TEST(Flow, serves_several_ranks_a_host) {
  for (const auto& [topology, ranks] : {std::pair("torus:3x3", 18),
                                        {"kautz:2,2", 9},
                                        {"hosts(2, ring:4)", 11},
                                        {"ring:5", 7},
                                        {"hosts(3, ring:3)", 7}}) {
    SCOPED_TRACE(topology);
    const Network one_each = on(topology);
    const auto hosts = one_each.topology().hosts();
    Placement placement;
    for (int r = 0; r < ranks; ++r) placement.nodes.push_back(hosts[r * r % std::ssize(hosts)]);
    if (ranks == 18)
      for (int r = 0; r < ranks; ++r) placement.nodes[r] = hosts[r % 9];
    const Network network(one_each.fabric(), placement, {},
                          make_routing("shortest", one_each.fabric()));
    const flow::Throughput throughput =
        flow::all_to_all_throughput(network.topology(), {}, {.places = network.placement().nodes});
    const double least =
        flow::factor_at_one(network.fabric(), ranks).to_double() / throughput.throughput;
    EXPECT_NEAR(cost_of(network).bandwidth_factor.to_double() / least, 1, 1e-5);
    for (const OptionValues& values : {OptionValues{}, kByRanks, by_ranks(2)}) {
      const algorithm::Context asked{schedule::alltoall(ranks), &network, {.values = values}};
      if (misfit(find_algorithm("flow"), asked)) continue;  // by ranks, idle nodes pass nothing on
      EXPECT_EQ(test::execute(built_on(network, values)).violation, "");
    }
  }
}

TEST(Flow, cuts_blocks_as_asked) {
  const Network network = on("genkautz:4,32");
  EXPECT_EQ(built_on(network, {{"chunks", Chunks{4, false}}}).units_per_block(), 4);
  EXPECT_LE(built_on(network, {{"chunks", Chunks{8, true}}}).units_per_block(), 8);
  EXPECT_LE(cost_of(network, {{"chunks", Chunks{4, false}}}).bandwidth_factor, Rational(44, 16));
}

TEST(Flow, tells_what_blocks_cut_at_will_would_cost) {
  const Network network = on("genkautz:4,32");
  EXPECT_EQ(flow_alltoall(network).exact_bandwidth_factor, Rational(85, 32));
  EXPECT_EQ(build_and_tell("flow", schedule::alltoall(32), &network).exact_bandwidth_factor,
            Rational(85, 32));
}

TEST(Flow, refuses_what_it_cannot_serve) {
  const Network network = on("torus:3x3");
  EXPECT_THROW(flow_alltoall(network, {.segments = 0}), InvalidInput);
  EXPECT_THROW(flow_alltoall(network, {.segments = 2}), InvalidInput);
  EXPECT_THROW(build_schedule("flow", schedule::allgather(9), &network), InvalidInput);
  EXPECT_THROW(build_schedule("flow", schedule::alltoall(9)), InvalidInput);
  const Network some = on("torus:3x3", {.ranks = 4});
  EXPECT_THROW(flow_alltoall(some, {.forwarding = Forwarding::ranks}), InvalidInput);
  EXPECT_NO_THROW(flow_alltoall(some));
  EXPECT_EQ(flow_alltoall(on("torus:3x3", {.ranks = 1})).schedule.stored_steps(), 0);
}

// All that apply leave it out until it is chosen by size.
TEST(Flow, runs_by_name) {
  const Network network = on("torus:3x3");
  for (const Algorithm* known : applicable(schedule::alltoall(9), &network))
    EXPECT_NE(known->name, "flow");
}

}  // namespace
}  // namespace weft::algorithm
