// "In at most so many steps": the answer for T steps is the best over all T' <= T, whatever range
// of steps was asked for. Held against a search through all states of tiny networks.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "support/graphs.hpp"
#include "support/judges/executor.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/search/synthesis.hpp"
#include "weft/search/synthesis/instance.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

Network network_of(const topology::BuiltTopology& built) {
  LinkOptions links;
  topology::parse_link_option("100Gbps,1us", links);
  const Fabric fabric(built, links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric, 1)};
}
Network network_of(const std::string& expression) {
  return network_of(build_topology(expression));
}

// ---- The naive answer: who holds what, step by step, every state that can be reached. ----

using Held = std::uint32_t;            // chunks of a node: bit source * chunks + chunk
using State = std::vector<Held>;       // by node
using Reached = std::map<State, int>;  // the fewest rounds for it

/// The sets of `count` of the bits of `from`, or `from` itself where it has no more.
std::set<Held> choices(Held from, int count) {
  if (std::popcount(from) <= count) return {from};
  std::set<Held> found;
  for (Held some = from; some != 0; some = (some - 1) & from)
    if (std::popcount(some) == count) found.insert(some);
  return found;
}

/// What a node may hold after a step of so many rounds, when it takes as much as it can.
std::set<Held> outcomes(const Instance& instance, const State& before, int node, int rounds) {
  std::set<Held> held{before[node]};
  for (const int a : instance.in(node)) {
    std::set<Held> more;
    const Held new_here = before[instance.arc(a).tail] & ~before[node];
    const int room = rounds * static_cast<int>(instance.arc(a).weight);
    for (const Held one : choices(new_here, room))
      for (const Held already : held) more.insert(already | one);
    held = std::move(more);
  }
  return held;
}

/// All states after a step: each node's outcome is its own choice.
std::set<State> states_after(const Instance& instance, const State& before, int rounds) {
  std::set<State> states{{}};
  for (int node = 0; node < instance.nodes; ++node) {
    std::set<State> longer;
    for (const Held held : outcomes(instance, before, node, rounds))
      for (State state : states) {
        state.push_back(held);
        longer.insert(std::move(state));
      }
    states = std::move(longer);
  }
  return states;
}

/// For each number of steps up to `most` the fewest rounds in at most so many; 0: there is no plan.
std::vector<int> naive_rounds(const Instance& instance, int chunks, int most) {
  State start;
  for (int v = 0; v < instance.nodes; ++v)
    start.push_back(((Held{1} << chunks) - 1) << (v * chunks));
  const State full(start.size(), (Held{1} << (chunks * instance.nodes)) - 1);
  Reached reached{{start, 0}};
  std::vector<int> fewest{0};
  for (int step = 1; step <= most; ++step) {
    Reached next = reached;
    for (const auto& [state, rounds] : reached)
      for (int r = 1; r <= chunks * (instance.nodes - 1); ++r)
        for (const State& after : states_after(instance, state, r)) {
          const auto [there, is_new] = next.try_emplace(after, rounds + r);
          if (!is_new) there->second = std::min(there->second, rounds + r);
        }
    reached = std::move(next);
    fewest.push_back(reached.contains(full) ? reached.at(full) : 0);
  }
  return fewest;
}

// ---- Ours against it. ----

struct Asked {
  int chunks, first, last;
};

Synthesis ask(const Network& network, const Asked& asked) {
  return synthesize(schedule::allgather(network.ranks()), network,
                    {.min_chunks = asked.chunks,
                     .max_chunks = asked.chunks,
                     .min_steps = asked.first,
                     .max_steps = asked.last});
}

/// The fewest rounds in at most so many steps, of the points that say so.
int rounds_within(const Synthesis& found, int steps) {
  int rounds = 0;
  for (const SynthesisPoint& point : found.pareto)
    if (point.steps <= steps) rounds = point.rounds;
  return rounds;
}

