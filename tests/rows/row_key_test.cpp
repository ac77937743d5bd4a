// Canonical rows: two ways to write one thing are one row, and a change touches what it changes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "rows/rows_of.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::rows {
namespace {

// One row: an allgather by a ring on four nodes, with these lines more.
Row row_of(const std::string& more, const std::string& algorithm = "ring") {
  const auto rows = rows_of("topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = \"" +
                            algorithm + "\"\n" + more);
  EXPECT_EQ(rows.size(), 1u) << more;
  return rows.front();
}

std::set<std::string> keys_of(const std::vector<Row>& rows) {
  std::set<std::string> keys;
  for (const Row& row : rows) keys.insert(row.key);
  return keys;
}

std::string scratch_file(const std::string& name) {
  return testing::TempDir() + "weft-row-key-" + std::to_string(getpid()) + '-' + name;
}

// Routers of CODES look for packets at drawn times, whatever the routing: rows of two seeds are
// two. Other routers draw nothing on paths of the network, so there the seed is in no key.
TEST(RowKey, has_the_seed_where_routers_draw) {
  const std::string packets =
      "model = \"packet\"\nrouting = \"shortest\"\nseed = [1, 2]\nrouter = ";
  EXPECT_EQ(keys_of(rows_of("topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = "
                            "\"ring\"\n" +
                            packets + "\"codes\"\n"))
                .size(),
            2U);
  EXPECT_EQ(row_of(packets + "\"output-buffered\"\n").parameters.count("seed"), 0U);
}

TEST(RowKey, is_32_hexadecimal_digits) {
  const std::string key = row_of("").key;
  EXPECT_EQ(key.size(), 32u);
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(RowKey, does_not_depend_on_how_a_thing_is_written) {
  const std::string key = row_of("").key;
  for (const char* same :
       {"size = \"1MiB\"", "size = 1048576", "size = \"1024KiB\"", "link = \"100Gbps,1us\"",
        "link = \"12.5GBps, 1000ns\"", "link = [[\"1Gbps,1us\", \"100Gbps,1us\"]]",
        "model = \"Fluid\"", "sync = \"per-rank\"", "alpha = \"0\"", "alpha = \"0ns\"",
        "alpha-per = \"step\"", "ports = 0", "copy-bandwidth = \"free\"", "layout = \"kept\"",
        "routing = \"AUTO\"", "routing = \"Dimension_Order\"", "ranks = 4", "ranks = 0",
        "placement = \"Linear\""})
    EXPECT_EQ(row_of(same).key, key) << same;
}

// Factors are their numbers, whoever published them and wherever they are written down.
TEST(RowKey, takes_factors_as_numbers) {
  const std::string path = scratch_file("factors.txt");
  std::ofstream(path) << "# two ranges\n0:2,0.5\n\n64KiB:4,0.9  # rendezvous\n";
  EXPECT_EQ(row_of("factors = \"" + path + "\"").key,
            row_of("factors = \"0:2,0.5;64KiB:4,0.9\"").key);
  EXPECT_EQ(row_of("factors = \"smpi-3.28\"").key, row_of("factors = \"smpi-3.32\"").key);
  EXPECT_NE(row_of("factors = \"smpi-3.28\"").key, row_of("").key);
  std::ofstream(path) << "0:2,0.5\n64KiB:4\n";
  try {
    row_of("factors = \"" + path + "\"");
    ADD_FAILURE() << "no error";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(path + ":2: "), std::string::npos) << error.what();
  }
  std::remove(path.c_str());
  EXPECT_THROW(row_of("factors = \"smpi-9\""), InvalidInput);
}

// One call, and messages as they were before there was more to say of them, are the rows of then.
TEST(RowKey, leaves_out_what_says_nothing_of_calls) {
  EXPECT_EQ(row_of("calls = 1\nreceives = \"early\"\neager = \"0B\"\nheader = 0\n"
                   "loopback = \"copies\"")
                .key,
            row_of("").key);
  EXPECT_FALSE(row_of("").parameters.contains("calls"));
  for (const char* said : {"calls = 2", "receives = \"in-step\"", "eager = \"64KiB\"",
                           "header = \"16B\"", "loopback = \"498MBps,15us\""})
    EXPECT_NE(row_of(said).key, row_of("").key) << said;
  EXPECT_EQ(row_of("loopback = \"498MB/s,15000ns\"").key,
            row_of("loopback = \"498MBps,15us\"").key);
  for (const char* wrong : {"calls = 0", "receives = \"late\"", "loopback = \"1GBps\"",
                            "loopback = \"local=1GBps,1us\""})
    EXPECT_THROW(row_of(wrong), InvalidInput) << wrong;
}

// Where another routing's packets take the same ways, the row is that one's.
TEST(RowKey, is_of_the_routing_by_which_packets_choose) {
  const auto key = [](const std::string& topology, const std::string& routing,
                      const std::string& model) {
    return rows_of("collective = \"allgather\"\nalgorithm = \"ring\"\ntopology = \"" + topology +
                   "\"\nrouting = \"" + routing + "\"\nmodel = \"" + model + "\"\n")
        .front()
        .key;
  };
  EXPECT_EQ(key("hyperx:3x3,2,1", "minimal", "packet"),
            key("hyperx:3x3,2,1", "dimension-order", "packet"));
  EXPECT_NE(key("hyperx:3x3,2,1", "minimal", "fluid"),
            key("hyperx:3x3,2,1", "dimension-order", "fluid"));
  EXPECT_NE(key("slimfly:5", "minimal", "packet"), key("slimfly:5", "shortest", "packet"));
}

// An allocation is its hosts, in their order, wherever they are written down.
TEST(RowKey, takes_hosts_as_numbers) {
  EXPECT_EQ(row_of("hosts = \"all\"").key, row_of("").key);
  const Row some = row_of("hosts = \"0-2\"");
  EXPECT_NE(some.key, row_of("").key);
  EXPECT_EQ(some.parameters.at("ranks"), Value(std::int64_t{3}));
  EXPECT_EQ(row_of("hosts = \"0, 1,2\"").key, some.key);
  EXPECT_NE(row_of("hosts = \"1,0,2\"").key, some.key);
  EXPECT_NE(row_of("hosts = \"0-2\"\nranks = 2").key, some.key);
  const std::string path = scratch_file("hosts.txt");
  std::ofstream(path) << "# job 7\n0-1\n2\n";
  const Row of_file = row_of("hosts = \"" + path + "\"");
  EXPECT_EQ(of_file.key, some.key);
  EXPECT_EQ(of_file.parameters.at("hosts"), Value(std::string("0-2")));
  std::ofstream(path) << "0-1\n3\n";
  EXPECT_NE(row_of("hosts = \"" + path + "\"").key, some.key);
  std::remove(path.c_str());
  EXPECT_EQ(rows_of("topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n"
                    "hosts = [\"all\", \"0-1\", \"2-3\"]\n")
                .size(),
            3u);
  EXPECT_THROW(row_of("hosts = \"2-9\""), InvalidInput);  // there are 4
  EXPECT_THROW(row_of("hosts = \"0-1\"\nranks = 3"), InvalidInput);
  EXPECT_THROW(row_of("hosts = \"/no/such/file\""), InvalidInput);
}

// Rank r is on the r-th host, or on the r-th of those that are named.
TEST(RowKey, takes_ends_by_the_names_of_their_hosts) {
  const auto row = [](const std::string& collective, const std::string& more) {
    return rows_of("topology = \"names(hosts=h[1-4], ring:4)\"\ncollective = \"" + collective +
                   "\"\n" + more)
        .front();
  };
  const std::string tree = "algorithm = \"binomial\"\n", direct = "algorithm = \"direct\"\n";
  const Row third = row("broadcast", tree + "root = \"h3\"\n");
  EXPECT_EQ(third.parameters.at("root"), Value(std::int64_t{2}));
  EXPECT_EQ(third.key, row("broadcast", tree + "root = 2\n").key);
  EXPECT_NE(third.key, row("broadcast", tree).key);
  EXPECT_EQ(row("broadcast", tree + "root = \"h3\"\nhosts = \"h4,h3\"\n").parameters.at("root"),
            Value(std::int64_t{1}));
  const std::string drawn = tree + "placement = \"random\"\nseed = 7\n";
  const Row random = row("broadcast", drawn + "root = \"h3\"\n");
  const auto places = topology::place(make_topology("ring:4"), {.policy = "random", .seed = 7});
  EXPECT_EQ(
      places.nodes[static_cast<std::size_t>(std::get<std::int64_t>(random.parameters.at("root")))],
      NodeId(2));
  const Row ends = row("point-to-point", direct + "from = \"h2\"\nto = \"h4\"\n");
  EXPECT_EQ(ends.key, row("point-to-point", direct + "from = 1\nto = 3\n").key);
  EXPECT_EQ(row("allreduce", "algorithm = \"ring\"\nroot = \"h9\"\n").key,
            row("allreduce", "algorithm = \"ring\"\n").key);
  EXPECT_THROW(row("broadcast", tree + "root = \"h9\"\n"), InvalidInput);
  EXPECT_THROW(row("broadcast", tree + "root = \"h1\"\nhosts = \"h[2-3]\"\n"), InvalidInput);
}

TEST(RowKey, leaves_out_what_has_no_influence) {
  const std::string key = row_of("").key;
  // A ring draws nothing, has no root, no radix and no segments; the last two need one that does.
  for (const char* idle : {"seed = 7", "root = 3", "from = 1\nto = 2"})
    EXPECT_EQ(row_of(idle).key, key) << idle;
  const std::string beside =
      "topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = [\"ring\", \"bruck\"]\n";
  const auto rows = rows_of(beside + "radix = 4\n");
  EXPECT_EQ(rows.front().key, key);
  EXPECT_NE(rows.back().key, rows_of(beside).back().key);
  // Beside rows of a model that each is for.
  const std::string priced = row_of("model = \"alpha-beta\"").key;
  const std::string grid =
      "topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n"
      "model = [\"alpha-beta\", \"fluid\"]\n";
  for (const char* idle : {"sync = \"lockstep\"", "release = \"injected\"", "sharing = \"rtt\""})
    EXPECT_EQ(rows_of(grid + idle).front().key, priced) << idle;
  const std::string started = "model = \"alpha-beta\"\nalpha = \"1us\"\n";
  EXPECT_EQ(row_of(started + "alpha-per = \"step\"").key, row_of(started).key);
}

TEST(RowKey, changes_with_all_that_has_influence) {
  std::set<std::string> keys{row_of("").key};
  const std::vector<std::string> changes{"size = \"2MiB\"",
                                         "model = \"alpha-beta\"",
                                         "sync = \"lockstep\"",
                                         "release = \"injected\"",
                                         "sharing = \"rtt\"",
                                         "link = \"100Gbps,2us\"",
                                         "alpha = \"1ns\"",
                                         "alpha = \"1ns\"\nalpha-per = \"step\"",
                                         "alpha-receive = \"1ns\"",
                                         "ports = 1",
                                         "copy-bandwidth = \"1GBps\"",
                                         "copy-bandwidth = \"1GBps\"\nlayout = \"kept\"",
                                         "reduce-bandwidth = \"1GBps\"",
                                         "routing = \"shortest\"",
                                         "routing = \"shortest-split\"",
                                         "placement = \"random\"",
                                         "placement = \"random\"\nseed = 2",
                                         "ranks = 3",
                                         "routing = \"shortest-random\""};
  for (const std::string& change : changes)
    EXPECT_TRUE(keys.insert(row_of(change).key).second) << change;
}

TEST(RowKey, fills_in_the_speed_of_other_classes) {
  const std::string grid =
      "topology = \"2dfc:2x2\"\ncollective = \"allgather\"\n"
      "algorithm = \"ring\"\nlink = ";
  const std::string key = rows_of(grid + "\"y=50Gbps,1us\"\n").front().key;
  EXPECT_EQ(rows_of(grid + "[[\"y=50Gbps,1us\", \"100Gbps,1us\"]]\n").front().key, key);
  EXPECT_NE(rows_of(grid + "\"x=50Gbps,1us\"\n").front().key, key);
}

TEST(RowKey, fills_in_the_radix_of_each_algorithm) {
  EXPECT_EQ(row_of("", "bruck").key, row_of("radix = 2", "bruck").key);
  EXPECT_EQ(row_of("", "bruck").key, row_of("radix = \"auto\"", "bruck").key);
  EXPECT_NE(row_of("", "bruck").key, row_of("radix = 3", "bruck").key);
}

TEST(RowKey, a_changed_parameter_changes_the_rows_that_it_touches) {
  const std::string grid =
      "topology = [\"ring:4\", \"torus:4x4\"]\ncollective = [\"allgather\", \"broadcast\"]\n"
      "algorithm = [\"ring\", \"binomial\", \"bruck\"]\nsize = \"1KiB:8KiB\"\n";
  const auto before = rows_of(grid + "root = 0\nradix = 2\n");
  const auto keys = keys_of(before);
  ASSERT_EQ(before.size(), keys.size());
  const auto changed = [&](const std::string& more, auto touches) {
    for (const Row& row : rows_of(grid + more)) {
      const std::string algorithm = fields::to_text(row.parameters.at("algorithm"));
      EXPECT_EQ(!keys.contains(row.key), touches(algorithm)) << more << algorithm;
    }
  };
  changed("root = 1\nradix = 2\n", [](const auto& name) { return name == "binomial"; });
  changed("root = 0\nradix = 4\n", [](const auto& name) { return name == "bruck"; });
  changed("root = 0\nradix = 2\nlink = \"100Gbps,1us\"\n", [](const auto&) { return false; });
  changed("root = 0\nradix = 2\nlink = \"200Gbps,1us\"\n", [](const auto&) { return true; });
}

TEST(RowKey, covers_the_content_of_files) {
  const std::string path = scratch_file("places");
  std::ofstream(path) << "0\n1\n2\n3\n";
  const std::string grid = "placement = \"file:" + path + "\"";
  const std::string key = row_of(grid).key;
  EXPECT_EQ(row_of(grid).key, key);
  std::ofstream(path) << "3\n2\n1\n0\n";
  EXPECT_NE(row_of(grid).key, key);
  std::ofstream(path) << "3\n2\n";
  EXPECT_EQ(fields::to_text(row_of(grid).parameters.at("ranks")), "2");

  const std::string net = scratch_file("net.edges");
  std::ofstream(net) << "0 1\n1 2\n2 0\n";
  const std::string topology = "topology = \"file:" + net + "\"\n";
  const std::string before = rows_of(topology, "topology").front().key;
  std::ofstream(net) << "0 1\n1 2\n2 3\n3 0\n";
  EXPECT_NE(rows_of(topology, "topology").front().key, before);
  std::remove(path.c_str());
  std::remove(net.c_str());
}

// Links 0 -> 1 -> 2 -> 3 -> 0, the first two of one class and the others of another.
std::string network_file(const std::string& classes, const std::string& speeds) {
  return R"({"format":"weft-topology","version":1,"nodes":4,"links":[[0,1,0],[1,2,0],[2,3,1],[3,0,1]],)"
         R"("classes":[)" +
         classes + "]" + speeds + "}";
}

TEST(RowKey, covers_the_classes_and_speeds_of_files) {
  const std::string path = scratch_file("net.json");
  const auto key = [&](const std::string& link, const std::string& classes,
                       const std::string& speeds) {
    std::ofstream(path) << network_file(classes, speeds);
    return rows_of("topology = \"file:" + path +
                   "\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n" + link)
        .front()
        .key;
  };
  const std::string of_y = "link = \"y=50Gbps,1us\"\n";
  EXPECT_EQ(key(of_y, R"("x","y")", ""), key(of_y, R"("x","y")", ""));
  EXPECT_NE(key(of_y, R"("x","y")", ""), key(of_y, R"("y","x")", ""));
  const std::string slow = R"(,"bandwidth_Bps":[1000,1000,1000,1000])";
  const std::string fast = R"(,"bandwidth_Bps":[1000,1000,1000,2000])";
  EXPECT_NE(key("", R"("x","y")", slow), key("", R"("x","y")", fast));
  EXPECT_NE(key(of_y, R"("x","y")", slow), key(of_y, R"("x","y")", fast));
  const std::string of_all = "link = \"100Gbps,1us\"\n";
  EXPECT_EQ(key(of_all, R"("x","y")", slow), key(of_all, R"("x","y")", fast));
  std::remove(path.c_str());
}

TEST(RowKey, differs_between_kinds) {
  const std::string grid =
      "topology = \"ring:4\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n";
  EXPECT_NE(rows_of(grid).front().key, rows_of(grid, "cost").front().key);
}

}  // namespace
}  // namespace weft::rows
