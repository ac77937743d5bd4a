// A schedule under SimGrid's SMPI: writes the platform and one time-independent trace for each rank
// (isend, irecv and waitall of every step, as an MPI program would), and leaves running it to
// smpirun. It shows what SMPI's factors on latency and bandwidth do to the times of
// docs/reproduction.md.
//
//   smpi_replay FOLDER COLLECTIVE TOPOLOGY ALGORITHM SIZE [cables] [LINK...]
//   cd FOLDER && smpirun -quiet -replay traces -np N -platform platform.xml -hostfile hosts
//     --cfg=smpi/display-timing:1 /usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain
//
// The command is printed. Links are as given by --link, each direction by itself; with `cables`
// both directions share one link, which is what a platform file has where routes are symmetric.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/program/program.hpp"
#include "weft/topology/registry.hpp"

namespace weft {
namespace {

using Peers = std::vector<std::set<std::int32_t>>;  // by rank, to whom it sends

/// One trace for each rank, and who sends to whom.
Peers write_traces(const Program& program, const std::string& folder) {
  const auto ranks = static_cast<std::size_t>(program.agents());
  std::vector<std::string> traces(ranks);
  Peers peers(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) traces[rank] = fmt::format("{} init\n", rank);
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    std::vector<bool> busy(ranks, false);
    for (const program::Transfer& message : step.transfers) {
      const std::size_t to = message.to.index();
      traces[to] += fmt::format("{} irecv {} {} {}\n", to, message.from.value(), t, message.bytes);
      busy[to] = true;
    }
    for (const program::Transfer& message : step.transfers) {
      const std::size_t from = message.from.index();
      traces[from] +=
          fmt::format("{} isend {} {} {}\n", from, message.to.value(), t, message.bytes);
      peers[from].insert(message.to.value());
      busy[from] = true;
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (busy[rank]) traces[rank] += fmt::format("{} waitall\n", rank);
  }
  std::string names;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    write_file(fmt::format("{}/trace{}", folder, rank),
               traces[rank] + fmt::format("{} finalize\n", rank));
    names += fmt::format("trace{}\n", rank);
  }
  write_file(folder + "/traces", names);
  return peers;
}

/// Hosts, links, and routes between those who send to each other.
void write_platform(const Network& network, const Peers& peers, bool cables,
                    const std::string& folder) {
  std::string xml =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"zone\" routing=\"Full\">\n";
  for (std::int32_t rank = 0; rank < network.ranks(); ++rank)
    xml += fmt::format("<host id=\"rank{}\" speed=\"100Gf\"/>\n", rank);
  for (const LinkId link : network.topology().links())
    xml += fmt::format("<link id=\"link{}\" bandwidth=\"{}Bps\" latency=\"{}ps\"/>\n", link.value(),
                       network.fabric().bandwidth_Bps(link), network.fabric().latency_ps(link));
  const auto shared = [&](LinkId link) {
    const auto back = network.topology().reverse(link);
    return cables && back ? std::min(link, *back) : link;
  };
  const auto& nodes = network.placement().nodes;
  for (std::size_t from = 0; from < peers.size(); ++from)
    for (const std::int32_t to : peers[from]) {
      const network::Flow flow{nodes[from], nodes[static_cast<std::size_t>(to)]};
      network::RouteTable route;
      network.routing().route(std::span(&flow, 1), route);
      xml += fmt::format("<route src=\"rank{}\" dst=\"rank{}\" symmetrical=\"NO\">", from, to);
      for (const LinkId link : route.links(0))
        xml += fmt::format("<link_ctn id=\"link{}\"/>", shared(link).value());
      xml += "</route>\n";
    }
  write_file(folder + "/platform.xml", xml + "</zone>\n</platform>\n");
  std::string hosts;
  for (std::int32_t rank = 0; rank < network.ranks(); ++rank)
    hosts += fmt::format("rank{}\n", rank);
  write_file(folder + "/hosts", hosts);
}

int run(int argc, char** argv) {
  if (argc < 6)
    throw std::runtime_error("FOLDER COLLECTIVE TOPOLOGY ALGORITHM SIZE [cables] [LINK...]");
  const std::string folder = argv[1];
  topology::LinkOptions links;
  const bool cables = argc > 6 && std::string_view(argv[6]) == "cables";
  for (int i = cables ? 7 : 6; i < argc; ++i) topology::parse_link_option(argv[i], links);
  const Fabric fabric(build_topology(argv[3]), links);
  const Topology& topology = fabric.topology();
  const Network network(fabric, topology::place(topology, {}), {},
                        network::make_routing("shortest", fabric));
  const Collective collective{.kind = schedule::parse_collective(argv[2]),
                              .ranks = network.ranks()};
  const Program program = lower(
      schedule::verify_own(build_schedule(argv[4], collective, &network), &network.topology()),
      {.size_B = parse_size(argv[5])});
  std::filesystem::create_directories(folder);
  write_platform(network, write_traces(program, folder), cables, folder);
  fmt::print(
      "cd {} && smpirun -quiet -replay traces -np {} -platform platform.xml -hostfile hosts "
      "--cfg=smpi/display-timing:1 /usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain\n",
      folder, network.ranks());
  return 0;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) try {
  return weft::run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "smpi_replay: {}\n", error.what());
  return 2;
}
