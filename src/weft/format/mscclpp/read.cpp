// The reader of MSCCL++ execution plans.
//
// The executor passes over what it does not know and crashes on what is missing. This refuses both,
// with the path to the place: a misspelt key would change what a plan does.
#include "node.hpp"

namespace weft::format::mscclpp {

namespace {

constexpr std::int64_t kMostRanks = 1 << 16;

// Names of MSCCL++'s own language (python/mscclpp/language/collectives.py), then of weft's plans
// and of MSCCL.
constexpr std::array<std::string_view, 13> kCollectives{
    "allreduce", "allgather", "reducescatter",  "alltoall",  "custom",  "test",    "broadcast",
    "reduce",    "gather",    "reduce_scatter", "alltoallv", "scatter", "sendrecv"};

// Only a name of the list says which result to check.
std::string collective_of(const Node& node) {
  std::string name = node.text();
  const std::vector<std::string> known(kCollectives.begin(), kCollectives.end());
  if (std::ranges::find(known, name) == known.end())
    node.refuse("{}; use custom for any other collective",
                unknown_text({"collective", name, "of MSCCL++"}, known));
  return name;
}

class PlanReader {
 public:
  PlanReader(const Node& root, Plan& plan) : root_(root), plan_(plan) {}

  void read() {
    root_.require_object(std::array<std::string_view, 11>{
        "name", "collective", "protocol", "inplace", "reuse_resources", "use_double_scratch_buffer",
        "buffer_alignment", "num_threads_per_block", "min_message_size", "max_message_size",
        "gpus"});
    plan_.name = root_["name"].text();
    plan_.collective = collective_of(root_["collective"]);
    plan_.packets = root_["protocol"].one_of(std::array<std::string_view, 2>{"Simple", "LL"}) == 1;
    plan_.in_place = root_["inplace"].flag();
    if (root_.has("reuse_resources")) plan_.reuse_resources = root_["reuse_resources"].flag();
    if (root_.has("use_double_scratch_buffer"))
      plan_.double_scratch = root_["use_double_scratch_buffer"].flag();
    if (root_.has("buffer_alignment"))
      plan_.alignment_B = root_["buffer_alignment"].integer(1, 1 << 20);
    if (root_.has("num_threads_per_block"))
      plan_.threads = root_["num_threads_per_block"].integer(1, 1024);
    if (root_.has("min_message_size")) plan_.min_B = root_["min_message_size"].bytes();
    if (root_.has("max_message_size")) plan_.max_B = root_["max_message_size"].bytes();
    // Channels and buffers of all GPUs first: operations name those of others.
    const Node gpus = root_["gpus"];
    gpus.each(kMostRanks, [&](const Node&) { plan_.gpus.emplace_back(); });
    if (plan_.gpus.empty()) gpus.refuse("the plan has no GPU");
    std::int32_t rank = 0;
    gpus.each(kMostRanks, [&](const Node& node) { read_resources(node, rank++); });
    rank = 0;
    gpus.each(kMostRanks, [&](const Node& node) { read_blocks(node, rank++); });
  }

 private:
  Gpu& gpu(std::int32_t rank) { return plan_.gpus[static_cast<std::size_t>(rank)]; }

  std::int32_t peer(const Node& node, std::int32_t rank) const {
    const std::int32_t one = node.integer(0, plan_.ranks() - 1);
    if (one == rank) node.refuse("GPU {} is its own peer", rank);
    return one;
  }

  void read_resources(const Node& node, std::int32_t rank) {
    node.require_object(std::array<std::string_view, 8>{
        "id", "input_chunks", "output_chunks", "scratch_chunks", "threadblocks", "channels",
        "remote_buffers", "semaphores"});
    if (node["id"].integer(0, kMostRanks) != rank)
      node["id"].refuse("GPUs must be in the order of their ranks, and this one is {}", rank);
    Gpu& one = gpu(rank);
    one.input_chunks = node["input_chunks"].integer(0, kMostChunks);
    one.output_chunks = node["output_chunks"].integer(0, kMostChunks);
    one.scratch_chunks = node["scratch_chunks"].integer(0, kMostChunks);
    if (node.has("channels"))
      node["channels"].each(kMostNumber, [&](const Node& channel) { read_channel(channel, rank); });
    if (node.has("remote_buffers"))
      node["remote_buffers"].each(kMostNumber, [&](const Node& buffer) {
        one.remote_buffers.push_back(remote_buffer(buffer, rank));
      });
    if (node.has("semaphores"))
      node["semaphores"].each(kMostNumber, [&](const Node& semaphore) {
        semaphore.require_object(std::array<std::string_view, 1>{"init_value"});
        one.semaphores.push_back(semaphore["init_value"].integer(0, kMostNumber));
      });
  }

  void read_channel(const Node& node, std::int32_t rank) {
    node.require_object(std::array<std::string_view, 4>{"channel_type", "connected_to",
                                                        "buffer_type", "rank_groups"});
    const ChannelType type = channel_type_of(node["channel_type"]);
    if (type == ChannelType::switched) return read_switch(node, rank);
    node["connected_to"].each(kMostNumber, [&](const Node& one) {
      const std::int32_t to = peer(one, rank);
      if (type == ChannelType::memory) gpu(rank).memory_peers.push_back(to);
      if (type == ChannelType::port) gpu(rank).port_peers.push_back(to);
    });
  }

