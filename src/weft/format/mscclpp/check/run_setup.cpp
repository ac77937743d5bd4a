// The state that a run of a plan begins with.
#include <algorithm>

#include "run.hpp"

namespace weft::format::mscclpp::checking {

namespace {

// Threads that serve channels one by one.
std::int32_t threads_of(const std::vector<FlatOp>& ops) {
  std::size_t most = 1;
  for (const FlatOp& flat : ops)
    most = std::max({most, flat.op->channels.size(), flat.op->semaphores.size()});
  return static_cast<std::int32_t>(most);
}

}  // namespace

Run::Run(const Plan& plan, const Memory& memory, const Places& places, Races& races, Values& values,
         msccl::Findings& findings)
    : plan_(plan),
      memory_(memory),
      places_(places),
      races_(races),
      values_(values),
      findings_(findings) {
  agents_of_.resize(plan.gpus.size());
  set_up_blocks();
  set_up_channels();
  for (BlockState& state : blocks_) {
    state.clock.assign(static_cast<std::size_t>(agents_), 0);
    state.clock[static_cast<std::size_t>(state.agent)] = 1;
    state.pending = state.clock;
  }
  for (auto& ports : ports_)
    for (Port& port : ports) {
      port.clock.assign(static_cast<std::size_t>(agents_), 0);
      port.clock[static_cast<std::size_t>(port.agent)] = 1;
    }
  stamps_.emplace_back();
}

void Run::set_up_blocks() {
  for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
    const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
    for (std::int32_t b = 0; b < std::ssize(gpu.blocks); ++b) {
      agents_of_[static_cast<std::size_t>(rank)].push_back(agents_);
      const Block& block = gpu.blocks[static_cast<std::size_t>(b)];
      BlockState& state = blocks_.emplace_back();
      state.rank = rank;
      state.index = b;
      state.agent = agents_++;
      state.block = &block;
      state.at.assign(static_cast<std::size_t>(threads_of(ops(state))), 0);
      for (const FlatOp& flat : ops(state))
        if (flat.op->type == OpType::barrier) barriers_[{rank, flat.op->barrier}].blocks.insert(b);
    }
  }
}

void Run::set_up_channels() {
  for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
    const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
    memory_counters_.emplace_back(gpu.memory_peers.size());
    port_counters_.emplace_back(gpu.port_peers.size());
    auto& semaphores = semaphores_.emplace_back();
    for (const std::int32_t value : gpu.semaphores) semaphores.emplace_back(value);
    auto& memory_ends = memory_ends_.emplace_back();
    for (std::size_t k = 0; k < gpu.memory_peers.size(); ++k)
      memory_ends.push_back(other_end(rank, static_cast<std::int32_t>(k), false));
    auto& port_ends = port_ends_.emplace_back();
    auto& ports = ports_.emplace_back();
    for (std::size_t k = 0; k < gpu.port_peers.size(); ++k) {
      port_ends.push_back(other_end(rank, static_cast<std::int32_t>(k), true));
      agents_of_[static_cast<std::size_t>(rank)].push_back(agents_);
      ports.push_back({.rank = rank, .agent = agents_++});
    }
  }
}

// The k-th channel of a to b is the k-th one of b to a. The executor adds those that are missing,
// and nobody waits there.
Run::End Run::other_end(std::int32_t rank, std::int32_t channel, bool by_port) const {
  const auto peers_of = [&](std::int32_t of) -> const std::vector<std::int32_t>& {
    const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(of)];
    return by_port ? gpu.port_peers : gpu.memory_peers;
  };
  const auto& own = peers_of(rank);
  const std::int32_t peer = own[static_cast<std::size_t>(channel)];
  auto number = std::count(own.begin(), own.begin() + channel, peer);
  const auto& theirs = peers_of(peer);
  for (std::size_t k = 0; k < theirs.size(); ++k)
    if (theirs[k] == rank && number-- == 0) return {peer, static_cast<std::int32_t>(k)};
  return {peer, -1};
}

}  // namespace weft::format::mscclpp::checking
