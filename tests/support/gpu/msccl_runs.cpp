#include "support/gpu/msccl_runs.hpp"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace weft::test {

using namespace format::msccl;
using schedule::CollectiveKind;

namespace {

using Value = std::uint64_t;

class Machine {
 public:
  Machine(const Algorithm& algorithm, const schedule::Collective& collective, const MscclRun& run)
      : algorithm_(algorithm), collective_(collective), run_(run), random_(run.seed) {
    for (std::int32_t rank = 0; rank < algorithm.ranks(); ++rank) set_up(rank);
  }

  std::string run() {
    for (;;) {
      std::vector<std::pair<std::size_t, std::size_t>> ready;
      bool all_done = true;
      for (std::size_t g = 0; g < gpus_.size(); ++g)
        for (std::size_t b = 0; b < gpus_[g].blocks.size(); ++b) {
          if (gpus_[g].blocks[b].step < steps(g, b).size()) all_done = false;
          if (can_go(g, b)) ready.emplace_back(g, b);
        }
      if (all_done) return result();
      if (ready.empty()) return deadlock();
      // A block goes on for a while, so that orders far apart are met too.
      const auto [g, b] = ready[random_() % ready.size()];
      for (auto times = random_() % 6; can_go(g, b); --times) {
        go(g, b);
        if (!error_.empty()) return error_;
        if (times == 0) break;
      }
    }
  }

 private:
  struct Block {
    std::size_t step = 0;
    std::int32_t chunk = 0;  // of the step
  };
  struct Memory {
    std::vector<Value> input, output, scratch;
    std::vector<Block> blocks;
  };
  using Connection = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // from, to, channel

  // Chunk k of the block that `source` gives to `target`, as each contributes it.
  static Value own(std::int32_t rank, std::int64_t chunk) {
    std::uint64_t x = static_cast<std::uint64_t>(rank) * 0x9E3779B97F4A7C15ULL +
                      static_cast<std::uint64_t>(chunk) * 0xC2B2AE3D27D4EB4FULL + 1;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9ULL;
    return x ^ (x >> 32);
  }

  void set_up(std::int32_t rank) {
    const Gpu& gpu = algorithm_.gpus[static_cast<std::size_t>(rank)];
    Memory& memory = gpus_.emplace_back();
    for (std::int32_t k = 0; k < gpu.input_chunks; ++k) memory.input.push_back(own(rank, k));
    memory.output.assign(static_cast<std::size_t>(gpu.output_chunks), 0x5555);
    memory.scratch.assign(static_cast<std::size_t>(gpu.scratch_chunks), 0x7777);
    memory.blocks.resize(gpu.blocks.size());
    if (run_.in_place)
      for (std::int32_t k = 0; k < gpu.input_chunks; ++k)
        at(rank, {Buffer::input, k}) = own(rank, k);
  }

  // In place the smaller buffer lies in the larger one, at the rank's own block.
  Value& at(std::int32_t rank, Place place) {
    Memory& memory = gpus_[static_cast<std::size_t>(rank)];
    const Gpu& gpu = algorithm_.gpus[static_cast<std::size_t>(rank)];
    if (run_.in_place && place.buffer == Buffer::input && gpu.input_chunks <= gpu.output_chunks) {
      if (gpu.input_chunks < gpu.output_chunks) place.offset += rank * gpu.input_chunks;
      place.buffer = Buffer::output;
    } else if (run_.in_place && place.buffer == Buffer::output &&
               gpu.output_chunks < gpu.input_chunks) {
      place.offset += rank * gpu.output_chunks;
      place.buffer = Buffer::input;
    }
    std::vector<Value>& buffer = place.buffer == Buffer::input    ? memory.input
                                 : place.buffer == Buffer::output ? memory.output
                                                                  : memory.scratch;
    if (place.offset < 0 || static_cast<std::size_t>(place.offset) >= buffer.size()) {
      error_ = fmt::format("rank {} touches chunk {} outside of {}", rank, place.offset,
                           name_of(place.buffer));
      return nowhere_;
    }
    return buffer[static_cast<std::size_t>(place.offset)];
  }

  const std::vector<Step>& steps(std::size_t g, std::size_t b) const {
    return algorithm_.gpus[g].blocks[b].steps;
  }
  Connection to(std::size_t g, const ThreadBlock& block) const {
    return {static_cast<std::int32_t>(g), block.send_peer, block.channel};
  }
  Connection from(std::size_t g, const ThreadBlock& block) const {
    return {block.receive_peer, static_cast<std::int32_t>(g), block.channel};
  }

  bool can_go(std::size_t g, std::size_t b) {
    const Block& state = gpus_[g].blocks[b];
    if (state.step >= steps(g, b).size()) return false;
    const Step& step = steps(g, b)[state.step];
    const ThreadBlock& block = algorithm_.gpus[g].blocks[b];
    if (step.depends_on.exists() &&
        gpus_[g].blocks[static_cast<std::size_t>(step.depends_on.block)].step <=
            static_cast<std::size_t>(step.depends_on.step))
      return false;
    if (receives(step.type) && connections_[from(g, block)].empty()) return false;
    return !sends(step.type) || std::ssize(connections_[to(g, block)]) < run_.depth;
  }

