// StepWindow: the steps of a program that some agent is in, loaded when the first agent gets there
// and dropped when the last one leaves.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/network/host_buffer.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/simulation/shortcuts/orbits.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/startups.hpp"

namespace weft::simulation {

/// Seconds of local work for `bytes` at a bandwidth where 0 stands for "free".
inline double work_s(std::int64_t bytes, std::int64_t bandwidth_Bps) {
  return bandwidth_Bps == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(bandwidth_Bps);
}
/// Bytes of a rank's larger buffer; 0 for programs that perform no single collective.
inline std::int64_t buffer_of(const Program& program) {
  return program.collective() ? program.collective()->buffer_bytes(program.size_B()) : 0;
}
/// Bytes of the buffers of all ranks of the fullest host, which share its cache.
inline std::int64_t host_buffer_of(const Program& program, const Network& network) {
  return network::host_buffer_B(buffer_of(program), network.placement().most_on_a_host());
}
/// Seconds of a copy or a reduction; buffer_B is that of host_buffer_of().
inline double work_s(program::WorkKind kind, std::int64_t bytes, const HostParameters& host,
                     std::int64_t buffer_B) {
  return work_s(
      bytes, kind == program::WorkKind::copy ? host.copy_Bps(buffer_B) : host.reduce_Bps(buffer_B));
}
inline double own_work_s(const program::OwnWork& own, const HostParameters& host) {
  return own.kind == program::WorkKind::compute ? own.seconds
                                                : work_s(own.kind, own.bytes, host, own.bytes);
}
inline double seconds(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) * 1e-12;
}

/// Where what belongs to agents stands in arrays: those of an orbit, where orbits are followed,
/// share a place.
struct Places {
  std::int32_t count = 0, agents_of_one = 1;

  std::size_t of(Agent agent) const {
    if (count == 1) return 0;  // a division takes longer than all else here
    return static_cast<std::size_t>(agents_of_one == 1 ? agent.value()
                                                       : agent.value() / agents_of_one);
  }
};

/// What each byte of a message puts on each of its links: a byte, its share where it is split, or
/// as much as factors by size make of that.
class MessageLoads {
 public:
  MessageLoads(std::span<const Rational> shares, std::span<const double> scaled)
      : shares_(shares), scaled_(scaled) {}
  /// Whether it is a byte on every link.
  bool whole() const { return shares_.empty() && scaled_.empty(); }
  double operator[](std::size_t link) const {
    if (!scaled_.empty()) return scaled_[link];
    return shares_.empty() ? 1 : shares_[link].to_double();
  }

 private:
  std::span<const Rational> shares_;
  std::span<const double> scaled_;
};

class RunState;

/// One step with its routes, and where its agents stand.
class LoadedStep {
 public:
  LoadedStep(const Network& network, std::shared_ptr<const schedule::ExplicitRoutes> routes)
      : walk_(network, std::move(routes)) {}

  struct AgentPart {
    std::int32_t first_send = 0;  // into send_order
    std::int32_t next_send = 0;
    std::int32_t sends_left = 0;     // not released yet
    std::int32_t receives_left = 0;  // not delivered yet
    bool receives_startup = false;   // of some of which a start-up is paid
  };

  std::int64_t step = 0;
  std::int32_t agents_left = 0;
  program::StepProgram program;
  std::vector<AgentPart> agents;         // one more at the end
  std::vector<std::int32_t> send_order;  // transfers by sender, in message order
  // By transfer and by agent; empty when no local work is modelled. Start-ups that are work count.
  std::vector<double> packing_s, unpacking_s;
  std::vector<double> packed_at_s;   // when the message is packed, once its sender got here
  std::vector<double> early_work_s;  // unpacking of what came before the agent got here
  std::vector<double> worked_until_s;

  /// Empty within a node, and where only explicit routes are loaded and this has none.
  std::span<const LinkId> links(std::int32_t transfer) const { return walk_.links(transfer); }
  std::span<const Rational> shares(std::int32_t transfer) const { return walk_.shares(transfer); }
  std::int64_t latency_ps(std::int32_t transfer) const {
    return latencies_ps_.empty() ? walk_.latency_ps(transfer) : latencies_ps_[transfer];
  }
  /// What each byte of the message puts on each of its links.
  MessageLoads loads(std::int32_t transfer) const {
    if (first_load_.empty()) return {walk_.shares(transfer), {}};
    const auto first = static_cast<std::size_t>(first_load_[transfer]);
    const auto end = static_cast<std::size_t>(first_load_[transfer + 1]);
    return {{}, std::span(loads_).subspan(first, end - first)};
  }
  /// What loading it was, as SimulationOptions counts work.
  std::int64_t work() const { return walk_.work(); }
  const program::Transfer& transfer(std::int32_t index) const { return program.transfers[index]; }
  /// The nodes that it goes between.
  network::Flow ends(std::int32_t index) const {
    const program::Transfer& t = transfer(index);
    return {nodes_[t.from], nodes_[t.to]};
  }
  /// Whether it goes over the network, rather than within a node.
  bool on_network(std::int32_t index) const {
    const program::Transfer& t = transfer(index);
    return nodes_[t.from] != nodes_[t.to];
  }
  /// Whether it costs its sender a start-up, or its receiver: one to oneself does not, unless it
  /// goes over the network, and a switch pays none.
  bool has_startup(std::int32_t index) const {
    return on_way(index) && !at_switch(transfer(index).from);
  }
  bool has_receive_startup(std::int32_t index) const {
    return on_way(index) && !at_switch(transfer(index).to);
  }
  /// Whether its sender needs one of its host's ports for it, where these are few.
  bool takes_port(std::int32_t index) const {
    return on_network(index) && !at_switch(transfer(index).from);
  }
  std::size_t place(Agent agent) const { return places_.of(agent); }
  AgentPart& part(Agent agent) { return agents[place(agent)]; }
  bool has_work() const { return !packing_s.empty(); }
  /// Adds where its agents stand.
  void describe(RunState& state) const;

