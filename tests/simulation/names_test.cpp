#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {
namespace {

std::string message_of(auto&& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(SimulationNames, parse_what_they_print) {
  for (const Model m : {Model::alpha_beta, Model::fluid}) EXPECT_EQ(parse_model(name_of(m)), m);
  for (const Sync s : {Sync::lockstep, Sync::per_rank, Sync::dataflow})
    EXPECT_EQ(parse_sync(name_of(s)), s);
  for (const Release r : {Release::injected, Release::delivered, Release::acknowledged})
    EXPECT_EQ(parse_release(name_of(r)), r);
  for (const Ejection e : {Ejection::any, Ejection::phase})
    EXPECT_EQ(parse_ejection(name_of(e)), e);
  for (const Sharing s : {Sharing::max_min, Sharing::rtt, Sharing::smpi})
    EXPECT_EQ(parse_sharing(name_of(s)), s);
  for (const Cables c : {Cables::duplex, Cables::shared}) EXPECT_EQ(parse_cables(name_of(c)), c);
  for (const Receives r : {Receives::early, Receives::in_step})
    EXPECT_EQ(parse_receives(name_of(r)), r);
}

TEST(SimulationNames, suggest_the_nearest) {
  EXPECT_EQ(message_of([] { parse_model("pakket"); }),
            "unknown model 'pakket'; did you mean packet?");
  EXPECT_NE(message_of([] { parse_sync("per-rang"); }).find("per-rank"), std::string::npos);
}

TEST(SimulationNames, list_every_model) {
  for (const ModelInfo& info : models()) EXPECT_EQ(name_of(parse_model(info.name)), info.name);
}

// nccl-tests' PERFORMANCE.md with n = 4; where --size is one block, the buffer is 4 of them.
TEST(BusFactor, counts_blocks_where_the_size_is_one) {
  EXPECT_DOUBLE_EQ(bus_factor(schedule::allreduce(4)), 1.5);
  EXPECT_DOUBLE_EQ(bus_factor(schedule::reduce_scatter(4)), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor(schedule::allgather(4)), 3);
  EXPECT_DOUBLE_EQ(bus_factor(schedule::alltoall(4)), 3);
  EXPECT_DOUBLE_EQ(bus_factor(schedule::scatter(4)), 3);
  EXPECT_DOUBLE_EQ(bus_factor(schedule::broadcast(4)), 1);
}

}  // namespace
}  // namespace weft::simulation
