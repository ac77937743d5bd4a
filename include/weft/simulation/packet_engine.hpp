// PacketEngine: messages as packets through adapters, links and routers, event by event.
//
//   const auto engine = make_packet_engine(fabric, {.routing = "ugal-l"});
//   MySource source;                       // what sends: a program, background traffic, a test
//   const SourceId id = engine->add(source);
//   engine->run();                         // begin(), then callbacks until nothing is left
//   engine->traffic(id).packet_latency.p99_s
//
// Time is an int64 of picoseconds. Events of one time are handled in the order in which they were
// scheduled, so that a run is the same each time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "weft/simulation/packet.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation {

using Time = std::int64_t;  // picoseconds
using SourceId = std::int32_t;

/// Something that sends messages. The callbacks may send, wake and stop.
class PacketSource {
 public:
  virtual ~PacketSource() = default;
  /// At time 0.
  virtual void begin() = 0;
  /// What wake() asked for.
  virtual void wake(std::uint32_t what) = 0;
  /// The last byte has left the sender.
  virtual void injected(std::uint64_t /*tag*/) {}
  /// The last packet has been received.
  virtual void delivered(std::uint64_t /*tag*/) {}
  /// The acknowledgement has been received, of a message that asked for one.
  virtual void acknowledged(std::uint64_t /*tag*/) {}
};

/// A message to send.
struct PacketMessage {
  NodeId from, to;         // hosts; the same only where its one cable leads to a switch
  std::int64_t bytes = 0;  // > 0
  std::uint64_t tag = 0;   // the source's own name for it
  Time delay = 0;          // from now until it is at the adapter
  bool acknowledge = false;
  bool report_injected = true;  // by injected(), which costs an event
  /// In one lane messages leave in order, one after the other; lanes and messages without one
  /// share the adapter packet by packet. -1: no lane. Each source has its own.
  std::int32_t lane = -1;
  /// The links to take, copied; empty where the engine's routing decides.
  std::span<const LinkId> path = {};
};

class PacketEngine {
 public:
  virtual ~PacketEngine() = default;

  /// Adds a source, which must outlive the run.
  virtual SourceId add(PacketSource& source) = 0;
  /// Runs until nothing is left to happen or stop() is called. Throws InvalidInput when packets
  /// wait for each other in a cycle (a deadlock), which it lists.
  virtual void run() = 0;
  /// Calls `beat` now and then while the engine runs, every few hundredths of a second.
  virtual void watch(std::function<void()> beat) = 0;

  /// The time of the event that is being handled.
  virtual Time now() const = 0;
  /// Hands a message to its host's adapter, now.
  virtual void send(SourceId source, const PacketMessage& message) = 0;
  /// Calls source.wake(what) at `time`, not before now.
  virtual void wake(SourceId source, Time time, std::uint32_t what) = 0;
  /// Ends the run after this event, packets under way or not.
  virtual void stop() = 0;

  /// What a source sent and what became of it, so far; and what the engine did.
  virtual TrafficStatistics traffic(SourceId source) const = 0;
  virtual EngineStatistics statistics() const = 0;
  /// By link, of all sources, acknowledgements included.
  virtual std::vector<std::int64_t> link_bytes() const = 0;
  /// The most bytes that were in the buffer of one of its virtual channels, by link.
  virtual std::vector<std::int64_t> link_peaks_B() const = 0;
  /// At each PacketOptions::sample_interval_ps of the run, and at its end.
  virtual std::vector<TrafficSample> samples() const = 0;
};

/// Throws InvalidInput for options that make no sense together or on this fabric: a routing that
/// does not fit, too few virtual channels, a buffer that is smaller than a packet, more memory than
/// the machine has. With an empty routing every message needs a path.
std::unique_ptr<PacketEngine> make_packet_engine(const Fabric& fabric,
                                                 const PacketOptions& options);

}  // namespace weft::simulation
