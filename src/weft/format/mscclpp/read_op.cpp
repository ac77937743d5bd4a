// Operations of a plan: what each may have, and how many sources and targets it needs.
#include "node.hpp"

namespace weft::format::mscclpp {

namespace {

class OpReader {
 public:
  OpReader(const Gpu& gpu, const Block& block) : gpu_(gpu), block_(block) {}

  Op read(const Node& node, bool in_pipeline) const {
    node.require_object(std::array<std::string_view, 12>{
        "name", "src_buff", "dst_buff", "channel_type", "channel_ids", "barrier_id",
        "num_threadblocks", "semaphore_ids", "tbg_info", "reduce_op", "iter_context", "ops"});
    const std::string name = node["name"].text();
    const auto type = op_type(name);
    if (!type) node["name"].refuse("unknown operation '{}'", name);
    Op op{.type = *type};
    if (node.has("channel_type")) op.channel_type = channel_type_of(node["channel_type"]);
    if (node.has("channel_ids")) read_channels(node["channel_ids"], op);
    if (node.has("src_buff")) op.sources = slices(node["src_buff"], op);
    if (node.has("dst_buff")) op.targets = slices(node["dst_buff"], op);
    if (*type == OpType::barrier) {
      op.barrier = node["barrier_id"].integer(0, kMostNumber);
      op.barrier_blocks = node["num_threadblocks"].integer(1, kMostNumber);
    }
    if (node.has("semaphore_ids")) read_semaphores(node["semaphore_ids"], op);
    if (node.has("tbg_info")) read_share(node["tbg_info"], op);
    if (node.has("reduce_op"))
      node["reduce_op"].one_of(std::array<std::string_view, 3>{"sum", "min", "max"});
    if (*type == OpType::pipeline) read_pipeline(node, op, in_pipeline);
    require_shape(node, op);
    return op;
  }

 private:
  void read_channels(const Node& node, Op& op) const {
    const auto count =
        std::ssize(op.channel_type == ChannelType::port       ? block_.port_channels
                   : op.channel_type == ChannelType::switched ? block_.switch_channels
                                                              : block_.memory_channels);
    op.channels = node.integers(kMostNumber, kMostNumber);
    for (const std::int32_t channel : op.channels)
      if (channel >= count)
        node.refuse("the thread block has no {} channel {} (it lists {}; the first is 0)",
                    name_of(op.channel_type), channel, count);
  }

  std::vector<Slice> slices(const Node& node, const Op& op) const {
    std::vector<Slice> result;
    node.each(kMostNumber, [&](const Node& one) { result.push_back(slice(one, op)); });
    return result;
  }

  Slice slice(const Node& node, const Op& op) const {
    node.require_object(
        std::array<std::string_view, 5>{"type", "buffer_id", "switch_channel_id", "index", "size"});
    Slice result{.index = node["index"].integer(0, kMostChunks),
                 .size = node["size"].integer(1, kMostChunks)};
    if (node.has("buffer_id")) {
      const auto& list =
          op.channel_type == ChannelType::port ? block_.port_buffers : block_.memory_buffers;
      if (op.channel_type != ChannelType::port && op.channel_type != ChannelType::memory)
        node.refuse("a remote buffer needs \"channel_type\": \"memory\" or \"port\"");
      result.kind = Slice::Kind::remote;
      result.id = node["buffer_id"].integer(0, kMostNumber);
      if (result.id >= std::ssize(list))
        node.refuse("the thread block has no remote buffer {} (it lists {}; the first is 0)",
                    result.id, list.size());
    } else if (node.has("switch_channel_id")) {
      result.kind = Slice::Kind::switched;
      result.id = node["switch_channel_id"].integer(0, kMostNumber);
      if (result.id >= std::ssize(block_.switch_channels))
        node.refuse("the thread block has no switch channel {} (it lists {}; the first is 0)",
                    result.id, block_.switch_channels.size());
    } else {
      result.buffer = buffer_of(node["type"]);
    }
    return result;
  }

  void read_semaphores(const Node& node, Op& op) const {
    op.semaphores = node.integers(kMostNumber, kMostNumber);
    for (const std::int32_t one : op.semaphores)
      if (one >= std::ssize(gpu_.semaphores))
        node.refuse("the GPU has no semaphore {} (it lists {}; the first is 0)", one,
                    gpu_.semaphores.size());
  }

  static void read_share(const Node& node, Op& op) {
    node.require_object(std::array<std::string_view, 2>{"tb_id", "tbg_size"});
    op.shares = node["tbg_size"].integer(1, 4096);
    op.share = node["tb_id"].integer(0, op.shares - 1);
  }

