// What a plan's operations move.
#include "plan_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::format::mscclpp {

using program::ByteRange;
using program::OperationSpec;
using schedule::Agent;

ByteRange PlanRun::bytes_of(const Slice& slice, const OpRun& run) const {
  const std::int64_t all = slice.size * chunk_B_;
  std::int64_t begin = cut(all, run.op->share, run.op->shares);
  std::int64_t end = cut(all, run.op->share + 1, run.op->shares);
  begin = std::min(begin + run.offset_B, end);
  end = std::min(end, begin + std::min(run.most_B, end - begin));
  WEFT_ASSERT(begin <= end);
  return {0, slice.index * chunk_B_ + begin, end - begin};
}

std::int64_t PlanRun::cut(std::int64_t all, std::int64_t share, std::int64_t shares) const {
  WEFT_ASSERT(all >= 0 && share >= 0 && share <= shares);
  if (all % shares == 0) return all / shares * share;
  const std::int64_t unit = std::min<std::int64_t>(plan_.alignment_B, all);
  WEFT_ASSERT(unit > 0);
  const std::int64_t units = all / unit;
  if (share == shares) return all;
  return (share * (units / shares) + std::min(share, units % shares)) * unit;
}

std::int32_t PlanRun::rank_of(const Block& block, const Op& op, const Slice& slice) const {
  return slice.kind == Slice::Kind::local ? block.rank : remote(block, op, slice).rank;
}

const RemoteBuffer& PlanRun::remote(const Block& block, const Op& op, const Slice& slice) const {
  if (slice.kind == Slice::Kind::switched)
    reject(
        "{}: rank {}, thread block {}: '{}' works in a switch, which programs cannot "
        "express; check the plan with --verify",
        plan_.file, block.rank, block.index, name_of(op.type));
  const auto& list = op.channel_type == ChannelType::port ? block.block->port_buffers
                                                          : block.block->memory_buffers;
  return plan_.gpus[static_cast<std::size_t>(block.rank)]
      .remote_buffers[static_cast<std::size_t>(list[static_cast<std::size_t>(slice.id)])];
}

std::vector<ByteRange> PlanRun::ranges(const Block& block, const OpRun& run, const Slice& slice,
                                       bool packets) const {
  const ByteRange bytes = bytes_of(slice, run);
  if (bytes.bytes == 0) return {};
  if (packets) return {{packets_, bytes.offset_B, bytes.bytes}};
  const Buffer buffer =
      slice.kind == Slice::Kind::local ? slice.buffer : remote(block, *run.op, slice).buffer;
  WEFT_ASSERT(bytes.bytes > 0);
  const std::int64_t first = bytes.offset_B / chunk_B_;
  const std::int64_t last = (bytes.offset_B + bytes.bytes - 1) / chunk_B_;
  std::vector<ByteRange> result;
  std::int64_t skip = bytes.offset_B - first * chunk_B_, left = bytes.bytes;
  rows_.each_run(rank_of(block, *run.op, slice), {buffer, static_cast<std::int32_t>(first)},
                 static_cast<std::int32_t>(last - first + 1),
                 [&](std::int32_t of, std::int64_t at, std::int64_t count) {
                   const std::int64_t size = std::min(left, count * chunk_B_ - skip);
                   result.push_back({of, at * chunk_B_ + skip, size});
                   left -= size;
                   skip = 0;
                 });
  return result;
}

void PlanRun::put(Block& block, const OpRun& run, std::size_t source, std::size_t target,
                  bool from_packets, bool packets) {
  const Slice& to = run.op->targets[target];
  const auto reads = ranges(block, run, run.op->sources[source], from_packets);
  if (reads.empty()) return;
  const std::int32_t peer = remote(block, *run.op, to).rank;
  const std::int32_t reception = message(block, peer, reads, ranges(block, run, to, packets), 0);
  if (packets)
    note_packets(peer, run, to, reception);
  else
    block.pending[peer].push_back(reception);
}

void PlanRun::note_packets(std::int32_t rank, const OpRun& run, const Slice& slice,
                           std::int32_t operation) {
  const ByteRange bytes = bytes_of(slice, run);
  written_[static_cast<std::size_t>(rank)].push_back(
      {bytes.offset_B, bytes.offset_B + bytes.bytes, operation});
}

std::pair<std::size_t, std::size_t> PlanRun::packets_among(const Op& op) {
  switch (op.type) {
    case OpType::unpack_packets:
    case OpType::forward_packets:
      return {0, op.sources.size()};
    case OpType::reduce_packets:
    case OpType::reduce_packets_send:
    case OpType::reduce_packets_copy:
    case OpType::reduce_packets_copy_send:
      return {1, op.sources.size()};
    default:
      return {0, 0};
  }
}

bool PlanRun::has_packets(Block& block, const OpRun& run) {
  const auto [first, end] = packets_among(*run.op);
  std::vector<std::int32_t> writers;
  for (std::size_t i = first; i < end; ++i) {
    const ByteRange bytes = bytes_of(run.op->sources[i], run);
    std::int64_t there = 0;
    for (const Written& one : written_[static_cast<std::size_t>(block.rank)]) {
      const std::int64_t begin = std::max(one.begin_B, bytes.offset_B);
      const std::int64_t stop = std::min(one.end_B, bytes.offset_B + bytes.bytes);
      if (begin >= stop) continue;
      there += stop - begin;
      writers.push_back(one.operation);
    }
    if (there < bytes.bytes) return false;
  }
  block.after.insert(block.after.end(), writers.begin(), writers.end());
  return true;
}

