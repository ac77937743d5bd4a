// What a message takes at least, whichever way it goes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/simulation/driver.hpp"

namespace weft::training {

class MessageBounds {
 public:
  /// Both have to outlive it.
  MessageBounds(const Network& network, const simulation::SimulationOptions& simulation)
      : network_(network), simulation_(simulation) {}

  /// Seconds: a start-up, and the latency of as many links as its ends are apart, or of one and the
  /// time of its bytes on all links of one end. 0 within a node. A search from each new sender.
  double of(const simulation::DrivenMessage& message);

 private:
  double port_Bps(NodeId from, NodeId to) const;

  const Network& network_;
  const simulation::SimulationOptions& simulation_;
  std::unordered_map<NodeId, std::vector<std::int32_t>> distances_;  // by sender's node
};

}  // namespace weft::training