 private:
  friend class StepWindow;
  bool at_switch(Agent agent) const { return at_switch_[agent.index()]; }
  bool on_way(std::int32_t index) const {
    return transfer(index).from != transfer(index).to || routed_to_self_;
  }

  IdSpan<Agent, const NodeId> nodes_;
  std::span<const char> at_switch_;  // likewise, whether it is a helper there
  Places places_;
  bool routed_to_self_ = false;
  schedule::RouteWalk walk_;
  // Where factors by size scale them: by transfer, and the loads of all messages in a row, those of
  // a transfer from first_load_ on.
  std::vector<std::int64_t> latencies_ps_;
  std::vector<std::int64_t> first_load_;
  std::vector<double> loads_;
};

/// Whether messages without an explicit route are given the network's.
enum class Routes : std::uint8_t { all, only_explicit };

struct WindowOptions {
  Routes routes = Routes::all;
  Startups startups = {};       // those that are work are part of packing_s and unpacking_s
  CallOptions call = {};        // of which the header is part of messages to others
  bool routed_to_self = false;  // messages to oneself go over the network, too
  const SizeFactors* factors = nullptr;  // that scale latencies and loads
};

class StepWindow {
 public:
  StepWindow(const Program& program, const Network& network, WindowOptions options = {});

  /// Follows one agent of each orbit from now on; null follows all.
  void follow(const Orbits* orbits) {
    orbits_ = orbits;
    const std::int32_t order = orbits == nullptr ? 1 : orbits->order();
    places_ = {.count = program_.agents() / order, .agents_of_one = order};
  }

  std::int64_t steps() const { return steps_; }
  /// Bytes per second of copies in this call; 0: free.
  std::int64_t copy_Bps() const { return network_.host().copy_Bps(host_buffer_B_); }
  /// Goes no further than this, which no agent has reached.
  void end_at(std::int64_t steps) { steps_ = steps; }
  IdSpan<Agent, const NodeId> nodes() const { return nodes_; }
  const Places& places() const { return places_; }
  /// By link of the loaded steps: those of the network, or one of each orbit.
  std::vector<double> capacities() const;

  /// The loaded step's slot, which stays until it is dropped.
  std::int32_t slot(std::int64_t step);
  LoadedStep& at(std::int32_t slot) { return *pool_[slot]; }
  const LoadedStep& at(std::int32_t slot) const { return *pool_[slot]; }
  /// The first step that is loaded, and how many are.
  std::int64_t first() const { return first_; }
  std::int64_t loaded() const { return std::ssize(slots_); }
  /// Adds where their agents stand.
  void describe(RunState& state) const;
  /// Loads the next step to the slot of the one that was loaded last, of which nothing is asked
  /// from then on.
  void reuse_last_slot() { free_.push_back(slots_.back()); }
  /// Drops the steps that all agents have left.
  void drop_left();
  /// Calls on_load(LoadedStep) for each step when it is loaded.
  template <class Visit>
  void on_load(Visit visit) {
    on_load_ = visit;
  }

 private:
  std::int32_t load(std::int64_t step);
  void route(LoadedStep& loaded);
  void scale(LoadedStep& loaded) const;
  void delay_messages(LoadedStep& loaded) const;
  void group_by_sender(LoadedStep& loaded) const;
  void measure_work(LoadedStep& loaded) const;
  void add_startups(LoadedStep& loaded) const;

  const Program& program_;
  const Network& network_;
  WindowOptions options_;
  std::optional<LinkFactors> factors_;
  const Orbits* orbits_ = nullptr;
  std::int64_t steps_ = 0;
  Places places_;
  IdVector<Agent, NodeId> nodes_;
  std::vector<char> at_switch_;  // by agent
  std::int64_t host_buffer_B_ = 0;
  std::shared_ptr<const schedule::ExplicitRoutes> explicit_;
  std::vector<std::unique_ptr<LoadedStep>> pool_;
  std::vector<std::int32_t> free_;
  std::deque<std::int32_t> slots_;  // of steps first_, first_ + 1, ...
  std::int64_t first_ = 0;
  std::function<void(const LoadedStep&)> on_load_;
};

}  // namespace weft::simulation
