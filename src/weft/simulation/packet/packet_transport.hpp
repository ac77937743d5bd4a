// PacketTransport: a program as a source of traffic of the packet engine.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/simulation/packet_engine.hpp"
#include "weft/simulation/transport.hpp"

namespace weft::simulation::packet {

class PacketTransport final : public Transport, public PacketSource {
 public:
  PacketTransport(const Network& network, const SimulationOptions& options, StepWindow& window,
                  PacketEngine& engine);

  /// What it carries the messages of, which begins at `start_s`. Before the engine runs.
  void read(Reading& reading, double start_s) {
    reading_ = &reading;
    start_s_ = start_s;
  }
  SourceId id() const { return id_; }

  double now() const override { return seconds(engine_.now()); }
  bool at_hand(double time) const override { return picoseconds(time) <= engine_.now(); }
  void schedule(double time, Happening what) override;
  void send(std::int32_t slot, std::int32_t index, double started) override;

  void begin() override;
  void wake(std::uint32_t what) override;
  void injected(std::uint64_t tag) override;
  void delivered(std::uint64_t tag) override;
  void acknowledged(std::uint64_t tag) override;

 private:
  static Time picoseconds(double seconds);
  static std::int32_t slot_of(std::uint64_t tag) { return static_cast<std::int32_t>(tag >> 32); }
  static std::int32_t index_of(std::uint64_t tag) {
    return static_cast<std::int32_t>(tag & 0xffffffff);
  }
  void handle(const Happening& what);
  void go_on();
  void go_on_once_settled();
  bool stays_within_host(const LoadedStep& step, std::int32_t index) const;
  std::array<LinkId, 2> there_and_back(NodeId host) const;

  const Network& network_;
  Release release_;
  SelfMessages self_messages_;
  StepWindow& window_;
  PacketEngine& engine_;
  SourceId id_;
  Reading* reading_ = nullptr;
  double start_s_ = 0;
  Pool<Happening> happenings_;
  bool settles_ = false;  // when what is due in this instant has been done
};

}  // namespace weft::simulation::packet
