// MSCCL XML: a collective as the steps of each GPU's thread blocks.
//
// One file describes one collective on a fixed number of GPUs. Each GPU has thread blocks, and each
// thread block has at most one peer to send to and one peer to receive from, both on one channel. A
// thread block runs its steps in order. A step may first wait for one step of another thread block
// of the same GPU (`depends_on`); a `nop` step only waits. The i-th send from a to b on a channel
// is the i-th receive of b from a on it.
//
// Buffers are counted in chunks: the user's buffer is divided into `chunks` of equal size, and so
// the input, output and scratch buffers of each GPU hold whole numbers of them.
//
// Three programs read such files, and they differ (profiles): microsoft/msccl (`msccl`),
// Azure/msccl-executor-nccl (`msccl-executor`), and RCCL of ROCm until March 2026 (`rccl`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/schedule/collective.hpp"

namespace weft::format::msccl {

enum class StepType : std::uint8_t {
  send,                      // s: sends the source
  receive,                   // r: writes what comes to the target
  receive_copy_send,         // rcs: writes it to the target and sends it on
  receive_reduce_send,       // rrs: sends on what comes, reduced with the source; writes nothing
  receive_reduce_copy,       // rrc: writes what comes, reduced with the source, to the target
  receive_reduce_copy_send,  // rrcs: does so and sends the result on
  copy,                      // cpy: copies the source to the target
  reduce,                    // re: reduces the source into the target
  nop,                       // only waits
};
inline constexpr int kStepTypes = 9;
/// "s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop".
std::string_view name_of(StepType type);
std::optional<StepType> step_type(std::string_view name);

/// Whether steps of this type send, receive, reduce, read the source, write the target.
bool sends(StepType type);
bool receives(StepType type);
bool reduces(StepType type);
bool reads_source(StepType type);
bool writes_target(StepType type);

enum class Buffer : std::uint8_t { input, output, scratch };
/// "i", "o", "s".
std::string_view name_of(Buffer buffer);

/// Chunks [offset, offset + count) of a buffer, `count` as the step says. -1: none.
struct Place {
  Buffer buffer = Buffer::input;
  std::int32_t offset = -1;

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A step of a thread block of the same GPU.
struct StepId {
  std::int32_t block = -1, step = -1;

  bool exists() const { return block >= 0; }
  friend auto operator<=>(const StepId&, const StepId&) = default;
};

struct Step {
  StepType type = StepType::nop;
  Place source = {}, target = {};
  std::int32_t count = 0;      // chunks
  StepId depends_on = {};      // must be complete before this step starts
  bool has_dependent = false;  // hasdep: another thread block waits for this step
  std::int32_t line = 0;       // of the file; 0: of none
};

struct ThreadBlock {
  std::int32_t send_peer = -1, receive_peer = -1;  // -1: none
  std::int32_t channel = 0;
  std::vector<Step> steps = {};
  std::int32_t line = 0;
};

struct Gpu {
  std::int32_t input_chunks = 0, output_chunks = 0, scratch_chunks = 0;
  std::vector<ThreadBlock> blocks = {};
  std::int32_t line = 0;

  std::int32_t chunks(Buffer buffer) const {
    return buffer == Buffer::input    ? input_chunks
           : buffer == Buffer::output ? output_chunks
                                      : scratch_chunks;
  }
};

enum class Protocol : std::uint8_t { simple, ll128, ll };
/// "Simple", "LL128", "LL".
std::string_view name_of(Protocol protocol);

/// A whole file. gpus[r] is rank r.
struct Algorithm {
  std::string name = {};
  std::string collective =
      {};  // as written: "allreduce", "reduce_scatter", "reducescatter", "custom"
  Protocol protocol = Protocol::simple;
  std::int32_t channels = 0;  // nchannels
  std::int32_t chunks = 0;    // nchunksperloop: into which the larger user buffer is divided
  bool in_place = false;
  std::optional<bool> out_of_place = {};  // nothing: the attribute is missing
  std::optional<std::int64_t> min_bytes = {},
                              max_bytes = {};  // likewise; a maximum of 0 is no limit
  std::vector<Gpu> gpus = {};
  std::string file = {};  // for messages
  // Of a rooted collective, if the user names it. Files do not; root_of() finds it.
  std::optional<std::int32_t> root = {};

  std::int32_t ranks() const { return static_cast<std::int32_t>(gpus.size()); }
  /// Whether callers may pass different buffers, or the same: an old file has `inplace` alone,
  /// which then says both.
  bool works_out_of_place() const { return out_of_place.value_or(!in_place); }
  std::int64_t steps() const;
};

/// Whether MSCCL and MSCCL++ have a name for the collective.
bool has_collective(schedule::CollectiveKind kind);
/// The collective that a file's name stands for; nothing for "custom", "send", "recv" and
/// "alltoallv". The root is rank 0.
std::optional<schedule::Collective> collective_of(std::string_view name, std::int32_t ranks);

/// Chunks of the buffers that callers of a collective pass; of a rooted one, the root.
struct BufferSizes {
  std::int64_t input = 0, output = 0;
  std::int64_t block = 0;    // of each rank; of a broadcast, reduce and allreduce, all
  std::int64_t of_size = 0;  // of what weft's --size says: a block, or the whole buffer
};
/// From nchunksperloop, which counts the chunks of the larger buffer; of a gather and a scatter,
/// those of one rank. Nothing for collectives that have no definition, and where chunks cannot be
/// divided among the ranks. Source: mscclSetupCount of Azure/msccl-executor-nccl.
std::optional<BufferSizes> sizes_of(const Algorithm& algorithm);

/// What a reader of the files takes at most, and what it asks for.
struct Profile {
  std::string_view name;                 // "msccl", "msccl-executor", "rccl"
  std::string_view summary;              // one line
  std::int32_t steps;                    // of a thread block
  std::int32_t blocks;                   // of a GPU
  std::int32_t blocks_per_channel = 32;  // that send, and as many that receive
  std::int32_t channels = 32;
  std::int32_t count = 71;      // chunks of a step
  std::int32_t offset = 32767;  // of a chunk in its buffer
  std::int32_t nodes = 4096;    // elements that the reader keeps: all gpus, blocks and steps of one
  bool needs_window = true;     // outofplace, minBytes and maxBytes must be there
  bool underscore = false;      // reduce_scatter, not reducescatter
};
std::span<const Profile> profiles();
/// Throws InvalidInput with the names.
const Profile& find_profile(std::string_view name);

/// Reads a file. Throws InvalidInput, with file and line, for what is not well-formed: another
/// element or attribute, a missing or repeated one, a number out of range, a missing GPU or thread
/// block, an offset outside its buffer, a step type that does not exist. What is well-formed and
/// wrong (a race, a deadlock, a wrong result) is for check(). O(bytes).
Algorithm read(std::string_view text, const std::string& file);

/// The text of a file for the readers of a profile. O(steps).
std::string write(const Algorithm& algorithm, const Profile& profile);

}  // namespace weft::format::msccl