  void read_switch(const Node& node, std::int32_t rank) {
    const Buffer buffer = buffer_of(node["buffer_type"]);
    node["rank_groups"].each(kMostNumber, [&](const Node& group) {
      group.require_object(std::array<std::string_view, 2>{"size", "ranks"});
      gpu(rank).switch_groups.push_back(
          {.buffer = buffer,
           .chunks = group["size"].integer(0, kMostChunks),
           .ranks = group["ranks"].integers(kMostRanks, plan_.ranks() - 1)});
      if (gpu(rank).switch_groups.back().ranks.empty())
        group["ranks"].refuse("the list is empty; name the ranks of the group");
    });
  }

  RemoteBuffer remote_buffer(const Node& node, std::int32_t rank) const {
    node.require_object(std::array<std::string_view, 3>{"rank", "type", "access_channel_types"});
    RemoteBuffer result{.rank = peer(node["rank"], rank), .buffer = buffer_of(node["type"])};
    node["access_channel_types"].each(4, [&](const Node& type) {
      const ChannelType one = channel_type_of(type);
      if (one == ChannelType::memory) result.by_memory = true;
      if (one == ChannelType::port) result.by_port = true;
    });
    return result;
  }

  void read_blocks(const Node& node, std::int32_t rank) {
    node["threadblocks"].each(kMostNumber, [&](const Node& block) {
      Gpu& one = gpu(rank);
      block.require_object(
          std::array<std::string_view, 4>{"id", "ops", "channels", "remote_buffer_refs"});
      if (block["id"].number(0, kMostNumber) != std::ssize(one.blocks))
        block["id"].refuse(
            "thread blocks must be in the order of their numbers, and this one is {}",
            one.blocks.size());
      Block& made = one.blocks.emplace_back();
      if (block.has("channels")) read_block_channels(block["channels"], one, made);
      if (block.has("remote_buffer_refs"))
        read_block_buffers(block["remote_buffer_refs"], one, made);
      block["ops"].each(kMostNumber,
                        [&](const Node& op) { made.ops.push_back(read_op(op, one, made)); });
    });
  }

  static void read_block_channels(const Node& node, const Gpu& gpu, Block& block) {
    node.each(kMostNumber, [&](const Node& one) {
      one.require_object(std::array<std::string_view, 3>{"channel_type", "channel_ids", "buff"});
      const ChannelType type = channel_type_of(one["channel_type"]);
      const auto add = [&](std::vector<std::int32_t>& list, std::ptrdiff_t count) {
        for (const std::int32_t id : one["channel_ids"].integers(kMostNumber, kMostNumber)) {
          if (id >= count)
            one["channel_ids"].refuse("the GPU has no {} channel {} (it has {}; the first is 0)",
                                      name_of(type), id, count);
          list.push_back(id);
        }
      };
      if (type == ChannelType::memory) add(block.memory_channels, std::ssize(gpu.memory_peers));
      if (type == ChannelType::port) add(block.port_channels, std::ssize(gpu.port_peers));
      if (type == ChannelType::switched) add(block.switch_channels, std::ssize(gpu.switch_groups));
    });
  }

  static void read_block_buffers(const Node& node, const Gpu& gpu, Block& block) {
    node.each(kMostNumber, [&](const Node& one) {
      one.require_object(
          std::array<std::string_view, 2>{"access_channel_type", "remote_buffer_ids"});
      const ChannelType type = channel_type_of(one["access_channel_type"]);
      for (const std::int32_t id : one["remote_buffer_ids"].integers(kMostNumber, kMostNumber)) {
        const bool exists = id < std::ssize(gpu.remote_buffers);
        if (!exists) one.refuse("the GPU has no remote buffer {}", id);
        const RemoteBuffer& buffer = gpu.remote_buffers[static_cast<std::size_t>(id)];
        const bool reaches = type == ChannelType::memory ? buffer.by_memory : buffer.by_port;
        if (!reaches) one.refuse("remote buffer {} has no access by {}", id, name_of(type));
        (type == ChannelType::memory ? block.memory_buffers : block.port_buffers).push_back(id);
      }
    });
  }

  const Node& root_;
  Plan& plan_;
};

}  // namespace

Plan read(std::string_view text, const std::string& file) {
  const Json json = parse(text, file);
  Plan plan{.file = file};
  require(json.is_object() && json.contains("gpus"),
          "{}: the file is not an execution plan of MSCCL++, an object with the key \"gpus\"",
          file);
  const Node root(json, plan.file);
  PlanReader(root, plan).read();
  if (const auto fault = first_outside(plan))
    throw WrongContent(fmt::format("{}: {}", file, fault->text), fault->text,
                       {.rank = fault->rank, .block = fault->block, .step = fault->op});
  return plan;
}

}  // namespace weft::format::mscclpp
