// One message of a trace's file, as its node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/format/execution_trace.hpp"

namespace weft::format {

/// A node before its file's end is known: what it waits for is named by ids, its group by name.
struct RawNode {
  TraceNode node;
  std::string_view name;
  std::vector<std::uint64_t> waits;  // those of control first
  std::size_t controls = 0;          // how many
  std::string group;
  bool has_group = false;
  std::vector<TraceGroup> groups;  // that it defines
  std::optional<TraceOperation> operation;
  std::optional<std::uint64_t> part_of;
};

class NodeReader {
 public:
  /// `file` is for messages.
  explicit NodeReader(const std::string& file);
  ~NodeReader();

  /// Throws InvalidInput for a message that is no header.
  std::optional<TraceProgram> header(std::string_view message);
  /// Of `rank`, from this byte; valid until the next call. Throws InvalidInput.
  const RawNode& node(std::string_view message, std::int64_t place, std::int32_t rank);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the bytes are a header with something in it.
bool is_header(std::string_view message);

/// The groups in what PyTorch says of its own: a list of objects with "pg_name" and "ranks". Throws
/// InvalidInput.
std::vector<TraceGroup> groups_in(std::string_view text);
/// The same of these groups.
std::string text_of(std::span<const TraceGroup> groups);

/// Names of attributes and the numbers of types, for both directions.
namespace words {
inline constexpr std::string_view kVersion = "0.0.4";
inline constexpr std::string_view kOnCpu = "is_cpu_op", kOperations = "num_ops",
                                  kCollective = "comm_type", kPriority = "comm_priority",
                                  kSize = "comm_size", kSource = "comm_src",
                                  kDestination = "comm_dst", kDimensions = "involved_dim",
                                  kTag = "comm_tag", kGroup = "pg_name";
// Ours.
inline constexpr std::string_view kDuration = "weft_duration_ps", kOperation = "weft_operation",
                                  kRanges = "weft_ranges", kPartOf = "weft_part_of",
                                  kProgram = "weft_program", kProgramSize = "weft_size",
                                  kBuffers = "weft_buffers", kPerforms = "weft_collective",
                                  kRoot = "weft_root", kPeer = "weft_peer";
}  // namespace words

/// The number that Chakra has for a collective.
std::int64_t number_of(CollectiveKind kind);

inline constexpr std::int64_t kMicrosecond_ps = 1'000'000;

}  // namespace weft::format
