// Writes a schedule for SimGrid's SMPI, as a platform and one time-independent trace for each rank.
// Traces have isend, irecv and waitall of every step, as an MPI program does. smpirun runs them.
// The times show the effect of SMPI's factors on those of reproduction/notes/kautz-2dfc.md.
//
//   smpi_replay FOLDER COLLECTIVE TOPOLOGY ALGORITHM SIZE [cables] [LINK...]
//   cd FOLDER && smpirun -quiet -replay traces -np N -platform platform.xml -hostfile
//   platform.xml.hosts
//     --cfg=smpi/display-timing:1 /usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain
//
// The program prints this command. Links are as given by --link, each direction by itself; with
// `cables` both directions share one link, as in a platform file with symmetric routes.
#include <fmt/core.h>

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
#include "weft/format/format.hpp"
#include "weft/program/program.hpp"
#include "weft/topology/registry.hpp"

namespace weft {
namespace {

// Acknowledgements take bandwidth only if a route leads back.
std::vector<std::set<std::int32_t>> both_ways(std::vector<std::set<std::int32_t>> peers) {
  for (std::size_t from = 0; from < peers.size(); ++from)
    for (const std::int32_t to : peers[from])
      peers[static_cast<std::size_t>(to)].insert(static_cast<std::int32_t>(from));
  return peers;
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
  const auto write = [](const std::vector<format::File>& files) {
    for (const format::File& file : files) write_file(file.path, file.content);
  };
  write(format::find_format("simgrid-platform")
            .write_network(network, {.path = folder + "/platform.xml",
                                     .shared_cables = cables,
                                     .peers = both_ways(format::peers_of(program))}));
  write(format::find_format("simgrid-trace").write_program(program, {.path = folder + "/traces"}));
  fmt::print(
      "cd {} && smpirun -quiet -replay traces -np {} -platform platform.xml "
      "-hostfile platform.xml.hosts --cfg=smpi/display-timing:1 "
      "/usr/lib/x86_64-linux-gnu/simgrid/smpireplaymain\n",
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
