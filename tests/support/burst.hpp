// Burst: messages that are all sent at time 0, and when they were through.
#pragma once

#include <utility>
#include <vector>

#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation {

/// The tag of a message is its place in the list.
class Burst final : public PacketSource {
 public:
  Burst(PacketEngine& engine, std::vector<PacketMessage> messages)
      : engine_(engine),
        id_(engine.add(*this)),
        messages_(std::move(messages)),
        injected_at(messages_.size(), -1),
        delivered_at(messages_.size(), -1),
        acknowledged_at(messages_.size(), -1) {}

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
  TrafficStatistics traffic() const { return engine_.traffic(id_); }

 private:
  PacketEngine& engine_;
  SourceId id_;
  std::vector<PacketMessage> messages_;

 public:
  std::vector<Time> injected_at, delivered_at, acknowledged_at;  // -1: never
};

}  // namespace weft::simulation
