#include "support/judges/circling_engine.hpp"

#include "weft/simulation/packet/output_buffered/engine_maker.hpp"

namespace weft::simulation::packet {

namespace {

class Circling final : public HopRouting {
 public:
  int vcs() const override { return 1; }
  Choice choose(PacketState& packet, const QueueView&) override { return {packet.node, 0}; }
};

}  // namespace

std::unique_ptr<PacketEngine> make_circling_engine(const Fabric& uniring,
                                                   const PacketOptions& options) {
  return make_output_buffered(LinkWiring(uniring, options), options, std::make_unique<Circling>());
}

}  // namespace weft::simulation::packet
