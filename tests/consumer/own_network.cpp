// Builds a network and a schedule, and proves, prices, times and saves them.
#include <cstdio>
#include <utility>
#include <vector>
#include <weft/weft.hpp>

namespace {

constexpr int kMachines = 8;

int around(int machine) {
  return (machine + kMachines) % kMachines;
}

// Eight machines in a ring, each with a third cable to the one opposite: the Wagner graph.
weft::Topology wagner() {
  weft::TopologyBuilder builder(kMachines);
  for (int i = 0; i < kMachines; ++i)
    builder.add_cable(weft::NodeId(i), weft::NodeId(around(i + 1)));
  for (int i = 0; i < kMachines / 2; ++i)
    builder.add_cable(weft::NodeId(i), weft::NodeId(i + kMachines / 2));
  return std::move(builder).build({"wagner", "", {}});
}

// Allgather in two steps. First every machine sends its block to its three neighbours. Then machine
// i lacks four blocks: i + 2, i + 3, i - 3 and i - 2. Three links bring them, in blocks of three
// units each, with four units over each link.
weft::Schedule wagner_allgather() {
  weft::ScheduleBuilder schedule({.kind = weft::CollectiveKind::allgather, .ranks = kMachines},
                                 {.algorithm = "wagner", .units_per_block = 3});
  const auto agent = [](int rank) { return weft::Agent(around(rank)); };
  const auto units = [](int rank, int first, int count) {
    return weft::Piece{3 * around(rank) + first, count};
  };
  using Pieces = std::vector<weft::Piece>;
  for (int i = 0; i < kMachines; ++i) {
    for (const int step : {-1, 1, 4})
      schedule.at(0).send(agent(i), agent(i + step), units(i, 0, 3));
    schedule.at(1).send(agent(i + 1), agent(i), Pieces{units(i + 2, 0, 3), units(i - 3, 0, 1)});
    schedule.at(1).send(agent(i - 1), agent(i), Pieces{units(i - 2, 0, 3), units(i + 3, 0, 1)});
    schedule.at(1).send(agent(i + 4), agent(i), Pieces{units(i + 3, 1, 2), units(i - 3, 1, 2)});
  }
  return std::move(schedule).build();
}

}  // namespace

int main() {
  // Links have 100 Gb/s and 1 us, each machine has a rank, and hosts cost no time.
  const weft::Topology topology = wagner();
  const weft::Fabric fabric(topology, weft::LinkSpeed{12'500'000'000, 1'000'000});
  const weft::Network network(fabric, weft::topology::place(topology, {}), {},
                              weft::make_routing("shortest", fabric));

  const weft::Schedule schedule = wagner_allgather();
  const auto proof = weft::verify(schedule);
  if (!proof) {
    std::printf("wrong: %s\n", proof.fault().text.c_str());
    return 1;
  }
  const weft::Cost cost = weft::cost(*proof, network);
  std::printf("proved: %d steps, %s M/B\n", static_cast<int>(cost.steps),
              weft::to_string(cost.bandwidth_factor).c_str());

  // One MiB from each rank.
  const weft::Program program = weft::lower(*proof, {.size_B = 1 << 20});
  const weft::SimulationResult run = weft::simulate(program, network);
  std::printf("takes %.1f us\n", 1e6 * run.time_s);

  // All commands read these files: weft simulate wagner.weft -t file:wagner.edges.
  weft::topology::write_topology({topology, {}}, "wagner.edges");
  weft::schedule::save(schedule, "wagner.weft");

  // Two steps are the diameter, and no allgather of eight ranks has a factor below 7/8.
  return cost.steps == 2 && cost.bandwidth_factor == weft::Rational(7, 8) ? 0 : 1;
}
