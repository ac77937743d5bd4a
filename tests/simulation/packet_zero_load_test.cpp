// One packet or one message alone in the network: the formulas of docs/models.md, to the
// picosecond.
#include <gtest/gtest.h>

#include "weft/simulation/packet_engine.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

/// Sends messages at time 0 and keeps when each was injected, delivered and acknowledged.
class Burst final : public PacketSource {
 public:
  Burst(PacketEngine& engine, std::vector<PacketMessage> messages)
      : engine_(engine), id_(engine.add(*this)), messages_(std::move(messages)) {
    injected_at.resize(messages_.size());
    delivered_at.resize(messages_.size());
    acknowledged_at.resize(messages_.size());
  }
  void begin() override {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      messages_[i].tag = i;
      engine_.send(id_, messages_[i]);
    }
  }
  void wake(std::uint32_t) override {}
  void injected(std::uint64_t tag) override { injected_at[tag] = engine_.now(); }
  void delivered(std::uint64_t tag) override { delivered_at[tag] = engine_.now(); }
  void acknowledged(std::uint64_t tag) override { acknowledged_at[tag] = engine_.now(); }

  SourceId id() const { return id_; }
  std::vector<Time> injected_at, delivered_at, acknowledged_at;

 private:
  PacketEngine& engine_;
  SourceId id_;
  std::vector<PacketMessage> messages_;
};

/// Terminal links of 1 GB/s and 100 ns, others of 2 GB/s and 300 ns.
Fabric chain() {
  LinkOptions links;
  topology::parse_link_option("2GBps,300ns", links);
  topology::parse_link_option("terminal=1GBps,100ns", links);
  return Fabric(build_topology("hosts(1, mesh:4)"), links);
}

PacketOptions delays(Switching switching) {
  return {.routing = "shortest-table",
          .packet_B = 500,
          .switching = switching,
          .router_delay_ps = 50'000,
          .adapter_delay_ps = 7'000};
}

// Hosts 4 and 7 of hosts(1, mesh:4) are four routers and five links apart. One packet of 500 bytes
// takes 500 ns on a terminal link and 250 ns on another.
TEST(PacketZeroLoad, cut_through_pays_the_slowest_link_once) {
  const auto engine = make_packet_engine(chain(), delays(Switching::cut_through));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 500}});
  engine->run();
  EXPECT_EQ(burst.injected_at[0], 7'000 + 500'000);
  EXPECT_EQ(burst.delivered_at[0], 2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 500'000);
  EXPECT_EQ(engine->traffic(burst.id()).mean_hops, 4);
}

TEST(PacketZeroLoad, store_and_forward_pays_every_link) {
  const auto engine = make_packet_engine(chain(), delays(Switching::store_and_forward));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 500}});
  engine->run();
  EXPECT_EQ(burst.delivered_at[0],
            2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 2 * 500'000 + 3 * 250'000);
}

// Packets follow each other on the terminal link, 500 ns apart; the last one is short: 200 ns.
TEST(PacketZeroLoad, packets_of_a_message_are_a_pipeline) {
  const auto engine = make_packet_engine(chain(), delays(Switching::cut_through));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 2'200}});
  engine->run();
  EXPECT_EQ(burst.injected_at[0], 7'000 + 2'200'000);
  EXPECT_EQ(burst.delivered_at[0], 2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000 + 2'200'000);
  EXPECT_EQ(engine->traffic(burst.id()).packets, 5);
}

// The answer of 64 bytes takes the same way back: 64 ns on its terminal links.
TEST(PacketZeroLoad, acknowledgement_is_a_message_back) {
  const auto engine = make_packet_engine(chain(), delays(Switching::cut_through));
  Burst burst(*engine, {{.from = NodeId(4), .to = NodeId(7), .bytes = 500, .acknowledge = true}});
  engine->run();
  const Time path = 2 * 7'000 + 2 * 100'000 + 3 * 300'000 + 4 * 50'000;
  EXPECT_EQ(burst.delivered_at[0], path + 500'000);
  EXPECT_EQ(burst.acknowledged_at[0], 2 * path + 564'000);
  EXPECT_EQ(engine->traffic(burst.id()).acknowledgements, 1);
  EXPECT_EQ(engine->traffic(burst.id()).packets, 1);
}

// Two hosts send 10 packets each to a third: its link takes 20 * 500 ns, shared packet by packet.
TEST(PacketSharing, two_flows_share_a_link_equally) {
  LinkOptions links;
  topology::parse_link_option("1GBps,100ns", links);
  const Fabric fabric(build_topology("xgft:1;3;1"), links);
  const auto engine = make_packet_engine(fabric, {.routing = "shortest-table", .packet_B = 500});
  Burst burst(*engine, {{.from = NodeId(0), .to = NodeId(2), .bytes = 5'000},
                        {.from = NodeId(1), .to = NodeId(2), .bytes = 5'000}});
  engine->run();
  EXPECT_EQ(burst.delivered_at[0], 200'000 + 19 * 500'000);
  EXPECT_EQ(burst.delivered_at[1], 200'000 + 20 * 500'000);
}

}  // namespace
}  // namespace weft::simulation
