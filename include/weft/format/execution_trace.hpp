// Execution traces: what each rank computes and sends in a step of training or in one collective,
// with its dependencies, as Chakra's files have it (Sridharan et al., "Chakra: Advancing
// Performance Benchmarking and Co-design using Standardized Execution Traces", 2023).
//
//   const Trace trace = read_trace({.path = "step"});  // step.0.et, step.1.et, ...
//   for (const TraceNode& node : trace.ranks[0].nodes) ...
//
// A file is a rank's: a header, then its nodes in any order, each preceded by its length; it may be
// packed by gzip. What waits for what is said within a rank alone: sends and receives meet by
// sender, receiver, tag and order, collectives by group and order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"

namespace weft::format {

enum class TraceKind : std::uint8_t { metadata, load, store, compute, send, receive, collective };
/// "METADATA", "MEM_LOAD", "MEM_STORE", "COMP", "COMM_SEND", "COMM_RECV", "COMM_COLL".
std::string_view name_of(TraceKind kind);

struct TraceNode {
  std::uint64_t id = 0;
  TraceKind kind = TraceKind::compute;
  bool on_cpu = false;
  CollectiveKind collective = CollectiveKind::allreduce;
  std::optional<std::int32_t> group = {};  // into Trace::groups
  std::optional<std::int32_t> root = {};   // of a collective, as a rank of the trace
  std::int32_t peer = 0;                   // of a send or receive
  std::int32_t tag = 0;                    // likewise
  std::int32_t priority = 0;               // the highest goes first
  /// Of a message; what a rank brings to a collective: a barrier's is one byte.
  std::int64_t bytes = 0;
  std::int64_t duration_ps = 0;
  std::int64_t operations = 0;  // floating-point, of computing
  std::int64_t first_wait = 0, first_letter = 0;
  std::int32_t waits = 0, letters = 0;  // how many, from there on
};

/// What only weft's own files say of a node: which operation of a program it is (operations.hpp).
struct TraceOperation {
  std::optional<program::OperationKind> kind = {};
  program::Stream stream = program::Stream::communication;
  std::int64_t bytes = 0;  // of copies and reductions
  program::Provenance origin = {};
  std::vector<program::ByteRange> reads = {}, writes = {};
  std::optional<std::int32_t> part_of = {};  // it is the reduction of what this node receives
};

struct RankTrace {
  std::vector<TraceNode> nodes;
  std::vector<std::int32_t> waits;         // numbers of nodes
  std::string names;                       // of all nodes
  std::vector<TraceOperation> operations;  // by node; empty where no node says any
  std::int64_t passed_over = 0;  // control dependencies, where some name no node of the file

  /// Numbers of the nodes that it waits for.
  std::span<const std::int32_t> waits_of(const TraceNode& node) const {
    return std::span(waits).subspan(static_cast<std::size_t>(node.first_wait),
                                    static_cast<std::size_t>(node.waits));
  }
  std::string_view name_of(const TraceNode& node) const {
    return std::string_view(names).substr(static_cast<std::size_t>(node.first_letter),
                                          static_cast<std::size_t>(node.letters));
  }
  /// Appends it; its number.
  std::int32_t add(TraceNode node, std::string_view name, std::span<const std::int32_t> after);
};

/// Ranks that collectives join.
struct TraceGroup {
  std::string name;
  std::vector<std::int32_t> ranks;  // none: all

  friend bool operator==(const TraceGroup&, const TraceGroup&) = default;
};

/// What only weft's own files say of the program that their nodes are.
struct TraceProgram {
  std::string name;
  std::int64_t size_B = 0;
  std::vector<std::string> buffers = {"data"};
  std::optional<Collective> collective = {};
};

struct Trace {
  std::vector<RankTrace> ranks;
  std::vector<TraceGroup> groups;
  std::optional<TraceProgram> program = {};
  std::vector<std::string> files;  // by rank, for messages
};

/// The name of a metadata node that says which ranks groups have; `encode` writes it all groups of
/// its rank.
inline constexpr std::string_view kGroupsNode = "## process_group:init ##";

/// PREFIX.RANK.et.
std::string trace_file(const std::string& prefix, std::int32_t rank);

/// Throws InvalidInput where there are files PREFIX.RANK.et of more than these ranks: whoever reads
/// the prefix would take them for a part of the trace that is about to be written; and where there
/// is a folder of such a name.
void require_no_longer_trace(const std::string& prefix, std::int32_t ranks);

/// Reads the files of all ranks, one after the other; `source.path` is what their names begin with,
/// or that of rank 0. O(nodes log nodes); some 110 bytes a node, and the file that is being read
/// (docs/explanation/performance.md). Throws InvalidInput, with file and node, for a rank that is
/// missing, a
/// file that is cut off or none such, nodes of unknown type, attributes of another type than
/// theirs, and nodes that wait for each other in a circle.
Trace read_trace(const ProgramSource& source);

/// The bytes of a rank's file; O(bytes), and the ranks of all groups.
std::string encode(const RankTrace& trace, std::int32_t rank, std::span<const TraceGroup> groups,
                   const std::optional<TraceProgram>& program = {});

/// The numbers of a rank's nodes, each after those that it waits for, else as they stand. Throws
/// InvalidInput, naming a circle, where there is none.
std::vector<std::int32_t> order_of(const RankTrace& trace, std::string_view file);

/// A program's operations as nodes: a reduction of what comes is a node of its own behind the
/// receive. Tags count the messages from a rank to another. Throws InvalidInput for helpers, and
/// for paths that messages are to take. O(operations log operations).
Trace trace_of(const Program& program, const HostParameters& host);

/// The program that its sends, receives and computing nodes are. Throws InvalidInput for
/// collectives and what memory does, and for messages without their other end. O(nodes log nodes).
Program program_of(const Trace& trace, const std::string& name);

/// What the first file says that the program does, which nobody has proved.
std::optional<program::Claim> read_claim(const ProgramSource& source);

/// Whether the bytes may be a trace's file: they begin with a header, packed by gzip or not.
bool is_trace(std::string_view content);

}  // namespace weft::format
