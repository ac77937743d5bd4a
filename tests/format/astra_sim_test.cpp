// What is written for ASTRA-sim, held against its rules: the analytical network's parser takes
// lists of equal length, three building blocks, counts above 1, bandwidths above 0 and latencies of
// 0 or more; system and group files have the keys that its readers look up.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "support/network_on.hpp"

#include "support/process/scratch_folder.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/format/execution_trace.hpp"
#include "weft/format/format.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::format {
namespace {

using nlohmann::json;

// The grammar of the analytical network's file as YAML's flow lists; values by key.
std::map<std::string, std::vector<std::string>> parsed(const std::string& yaml) {
  std::map<std::string, std::vector<std::string>> lists;
  std::size_t at = 0;
  for (const std::string key : {"topology", "npus_count", "bandwidth", "latency"}) {
    const std::string begin = key + ": [ ";
    EXPECT_EQ(yaml.compare(at, begin.size(), begin), 0) << yaml;
    const std::size_t end = yaml.find(" ]\n", at);
    EXPECT_NE(end, std::string::npos) << yaml;
    for (at += begin.size(); at < end;) {
      const std::size_t stop = std::min(yaml.find(", ", at), end);
      lists[key].push_back(yaml.substr(at, stop - at));
      at = stop == end ? end : stop + 2;
    }
    at = end + 3;
  }
  EXPECT_EQ(at, yaml.size()) << yaml;
  return lists;
}

std::map<std::string, std::vector<std::string>> blocks_of(const std::string& expression) {
  const auto files =
      find_format("astra-sim-network").write_network(test::on(expression), {.path = "net.yml"});
  EXPECT_EQ(files.size(), 1U);
  auto lists = parsed(files.at(0).content);
  const std::size_t dimensions = lists["topology"].size();
  std::int64_t npus = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    EXPECT_TRUE(
        std::set<std::string>({"Ring", "FullyConnected", "Switch"}).contains(lists["topology"][d]));
    EXPECT_GT(std::stoi(lists["npus_count"].at(d)), 1);
    npus *= std::stoi(lists["npus_count"][d]);
    EXPECT_GT(std::stod(lists["bandwidth"].at(d)), 0);
    EXPECT_GE(std::stod(lists["latency"].at(d)), 0);
  }
  EXPECT_EQ(npus, test::on(expression).ranks());
  return lists;
}

using Texts = std::vector<std::string>;

TEST(AstraSim, products_have_a_block_for_each_dimension) {
  EXPECT_EQ(blocks_of("ring:8")["topology"], Texts{"Ring"});
  EXPECT_EQ(blocks_of("complete:5")["topology"], Texts{"FullyConnected"});
  // The first extent varies fastest in both; a ring of two is one cable.
  const auto torus = blocks_of("torus:4x2x5");
  EXPECT_EQ(torus.at("topology"), (Texts{"Ring", "FullyConnected", "Ring"}));
  EXPECT_EQ(torus.at("npus_count"), (Texts{"4", "2", "5"}));
  EXPECT_EQ(blocks_of("hamming:4x6")["topology"], (Texts{"FullyConnected", "FullyConnected"}));
  EXPECT_EQ(blocks_of("xgft:1;8;1")["topology"], Texts{"Switch"});
}

TEST(AstraSim, bandwidths_are_in_gibibytes) {
  // 100 Gb/s are 12.5e9 B/s; the backend multiplies by 2^30.
  const auto ring = blocks_of("ring:8");
  EXPECT_NEAR(std::stod(ring.at("bandwidth")[0]) * (1 << 30), 12.5e9, 1);
  EXPECT_EQ(ring.at("latency")[0], "1000");
}

void expect_refused(const std::string& expression, const std::string& why) {
  try {
    blocks_of(expression);
    FAIL() << expression;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(AstraSim, refuses_other_networks_with_the_reason) {
  expect_refused("uniring:8", "it is not a product of two-way rings and complete graphs");
  expect_refused("mesh:4x4", "without wrap-around");
  expect_refused("kautz:2,3", "it is not a product of two-way rings and complete graphs");
  expect_refused("dragonfly:a=4,p=2,h=2", "some switches are connected by cables");
  expect_refused("without(cable=0, ring:8)", "failed");
}

Program ring_of(CollectiveKind kind, std::int32_t ranks) {
  const Schedule schedule =
      algorithm::build_schedule("ring", Collective{kind, ranks, Rank(0)}, nullptr);
  return lower(schedule::verify_own(schedule), {.size_B = 4096});
}

TEST(AstraSim, a_collective_has_all_files_of_a_run) {
  const test::ScratchFolder folder;
  const std::string prefix = folder.path("ring");
  std::map<std::string, std::string> files;
  for (File& file : find_format("astra-sim-collective")
                        .write_program(ring_of(CollectiveKind::allreduce, 4), {.path = prefix}))
    EXPECT_TRUE(files.emplace(file.path, std::move(file.content)).second);
  // A trace and a call for each rank, the system and the groups.
  EXPECT_EQ(files.size(), 2U * 4 + 2);
  const json system = json::parse(files.at(prefix + "-system.json"));
  // Exactly one string, as ASTRA-sim demands.
  EXPECT_EQ(system.at("all-reduce-implementation-custom"), json::array({prefix}));
  EXPECT_EQ(json::parse(files.at(prefix + "-groups.json")), (json{{"1", {0, 1, 2, 3}}}));
  const Trace calls = read_trace({.path = prefix + "-workload",
                                  .read = [&](const std::string& path) { return files.at(path); },
                                  .list =
                                      [&](const std::string& start) {
                                        std::vector<std::string> found;
                                        for (const auto& [path, content] : files)
                                          if (path.starts_with(start)) found.push_back(path);
                                        return found;
                                      }});
  ASSERT_EQ(calls.ranks.size(), 4U);
  for (const RankTrace& rank : calls.ranks) {
    ASSERT_EQ(rank.nodes.size(), 1U);
    EXPECT_EQ(rank.nodes[0].kind, TraceKind::collective);
    EXPECT_EQ(rank.nodes[0].collective, CollectiveKind::allreduce);
    EXPECT_EQ(rank.nodes[0].bytes, 4096);
  }
}

TEST(AstraSim, refuses_collectives_that_it_takes_no_implementation_of) {
  const Schedule schedule = algorithm::build_schedule("binomial", schedule::broadcast(4), nullptr);
  const Program program = lower(schedule::verify_own(schedule), {.size_B = 4096});
  EXPECT_THROW(find_format("astra-sim-collective").write_program(program, {.path = "x"}),
               InvalidInput);
}

}  // namespace
}  // namespace weft::format
