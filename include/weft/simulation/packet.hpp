// Options and answers of the packet simulator (docs/explanation/packet.md has the model with its
// equations).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::simulation {

/// What moves from buffer to buffer.
enum class Granularity : std::uint8_t {
  packet,  // whole packets
  flit,    // flits of a packet one by one, which hold each channel from its head to its tail
};

/// Where a router keeps packets, and how it matches them with its outputs.
enum class RouterKind : std::uint8_t {
  output_buffered,  // at the outputs, which take what comes at any speed, as CODES has it
  input_queued,     // at the inputs, a crossbar and two allocators between, as load curves have it
  codes,            // at the outputs, in chunks whose delay holds the port, as in CODES of 2016
};

/// When a router passes a packet on.
enum class Switching : std::uint8_t {
  cut_through,        // once its head is there; the next buffer has room for all of it
  store_and_forward,  // once its tail is there; of granularity packet
  wormhole,           // once its head is there; the next buffer has room for a flit; of flit
};

/// Which of the packets that wait for one channel is next.
enum class Arbitration : std::uint8_t {
  first_come,   // the one that asked first
  round_robin,  // of the next input link that has one, in the order of links
  age,          // the one that set out first
};

/// What an adapter does in its delay, of which each message takes one at either end.
enum class AdapterKind : std::uint8_t {
  pipelined,  // it has any number of messages in hand: the delay is a latency
  serial,     // one message to send and one that came at a time, acknowledgements too
  shared,     // one message at a time, to send or that came
};

/// In which order a host's messages leave it.
enum class InjectionOrder : std::uint8_t {
  interleaved,  // side by side, packet by packet
  in_order,     // one after the other, acknowledgements in their place behind data
  data_first,   // likewise, an acknowledgement behind what its message lets the host send
};

/// When a channel may be taken by the next packet, of granularity flit.
enum class ChannelReuse : std::uint8_t {
  at_tail,  // once the tail of the last one is in its buffer
  empty,    // once the tail has left that buffer and its credit is back: a worm holds its outputs
};

/// Where a message of a program to its own sender goes.
enum class SelfMessages : std::uint8_t {
  local,    // nowhere: it is copied, at the bandwidth of copies
  network,  // as any other message, to the sender's router and back
};

/// Bytes of buffer of each virtual channel of a link.
struct BufferOptions {
  std::optional<std::int64_t> all;  // nothing: enough to keep the link busy (automatic_buffer_B)
  std::map<std::string, std::int64_t, std::less<>> by_class;  // overrides `all`
};

struct PacketOptions {
  /// What packets choose their links by, if they do on this network (see hop_routing()); else, or
  /// where it is empty, they follow the paths of the network's own routing.
  std::string routing = {};
  Granularity granularity = Granularity::packet;
  RouterKind router = RouterKind::output_buffered;  // some fit one granularity alone (routers.hpp)
  std::int64_t packet_B = 512;  // the last packet of a message is short; 1 to 16 MiB - 1
  std::int64_t flit_B = 64;     // the last flit of a packet is short; up to packet_B
  Switching switching = Switching::cut_through;
  Arbitration arbitration = Arbitration::first_come;
  int vcs = 0;  // virtual channels of a link, 0: as many as the routing and longest_path need
  int longest_path = 0;  // links between routers on the longest path that a message will bring
  BufferOptions buffers = {};
  std::int64_t router_delay_ps = 0;                  // to traverse a router
  std::int64_t adapter_delay_ps = 0;                 // of each packet, at either end
  std::optional<std::int64_t> credit_delay_ps = {};  // nothing: the latency of the link
  std::int64_t acknowledgement_B = 64;               // of an acknowledgement message
  std::uint64_t seed = 1;                            // of random routings
  std::int64_t sample_interval_ps = 0;               // of the time series; 0: none
  SelfMessages self_messages = SelfMessages::local;  // of programs
  AdapterKind adapter = AdapterKind::pipelined;      // others need an adapter delay
  InjectionOrder injection = InjectionOrder::interleaved;
  ChannelReuse vc_reuse = ChannelReuse::at_tail;  // empty: of granularity flit, output-buffered
};