void PlanRun::move(Block& block, const OpRun& run) {
  const Op& op = *run.op;
  switch (op.type) {
    case OpType::put:
    case OpType::put_signal:
    case OpType::put_signal_flush:
      for (std::size_t i = 0; i < op.targets.size(); ++i) put(block, run, i, i, false, false);
      if (op.type != OpType::put)
        for (const std::int32_t channel : op.channels) signal(block, op, channel);
      return;
    case OpType::put_packets:
      for (std::size_t i = 0; i < op.targets.size(); ++i) put(block, run, i, i, false, true);
      return;
    case OpType::forward_packets:
      for (std::size_t i = 0; i < op.targets.size(); ++i) put(block, run, 0, i, true, true);
      return;
    case OpType::get:
      for (std::size_t i = 0; i < op.targets.size(); ++i)
        fetch(block, run, op.sources[i], ranges(block, run, op.targets[i], false), {});
      return;
    case OpType::copy:
      return copy(block, ranges(block, run, op.sources[0], false),
                  ranges(block, run, op.targets[0], false));
    case OpType::unpack_packets:
      return copy(block, ranges(block, run, op.sources[0], true),
                  ranges(block, run, op.targets[0], false));
    case OpType::copy_to_packets:
      // The share of a thread block may have no bytes; then there is no operation to note.
      if (bytes_of(op.targets[0], run).bytes == 0) return;
      copy(block, ranges(block, run, op.sources[0], false),
           ranges(block, run, op.targets[0], true));
      return note_packets(block.rank, run, op.targets[0], block.after.back());
    case OpType::read_reduce:
    case OpType::read_reduce_send:
      reduce_remote(block, run);
      break;
    case OpType::switch_reduce_store:
    case OpType::switch_store:
    case OpType::switch_store_packets:
      (void)remote(block, op, op.targets[0]);  // throws
      return;
    default:
      reduce(block, run);
  }
  send_result(block, run);
}

void PlanRun::copy(Block& block, const std::vector<ByteRange>& from,
                   const std::vector<ByteRange>& to) {
  if (from.empty() || from == to) return;
  add(block, {.kind = OperationKind::copy, .reads = from, .writes = to});
}

void PlanRun::reduce(Block& block, const OpRun& run) {
  WEFT_ASSERT(!run.op->sources.empty() && !run.op->targets.empty());
  const auto [first_packet, end] = packets_among(*run.op);
  const auto target = ranges(block, run, run.op->targets[0], false);
  if (target.empty()) return;
  std::vector<std::vector<ByteRange>> sources;
  for (std::size_t i = 0; i < run.op->sources.size(); ++i)
    sources.push_back(ranges(block, run, run.op->sources[i], i >= first_packet && i < end));
  const auto in_place = std::ranges::find(sources, target);
  if (in_place != sources.end()) {
    sources.erase(in_place);
  } else {
    copy(block, sources.front(), target);
    sources.erase(sources.begin());
  }
  for (const auto& source : sources)
    add(block, {.kind = OperationKind::reduce, .reads = source, .writes = target});
}

void PlanRun::reduce_remote(Block& block, const OpRun& run) {
  const auto own = ranges(block, run, run.op->sources[0], false);
  const auto target = ranges(block, run, run.op->targets[0], false);
  if (target.empty()) return;
  for (std::size_t i = 1; i < run.op->sources.size(); ++i)
    fetch(block, run, run.op->sources[i], target, i == 1 ? own : target);
}

void PlanRun::fetch(Block& block, const OpRun& run, const Slice& source,
                    const std::vector<ByteRange>& target, const std::vector<ByteRange>& operand) {
  const auto reads = ranges(block, run, source, false);
  if (reads.empty()) return;
  const std::int32_t peer = remote(block, *run.op, source).rank;
  std::vector<std::int32_t> waits = known_at(block, peer);
  if (signals_ == Signals::messages) waits = {message(block, peer, {}, {}, kSignal_B)};
  builder_.add(
      Agent(peer),
      {.kind = OperationKind::send, .peer = Agent(block.rank), .reads = reads, .waits = waits});
  add(block, {.kind = operand.empty() ? OperationKind::receive : OperationKind::receive_reduce,
              .peer = Agent(peer),
              .reads = operand == target ? std::vector<ByteRange>() : operand,
              .writes = target});
}

void PlanRun::send_result(Block& block, const OpRun& run) {
  const Op& op = *run.op;
  const bool packets = packets_among(op).second > 0;
  const auto result = ranges(block, run, op.targets[0], false);
  if (result.empty()) return;
  const std::vector<std::int32_t> before = block.after;
  std::vector<std::int32_t> all;
  for (std::size_t i = 1; i < op.targets.size(); ++i) {
    block.after = before;
    const Slice& to = op.targets[i];
    if (to.kind == Slice::Kind::local) {
      copy(block, result, ranges(block, run, to, packets));
      if (packets) note_packets(block.rank, run, to, block.after.back());
    } else {
      const std::int32_t peer = remote(block, op, to).rank;
      const std::int32_t reception =
          message(block, peer, result, ranges(block, run, to, packets), 0);
      if (packets)
        note_packets(peer, run, to, reception);
      else
        block.pending[peer].push_back(reception);
    }
    all.insert(all.end(), block.after.begin(), block.after.end());
  }
  if (!all.empty()) block.after = all;
}

}  // namespace weft::format::mscclpp
