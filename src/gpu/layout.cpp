#include "layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "weft/base/error.hpp"

namespace weft::gpu {

namespace msccl = format::msccl;

namespace {

constexpr std::int64_t kAlign_B = 256;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlign_B - 1) / kAlign_B * kAlign_B;
}

DeviceStep device_step(const msccl::Step& step) {
  return {.receives = receives(step.type),
          .sends = sends(step.type),
          .reads = reads_source(step.type),
          .writes = writes_target(step.type),
          .adds = reduces(step.type),
          .publishes = step.has_dependent,
          .source_buffer = static_cast<std::int32_t>(step.source.buffer),
          .source = std::max(step.source.offset, 0),
          .target_buffer = static_cast<std::int32_t>(step.target.buffer),
          .target = std::max(step.target.offset, 0),
          .count = step.type == msccl::StepType::nop ? 0 : step.count,
          .wait_block = step.depends_on.block,
          .wait_step = step.depends_on.step};
}

template <class T>
void put(std::vector<unsigned char>& bytes, std::int64_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

Layout::Layout(const msccl::Algorithm& algorithm, const Problem& problem, std::int64_t chunk,
               const LayoutOptions& options)
    : algorithm_(algorithm), problem_(problem), options_(options) {
  for (const msccl::Gpu& gpu : algorithm.gpus)
    for (const msccl::ThreadBlock& block : gpu.blocks)
      for (const msccl::Step& step : block.steps) most_count_ = std::max(most_count_, step.count);
  find_peers();
  for (int rank = 0; rank < ranks(); ++rank) lay_out(rank, chunk);
}

void Layout::find_peers() {
  struct Connection {
    int send_block = -1, receive_block = -1;
    std::int64_t sends = 0, receives = 0;
    std::int32_t line = 0;
  };
  std::map<std::tuple<int, int, int>, Connection> connections;  // from, to, channel
  const auto each = [&](auto&& visit) {
    for (int rank = 0; rank < ranks(); ++rank)
      for (int b = 0; b < blocks(rank); ++b) {
        const msccl::ThreadBlock& block =
            algorithm_.gpus[static_cast<std::size_t>(rank)].blocks[static_cast<std::size_t>(b)];
        if (block.send_peer >= 0)
          visit(rank, b, block, connections[{rank, block.send_peer, block.channel}], true);
        if (block.receive_peer >= 0)
          visit(rank, b, block, connections[{block.receive_peer, rank, block.channel}], false);
      }
  };
  each([&](int, int b, const msccl::ThreadBlock& block, Connection& connection, bool sends) {
    int& end = sends ? connection.send_block : connection.receive_block;
    require(end < 0,
            "{}:{}: another thread block {} the same peer on channel {}; use another channel",
            algorithm_.file, block.line, sends ? "sends to" : "receives from", block.channel);
    end = b;
    connection.line = block.line;
    for (const msccl::Step& step : block.steps)
      (sends ? connection.sends : connection.receives) +=
          sends ? msccl::sends(step.type) : msccl::receives(step.type);
  });
  for (const auto& [key, connection] : connections)
    require(connection.sends == connection.receives,
            "{}:{}: rank {} sends {} messages to rank {} on channel {}, but the peer receives {}",
            algorithm_.file, connection.line, std::get<0>(key), connection.sends, std::get<1>(key),
            std::get<2>(key), connection.receives);
  for (int rank = 0; rank < ranks(); ++rank)
    peers_.emplace_back(static_cast<std::size_t>(blocks(rank)));
  each([&](int rank, int b, const msccl::ThreadBlock&, const Connection& connection, bool sends) {
    Peers& peers = peers_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(b)];
    (sends ? peers.send_block : peers.receive_block) =
        sends ? connection.receive_block : connection.send_block;
  });
}

void Layout::lay_out(int rank, std::int64_t chunk) {
  const msccl::Gpu& gpu = algorithm_.gpus[static_cast<std::size_t>(rank)];
  std::int64_t steps = 0, at_B = 0;
  for (const msccl::ThreadBlock& block : gpu.blocks) steps += std::ssize(block.steps);
  const std::int64_t counters_B = std::ssize(gpu.blocks) * std::int64_t{sizeof(Counter)};
  const auto take = [&](std::int64_t bytes) {
    const std::int64_t first_B = at_B;
    at_B = aligned(at_B + bytes);
    return first_B;
  };
  Offsets offsets{};
  offsets.filled_B = take(counters_B);
  offsets.emptied_B = take(counters_B);
  offsets.progress_B = take(counters_B);
  offsets.stuck_B = take(counters_B);
  offsets.steps_B = take(steps * std::int64_t{sizeof(DeviceStep)});
  offsets.blocks_B = take(std::ssize(gpu.blocks) * std::int64_t{sizeof(DeviceBlock)});
  offsets.slots_B = take(std::ssize(gpu.blocks) * options_.slots * options_.slot_B);
  const std::int64_t chunk_B = chunk * std::int64_t{sizeof(Word)};
  offsets.buffers_B[0] = take(problem_.input_chunks(rank) * chunk_B);
  offsets.buffers_B[1] = take(problem_.output_chunks(rank) * chunk_B);
  offsets.buffers_B[2] = take(gpu.scratch_chunks * chunk_B);
  offsets.end_B = at_B;
  offsets_.push_back(offsets);
}

