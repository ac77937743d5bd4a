// Network: what a schedule runs on, a fabric with its ranks placed, its hosts described and its
// routing chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/placement.hpp"

namespace weft::network {

/// How blocks lie in an agent's buffers: `rank_order` in the order of ranks, so that scattered ones
/// are packed and unpacked; `combined` in the order in which messages combine them, so that a
/// message is one run where that can be, what comes from the input or belongs into the result being
/// copied once; `kept` the same where input and result stay in that order, for a caller who knows
/// it; `best` what copies less of the first two.
enum class BlockLayout : std::uint8_t { best, rank_order, combined, kept };
std::string_view name_of(BlockLayout layout);
/// Reads a name; throws InvalidInput with the nearest ones.
BlockLayout parse_layout(std::string_view name);

/// What pays a start-up: each message, one after the other at a host's processor (LogGP's o), or a
/// step, whose messages are all started together, as in the papers' formulas.
enum class StartupPer : std::uint8_t { message, step };
std::string_view name_of(StartupPer per);
/// Reads a name; throws InvalidInput with the nearest one.
StartupPer parse_startup_per(std::string_view name);

/// What messages of at least `from_B` bytes pay on top: the handshake of the rendezvous protocol,
/// before their first byte leaves. None where the time is 0.
struct Rendezvous {
  std::int64_t from_B = 0;
  std::int64_t time_ps = 0;

  std::int64_t of(std::int64_t bytes) const {
    WEFT_ASSERT(bytes >= 0);
    return bytes >= from_B ? time_ps : 0;
  }
  friend bool operator==(const Rendezvous&, const Rendezvous&) = default;
};

/// Messages below `below_B` bytes leave at once, through a buffer at each end: both copies together
/// have this bandwidth, and keep no link busy. None where it is 0.
struct EagerCopies {
  std::int64_t below_B = 0;
  std::int64_t bandwidth_Bps = 0;

  std::int64_t of(std::int64_t bytes) const;  // picoseconds
  friend bool operator==(const EagerCopies&, const EagerCopies&) = default;
};

/// A bandwidth that holds from a size on: of calls whose buffers have at least `from_B` bytes and
/// lie in memory rather than in a cache, or of messages of so many bytes. None where it is 0.
struct LargeCalls {
  std::int64_t from_B = 0;
  std::int64_t bandwidth_Bps = 0;

  bool holds(std::int64_t bytes) const { return bandwidth_Bps > 0 && bytes >= from_B; }
  friend bool operator==(const LargeCalls&, const LargeCalls&) = default;
};

/// What a host can do. Zero bandwidth means "free": the cost is not modelled. None of it is a
/// switch's: one that copies or combines (a helper there) does so as fast as its links, and its
/// messages cost no start-up.
struct HostParameters {
  std::int64_t startup_ps = 0;                   // alpha: start-up per message at the sender
  std::int64_t startup_receive_ps = 0;           // and at the receiver
  StartupPer startup_per = StartupPer::message;  // of all models but alpha-beta, which has steps
  int ports = 0;  // messages that a host sends at once; 0: as many as it likes
  std::int64_t copy_bandwidth_Bps =
      0;                         // packing and unpacking of scattered pieces, messages to oneself
  LargeCalls large_copies = {};  // their bandwidth in place of copy_bandwidth_Bps
  BlockLayout layout = BlockLayout::best;  // decides what is copied
  std::int64_t reduce_bandwidth_Bps = 0;   // combining received data with one's own
  LargeCalls large_reductions = {};        // their bandwidth in place of reduce_bandwidth_Bps
  /// The bandwidth at which each call of a collective that combines touches its new buffers for the
  /// first time, if these have from_B bytes or more. simulation::simulate() lists the buffers. A
  /// program that performs no single collective has none, whatever from_B is.
  LargeCalls first_touch = {};
  /// Two hosts that send each other messages of from_B bytes and more in one step take longer: by
  /// the bytes of one direction over this bandwidth. Shifts, where a host receives from another one
  /// than it sends to, do not.
  LargeCalls exchanges = {};
  std::int64_t latency_ps = 0;    // of each message in its sender's and its receiver's adapter
  Rendezvous rendezvous = {};     // of all models but packet and flit, as latency_ps
  EagerCopies eager_copies = {};  // likewise
  std::int64_t launch_ps = 0;     // of a collective call, once: a GPU's kernel, a library's set-up
  std::int64_t skew_ps = 0;    // of ranks after the barrier before a measured call: * log2(ranks)
  bool source_routed = false;  // a message may name its whole way, whatever tables switches have

