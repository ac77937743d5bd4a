// The text of a plan. A line for each operation: JSON, but readable and easy to compare.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "weft/format/mscclpp.hpp"

namespace weft::format::mscclpp {

namespace {

using Ordered = nlohmann::ordered_json;

Ordered json_of(const Slice& slice) {
  Ordered json;
  if (slice.kind == Slice::Kind::local) json["type"] = msccl::name_of(slice.buffer);
  if (slice.kind == Slice::Kind::remote) json["buffer_id"] = slice.id;
  if (slice.kind == Slice::Kind::switched) json["switch_channel_id"] = slice.id;
  json["index"] = slice.index;
  json["size"] = slice.size;
  return json;
}

Ordered json_of(const std::vector<Slice>& slices) {
  Ordered json = Ordered::array();
  for (const Slice& slice : slices) json.push_back(json_of(slice));
  return json;
}

bool reduces(OpType type) {
  constexpr std::array kTypes{OpType::reduce,
                              OpType::reduce_send,
                              OpType::read_reduce,
                              OpType::read_reduce_send,
                              OpType::reduce_packets_send,
                              OpType::reduce_packets,
                              OpType::reduce_packets_copy,
                              OpType::reduce_packets_copy_send,
                              OpType::switch_reduce_store};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

Ordered json_of(const Op& op) {
  Ordered json;
  json["name"] = name_of(op.type);
  if (!op.sources.empty()) json["src_buff"] = json_of(op.sources);
  if (!op.targets.empty()) json["dst_buff"] = json_of(op.targets);
  if (!op.channels.empty()) json["channel_ids"] = op.channels;
  if (op.channel_type != ChannelType::none) json["channel_type"] = name_of(op.channel_type);
  if (reduces(op.type)) json["reduce_op"] = "sum";
  if (op.type == OpType::barrier) {
    json["barrier_id"] = op.barrier;
    json["num_threadblocks"] = op.barrier_blocks;
  }
  if (!op.semaphores.empty()) json["semaphore_ids"] = op.semaphores;
  if (op.shares != 1) json["tbg_info"] = {{"tb_id", op.share}, {"tbg_size", op.shares}};
  if (op.type == OpType::pipeline) {
    json["iter_context"] = {{"unit_size", op.unit_B}, {"num_chunks", op.chunks}};
    json["ops"] = Ordered::array();
    for (const Op& one : op.body) json["ops"].push_back(json_of(one));
  }
  return json;
}

// A list of objects, one a line.
template <class List, class ToJson>
std::string lines_of(const List& list, std::string_view indent, ToJson&& to_json) {
  std::string text;
  for (const auto& one : list)
    text += fmt::format("{}\n{}{}", text.empty() ? "" : ",", indent, to_json(one).dump());
  return text;
}

std::string text_of(const Block& block, std::size_t id) {
  Ordered channels = Ordered::array(), buffers = Ordered::array();
  const auto add = [](Ordered& list, std::string_view key, ChannelType type,
                      std::string_view ids_key, const std::vector<std::int32_t>& ids) {
    if (!ids.empty()) list.push_back({{key, name_of(type)}, {ids_key, ids}});
  };
  add(channels, "channel_type", ChannelType::memory, "channel_ids", block.memory_channels);
  add(channels, "channel_type", ChannelType::port, "channel_ids", block.port_channels);
  add(channels, "channel_type", ChannelType::switched, "channel_ids", block.switch_channels);
  constexpr std::string_view kType = "access_channel_type", kIds = "remote_buffer_ids";
  add(buffers, kType, ChannelType::memory, kIds, block.memory_buffers);
  add(buffers, kType, ChannelType::port, kIds, block.port_buffers);
  return fmt::format(
      "\n   {{\"id\": {}, \"ops\": [{}],\n    \"channels\": {},\n    \"remote_buffer_refs\": {}}}",
      id, lines_of(block.ops, "     ", [](const Op& op) { return json_of(op); }), channels.dump(),
      buffers.dump());
}

Ordered channels_of(const Gpu& gpu) {
  Ordered list = Ordered::array();
  const auto add = [&](ChannelType type, const std::vector<std::int32_t>& peers) {
    if (!peers.empty()) list.push_back({{"channel_type", name_of(type)}, {"connected_to", peers}});
  };
  add(ChannelType::memory, gpu.memory_peers);
  add(ChannelType::port, gpu.port_peers);
  for (const SwitchGroup& group : gpu.switch_groups)
    list.push_back({{"channel_type", "switch"},
                    {"buffer_type", msccl::name_of(group.buffer)},
                    {"rank_groups", {{{"size", group.chunks}, {"ranks", group.ranks}}}}});
  return list;
}

Ordered json_of(const RemoteBuffer& buffer) {
  Ordered types = Ordered::array();
  if (buffer.by_memory) types.push_back("memory");
  if (buffer.by_port) types.push_back("port");
  return {{"rank", buffer.rank},
          {"type", msccl::name_of(buffer.buffer)},
          {"access_channel_types", types}};
}

std::string text_of(const Gpu& gpu, std::size_t id) {
  std::string blocks;
  for (std::size_t b = 0; b < gpu.blocks.size(); ++b)
    blocks += (b == 0 ? "" : ",") + text_of(gpu.blocks[b], b);
  return fmt::format(
      "\n {{\"id\": {}, \"input_chunks\": {}, \"output_chunks\": {}, \"scratch_chunks\": {},\n"
      "  \"threadblocks\": [{}],\n  \"channels\": {},\n  \"remote_buffers\": [{}],\n"
      "  \"semaphores\": [{}]}}",
      id, gpu.input_chunks, gpu.output_chunks, gpu.scratch_chunks, blocks, channels_of(gpu).dump(),
      lines_of(gpu.remote_buffers, "   ", [](const RemoteBuffer& one) { return json_of(one); }),
      lines_of(gpu.semaphores, "   ", [](std::int32_t value) {
        return Ordered{{"init_value", value}};
      }));
}

}  // namespace

std::string write(const Plan& plan) {
  std::string gpus;
  for (std::size_t rank = 0; rank < plan.gpus.size(); ++rank)
    gpus += (rank == 0 ? "" : ",") + text_of(plan.gpus[rank], rank);
  return fmt::format(
      "{{\n\"name\": {},\n\"collective\": {},\n\"protocol\": \"{}\",\n\"inplace\": {},\n"
      "\"reuse_resources\": {},\n\"gpus\": [{}],\n\"num_threads_per_block\": {},\n"
      "\"use_double_scratch_buffer\": {},\n\"buffer_alignment\": {},\n\"min_message_size\": {},\n"
      "\"max_message_size\": {}\n}}\n",
      Ordered(plan.name).dump(), Ordered(plan.collective).dump(), plan.packets ? "LL" : "Simple",
      plan.in_place, plan.reuse_resources, gpus, plan.threads, plan.double_scratch,
      plan.alignment_B, plan.min_B, plan.max_B);
}

}  // namespace weft::format::mscclpp
