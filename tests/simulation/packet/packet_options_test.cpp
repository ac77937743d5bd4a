// Options of the packet engine.
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/simulation/packet.hpp"

namespace weft::simulation {
namespace {

TEST(PacketBuffers, are_read_by_class) {
  BufferOptions buffers;
  parse_buffer_option("32KiB", buffers);
  parse_buffer_option("global=64KiB", buffers);
  EXPECT_EQ(buffers.all, 32 << 10);
  EXPECT_EQ(buffers.by_class.at("global"), 64 << 10);
  parse_buffer_option("auto", buffers);
  EXPECT_FALSE(buffers.all.has_value());
  EXPECT_THROW(parse_buffer_option("lots", buffers), InvalidInput);
}

// 1 GB/s for 1 us is 1000 bytes under way: a packet of 400 and a half more, so 2, and 3.
TEST(PacketBuffers, cover_the_round_trip) {
  EXPECT_EQ(automatic_buffer_B(1'000'000'000, 1'000'000, 400), 5 * 400);
}

TEST(PacketNames, are_read_as_they_are_written) {
  for (const Switching s :
       {Switching::cut_through, Switching::store_and_forward, Switching::wormhole})
    EXPECT_EQ(parse_switching(name_of(s)), s);
  for (const RouterKind r :
       {RouterKind::output_buffered, RouterKind::input_queued, RouterKind::codes})
    EXPECT_EQ(parse_router_kind(name_of(r)), r);
  for (const Arbitration a : {Arbitration::first_come, Arbitration::round_robin, Arbitration::age})
    EXPECT_EQ(parse_arbitration(name_of(a)), a);
  for (const SelfMessages s : {SelfMessages::local, SelfMessages::network})
    EXPECT_EQ(parse_self_messages(name_of(s)), s);
  for (const AdapterKind a : {AdapterKind::pipelined, AdapterKind::serial, AdapterKind::shared})
    EXPECT_EQ(parse_adapter_kind(name_of(a)), a);
  for (const InjectionOrder i :
       {InjectionOrder::interleaved, InjectionOrder::in_order, InjectionOrder::data_first})
    EXPECT_EQ(parse_injection(name_of(i)), i);
  for (const ChannelReuse r : {ChannelReuse::at_tail, ChannelReuse::empty})
    EXPECT_EQ(parse_channel_reuse(name_of(r)), r);
  EXPECT_THROW(parse_switching("wormhol"), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