  void go(std::size_t g, std::size_t b) {
    Block& state = gpus_[g].blocks[b];
    const Step& step = steps(g, b)[state.step];
    const ThreadBlock& block = algorithm_.gpus[g].blocks[b];
    if (step.type != StepType::nop) move_chunk(static_cast<std::int32_t>(g), block, step, state);
    if (++state.chunk >= step.count) {
      ++state.step;
      state.chunk = 0;
    }
  }

  void move_chunk(std::int32_t rank, const ThreadBlock& block, const Step& step,
                  const Block& state) {
    const Place source{step.source.buffer, step.source.offset + state.chunk};
    const Place target{step.target.buffer, step.target.offset + state.chunk};
    Value value = 0;
    if (receives(step.type)) {
      auto& queue = connections_[from(static_cast<std::size_t>(rank), block)];
      value = queue.front();
      queue.pop_front();
    }
    if (reads_source(step.type)) value += at(rank, source);
    if (step.type == StepType::reduce) value += at(rank, target);
    if (writes_target(step.type)) at(rank, target) = value;
    if (sends(step.type)) connections_[to(static_cast<std::size_t>(rank), block)].push_back(value);
  }

  std::string deadlock() const {
    for (std::size_t g = 0; g < gpus_.size(); ++g)
      for (std::size_t b = 0; b < gpus_[g].blocks.size(); ++b)
        if (gpus_[g].blocks[b].step < steps(g, b).size())
          return fmt::format("deadlock: rank {}, block {}, step {} waits", g, b,
                             gpus_[g].blocks[b].step);
    return "deadlock";
  }

  std::int64_t chunks_of_block() const {
    const Gpu& first = algorithm_.gpus[0];
    const std::int32_t ranks = algorithm_.ranks();
    switch (collective_.kind) {
      case CollectiveKind::allgather:
      case CollectiveKind::gather:
        return first.input_chunks;
      case CollectiveKind::reduce_scatter:
      case CollectiveKind::scatter:
        return first.output_chunks;
      case CollectiveKind::alltoall:
        return first.input_chunks / ranks;
      default:
        return algorithm_.chunks;
    }
  }

  // What chunk k of a rank's output must be.
  Value wanted(std::int32_t rank, std::int64_t k) const {
    const std::int64_t in_block = chunks_of_block();
    const auto sum = [&](std::int64_t chunk) {
      Value total = 0;
      for (std::int32_t r = 0; r < algorithm_.ranks(); ++r) total += own(r, chunk);
      return total;
    };
    switch (collective_.kind) {
      case CollectiveKind::allgather:
      case CollectiveKind::gather:
        return own(static_cast<std::int32_t>(k / in_block), k % in_block);
      case CollectiveKind::reduce_scatter:
        return sum(rank * in_block + k);
      case CollectiveKind::scatter:
        return own(collective_.root.value(), rank * in_block + k);
      case CollectiveKind::alltoall:
        return own(static_cast<std::int32_t>(k / in_block), rank * in_block + k % in_block);
      case CollectiveKind::broadcast:
        return own(collective_.root.value(), k);
      default:
        return sum(k);
    }
  }

  std::int64_t wanted_chunks(std::int32_t rank) const {
    const bool is_root = rank == collective_.root.value();
    switch (collective_.kind) {
      case CollectiveKind::allgather:
      case CollectiveKind::alltoall:
        return chunks_of_block() * algorithm_.ranks();
      case CollectiveKind::gather:
        return is_root ? chunks_of_block() * algorithm_.ranks() : 0;
      case CollectiveKind::reduce:
        return is_root ? chunks_of_block() : 0;
      default:
        return chunks_of_block();
    }
  }

  std::string result() {
    for (std::int32_t rank = 0; rank < algorithm_.ranks(); ++rank) {
      for (std::int64_t k = 0; k < wanted_chunks(rank); ++k)
        if (at(rank, {Buffer::output, static_cast<std::int32_t>(k)}) != wanted(rank, k))
          return fmt::format("rank {} has a wrong chunk {} in its output", rank, k);
      for (std::int32_t k = 0;
           !run_.in_place && k < algorithm_.gpus[static_cast<std::size_t>(rank)].input_chunks; ++k)
        if (at(rank, {Buffer::input, k}) != own(rank, k))
          return fmt::format("rank {} wrote to chunk {} of its input", rank, k);
    }
    for (const auto& [connection, queue] : connections_)
      if (!queue.empty()) return "a message is sent and never received";
    return error_;
  }

  const Algorithm& algorithm_;
  const schedule::Collective& collective_;
  const MscclRun& run_;
  std::mt19937_64 random_;
  std::vector<Memory> gpus_;
  std::map<Connection, std::deque<Value>> connections_;
  std::string error_;
  Value nowhere_ = 0;
};

}  // namespace

std::string run_msccl(const Algorithm& algorithm, const schedule::Collective& collective,
                      const MscclRun& run) {
  return Machine(algorithm, collective, run).run();
}

}  // namespace weft::test
