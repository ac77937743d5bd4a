// Deadlock: said when nothing is left to happen, and when other sources go on for ever.
#include <gtest/gtest.h>

#include "support/burst.hpp"
#include "support/judges/circling_engine.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

// Eight hosts of a one-way ring send half-way round through buffers of one packet: all of them are
// full before the first packet is at its destination.
std::vector<PacketMessage> half_way_round() {
  std::vector<PacketMessage> messages(8);
  for (std::int32_t h = 0; h < 8; ++h) {
    messages[h].from = NodeId(h);
    messages[h].to = NodeId((h + 4) % 8);
    messages[h].bytes = 64 * 512;
  }
  return messages;
}

std::unique_ptr<PacketEngine> engine_of(Granularity granularity) {
  PacketOptions options{.granularity = granularity};
  options.buffers.all = 512;
  if (granularity == Granularity::flit) options.switching = Switching::wormhole;
  return packet::make_circling_engine(Fabric(build_topology("uniring:8")), options);
}

std::string problem(PacketEngine& engine) {
  try {
    engine.run();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "none";
}

// Does nothing, every microsecond, for a second of simulated time.
class Clock final : public PacketSource {
 public:
  explicit Clock(PacketEngine& engine) : engine_(engine), id_(engine.add(*this)) {}
  void begin() override { wake(0); }
  void wake(std::uint32_t) override {
    if (engine_.now() < 1'000'000'000'000) engine_.wake(id_, engine_.now() + 1'000'000, 0);
  }

 private:
  PacketEngine& engine_;
  SourceId id_;
};

TEST(PacketDeadlock, is_reported_with_its_circle) {
  const auto engine = engine_of(Granularity::packet);
  const Burst burst(*engine, half_way_round());
  EXPECT_NE(problem(*engine).find("in a cycle of 8 channels (0->1 vc 0, "), std::string::npos);
}

TEST(PacketDeadlock, is_reported_while_other_sources_go_on) {
  for (const Granularity granularity : {Granularity::packet, Granularity::flit}) {
    const auto engine = engine_of(granularity);
    const Burst burst(*engine, half_way_round());
    const Clock clock(*engine);
    EXPECT_NE(problem(*engine).find("deadlock"), std::string::npos);
    EXPECT_LT(engine->now(), 100'000'000'000);  // long before the clock ends
  }
}

}  // namespace
}  // namespace weft::simulation
