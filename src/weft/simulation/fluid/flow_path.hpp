// FlowPaths: what the flow of a message takes of which links, and its weight where flows meet.
//
// A flow takes its message's links. Under Sharing::smpi, as SimGrid's SMPI has it, it also takes
// 1/20 of the way back (the acknowledgements, `network/crosstraffic`): of the other direction of
// each cable or, where the message took a one-way link, of the network's route from its receiver.
// It weighs 1 / sum over its links of (latency + 8775 B / bandwidth) (`network/weight-S`; Velho et
// al., On the Validity of Flow-Level TCP Network Models for Grid and Cloud Simulations, ACM TOMACS
// 2013, section 4). Where cables are shared, both directions take from the first of their links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

struct FlowPath {
  std::span<const LinkId> links;   // one named twice carries it twice
  std::span<const double> shares;  // of each byte on each link; empty: the whole of it
  double weight = 1;
};

/// Whether flows take their messages' own links alone.
inline bool own_links_alone(const SimulationOptions& options) {
  return options.sharing != Sharing::smpi && options.cables == Cables::duplex;
}

class FlowPaths {
 public:
  /// Throws InvalidInput for shared cables whose directions differ in bandwidth. O(links).
  FlowPaths(const Network& network, const SimulationOptions& options);

  /// Of a message on the network; valid until the next call. Throws InvalidInput for a route
  /// without latency under Sharing::rtt where others have one. O(links of the route).
  FlowPath of(const LoadedStep& step, std::int32_t transfer);

 private:
  double weight(const LoadedStep& step, std::int32_t transfer) const;
  double penalty_s(LinkId link) const;
  void add(LinkId link, double share);
  void add_way_back(const LoadedStep& step, std::int32_t transfer);

  const Network& network_;
  const Fabric& fabric_;
  Sharing sharing_;
  bool own_links_alone_;
  IdVector<LinkId, LinkId> carriers_;  // by link, the one that stands for it; empty: itself
  double reference_s_ = 0;             // the largest penalty of a link
  std::vector<LinkId> links_;          // of the last path
  std::vector<double> shares_;         // likewise
  RouteTable back_;                    // likewise, where links have no other direction
};

}  // namespace weft::simulation
