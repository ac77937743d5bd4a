#include "limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "weft/base/text.hpp"

namespace weft::format::mscclpp::checking {

namespace {

class LimitChecker {
 public:
  LimitChecker(const Plan& plan, const Places& places, msccl::Findings& findings)
      : plan_(plan), places_(places), findings_(findings) {}

  void run() {
    for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
      const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
      check_gpu(gpu, rank);
      for (std::int32_t b = 0; b < std::ssize(gpu.blocks); ++b)
        check_block(gpu, gpu.blocks[static_cast<std::size_t>(b)], rank, b);
      check_barriers(gpu, rank);
    }
    check_sizes();
  }

 private:
  void at_rank(std::string kind, std::int32_t rank, std::int32_t block, std::string text) {
    findings_.add(Severity::limit, [&] { return finding_of(kind, text, rank, block); });
  }
  void at_op(Severity severity, std::string kind, const OpId& id, const std::string& text) {
    findings_.add(severity, [&] {
      return places_.finding(kind, id, fmt::format("{}: {}", places_.name(id), text));
    });
  }

  void check_gpu(const Gpu& gpu, std::int32_t rank) {
    if (gpu.input_chunks == 0 || gpu.output_chunks == 0)
      at_rank(
          "chunks", rank, -1,
          fmt::format("rank {} has {} chunks of input and {} of output, and the executor divides "
                      "by both",
                      rank, gpu.input_chunks, gpu.output_chunks));
    if (std::ssize(gpu.blocks) > limits_.blocks)
      at_rank(
          "blocks", rank, -1,
          fmt::format("rank {} has {} thread blocks, which must all run at once; GPUs run about "
                      "{}",
                      rank, gpu.blocks.size(), limits_.blocks));
  }

  void check_block(const Gpu& gpu, const Block& block, std::int32_t rank, std::int32_t b) {
    std::ptrdiff_t ops = std::ssize(block.ops);
    for (const Op& op : block.ops) ops += std::ssize(op.body);
    const auto most = [&](std::string_view what, std::ptrdiff_t count, std::int32_t limit) {
      if (count > limit)
        at_rank("limit", rank, b,
                fmt::format("rank {}, thread block {} has {} {}, but the executor allows {}", rank,
                            b, count, what, limit));
    };
    most("operations", ops, limits_.ops);
    most("memory channels", std::ssize(block.memory_channels), limits_.channels);
    most("port channels", std::ssize(block.port_channels), limits_.channels);
    most("switch channels", std::ssize(block.switch_channels), limits_.channels);
    most("remote buffers by memory", std::ssize(block.memory_buffers), limits_.remote_buffers);
    most("remote buffers by port", std::ssize(block.port_buffers), limits_.remote_buffers);
    const auto& flat = places_.of(rank, b);
    for (std::int32_t i = 0; i < std::ssize(flat); ++i)
      if (flat[static_cast<std::size_t>(i)].iteration <= 0)
        check_op(gpu, block, flat[static_cast<std::size_t>(i)], {rank, b, i});
  }

  void check_op(const Gpu& gpu, const Block& block, const FlatOp& flat, const OpId& id) {
    const Op& op = *flat.op;
    const auto most = [&](std::string_view what, std::ptrdiff_t count, std::int32_t limit) {
      if (count > limit)
        at_op(Severity::limit, "limit", id,
              fmt::format("{} {}, but the executor allows {}", count, what, limit));
    };
    most("channels", std::ssize(op.channels), limits_.op_channels);
    most("sources", std::ssize(op.sources), limits_.op_slices);
    most("targets", std::ssize(op.targets), limits_.op_slices);
    most("semaphores", std::ssize(op.semaphores), limits_.op_semaphores);
    check_meaning(op, id);
    check_packets(gpu, block, op, id);
    if (flat.iteration == 0) check_in_pipeline(flat, id);
  }

  // Where the executor does not do what the operation says.
  void check_meaning(const Op& op, const OpId& id) {
    const bool memory = op.channel_type == ChannelType::memory;
    const bool port = op.channel_type == ChannelType::port;
    const auto fault = [&](std::string kind, const std::string& text) {
      at_op(Severity::fault, std::move(kind), id, text);
    };
    if ((op.type == OpType::put_signal || op.type == OpType::put_signal_flush) && memory)
      fault("no-signal",
            "the executor does not signal when it puts through memory channels; write put, nop "
            "and signal");
    if (op.type == OpType::flush && (!port || op.targets.empty()))
      fault("no-flush",
            "the executor flushes one port channel for each entry of dst_buff, which has none; "
            "use pwsf");
    if (op.type == OpType::get)
      for (std::size_t i = 0; i < op.sources.size(); ++i)
        if (op.sources[i].index != op.targets[i].index)
          fault("swapped-offsets", fmt::format("the executor swaps the offsets of get, so they "
                                               "must be equal, but src_buff[{}] has "
                                               "index {} and dst_buff[{}] {}",
                                               i, op.sources[i].index, i, op.targets[i].index));
    if ((op.type == OpType::put && memory) || op.type == OpType::put_packets)
      for (std::size_t i = 1; i < op.sources.size(); ++i)
        if (op.sources[i].buffer != op.sources[0].buffer)
          fault("first-buffer", fmt::format("the executor reads all sources from the buffer of the "
                                            "first, but src_buff[{}] is in "
                                            "another",
                                            i));
    const bool memory_only =
        op.type == OpType::get || op.type == OpType::reduce_send ||
        op.type == OpType::read_reduce || op.type == OpType::read_reduce_send ||
        op.type == OpType::reduce_packets_send || op.type == OpType::reduce_packets_copy_send;
    if (memory_only && port)
      fault("memory-only", "the executor supports this only through memory channels");
    if (op.type == OpType::put_packets && port)
      fault("ports-of-packets",
            "through ports the executor reads the source for packets; use cpkt and rppkt");
  }