std::int64_t Layout::slot_at_B(int rank, int block) const {
  return offsets_[static_cast<std::size_t>(rank)].slots_B +
         std::int64_t{block} * options_.slots * options_.slot_B;
}

std::vector<unsigned char> Layout::head(int rank, const std::vector<unsigned char*>& bases) const {
  const msccl::Gpu& gpu = algorithm_.gpus[static_cast<std::size_t>(rank)];
  const Offsets& own = offsets_[static_cast<std::size_t>(rank)];
  std::vector<unsigned char> bytes(static_cast<std::size_t>(own.slots_B));
  const auto counter = [&](int at, std::int64_t first_B, int block) {
    return reinterpret_cast<Counter*>(bases[static_cast<std::size_t>(at)] + first_B) + block;
  };
  const auto slots = [&](int at, int block) {
    return reinterpret_cast<Word*>(bases[static_cast<std::size_t>(at)] + slot_at_B(at, block));
  };
  std::int32_t steps = 0;
  for (int b = 0; b < blocks(rank); ++b) {
    const msccl::ThreadBlock& block = gpu.blocks[static_cast<std::size_t>(b)];
    const Peers& peers = peers_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(b)];
    DeviceBlock made{};
    made.first_step = steps;
    made.steps = static_cast<std::int32_t>(block.steps.size());
    if (peers.send_block >= 0) {
      const int to = block.send_peer;
      made.peer_slots = slots(to, peers.send_block);
      made.peer_filled =
          counter(to, offsets_[static_cast<std::size_t>(to)].filled_B, peers.send_block);
      made.emptied = counter(rank, own.emptied_B, b);
    }
    if (peers.receive_block >= 0) {
      const int from = block.receive_peer;
      made.slots = slots(rank, b);
      made.filled = counter(rank, own.filled_B, b);
      made.peer_emptied =
          counter(from, offsets_[static_cast<std::size_t>(from)].emptied_B, peers.receive_block);
    }
    put(bytes, own.blocks_B + b * std::int64_t{sizeof made}, made);
    for (const msccl::Step& step : block.steps)
      put(bytes, own.steps_B + steps++ * std::int64_t{sizeof(DeviceStep)}, device_step(step));
  }
  return bytes;
}

DeviceRank Layout::device_rank(int rank, unsigned char* base, std::int64_t chunk, bool in_place,
                               const volatile int* stop) const {
  const Offsets& own = offsets_[static_cast<std::size_t>(rank)];
  const auto words = [&](std::int64_t at_B) { return reinterpret_cast<Word*>(base + at_B); };
  DeviceRank made{};
  made.steps = reinterpret_cast<const DeviceStep*>(base + own.steps_B);
  made.blocks = reinterpret_cast<DeviceBlock*>(base + own.blocks_B);
  made.block_count = blocks(rank);
  made.buffers[0] = words(input_B(rank, chunk, in_place));
  made.buffers[1] = words(output_B(rank, chunk, in_place));
  made.buffers[2] = words(own.buffers_B[2]);
  made.progress = reinterpret_cast<Counter*>(base + own.progress_B);
  made.stuck = reinterpret_cast<Counter*>(base + own.stuck_B);
  made.slot = options_.slot_B / std::int64_t{sizeof(Word)};
  made.chunk = chunk;
  made.part = std::min(chunk, made.slot / most_count_);
  made.slots = options_.slots;
  made.stop = stop;
  return made;
}

std::int64_t Layout::call_counters_B(int rank) const {
  return offsets_[static_cast<std::size_t>(rank)].progress_B;
}
std::int64_t Layout::call_counters_bytes(int rank) const {
  const Offsets& own = offsets_[static_cast<std::size_t>(rank)];
  return own.steps_B - own.progress_B;
}

std::int64_t Layout::stuck_B(int rank) const {
  return offsets_[static_cast<std::size_t>(rank)].stuck_B;
}
std::int64_t Layout::data_B(int rank) const {
  return offsets_[static_cast<std::size_t>(rank)].buffers_B[0];
}

// In place, the smaller buffer is this rank's part of the larger one.
std::int64_t Layout::input_B(int rank, std::int64_t chunk, bool in_place) const {
  const std::int64_t in = problem_.input_chunks(rank), out = problem_.output_chunks(rank);
  const auto& buffers_B = offsets_[static_cast<std::size_t>(rank)].buffers_B;
  if (!in_place || in >= out) return buffers_B[0];
  return buffers_B[1] + rank * in * chunk * std::int64_t{sizeof(Word)};
}
std::int64_t Layout::output_B(int rank, std::int64_t chunk, bool in_place) const {
  const std::int64_t in = problem_.input_chunks(rank), out = problem_.output_chunks(rank);
  const auto& buffers_B = offsets_[static_cast<std::size_t>(rank)].buffers_B;
  if (!in_place || in < out) return buffers_B[1];
  return buffers_B[0] + (in > out ? rank * out : 0) * chunk * std::int64_t{sizeof(Word)};
}

std::string stuck_text(const msccl::Algorithm& algorithm, int rank, int block, Counter stuck) {
  const msccl::ThreadBlock& found =
      algorithm.gpus[static_cast<std::size_t>(rank)].blocks[static_cast<std::size_t>(block)];
  const std::size_t step = static_cast<std::size_t>((stuck - 1) % found.steps.size());
  return fmt::format("rank {}, thread block {}, step {} ({}, line {})", rank, block, step,
                     name_of(found.steps[step].type), found.steps[step].line);
}

}  // namespace weft::gpu
