// Packet by packet: any routing of the packet simulator on input-queued routers.
//
// The routing numbers the virtual channels that keep it free of deadlock; the channels of a link
// are shared among these classes, or stand for themselves where the routing looks for room. What an
// adaptive routing sees of a link is the flits that wait for it here and those whose credits are
// overdue: sent so long ago that a credit would be back had they not been held up behind the link.
// Credits that are merely on their way would make an idle link look busy (Kim, Dally, Scott, Abts,
// ISCA 2008, section 4.3.2), and so would the two flits that a link at full rate always has in
// allocation; they are left out. A packet is routed once in each router, when it comes to the front
// of its channel; where the routing looks for room it is asked again in every cycle in which the
// packet waits, so that the escape stays open to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet/engine/link_wiring.hpp"
#include "weft/simulation/packet/input_queued/channel_classes.hpp"
#include "weft/simulation/packet/input_queued/packet.hpp"
#include "weft/simulation/packet/input_queued/port_wiring.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::simulation::input_queued {

/// What the routing of a run is made from.
class PacketRoutingPlan {
 public:
  /// Where the routing looks for room it means `least_room` free places of a channel, by link: a
  /// packet, or all of the buffer where that is smaller. Throws InvalidInput for a routing that
  /// does not fit and for too few virtual channels.
  PacketRoutingPlan(const Fabric& fabric, const PortWiring& wiring, const std::string& routing,
                    const PipelinedRouter& router, std::vector<std::int32_t> least_room);
  /// Packets may bring paths, which climb `path_classes` of the channels; all do where `routing` is
  /// empty. A flit takes `flit_ps` on a link.
  PacketRoutingPlan(const Fabric& fabric, const PortWiring& wiring, const std::string& routing,
                    const PipelinedRouter& router, std::vector<std::int32_t> least_room,
                    int path_classes, std::vector<Time> flit_ps);

  /// The link behind an output port; kNone for an adapter inside of its router.
  std::int32_t link(std::int32_t output) const { return links_[output]; }

 private:
  friend class HopChoice;
  friend class PacketRouting;
  Fabric fabric_;
  int vc_bits_ = 0;                       // of the number of a channel in a link
  std::vector<std::int32_t> least_room_;  // by link
  std::vector<Time> flit_ps_;             // likewise; 1 where all are alike
  std::string routing_;
  int channels_;
  Ejection ejection_;
  std::vector<std::uint64_t> masks_;   // by class
  std::vector<std::int32_t> outputs_;  // by link
  std::vector<std::int32_t> links_;    // by output
};

/// The choices of one run at each router, and what they see of the queues.
class HopChoice {
 public:
  static constexpr bool kSeesQueues = true;

  HopChoice(const PacketRoutingPlan& plan, const PortWiring& wiring, std::uint64_t seed);

  /// Whether a packet that waits is to be routed again.
  bool reconsiders() const { return looks_for_room_; }
  /// More or fewer flits that wait for an output or are overdue.
  void add_load(std::int32_t output, std::int32_t flits) {
    const std::int32_t link = plan_.links_[output];
    if (link == kNone) return;
    std::int32_t& waiting = waiting_[output];
    waiting += flits;
    loads_[link].waiting_ps = std::max(0, waiting - kAllocated) * plan_.flit_ps_[link];
  }

 protected:
  Route choose(std::int32_t router, const Packet& packet, packet::PacketState& state,
               const RouterState& now);
  /// Channels of a class.
  std::uint64_t mask(std::int32_t of_class) const { return plan_.masks_[of_class]; }

  const PacketRoutingPlan& plan_;
  const PortWiring& wiring_;

 private:
  static constexpr std::int32_t kAllocated = 2;

  /// Of the router at hand: free places by link and channel.
  class Places final : public network::Room {
   public:
    explicit Places(const PacketRoutingPlan& plan) : plan_(plan) {}
    void look(std::int32_t first_output, std::int32_t last_output, const RouterState& now);
    bool has_room(std::int32_t link, std::int32_t vc) const override {
      return places_[packet::place(link << plan_.vc_bits_ | vc)] >= plan_.least_room_[link];
    }

   private:
    const PacketRoutingPlan& plan_;
    std::vector<std::int32_t> places_;
  };

  std::unique_ptr<network::HopRouting> routing_;
  bool looks_for_room_;
  std::vector<std::int32_t> waiting_;  // by output
  std::vector<packet::Link> loads_;    // of the queues, in picoseconds (flits where all are alike)
  Places room_;
};

/// Of a load curve.
class PacketRouting : public HopChoice {
 public:
  static constexpr bool kSharesChannels = false;
  static constexpr bool kNeedsRoom = false;

  PacketRouting(const PacketRoutingPlan& plan, const PortWiring& wiring, std::uint64_t seed)
      : HopChoice(plan, wiring, seed), all_(channel_mask(0, plan.channels_)) {}

  void begin(const Packet& packet);
  Route route(std::int32_t router, Packet& packet, Rng& rng, const RouterState& now);

 private:
  std::uint64_t all_;
  std::vector<packet::PacketState> packets_;  // by id
};

}  // namespace weft::simulation::input_queued
