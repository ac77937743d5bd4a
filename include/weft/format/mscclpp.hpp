// MSCCL++ execution plans: a collective as the operations of each GPU's thread blocks, in JSON.
//
// Plans are one-sided. A thread block writes into the memory of another GPU (`put`) and then raises
// a semaphore of its channel to it (`signal`); the other GPU lowers that semaphore again (`wait`)
// before it reads what was written. All threads of a thread block run its operations in order, but
// each at its own pace: what one thread wrote is there for the others only after a `nop`, which
// is a barrier of the thread block's threads. Thread blocks of one GPU wait for each other by
// barriers and semaphores.
//
// Packets (protocol "LL") carry a flag with every few bytes. Who reads a packet waits for the flag,
// so that they need no signal. Packets lie in scratch and take twice the space of their data.
//
// Buffers are counted in chunks of one size. The facts are those of the executor of
// microsoft/mscclpp, src/core/executor and src/core/include/execution_kernel.hpp, August 2026.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/format/msccl.hpp"

namespace weft::format::mscclpp {

using msccl::Buffer;
using msccl::Place;

/// In the order of their names in type_facts().
enum class OpType : std::uint8_t {
  nop,
  barrier,
  put,
  put_signal,
  put_signal_flush,
  get,
  copy,
  signal,
  wait,
  flush,
  reduce,
  reduce_send,
  read_reduce,
  read_reduce_send,
  put_packets,
  forward_packets,
  reduce_packets_send,
  copy_to_packets,
  unpack_packets,
  reduce_packets,
  reduce_packets_copy,
  reduce_packets_copy_send,
  switch_reduce_store,
  switch_store,
  switch_store_packets,
  relaxed_signal,
  relaxed_wait,
  pipeline,
  acquire,
  release,
};
inline constexpr int kOpTypes = 30;
/// "nop", "put", "pws", "sem_acquire" and so on.
std::string_view name_of(OpType type);
std::optional<OpType> op_type(std::string_view name);

enum class ChannelType : std::uint8_t { memory, port, switched, none };
/// "memory", "port", "switch", "none".
std::string_view name_of(ChannelType type);

/// Chunks [index, index + size) of a buffer.
struct Slice {
  enum class Kind : std::uint8_t { local, remote, switched };
  Kind kind = Kind::local;
  Buffer buffer = Buffer::input;  // local: of this GPU
  std::int32_t id = 0;            // remote: in the thread block's list; switched: likewise
  std::int32_t index = 0, size = 0;

  friend bool operator==(const Slice&, const Slice&) = default;
};

struct Op {
  OpType type = OpType::nop;
  ChannelType channel_type = ChannelType::none;
  std::vector<std::int32_t> channels = {};  // in the thread block's list of this type
  std::vector<Slice> sources = {}, targets = {};
  std::int32_t barrier = 0, barrier_blocks = 0;  // its number, and how many thread blocks meet
  std::vector<std::int32_t> semaphores = {};
  std::int32_t share = 0, shares = 1;  // tbg_info: this part of the data, of so many
  std::int64_t unit_B = 0;             // pipeline: bytes of an iteration
  std::int32_t chunks = 0;             // pipeline: what all iterations cover
  std::vector<Op> body = {};           // pipeline

  friend bool operator==(const Op&, const Op&) = default;
};

struct Block {
  std::vector<Op> ops = {};
  /// What the numbers in operations stand for: channels and remote buffers of the GPU.
  std::vector<std::int32_t> memory_channels = {}, port_channels = {}, switch_channels = {};
  std::vector<std::int32_t> memory_buffers = {}, port_buffers = {};

  friend bool operator==(const Block&, const Block&) = default;
};

struct RemoteBuffer {
  std::int32_t rank = 0;
  Buffer buffer = Buffer::input;
  bool by_memory = false, by_port = false;  // access_channel_types

  friend bool operator==(const RemoteBuffer&, const RemoteBuffer&) = default;
};

/// A group of GPUs whose buffers a switch reads and writes as one.
struct SwitchGroup {
  Buffer buffer = Buffer::input;
  std::int32_t chunks = 0;
  std::vector<std::int32_t> ranks = {};

  friend bool operator==(const SwitchGroup&, const SwitchGroup&) = default;
};

struct Gpu {
  std::int32_t input_chunks = 0, output_chunks = 0, scratch_chunks = 0;
  /// The peer of each channel. The k-th channel of a to b is the k-th one of b to a.
  std::vector<std::int32_t> memory_peers = {}, port_peers = {};
  std::vector<SwitchGroup> switch_groups = {};
  std::vector<RemoteBuffer> remote_buffers = {};
  std::vector<std::int32_t> semaphores = {};  // their values at first
  std::vector<Block> blocks = {};

  std::int32_t chunks(Buffer buffer) const {
    return buffer == Buffer::input    ? input_chunks
           : buffer == Buffer::output ? output_chunks
                                      : scratch_chunks;
  }
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

/// A whole file. gpus[r] is rank r.
struct Plan {
  std::string name = {};
  std::string collective = {};  // "allreduce", "reducescatter", "custom", ...
  bool packets = false;         // protocol "LL", else "Simple"
  bool in_place = false;
  bool reuse_resources = false, double_scratch = false;
  std::int32_t alignment_B = 16, threads = 1024;
  /// Of the output buffer for an allgather, of the input buffer otherwise.
  std::uint64_t min_B = 0, max_B = kNoLimit;
  std::vector<Gpu> gpus = {};
  std::string file = {};  // for messages; not in the file

  std::int32_t ranks() const { return static_cast<std::int32_t>(gpus.size()); }
};

/// What the executor takes at most.
struct Limits {
  std::int32_t ops = 64;             // of a thread block; those within a pipeline count
  std::int32_t channels = 16;        // of each type in a thread block
  std::int32_t remote_buffers = 16;  // likewise
  std::int32_t op_channels = 8;      // of an operation
  std::int32_t op_slices = 10;       // sources, or targets, of an operation
  std::int32_t op_semaphores = 16;   // of an operation
  std::int32_t barriers = 16;        // of a GPU
  /// The executor has no limit of its own, but all thread blocks of a GPU must run at once; an A100
  /// has 108 multiprocessors, newer GPUs have more.
  std::int32_t blocks = 108;
  std::int64_t buffer_B = std::int64_t{1} << 32;  // offsets are 32 bits wide
};

/// Reads a file. Throws InvalidInput for what is no plan at all, and WrongContent, with the path to
/// the place
/// (`gpus[3].threadblocks[1].ops[7]`), for what is not well-formed: no JSON, an unknown, missing or
/// repeated key, a number out of range, a channel, buffer or semaphore that does not exist, an
/// offset outside its buffer. What is well-formed and wrong (a race, a hang, a wrong result) is for
/// check(). O(bytes).
Plan read(std::string_view text, const std::string& file);

/// An operation that reaches beyond the end of a buffer.
struct Outside {
  std::int32_t rank = 0, block = 0, op = 0;
  std::string text;  // where and how
};
/// The first such operation; nothing: there is none.
std::optional<Outside> first_outside(const Plan& plan);

/// The text of a file. O(operations).
std::string write(const Plan& plan);

}  // namespace weft::format::mscclpp