  // Models and estimates ask for the sums below. A new cost is a term of one of them if it can be.

  /// Time of a host's processor for each message that it sends, picoseconds.
  std::int64_t send_ps() const { return startup_ps; }
  /// Time of a host's processor for each message that it receives, picoseconds.
  std::int64_t receive_ps() const { return startup_receive_ps; }
  /// Bytes per second of copies in a call whose ranks on a host have buffers of this size together,
  /// since they share its cache; 0: free.
  std::int64_t copy_Bps(std::int64_t buffer_B) const {
    return large_copies.holds(buffer_B) ? large_copies.bandwidth_Bps : copy_bandwidth_Bps;
  }
  bool copies_are_free() const {
    return copy_bandwidth_Bps == 0 && large_copies.bandwidth_Bps == 0;
  }
  /// Bytes per second of reductions, likewise; 0: free.
  std::int64_t reduce_Bps(std::int64_t buffer_B) const {
    return large_reductions.holds(buffer_B) ? large_reductions.bandwidth_Bps : reduce_bandwidth_Bps;
  }
  bool reductions_are_free() const {
    return reduce_bandwidth_Bps == 0 && large_reductions.bandwidth_Bps == 0;
  }
  /// Latency of a message of this size on top of that of its links, picoseconds.
  std::int64_t message_ps(std::int64_t bytes) const {
    return latency_ps + rendezvous.of(bytes) + eager_copies.of(bytes);
  }
  bool delays_messages() const {
    return latency_ps > 0 || rendezvous.time_ps > 0 || eager_copies.bandwidth_Bps > 0;
  }
  /// Whether the time of a call jumps at some size of messages or buffers.
  bool has_steps_by_size() const {
    return rendezvous.time_ps > 0 || eager_copies.bandwidth_Bps > 0 ||
           large_copies.bandwidth_Bps > 0 || large_reductions.bandwidth_Bps > 0 ||
           first_touch.bandwidth_Bps > 0 || exchanges.bandwidth_Bps > 0;
  }
  /// Seconds of launch and skew of a collective call among this number of ranks.
  double call_s(std::int32_t ranks) const;
  friend bool operator==(const HostParameters&, const HostParameters&) = default;
};

class Network {
 public:
  /// Throws InvalidInput when the routing was made for another topology, when a rank is on a switch
  /// or outside, when there is no rank, or when a host parameter is negative.
  Network(Fabric fabric, Placement placement, HostParameters host,
          std::shared_ptr<const Routing> routing);

  const Fabric& fabric() const { return fabric_; }
  const Topology& topology() const { return fabric_.topology(); }
  const Placement& placement() const { return placement_; }
  const HostParameters& host() const { return host_; }
  const Routing& routing() const { return *routing_; }
  std::int32_t ranks() const { return placement_.ranks(); }

  /// The same fabric, ranks and routing with other hosts. Throws InvalidInput as the constructor.
  Network with_host(HostParameters host) const { return {fabric_, placement_, host, routing_}; }
  /// The same fabric, hosts and routing with other ranks. Throws InvalidInput as the constructor.
  Network with_placement(Placement placement) const {
    return {fabric_, std::move(placement), host_, routing_};
  }

 private:
  Fabric fabric_;
  Placement placement_;
  HostParameters host_;
  std::shared_ptr<const Routing> routing_;
};

}  // namespace weft::network

namespace weft {
using network::BlockLayout;
using network::HostParameters;
using network::Network;
using network::StartupPer;
}  // namespace weft
