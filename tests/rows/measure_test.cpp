// What is measured in a row, held against the library's own calls and against formulas.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "rows/rows_of.hpp"
#include "support/process/scratch_folder.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/study/grid.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

namespace weft::rows {
namespace {

TEST(Measure, equals_compare) {
  const auto rows = rows_of(R"(topology = "torus:4x4"
collective = "allreduce"
algorithm = "all"
size = ["1KiB", "1MiB", "16MiB"]
alpha = "500ns"
link = "200Gbps,2us"
sync = "lockstep"
)");
  const Fabric fabric(make_topology("torus:4x4"), {25'000'000'000, 2'000'000});
  const Network network(fabric, topology::place(fabric.topology(), {}), {.startup_ps = 500'000},
                        make_routing("auto", fabric));
  CompareOptions options{.sizes_B = {1 << 10, 1 << 20, 1 << 24}, .effort = advise::Effort::full};
  options.simulation.sync = Sync::lockstep;
  const auto comparison = advise::compare(schedule::allreduce(16), network, options);
  ASSERT_EQ(rows.size(), comparison.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparisonRow& wanted = comparison.rows[i];
    const Values values = measure(rows[i]);
    EXPECT_EQ(fields::to_text(rows[i].parameters.at("size")), std::to_string(wanted.size_B));
    EXPECT_EQ(values.at("time"), Value(wanted.result.time_s));
    EXPECT_EQ(values.at("bus_bandwidth"), Value(wanted.result.bus_bandwidth_Bps));
    EXPECT_EQ(values.at("algorithm_bandwidth"), Value(wanted.result.algorithm_bandwidth_Bps));
    EXPECT_EQ(values.at("segments_used"), Value(wanted.segments));
    EXPECT_EQ(values.at("steps"), Value(wanted.steps));
    EXPECT_EQ(values.at("messages"), Value(wanted.result.messages));
    EXPECT_EQ(values.at("steps_bound"), Value(comparison.bounds.steps));
  }
}

// The best of a row is the least of the rows of all, and is named.
TEST(Measure, finds_the_best_of_all) {
  const std::string grid =
      "topology = \"torus:3x3\"\ncollective = \"allreduce\"\nsize = [\"1KiB\", \"16MiB\"]\n";
  const auto best = rows_of(grid + "algorithm = \"best\"\n");
  ASSERT_EQ(best.size(), 2U);
  for (const Row& row : best) {
    double least_s = 1;
    for (const Row& each : rows_of(grid + "algorithm = \"all\"\n"))
      if (each.parameters.at("size") == row.parameters.at("size"))
        least_s = std::min(least_s, *fields::to_number(measure(each).at("time")));
    const Values values = measure(row);
    EXPECT_NEAR(*fields::to_number(values.at("time")), least_s, 1e-3 * least_s);
    Row named = row;
    named.parameters["algorithm"] = values.at("chosen");
    EXPECT_EQ(measure(named).at("time"), values.at("time"));
  }
  EXPECT_THROW(rows_of(grid + "algorithm = \"best\"\n", "cost"), InvalidInput);
}

// A file of a network is read again for the winner, whose row has another key.
TEST(Measure, best_serves_networks_of_files) {
  const test::ScratchFolder folder;
  const std::string file = folder.file("ring.edges", "0 1\n1 2\n2 3\n3 0\n");
  const std::string rest = "topology = \"file:" + file +
                           "\"\ncollective = \"allreduce\"\nsize = \"1KiB\"\nalgorithm = \"";
  const Values best = measure(rows_of(rest + "best\"").at(0));
  const std::string winner = fields::to_text(best.at("chosen"));
  EXPECT_EQ(best.at("time"), measure(rows_of(rest + winner + "\"").at(0)).at("time"));
}

// A row of a load has what the simulator measures; one of the saturation the highest stable load.
TEST(Measure, has_rows_of_load_curves) {
  const std::string grid = "topology = \"hosts(1, torus:3x3)\"\nrouting = \"dimension-order\"\n";
  const Fabric fabric(make_topology("hosts(1, torus:3x3)"), LinkSpeed{});
  const simulation::LoadCurve network(fabric, {.routing = "dimension-order"});
  const auto rows = rows_of(grid + "offered-load = [0.1, \"saturation\"]\n", "load-curve");
  ASSERT_EQ(rows.size(), 2U);
  const Values at_load = measure(rows[0]), saturated = measure(rows[1]);
  const auto point = network.measure(0.1);
  EXPECT_EQ(at_load.at("mean_latency"), Value(point.mean_latency));
  EXPECT_EQ(at_load.at("p99_latency"), Value(point.p99_latency));
  EXPECT_EQ(at_load.at("stable"), Value(true));
  EXPECT_EQ(saturated.at("saturation"), Value(network.saturation()));
  EXPECT_THROW(rows_of(grid + "offered-load = 1.5\n", "load-curve"), InvalidInput);
}

// 32 ranks; by Bruck each has one message in a step, so that what it knows doubles: 5 steps.
TEST(Measure, bounds_the_steps_of_a_price) {
  const auto rows = rows_of(
      "topology = \"xgft:2;8,4;1,4\"\ncollective = \"alltoall\"\nalgorithm = \"bruck\"\n", "cost");
  EXPECT_EQ(measure(rows.at(0)).at("least_steps"), Value(std::int64_t{5}));
}

// A row of pairs is the mean of the rows of each destination, with the sender at 0; destinations
// that look alike are simulated once, but those that the network routes.
TEST(Measure, means_the_times_to_all_destinations) {
  for (const auto& [algorithm, kinds] :
       {std::pair("multipath-forward\"\nhops = 3", 3), {"multipath\"", 3}, {"direct\"", 11}})
    for (const char* model : {"alpha-beta", "fluid"}) {
      const std::string grid =
          std::string("topology = \"kautz:3,2\"\ncollective = \"point-to-point\"\nfrom = 5\n") +
          "size = \"100KB\"\nmodel = \"" + model + "\"\nalgorithm = \"" + algorithm + "\n";
      double sum_s = 0, greatest_s = 0, least_s = 1;
      for (const Row& row : rows_of(grid + "to = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]\n")) {
        const double time_s = *fields::to_number(measure(row).at("time"));
        sum_s += time_s;
        greatest_s = std::max(greatest_s, time_s);
        least_s = std::min(least_s, time_s);
      }
      const Values values = measure(rows_of(grid, "pairs").at(0));
      EXPECT_NEAR(*fields::to_number(values.at("time")), sum_s / 12, 1e-12);
      EXPECT_EQ(values.at("greatest_time"), Value(greatest_s));
      EXPECT_EQ(values.at("least_time"), Value(least_s));
      EXPECT_EQ(values.at("destinations"), Value(std::int64_t{11}));
      EXPECT_EQ(values.at("kinds"), Value(std::int64_t{kinds})) << algorithm;
    }
}

// Every other host of a ring of 8: a ring of 4 ranks over two links a hop. An allreduce is 6 steps
// of M/4 over 2 us each; on hosts side by side the last hop closes the chain, over 3 links the way
// back and 5 the way round, so that a step takes 3 us.
TEST(Measure, keeps_ranks_on_their_hosts) {
  const auto rows = rows_of(
      "topology = \"ring:8\"\ncollective = \"allreduce\"\nalgorithm = \"ring\"\n"
      "size = 500000\nsync = \"lockstep\"\nhosts = [\"0,2,4,6\", \"0-3\"]\n");
  const double block_s = 125'000 / 12.5e9;
  EXPECT_NEAR(*fields::to_number(measure(rows.at(0)).at("time")), 6 * (2e-6 + block_s), 1e-12);
  EXPECT_NEAR(*fields::to_number(measure(rows.at(1)).at("time")), 6 * (3e-6 + block_s), 1e-12);
}

// "minimal" is the network's routing in the fluid model, which on a Dragonfly passes no third group
// where "shortest" may; packets find the way themselves, in a network that routes "shortest". Alone
// in the network a message of two packets takes equal times, whichever model comes first: what is
// kept for one must not serve the other.
TEST(Measure, means_by_the_routing_of_each_model) {
  const auto time_s = [](int from, const std::string& routing, const std::string& model) {
    const std::string grid =
        "topology = \"dragonfly:a=4,p=1,h=2\"\ncollective = \"point-to-point\"\n"
        "algorithm = \"direct\"\nsize = 1000\nplacement = \"random\"\nfrom = " +
        std::to_string(from) + "\nrouting = \"" + routing + "\"\nmodel = \"" + model + "\"\n";
    return *fields::to_number(measure(rows_of(grid, "pairs").at(0)).at("time"));
  };
  int differ = 0;
  for (int from = 0; from < 8; ++from) {
    const bool packets_first = from % 2 == 0;
    const double first_s = time_s(from, "minimal", packets_first ? "packet" : "fluid");
    EXPECT_NEAR(time_s(from, "minimal", packets_first ? "fluid" : "packet"), first_s, 1e-12)
        << from;
    const double shortest_s = time_s(from, "shortest", "packet");
    EXPECT_LE(shortest_s, first_s + 1e-12);
    differ += shortest_s < first_s - 1e-12 ? 1 : 0;
  }
  EXPECT_GT(differ, 0);
}

// Destinations that look alike to each other do not to background traffic.
TEST(Measure, merges_no_destinations_under_background_traffic) {
  const std::string grid =
      "topology = \"kautz:3,2\"\nranks = 8\ncollective = \"point-to-point\"\nsize = 1000\n"
      "model = \"packet\"\nrouting = \"shortest-table\"\nalgorithm = \"multipath\"\n";
  const auto kinds = [&](const char* more) {
    return *fields::to_number(measure(rows_of(grid + more, "pairs").at(0)).at("kinds"));
  };
  EXPECT_LT(kinds(""), 7);
  EXPECT_EQ(kinds("background = \"uniform\"\n"), 7);
  EXPECT_LT(kinds(""), 7);
}

// Links of two classes that are equally fast. Of ten packets of a microsecond each, the buffers of
// one class hold one, so that the next one waits 21 us for its credit, those of the other all.
TEST(Measure, merges_no_destinations_whose_links_have_other_buffers) {
  const std::string grid =
      "topology = \"2dfc:2x2\"\ncollective = \"point-to-point\"\nalgorithm = \"multipath\"\n"
      "paths = 1\nsize = 10000\nmodel = \"packet\"\npacket-size = 1000\nlink = \"1GBps,10us\"\n";
  const auto row = [&](const char* buffer) {
    return measure(rows_of(grid + "vc-buffer = \"" + buffer + "\"\n", "pairs").at(0));
  };
  EXPECT_LT(*fields::to_number(row("1000").at("kinds")), 3);
  const Values apart = row("1000;y=10000");
  EXPECT_EQ(*fields::to_number(apart.at("kinds")), 3);
  EXPECT_GT(*fields::to_number(apart.at("greatest_time")),
            5 * *fields::to_number(apart.at("least_time")));
}

TEST(Measure, means_messages_alone) {
  EXPECT_THROW(
      rows_of("topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n", "pairs"),
      InvalidInput);
}

// A claim on a column may print "true" only where rows have truths, and a number elsewhere.
TEST(Measure, gives_truths_where_claims_may_print_them) {
  const std::string head = "[experiment]\ntitle = \"t\"\nkind = \"";
  const std::string topology = "\"\n[grid]\ntopology = \"ring:4\"\n";
  const std::string priced = topology + "collective = \"allgather\"\nalgorithm = \"ring\"\n";
  for (const std::string& file : {"simulate" + priced, "cost" + priced, "topology" + topology,
                                  "forecast" + priced, "throughput" + topology}) {
    for (const auto& [name, value] :
         measure(study::expand(study::parse_experiment(head + file, "t.toml")).at(0))) {
      const std::string claim =
          "[[claim]]\ntext = \"t\"\nwhere = { topology = \"ring:4\" }\n"
          "printed = \"true\"\ncolumn = \"" +
          name + "\"\n";
      const auto read = [&] { study::parse_experiment(head + file + claim, "t.toml"); };
      if (std::holds_alternative<bool>(value))
        EXPECT_NO_THROW(read()) << name;
      else
        EXPECT_THROW(read(), InvalidInput) << name;
    }
  }
}

TEST(Measure, alpha_beta_of_a_ring_is_the_formula) {
  // Allgather on a one-way ring of 4: three steps of (latency + block / bandwidth).
  const auto rows = rows_of(R"(topology = "uniring:4"
collective = "allgather"
algorithm = "ring"
size = 12500
link = "100Gbps,3us"
model = "alpha-beta"
)");
  const Values values = measure(rows.at(0));
  EXPECT_DOUBLE_EQ(*fields::to_number(values.at("time")), 3 * (3e-6 + 1e-6));
  EXPECT_EQ(values.at("bandwidth_factor"), Value(std::string("3/4")));
  EXPECT_EQ(values.at("verified"), Value(true));
}

TEST(Measure, prices_without_a_size) {
  const auto rows = rows_of(R"(topology = "uniring:16"
collective = ["allgather", "broadcast"]
algorithm = ["ring", "chain"]
segments = ["auto", 1, 4]
)",
                            "cost");
  // The chain with one segment, by default or said, is one row.
  ASSERT_EQ(rows.size(), 3u);
  const Values ring = measure(rows[0]);
  EXPECT_EQ(ring.at("steps"), Value(std::int64_t{15}));
  EXPECT_EQ(ring.at("bandwidth_factor"), Value(std::string("15/16")));
  EXPECT_EQ(ring.at("bandwidth_factor_bound"), Value(std::string("15/16")));
  EXPECT_EQ(ring.at("steps_bound"), Value(std::int64_t{15}));
  EXPECT_EQ(measure(rows[1]).at("steps"), Value(std::int64_t{15}));
  // Four segments pass 15 links one behind the other: 15 + 3 steps.
  EXPECT_EQ(measure(rows[2]).at("steps"), Value(std::int64_t{18}));
}

TEST(Measure, takes_what_is_known_of_a_topology) {
  const Values values = measure(rows_of("topology = \"2dfc:3x3\"\n", "topology").at(0));
  EXPECT_EQ(values.at("nodes"), Value(std::int64_t{9}));
  EXPECT_EQ(values.at("cables"), Value(std::int64_t{18}));
  // Each node has 4 others at distance 1 and 4 at distance 2.
  EXPECT_EQ(values.at("average_distance"), Value(std::string("3/2")));
  EXPECT_EQ(values.at("vertex_transitive"), Value(true));
}

TEST(Measure, has_no_value_where_there_is_none) {
  // A path has no cycle.
  const Values values = measure(rows_of("topology = \"mesh:4\"\n", "topology").at(0));
  EXPECT_EQ(values.at("girth"), Value());
  EXPECT_EQ(values.at("diameter"), Value(std::int64_t{3}));
}

TEST(Measure, does_not_depend_on_threads_or_order) {
  const auto rows = rows_of(R"grid(topology = ["2dfc:3x4", "hosts(2, ring:4)"]
collective = ["alltoall", "allreduce", "broadcast"]
algorithm = "all"
size = "1KiB:8KiB"
placement = ["linear", "random"]
)grid");
  std::vector<Values> together(rows.size());
  parallel_for(static_cast<std::int64_t>(rows.size()),
               [&](std::int64_t i) { together[i] = measure(rows[i]); });
  for (std::size_t i = rows.size(); i-- > 0;)
    ASSERT_EQ(measure(rows[i]), together[i]) << fields::to_json(rows[i].parameters);
}

TEST(Measure, says_what_is_wrong_each_time_it_is_asked) {
  Row row =
      rows_of("topology = \"ring:6\"\ncollective = \"broadcast\"\nalgorithm = \"chain\"\n").at(0);
  row.parameters["root"] = std::int64_t{6};
  for (int i = 0; i < 2; ++i) EXPECT_THROW(measure(row), InvalidInput);
}

std::string scratch_file(const std::string& name) {
  return testing::TempDir() + "weft-measure-" + std::to_string(getpid()) + '-' + name;
}

std::string message_of(const Row& row) {
  try {
    measure(row);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// The row's key is that of the old file, so no result of the new one may be stored under it.
TEST(Measure, refuses_a_file_that_has_changed) {
  const std::string net = scratch_file("net.edges"), places = scratch_file("places");
  const auto write = [](const std::string& path, const char* text) { std::ofstream(path) << text; };
  const char* square = "0 1\n1 2\n2 3\n3 0\n";
  write(net, square);
  write(places, "0\n1\n2\n3\n");
  const std::string rest = "collective = \"allgather\"\nalgorithm = \"ring\"\n";
  const std::string file = "topology = \"file:" + net + "\"\n";
  const std::string placed = "topology = \"ring:4\"\nplacement = \"file:" + places + "\"\n";
  const std::vector<Row> rows{rows_of(file + rest).at(0), rows_of(file + rest, "cost").at(0),
                              rows_of(file, "topology").at(0), rows_of(placed + rest).at(0)};
  for (const Row& row : rows) EXPECT_EQ(message_of(row), "");
  write(net, "0 1\n1 2\n2 3\n3 0\n0 2\n");
  write(places, "3\n1\n2\n0\n");
  for (const Row& row : rows)
    EXPECT_NE(message_of(row).find("changed during the sweep; sweep again"), std::string::npos)
        << message_of(row);
  EXPECT_EQ(message_of(rows_of(file + rest).at(0)), "");
  write(net, square);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(message_of(rows[i]), "");
  std::remove(net.c_str());
  std::remove(places.c_str());
}

// Two nodes, the link to the second at 1 kB/s: 1000 bytes take a second. The file keeps the
// expression that it was written from, which knows no speeds.
TEST(Measure, takes_the_speeds_of_a_file_that_holds_an_expression) {
  const std::string path = scratch_file("net.json");
  auto built = topology::build_topology("uniring:2");
  built.speeds.bandwidth_Bps.assign(2, 1000);
  built.speeds.latency_ps.assign(2, 0);
  topology::write_topology(built, path);
  const Row row = rows_of("topology = \"file:" + path +
                          "\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\nsize = 1000\n")
                      .at(0);
  EXPECT_DOUBLE_EQ(*fields::to_number(measure(row).at("time")), 1.0);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace weft::rows