/// Times of packets or messages, in seconds; percentiles are exact to one part in 256.
struct LatencySummary {
  std::int64_t count = 0;
  double mean_s = 0, p50_s = 0, p99_s = 0, max_s = 0;
};

/// What crossed the links of one class.
struct ClassTraffic {
  std::string name;
  std::int64_t messages = 0;  // by the path of a message's first packet
  std::int64_t packets = 0;
  std::int64_t bytes = 0;
};

/// What one source of traffic saw. Acknowledgements are counted apart and in nothing else.
struct TrafficStatistics {
  std::int64_t messages = 0, packets = 0, bytes = 0, acknowledgements = 0;  // delivered
  LatencySummary packet_latency;   // from its turn at the sender's adapter until it is received
  LatencySummary message_latency;  // from when it was sent until its last packet is received
  double mean_hops = 0;            // routers passed; on a network without switches, links
  std::vector<ClassTraffic> classes;
};

/// Of a whole run.
struct EngineStatistics {
  std::int64_t events = 0;
  std::int64_t packet_hops = 0;   // links crossed by packets, or by flits
  std::int64_t peak_packets = 0;  // in flight at once, or flits
  std::int64_t memory_B = 0;      // of the engine at its end, packets and events included
  std::vector<std::int64_t> max_buffered_B;  // of a virtual channel, by link class
};

/// The links of one class at one moment.
struct ClassSample {
  double utilisation = 0;         // of their capacity, since the sample before
  std::int64_t queued_B = 0;      // that wait for the links, in output queues and inputs
  std::int64_t max_queued_B = 0;  // for one of them
  std::int64_t buffered_B = 0;    // in the buffers of virtual channels, what is on the links too
  double fullest = 0;             // share of a buffer that is taken, of the fullest one
};

/// The network at one moment.
struct TrafficSample {
  double time_s = 0;
  std::int64_t packets = 0;  // in flight, or flits
  std::vector<ClassSample> classes;
};

struct PacketStatistics {
  RouterKind router = RouterKind::output_buffered;  // that the packets crossed
  TrafficStatistics traffic;                        // of the program
  EngineStatistics engine;
  std::optional<TrafficStatistics> background = {};
  /// At each PacketOptions::sample_interval_ps, and at the end; of the whole run.
  std::vector<TrafficSample> series = {};
};

/// The buffer that keeps a link busy: what it carries while a packet passes it and the credit
/// comes back, and two packets more; whole packets.
std::int64_t automatic_buffer_B(std::int64_t bandwidth_Bps, std::int64_t round_trip_ps,
                                std::int64_t packet_B);

/// Reads "32KiB", "CLASS=32KiB" or "auto" into the options. Throws InvalidInput.
void parse_buffer_option(std::string_view text, BufferOptions& options);

/// Names as options have them. Parsing throws InvalidInput, naming those that there are.
RouterKind parse_router_kind(std::string_view name);
std::string_view name_of(RouterKind router);
Switching parse_switching(std::string_view name);
std::string_view name_of(Switching switching);
Arbitration parse_arbitration(std::string_view name);
std::string_view name_of(Arbitration arbitration);
SelfMessages parse_self_messages(std::string_view name);
std::string_view name_of(SelfMessages self_messages);
AdapterKind parse_adapter_kind(std::string_view name);
std::string_view name_of(AdapterKind adapter);
InjectionOrder parse_injection(std::string_view name);
std::string_view name_of(InjectionOrder injection);
ChannelReuse parse_channel_reuse(std::string_view name);
std::string_view name_of(ChannelReuse reuse);

}  // namespace weft::simulation

namespace weft {
using simulation::PacketOptions;
using simulation::PacketStatistics;
}  // namespace weft
