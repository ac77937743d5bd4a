#include "weft/simulation/packet/output_buffered/output_buffered.hpp"

#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/output_buffered/flits.hpp"
#include "weft/simulation/packet/output_buffered/forward.hpp"
#include "weft/simulation/packet/output_buffered/injection.hpp"
#include "weft/simulation/packet/output_buffered/run.hpp"

namespace weft::simulation::packet {

namespace {

/// By path: each message brings its links, from the network's own routing or its schedule. A packet
/// climbs one virtual channel with each link between routers, which is free of deadlock on any
/// network; as many channels as the longest shortest path has links are made unless told otherwise.
/// Where that is too many, or fewer are asked for, path_order.hpp says when a packet takes the
/// next; a path that needs more of them is refused when it comes.
int channels_of_paths(const LinkWiring& wiring, int asked) {
  constexpr int kMost = 255, kOfLongPaths = 16;
  if (asked > 0) return asked;
  const int longest = network::longest_shortest_path(wiring);
  return longest > kMost ? kOfLongPaths : longest;
}

}  // namespace

std::unique_ptr<PacketEngine> make_output_buffered(LinkWiring wiring, const PacketOptions& options,
                                                   std::unique_ptr<HopRouting> routing) {
  const int channels = routing != nullptr ? routing->vcs() : channels_of_paths(wiring, options.vcs);
  if (options.granularity == Granularity::flit)
    return std::make_unique<OutputBuffered<Granularity::flit>>(std::move(wiring), options, channels,
                                                               std::move(routing));
  return std::make_unique<OutputBuffered<Granularity::packet>>(std::move(wiring), options, channels,
                                                               std::move(routing));
}

}  // namespace weft::simulation::packet
