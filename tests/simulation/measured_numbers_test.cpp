// Numbers that follow from the program: the same from every model, reading and shortcut.
#include "weft/simulation/measured_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/algorithm/algorithm.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

Network ring_of(int nodes) {
  const Fabric fabric(make_topology("ring:" + std::to_string(nodes)),
                      LinkSpeed{.bandwidth_Bps = 1'000'000'000, .latency_ps = 1000});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

void expect_messages(const Program& program, const Network& network, std::int64_t messages,
                     int calls) {
  for (const Sync sync : {Sync::lockstep, Sync::per_rank, Sync::dataflow})
    for (const Model model : {Model::alpha_beta, Model::fluid, Model::packet, Model::flit})
      if (calls == 1 || sync != Sync::dataflow || model == Model::alpha_beta) {
        SimulationOptions options{.model = model, .sync = sync};
        if (model == Model::flit) options.packet.switching = Switching::wormhole;
        EXPECT_EQ(simulate(repeat(program, calls), network, options).messages, calls * messages)
            << name_of(model) << ' ' << name_of(sync) << ", " << program.size_B() << " B, " << calls
            << " calls";
      }
}

// A ring of n ranks sends each of its n blocks 2 (n - 1) times. Of a buffer of few bytes some
// blocks have none, and these are not sent.
TEST(MeasuredNumbers, count_messages_that_have_bytes) {
  const Network ring = ring_of(8);
  const Verified verified =
      schedule::verify_own(algorithm::build_schedule("ring", schedule::allreduce(8), &ring));
  for (const int calls : {1, 3})
    for (const std::int64_t size_B : {0, 1, 3, 7, 8, 9, 100, 256, 1000})
      expect_messages(lower(verified, {.size_B = size_B}), ring,
                      2 * 7 * std::min<std::int64_t>(size_B, 8), calls);
}

// A chain of n ranks sends each of s segments n - 1 times.
TEST(MeasuredNumbers, count_messages_of_segments_that_have_bytes) {
  const Network ring = ring_of(8);
  const Verified verified = schedule::verify_own(algorithm::build_schedule(
      "chain", schedule::broadcast(8), &ring, {.values = {{"segments", 4}}}));
  for (const int calls : {1, 2})
    for (const std::int64_t size_B : {0, 1, 3, 4, 5, 127, 128, 129})
      expect_messages(lower(verified, {.size_B = size_B}), ring,
                      7 * std::min<std::int64_t>(size_B, 4), calls);
}

}  // namespace
}  // namespace weft::simulation