void expect_sound(const Synthesis& found, const Network& network) {
  for (const SynthesisPoint& point : found.pareto) {
    const auto verified = verify(point.schedule, &network.topology());
    ASSERT_TRUE(verified) << verified.fault().text;
    EXPECT_EQ(schedule::cost(*verified, network).bandwidth_factor, point.bandwidth_factor);
    EXPECT_EQ(schedule::cost(*verified, network).steps, point.steps);
    EXPECT_TRUE(test::execute(point.schedule));
    EXPECT_NE(point.proof, Proof::none);
    EXPECT_LE(point.bound, point.bandwidth_factor);
  }
}

void expect_the_least_rounds(const Network& network, int chunks, const std::string& name) {
  const Instance instance = make_instance(network, graph::Sense::along);
  const int last = instance.diameter + 2;
  const std::vector<int> fewest = naive_rounds(instance, chunks, last);
  for (int from = instance.diameter; from <= last; ++from)
    for (int to = from; to <= last; ++to) {
      const Synthesis found = ask(network, {chunks, from, to});
      EXPECT_TRUE(found.complete);
      expect_sound(found, network);
      for (int steps = from; steps <= to; ++steps)
        EXPECT_EQ(rounds_within(found, steps), fewest[steps])
            << name << ", " << chunks << " chunks, " << steps << " of " << from << ".." << to;
    }
}

TEST(SynthesisSteps, equals_a_search_through_all_states) {
  for (const char* name : {"uniring:3", "complete:3", "ring:4", "complete:4", "bipartite:2,2",
                           "kautz:2,1", "uniring:4", "mesh:3", "mesh:4"}) {
    expect_the_least_rounds(network_of(name), 1, name);
    if (build_topology(name).topology.node_count() <= 3 || std::string(name) == "uniring:4")
      expect_the_least_rounds(network_of(name), 2, name);
  }
}

TEST(SynthesisSteps, equals_a_search_through_all_states_of_random_networks) {
  Rng rng(5);
  for (int tried = 0; tried < 8;) {
    const Topology topology = support::random_arcs(4, 7, rng);
    try {
      expect_the_least_rounds(network_of(topology::BuiltTopology{topology, {}}), 1, "random");
      ++tried;
    } catch (const InvalidInput&) {  // not strongly connected
    }
  }
}

// With one chunk a link brings one shard a round: 8 shards over 4 links are 2 rounds at least, and
// two steps of one round each do it. The answer for more steps is no worse.
TEST(SynthesisSteps, counts_plans_of_fewer_steps) {
  const Network network = network_of("torus:3x3");
  for (int steps = 2; steps <= 4; ++steps) {
    const Synthesis found = ask(network, {1, steps, steps});
    ASSERT_EQ(found.pareto.size(), 1u);
    EXPECT_EQ(found.pareto[0].bandwidth_factor, Rational(8, 9)) << steps;
    EXPECT_EQ(found.pareto[0].steps, 2);
    EXPECT_EQ(found.pareto[0].proof, Proof::any_chunks);  // (N-1)/N is the ports' bound
  }
}

// An allreduce of two parts: the same whatever range it is asked for.
TEST(SynthesisSteps, allreduces_are_no_worse_in_more_steps) {
  for (const char* name : test::samples({"kautz:2,2", "ring:5", "mesh:4"})) {
    const Network network = network_of(name);
    const int diameter = make_instance(network, graph::Sense::along).diameter;
    const auto all = [&](int first, int last) {
      return synthesize(schedule::allreduce(network.ranks()), network,
                        {.max_chunks = 2, .min_steps = first, .max_steps = last});
    };
    const Synthesis whole = all(diameter, diameter + 2);
    for (int first = diameter; first <= diameter + 2; ++first) {
      const Synthesis part = all(first, diameter + 2);
      expect_sound(part, network);
      Rational least = whole.pareto.front().bandwidth_factor;
      for (const SynthesisPoint& point : whole.pareto)
        if (point.steps <= 2 * first) least = point.bandwidth_factor;
      EXPECT_EQ(part.pareto.front().bandwidth_factor, least) << name << ' ' << first;
      EXPECT_EQ(part.pareto.back().bandwidth_factor, whole.pareto.back().bandwidth_factor);
    }
  }
}

}  // namespace
}  // namespace weft::search