  void read_pipeline(const Node& node, Op& op, bool in_pipeline) const {
    if (in_pipeline) node.refuse("a pipeline cannot be inside a pipeline");
    const Node context = node["iter_context"];
    context.require_object(std::array<std::string_view, 2>{"unit_size", "num_chunks"});
    op.unit_B = context["unit_size"].number(1, kMostNumber);
    op.chunks = context["num_chunks"].integer(1, kMostChunks);
    node["ops"].each(kMostNumber, [&](const Node& one) { op.body.push_back(read(one, true)); });
  }

  // How many sources and targets each operation has, and where they are.
  static void require_shape(const Node& node, const Op& op);

  const Gpu& gpu_;
  const Block& block_;
};

struct Shape {
  std::size_t sources, most_sources, targets, most_targets;
  bool pairs;  // as many sources as targets
};

constexpr std::size_t kMany = 1 << 20;

Shape shape_of(OpType type) {
  switch (type) {
    case OpType::put:
    case OpType::put_signal:
    case OpType::put_signal_flush:
    case OpType::put_packets:
    case OpType::get:
      return {1, kMany, 1, kMany, true};
    case OpType::copy:
    case OpType::copy_to_packets:
    case OpType::unpack_packets:
    case OpType::switch_reduce_store:
    case OpType::switch_store:
    case OpType::switch_store_packets:
      return {1, 1, 1, 1, false};
    case OpType::forward_packets:
      return {1, 1, 1, kMany, false};
    case OpType::reduce:
    case OpType::read_reduce:
    case OpType::reduce_packets:
      return {2, kMany, 1, 1, false};
    case OpType::reduce_send:
    case OpType::read_reduce_send:
    case OpType::reduce_packets_send:
      return {2, kMany, 2, kMany, false};
    case OpType::reduce_packets_copy:
      return {2, kMany, 2, 2, false};
    case OpType::reduce_packets_copy_send:
      return {2, kMany, 3, kMany, false};
    case OpType::flush:
      return {0, kMany, 0, kMany, false};
    default:
      return {0, 0, 0, 0, false};
  }
}

void OpReader::require_shape(const Node& node, const Op& op) {
  const Shape shape = shape_of(op.type);
  const auto require_count = [&](std::string_view key, std::size_t count, std::size_t least,
                                 std::size_t most) {
    if (count >= least && count <= most) return;
    node.refuse("'{}' has {} in {}, but needs {}{}", name_of(op.type), count, key, least,
                most == least ? "" : " or more");
  };
  require_count("src_buff", op.sources.size(), shape.sources, shape.most_sources);
  require_count("dst_buff", op.targets.size(), shape.targets, shape.most_targets);
  if (shape.pairs && op.sources.size() != op.targets.size())
    node.refuse("'{}' has {} in src_buff and {} in dst_buff; give the same number",
                name_of(op.type), op.sources.size(), op.targets.size());
  const bool synchronises = op.type == OpType::signal || op.type == OpType::wait ||
                            op.type == OpType::relaxed_signal || op.type == OpType::relaxed_wait ||
                            op.type == OpType::flush;
  if (synchronises && op.channels.empty()) node.refuse("channel_ids is missing");
  if (synchronises && op.channel_type != ChannelType::memory &&
      op.channel_type != ChannelType::port)
    node.refuse("channel_type is missing; write \"memory\" or \"port\"");
  if ((op.type == OpType::acquire || op.type == OpType::release) && op.semaphores.empty())
    node.refuse("semaphore_ids is missing");
  if (op.channel_type == ChannelType::port && !op.targets.empty() &&
      op.channels.size() < op.targets.size())
    node.refuse("a port needs a channel in channel_ids for each of dst_buff");
  const std::int32_t size = op.sources.empty() ? 0 : op.sources.front().size;
  for (std::size_t i = 0; i < op.targets.size(); ++i)
    if (!op.sources.empty() && op.targets[i].size != (shape.pairs ? op.sources[i].size : size))
      node.refuse("dst_buff[{}] has {} chunks, but its data has {}", i, op.targets[i].size,
                  shape.pairs ? op.sources[i].size : size);
  if (!shape.pairs)
    for (const Slice& source : op.sources)
      if (source.size != size) node.refuse("the sizes in src_buff differ");
}

}  // namespace

Op read_op(const Node& node, const Gpu& gpu, const Block& block) {
  return OpReader(gpu, block).read(node, false);
}

}  // namespace weft::format::mscclpp
