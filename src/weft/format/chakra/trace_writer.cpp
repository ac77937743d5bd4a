// A rank's trace as the bytes of its file.
#include <fmt/format.h>
#include <messages.pb.h>

#include <algorithm>
#include <utility>

#include "frames.hpp"
#include "node_reader.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format {

namespace {

wire::Attribute& attribute(wire::Node& node, std::string_view name) {
  wire::Attribute& added = *node.add_attributes();
  added.set_name(std::string(name));
  return added;
}

// What computing and memory take, to the picosecond beside Chakra's whole microseconds.
void put_time(const TraceNode& node, wire::Node& out) {
  const std::int64_t whole = (node.duration_ps + kMicrosecond_ps / 2) / kMicrosecond_ps;
  out.set_duration_us(static_cast<std::uint64_t>(whole));
  if (whole * kMicrosecond_ps != node.duration_ps)
    attribute(out, words::kDuration).set_int64_number(node.duration_ps);
}

void put_message(const TraceNode& node, wire::Node& out) {
  attribute(out, words::kSize).set_int64_number(node.bytes);
  attribute(out, node.kind == TraceKind::send ? words::kDestination : words::kSource)
      .set_int32_number(node.peer);
  attribute(out, words::kTag).set_int32_number(node.tag);
}

void put_collective(const TraceNode& node, wire::Node& out) {
  attribute(out, words::kCollective).set_int64_number(number_of(node.collective));
  attribute(out, words::kSize).set_int64_number(node.bytes);
  if (!node.root) return;
  const bool from_root = schedule::traits_of(node.collective).from_root();
  attribute(out, from_root ? words::kSource : words::kDestination).set_int32_number(*node.root);
}

void put_operation(const TraceOperation& operation, const RankTrace& trace, wire::Node& out) {
  if (operation.kind) {
    wire::Integers& list = *attribute(out, words::kOperation).mutable_int64_list();
    for (const std::int64_t number :
         {static_cast<std::int64_t>(*operation.kind), static_cast<std::int64_t>(operation.stream),
          operation.bytes, operation.origin.step, operation.origin.message,
          static_cast<std::int64_t>(operation.origin.segment)})
      list.add_values(number);
  }
  if (!operation.reads.empty() || !operation.writes.empty()) {
    wire::Integers& list = *attribute(out, words::kRanges).mutable_int64_list();
    list.add_values(std::ssize(operation.reads));
    for (const auto* ranges : {&operation.reads, &operation.writes})
      for (const program::ByteRange& range : *ranges)
        for (const std::int64_t number :
             {static_cast<std::int64_t>(range.buffer), range.offset_B, range.bytes})
          list.add_values(number);
  }
  if (operation.part_of)
    attribute(out, words::kPartOf)
        .set_uint64_number(trace.nodes[static_cast<std::size_t>(*operation.part_of)].id);
}

wire::Header header_of(const std::optional<TraceProgram>& program) {
  wire::Header header;
  header.set_version(std::string(words::kVersion));
  if (!program) return header;
  const auto put = [&](std::string_view name) -> wire::Attribute& {
    wire::Attribute& added = *header.add_attributes();
    added.set_name(std::string(name));
    return added;
  };
  put(words::kProgram).set_text(program->name);
  put(words::kProgramSize).set_int64_number(program->size_B);
  wire::Texts& buffers = *put(words::kBuffers).mutable_text_list();
  for (const std::string& name : program->buffers) buffers.add_values(name);
  if (!program->collective) return header;
  put(words::kPerforms).set_text(std::string(schedule::name_of(program->collective->kind)));
  put(words::kRoot).set_int64_number(program->collective->root.value());
  put(words::kPeer).set_int64_number(program->collective->peer.value());
  return header;
}

std::vector<TraceGroup> with_rank(std::span<const TraceGroup> groups, std::int32_t rank) {
  std::vector<TraceGroup> of_rank;
  for (const TraceGroup& group : groups)
    if (std::ranges::find(group.ranks, rank) != group.ranks.end()) of_rank.push_back(group);
  std::ranges::sort(of_rank, {}, [](const TraceGroup& group) {  // "2" before "10"
    return std::pair(group.name.size(), group.name);
  });
  return of_rank;
}

}  // namespace

std::string encode(const RankTrace& trace, std::int32_t rank, std::span<const TraceGroup> groups,
                   const std::optional<TraceProgram>& program) {
  std::string out, bytes;
  append_frame(header_of(program).SerializeAsString(), out);
  wire::Node message;
  for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
    const TraceNode& node = trace.nodes[i];
    message.Clear();
    message.set_id(node.id);
    message.set_name(std::string(trace.name_of(node)));
    message.set_type(static_cast<std::int32_t>(node.kind) + 1);
    for (const std::int32_t before : trace.waits_of(node))
      message.add_data_waits(trace.nodes[static_cast<std::size_t>(before)].id);
    put_time(node, message);
    if (node.kind == TraceKind::metadata && trace.name_of(node) == kGroupsNode)
      message.mutable_inputs()->set_values(text_of(with_rank(groups, rank)));
    if (node.kind != TraceKind::metadata) attribute(message, words::kOnCpu).set_truth(node.on_cpu);
    if (node.operations > 0)
      attribute(message, words::kOperations).set_int64_number(node.operations);
    if (node.kind == TraceKind::send || node.kind == TraceKind::receive) put_message(node, message);
    if (node.kind == TraceKind::collective) put_collective(node, message);
    if (node.priority != 0) attribute(message, words::kPriority).set_int32_number(node.priority);
    if (node.group)
      attribute(message, words::kGroup)
          .set_text(groups[static_cast<std::size_t>(*node.group)].name);
    if (!trace.operations.empty()) put_operation(trace.operations[i], trace, message);
    message.SerializeToString(&bytes);
    append_frame(bytes, out);
  }
  return out;
}

}  // namespace weft::format