  // Packets lie in scratch, and in plans with packets alone.
  void check_packets(const Gpu& gpu, const Block& block, const Op& op, const OpId& id) {
    if (!works_by_packets(op.type)) {
      check_plain_scratch(gpu, block, op, id);
      return;
    }
    if (!plan_.packets)
      at_op(Severity::fault, "no-packets", id,
            "a plan of protocol Simple has no room for packets; write \"protocol\": \"LL\"");
  }

  // Puts do not know of the second half of a double scratch.
  void check_plain_scratch(const Gpu& gpu, const Block& block, const Op& op, const OpId& id) {
    if (!plan_.double_scratch || op.channel_type != ChannelType::memory) return;
    for (const auto* slices : {&op.sources, &op.targets})
      for (const Slice& slice : *slices) {
        if (slice.kind != Slice::Kind::remote) continue;
        const auto buffer =
            static_cast<std::size_t>(block.memory_buffers[static_cast<std::size_t>(slice.id)]);
        if (gpu.remote_buffers[buffer].buffer == Buffer::scratch)
          at_op(Severity::fault, "double-scratch", id,
                "with two scratch buffers the executor always takes the first one of another GPU "
                "here, and by turns at home");
      }
  }

  void check_in_pipeline(const FlatOp& flat, const OpId& id) {
    const Op& op = *flat.op;
    if (works_by_packets(op.type))
      at_op(Severity::fault, "pipeline", id, "operations on packets do not go by iterations");
    for (const auto* slices : {&op.sources, &op.targets})
      for (const Slice& slice : *slices)
        if (slice.size != flat.pipeline_chunks)
          at_op(Severity::fault, "pipeline", id,
                fmt::format("it moves {} chunks in a pipeline over {}; the numbers must be equal",
                            slice.size, flat.pipeline_chunks));
  }

  void check_barriers(const Gpu& gpu, std::int32_t rank) {
    std::map<std::int32_t, std::set<std::int32_t>> blocks;  // by barrier
    std::map<std::int32_t, OpId> first;
    std::map<std::int32_t, std::int32_t> wanted;
    for (std::int32_t b = 0; b < std::ssize(gpu.blocks); ++b) {
      const auto& flat = places_.of(rank, b);
      for (std::int32_t i = 0; i < std::ssize(flat); ++i) {
        const Op& op = *flat[static_cast<std::size_t>(i)].op;
        if (op.type != OpType::barrier) continue;
        blocks[op.barrier].insert(b);
        const OpId id{rank, b, i};
        first.try_emplace(op.barrier, id);
        wanted.try_emplace(op.barrier, op.barrier_blocks);
        if (wanted[op.barrier] != op.barrier_blocks)
          at_op(Severity::fault, "barrier", id, "num_threadblocks differs from that of others");
      }
    }
    for (const auto& [barrier, users] : blocks) {
      if (barrier >= limits_.barriers)
        at_op(Severity::limit, "limit", first[barrier],
              fmt::format("barrier {}, and the executor has {}", barrier, limits_.barriers));
      if (std::ssize(users) != wanted[barrier])
        at_op(Severity::fault, "barrier", first[barrier],
              fmt::format("{} come to barrier {}, which waits for {}",
                          counted(std::ssize(users), "thread block"), barrier, wanted[barrier]));
    }
  }

  void check_sizes() {
    const Gpu& first = plan_.gpus.front();
    for (std::int32_t rank = 0; rank < plan_.ranks(); ++rank) {
      const Gpu& gpu = plan_.gpus[static_cast<std::size_t>(rank)];
      if (gpu.input_chunks != first.input_chunks || gpu.output_chunks != first.output_chunks)
        at_rank(
            "chunks", rank, -1,
            fmt::format("rank {} has other numbers of chunks than rank 0, and both have buffers "
                        "of one size",
                        rank));
    }
    if (plan_.min_B > plan_.max_B)
      at_rank("sizes", -1, -1,
              fmt::format("min_message_size {} is above max_message_size {}", plan_.min_B,
                          plan_.max_B));
  }

  const Plan& plan_;
  const Places& places_;
  msccl::Findings& findings_;
  Limits limits_ = {};
};

}  // namespace

void check_limits(const Plan& plan, const Places& places, msccl::Findings& findings) {
  LimitChecker(plan, places, findings).run();
}

}  // namespace weft::format::mscclpp::checking
