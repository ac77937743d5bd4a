#include "weft/simulation/packet/packet_transport.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::simulation::packet {

namespace {

constexpr auto kSettled = static_cast<std::uint32_t>(-1);  // in place of a happening

// It then turns at the switch that its only cable leads to.
bool is_leaf(const Topology& topology, NodeId host) {
  if (topology.out_degree(host) != 1 || topology.in_degree(host) != 1) return false;
  const NodeId above = topology.head(topology.out_links(host)[0]);
  return !topology.is_host(above) && above == topology.tail(topology.in_links(host)[0]);
}

}  // namespace

PacketTransport::PacketTransport(const Network& network, const SimulationOptions& options,
                                 StepWindow& window, PacketEngine& engine)
    : network_(network),
      release_(options.release),
      self_messages_(options.packet.self_messages),
      window_(window),
      engine_(engine),
      id_(engine.add(*this)) {
  if (self_messages_ == SelfMessages::local) return;
  for (const NodeId node : window_.nodes())
    require(is_leaf(network.topology(), node),
            "a message from node {} to itself cannot cross the network (the host needs one cable "
            "to a switch); use --self-messages local",
            node.value());
}

Time PacketTransport::picoseconds(double seconds) {
  require(seconds < 9e6,
          "the run takes more than 104 days, which is too long to count in picoseconds; use "
          "--model fluid");
  return std::llround(seconds * 1e12);
}

void PacketTransport::begin() {
  schedule(start_s_, {EventKind::begin, 0, 0});
  go_on();
}

/// What was done in this event has its consequences.
void PacketTransport::go_on() {
  while (reading_->advance()) {
  }
}

/// At the end of the instant, where the reading wants to know all of it: events of one time come in
/// the order in which they were foreseen.
void PacketTransport::go_on_once_settled() {
  if (!reading_->takes_whole_instants()) return go_on();
  if (!std::exchange(settles_, true)) engine_.wake(id_, engine_.now(), kSettled);
}

void PacketTransport::schedule(double time, Happening what) {
  if (at_hand(time)) return handle(what);
  const std::int32_t index = happenings_.take();
  happenings_[index] = what;
  engine_.wake(id_, picoseconds(time), static_cast<std::uint32_t>(index));
}

void PacketTransport::wake(std::uint32_t what) {
  if (what == kSettled) {
    settles_ = false;
    return go_on();
  }
  const auto index = static_cast<std::int32_t>(what);
  const Happening happening = happenings_[index];
  happenings_.give_back(index);
  handle(happening);
  go_on_once_settled();
}

/// A message within a node is delivered and its sender released.
void PacketTransport::handle(const Happening& what) {
  if (what.kind == EventKind::begin) return reading_->begin();
  if (what.kind != EventKind::deliver) return reading_->handle(what);
  reading_->delivered(what.slot, what.index);
  reading_->released(what.slot, what.index);
}

void PacketTransport::send(std::int32_t slot, std::int32_t index, double started) {
  const LoadedStep& step = window_.at(slot);
  const program::Transfer& transfer = step.transfer(index);
  if (stays_within_host(step, index)) {
    const double copy_s = work_s(transfer.bytes, window_.copy_Bps());
    return schedule(started + copy_s, {EventKind::deliver, slot, index});
  }
  std::array<LinkId, 2> turn;
  std::span<const LinkId> path = step.links(index);
  if (transfer.from == transfer.to) path = turn = there_and_back(window_.nodes()[transfer.from]);
  engine_.send(id_,
               {.from = window_.nodes()[transfer.from],
                .to = window_.nodes()[transfer.to],
                .bytes = transfer.bytes,
                .tag = static_cast<std::uint64_t>(slot) << 32 | static_cast<std::uint64_t>(index),
                .delay = started > now() ? picoseconds(started) - engine_.now() : 0,
                .acknowledge = release_ == Release::acknowledged,
                .report_injected = release_ == Release::injected,
                .path = path});
}

bool PacketTransport::stays_within_host(const LoadedStep& step, std::int32_t index) const {
  const program::Transfer& transfer = step.transfer(index);
  if (transfer.from == transfer.to) return self_messages_ == SelfMessages::local;
  return !step.on_network(index);
}

/// To the switch of a leaf and back.
std::array<LinkId, 2> PacketTransport::there_and_back(NodeId host) const {
  const Topology& topology = network_.topology();
  return {topology.out_links(host)[0], topology.in_links(host)[0]};
}

void PacketTransport::injected(std::uint64_t tag) {
  reading_->released(slot_of(tag), index_of(tag));
  go_on_once_settled();
}

void PacketTransport::delivered(std::uint64_t tag) {
  reading_->delivered(slot_of(tag), index_of(tag));
  if (release_ == Release::delivered) reading_->released(slot_of(tag), index_of(tag));
  go_on_once_settled();
}

void PacketTransport::acknowledged(std::uint64_t tag) {
  reading_->released(slot_of(tag), index_of(tag));
  go_on_once_settled();
}

}  // namespace weft::simulation::packet
