// The reader of MSCCL XML.
//
// The systems that run such files have hand-written parsers, which take one blank between
// attributes and no declaration. People's files come from several writers and editors, so this
// takes other XML too: declarations, comments, attributes in any order, and attributes that writers
// add for themselves. Anything that would change what the steps do is refused, and a document type,
// which none of the parsers can read: they take <! that begins no comment for an element.
//
// Files of a thousand ranks have millions of steps: the attributes of an element are looked at
// once, in the order in which writers put them.
//
// Sources: Azure/msccl-executor-nccl src/misc/msccl/msccl_parser.cc; microsoft/msccl
// src/graph/topo.cc; microsoft/msccl-tools msccl/language/ir.py and msccl/ncclize.py (which adds
// <copy> to <gpu>).
#include <algorithm>
#include <array>
#include <limits>

#include "../xml_file.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/msccl.hpp"

namespace weft::format::msccl {

namespace {

using pugi::xml_node;

constexpr std::int64_t kMostChunks = 1 << 20;  // of a buffer; the readers take 32,768
constexpr std::int64_t kMostChannels = 1024;   // the readers take 32
constexpr std::int64_t kMostNumber = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;

/// The attributes of an element, by the positions of their names in a list.
template <std::size_t N>
class Attributes {
 public:
  using Names = std::array<std::string_view, N>;

  Attributes(const XmlFile& file, const xml_node& node, const Names& names)
      : file_(file), node_(node), names_(names) {
    std::size_t next = 0;  // after the one before, as most files have them
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::size_t at = find(attribute.name(), next);
      if (at == N) {
        require_other(attribute.name());
        continue;
      }
      require(values_[at] == nullptr, "{}: {} of <{}> is repeated; remove one", file.place(node),
              names[at], node.name());
      values_[at] = attribute.value();
      next = at + 1;
    }
  }

  bool has(std::size_t at) const { return values_[at] != nullptr; }

  /// `right` says what would be right, where there is nothing.
  std::string_view text(std::size_t at, std::string_view right) const {
    if (!has(at))
      file_.refuse(node_, "<{}> has no {}; add {}=\"{}\"", node_.name(), names_[at], names_[at],
                   right);
    return values_[at];
  }

  std::int64_t number(std::size_t at, std::int64_t low, std::int64_t high) const {
    if (!has(at))
      file_.refuse(node_, "<{}> has no {}; add {}=\"N\", N from {} to {}", node_.name(), names_[at],
                   names_[at], low, high);
    const auto value = number_in<std::int64_t>(values_[at]);
    if (!value || *value < low || *value > high)
      file_.refuse(node_, "{}=\"{}\" is not an integer from {} to {}", names_[at], values_[at], low,
                   high);
    return *value;
  }
  std::int32_t integer(std::size_t at, std::int64_t low, std::int64_t high) const {
    return static_cast<std::int32_t>(number(at, low, high));
  }
  bool flag(std::size_t at) const { return number(at, 0, 1) == 1; }

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    file_.refuse(node_, format, std::forward<Args>(args)...);
  }

 private:
  std::size_t find(std::string_view name, std::size_t next) const {
    if (next < N && names_[next] == name) return next;
    return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  }
  // An attribute that only differs in case from one that counts would be passed over silently.
  void require_other(std::string_view name) const {
    for (const std::string_view known : names_)
      if (lower(std::string(known)) == lower(std::string(name)))
        file_.refuse(node_, "unexpected {1} in <{0}>; write {2}", node_.name(), name, known);
  }

  const XmlFile& file_;
  xml_node node_;
  const Names& names_;
  std::array<const char*, N> values_{};
};

// The names of these values, for messages.
std::vector<std::string> names_of(const auto& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(name_of(value));
  return names;
}

constexpr std::array<std::string_view, 10> kAlgo{
    "name", "proto",   "nchannels",  "nchunksperloop", "ngpus",
    "coll", "inplace", "outofplace", "minBytes",       "maxBytes"};
enum AlgoAttribute : std::uint8_t {
  kName,
  kProto,
  kChannels,
  kChunks,
  kGpus,
  kColl,
  kInPlace,
  kOutOfPlace,
  kMinBytes,
  kMaxBytes
};
constexpr std::array<std::string_view, 4> kGpu{"id", "i_chunks", "o_chunks", "s_chunks"};
constexpr std::array<std::string_view, 4> kBlock{"id", "send", "recv", "chan"};
constexpr std::array<std::string_view, 10> kStep{"s",      "type", "srcbuf", "srcoff", "dstbuf",
                                                 "dstoff", "cnt",  "depid",  "deps",   "hasdep"};
enum StepAttribute : std::uint8_t {
  kNumber,
  kType,
  kSourceBuffer,
  kSourceOffset,
  kTargetBuffer,
  kTargetOffset,
  kCount,
  kDependsBlock,
  kDependsStep,
  kHasDependent
};

constexpr std::array<std::string_view, 13> kCollectives{
    "allreduce",      "allgather",     "reduce", "broadcast", "alltoall",
    "reduce_scatter", "reducescatter", "gather", "scatter",   "alltoallv",
    "send",           "recv",          "custom"};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file)
      : file_(text, file, "algo", "algorithms of MSCCL") {
    file_.refuse_document_type();
  }

  Algorithm read() && {
    read_algo();
    const std::int64_t count = children(file_.root(), "gpu", {}, [](const xml_node&) {});
    const Attributes<10> algo(file_, file_.root(), kAlgo);
    const std::int64_t gpus = algo.number(kGpus, 1, kMostNumber);
    if (count != gpus)
      algo.refuse("ngpus=\"{}\", but the file has {} <gpu>; write one for each rank", gpus, count);
    ranks_ = gpus;
    algorithm_.gpus.resize(static_cast<std::size_t>(gpus));
    children(file_.root(), "gpu", {}, [&](const xml_node& gpu) { read_gpu(gpu); });
    return std::move(algorithm_);
  }

 private:
  std::int32_t line(const xml_node& node) const {
    return static_cast<std::int32_t>(file_.line(node));
  }

  // Visits the elements of that name, of which it returns the number; `ignored` ones are left out.
  template <class Visit>
  std::int64_t children(const xml_node& parent, std::string_view name, std::string_view ignored,
                        Visit&& visit) const {
    std::int64_t count = 0;
    for (const xml_node child : parent.children()) {
      const std::string_view own = child.name();
      if (own == name && child.type() == pugi::node_element) {
        ++count;
        visit(child);
      } else if (ignored.empty() || own != ignored) {
        refuse_child(parent, child, name);
      }
    }
    return count;
  }

  [[noreturn]] void refuse_child(const xml_node& parent, const xml_node& child,
                                 std::string_view name) const {
    if (child.type() != pugi::node_element)
      file_.refuse(parent, "text in <{}>, which can have only elements", parent.name());
    if (std::string_view(child.name()) == "algo")
      file_.refuse(child, "<algo> in <{}>; a file has one algorithm", parent.name());
    if (std::string_view(child.name()) == "op")
      file_.refuse(child, "<op> belongs to a later format, which no reader supports; write <step>");
    if (name.empty())
      file_.refuse(child, "<{}> in <{}>, which cannot have elements", child.name(), parent.name());
    file_.refuse(child, "<{}> in <{}>, which can have only <{}>", child.name(), parent.name(),
                 name);
  }

  void read_algo() {
    const Attributes<10> algo(file_, file_.root(), kAlgo);
    algorithm_.file = file_.name();
    if (algo.has(kName)) algorithm_.name = algo.text(kName, "");
    algorithm_.protocol = protocol_in(algo);
    algorithm_.channels = algo.integer(kChannels, 1, kMostChannels);
    algorithm_.chunks = algo.integer(kChunks, 1, kMostChunks);
    algorithm_.collective = collective_in(algo);
    algorithm_.in_place = algo.flag(kInPlace);
    if (algo.has(kOutOfPlace)) algorithm_.out_of_place = algo.flag(kOutOfPlace);
    if (algo.has(kMinBytes)) algorithm_.min_bytes = algo.number(kMinBytes, 0, kMostBytes);
    if (algo.has(kMaxBytes)) algorithm_.max_bytes = algo.number(kMaxBytes, 0, kMostBytes);
    const std::int64_t most = algorithm_.max_bytes.value_or(0);
    if (most > 0 && algorithm_.min_bytes.value_or(0) > most)
      algo.refuse("minBytes=\"{}\" is above maxBytes=\"{}\"", *algorithm_.min_bytes, most);
    if (!algorithm_.in_place && algorithm_.out_of_place == false)
      algo.refuse("inplace=\"0\" and outofplace=\"0\" exclude every call; set one to 1");
  }

  static Protocol protocol_in(const Attributes<10>& algo) {
    const std::string_view text = algo.text(kProto, "Simple");
    constexpr std::array kProtocols{Protocol::simple, Protocol::ll128, Protocol::ll};
    for (const Protocol protocol : kProtocols)
      if (text == name_of(protocol)) return protocol;
    algo.refuse("{}", unknown_text({"proto", text}, names_of(kProtocols)));
  }

  static std::string collective_in(const Attributes<10>& algo) {
    const std::string_view text = algo.text(kColl, "allreduce");
    const std::vector<std::string> known(kCollectives.begin(), kCollectives.end());
    if (std::ranges::find(known, text) == known.end())
      algo.refuse("{}", unknown_text({"coll", text, "of MSCCL"}, known));
    return std::string(text);
  }

  void read_gpu(const xml_node& node) {
    const Attributes<4> attributes(file_, node, kGpu);
    const std::int32_t id = attributes.integer(0, 0, ranks_ - 1);
    Gpu& gpu = algorithm_.gpus[static_cast<std::size_t>(id)];
    if (gpu.line > 0)
      attributes.refuse("gpu {} is also in line {}; write each gpu once", id, gpu.line);
    gpu.line = line(node);
    gpu.input_chunks = attributes.integer(1, 0, kMostChunks);
    gpu.output_chunks = attributes.integer(2, 0, kMostChunks);
    gpu.scratch_chunks = attributes.integer(3, 0, kMostChunks);
    const std::int64_t blocks = children(node, "tb", "copy", [](const xml_node&) {});
    gpu.blocks.resize(static_cast<std::size_t>(blocks));
    children(node, "tb", "copy", [&](const xml_node& block) { read_block(block, id, gpu); });
  }

  void read_block(const xml_node& node, std::int32_t rank, Gpu& gpu) {
    const Attributes<4> attributes(file_, node, kBlock);
    const std::int64_t blocks = std::ssize(gpu.blocks), id = attributes.number(0, 0, kMostNumber);
    if (id >= blocks)
      attributes.refuse("tb {} in a gpu with {} tb; number them from 0 without gaps", id, blocks);
    ThreadBlock& block = gpu.blocks[static_cast<std::size_t>(id)];
    if (block.line > 0)
      attributes.refuse("tb {} is also in line {}; number them from 0", id, block.line);
    block.line = line(node);
    block.send_peer = peer_in(attributes, 1, rank);
    block.receive_peer = peer_in(attributes, 2, rank);
    block.channel = attributes.integer(3, 0, kMostChannels - 1);
    const std::int64_t steps = children(node, "step", {}, [](const xml_node&) {});
    block.steps.reserve(static_cast<std::size_t>(steps));
    children(node, "step", {}, [&](const xml_node& step) { read_step(step, gpu, block); });
  }

  std::int32_t peer_in(const Attributes<4>& block, std::size_t at, std::int32_t rank) const {
    const std::int32_t peer = block.integer(at, -1, ranks_ - 1);
    if (peer == rank)
      block.refuse("{}=\"{}\" is the gpu itself; write another gpu, or -1 for none", kBlock[at],
                   peer);
    return peer;
  }

  void read_step(const xml_node& node, const Gpu& gpu, ThreadBlock& block) const {
    children(node, {}, {}, [](const xml_node&) {});
    const Attributes<10> attributes(file_, node, kStep);
    const std::int64_t number = attributes.number(kNumber, 0, kMostNumber);
    if (number != std::ssize(block.steps))
      attributes.refuse("s=\"{}\" in place of step {}; number steps from 0 in their order", number,
                        block.steps.size());
    Step step;
    step.type = type_in(attributes);
    step.line = line(node);
    step.source = place_in(attributes, kSourceBuffer, kSourceOffset);
    step.target = place_in(attributes, kTargetBuffer, kTargetOffset);
    step.count = attributes.integer(kCount, 0, kMostChunks);
    step.depends_on = dependency_in(attributes);
    step.has_dependent = attributes.flag(kHasDependent);
    require_bounds(attributes, gpu, step);
    require_peers(attributes, block, step);
    block.steps.push_back(step);
  }

  static StepType type_in(const Attributes<10>& step) {
    const std::string_view text = step.text(kType, "s");
    if (const auto type = step_type(text)) return *type;
    if (text == "ra")
      step.refuse("only early versions of MSCCL read type=\"ra\" (res_add); write re");
    std::vector<std::string> known;
    for (int type = 0; type < kStepTypes; ++type)
      known.emplace_back(name_of(static_cast<StepType>(type)));
    step.refuse("{}", unknown_text({"type", text}, known));
  }

  static Place place_in(const Attributes<10>& step, std::size_t buffer, std::size_t offset) {
    const std::string_view text = step.text(buffer, "i");
    constexpr std::array kBuffers{Buffer::input, Buffer::output, Buffer::scratch};
    for (const Buffer each : kBuffers)
      if (text == name_of(each)) return {each, step.integer(offset, -1, kMostChunks)};
    step.refuse("{}", unknown_text({kStep[buffer], text}, names_of(kBuffers)));
  }

  static StepId dependency_in(const Attributes<10>& step) {
    const StepId id{step.integer(kDependsBlock, -1, kMostNumber),
                    step.integer(kDependsStep, -1, kMostNumber)};
    if ((id.block < 0) != (id.step < 0))
      step.refuse("depid=\"{}\" with deps=\"{}\"; give a thread block and its step, or -1 for both",
                  id.block, id.step);
    return id;
  }

  // Writers put both ends' places on both sides of a message, so the side that a step does not use
  // may be anything.
  static void require_bounds(const Attributes<10>& attributes, const Gpu& gpu, const Step& step) {
    if (step.type == StepType::nop) return;
    if (step.count == 0)
      attributes.refuse("cnt=\"0\" in a step of type {}; write the number of chunks, at least 1",
                        name_of(step.type));
    if (reads_source(step.type))
      require_bounds(attributes, gpu, step, step.source, kStep[kSourceOffset]);
    if (writes_target(step.type))
      require_bounds(attributes, gpu, step, step.target, kStep[kTargetOffset]);
  }
  static void require_bounds(const Attributes<10>& attributes, const Gpu& gpu, const Step& step,
                             const Place& place, std::string_view key) {
    if (place.offset < 0)
      attributes.refuse("{}=\"-1\", but a step of type {} uses it; write its first chunk", key,
                        name_of(step.type));
    const std::int64_t end = std::int64_t{place.offset} + step.count;
    const std::int64_t chunks = gpu.chunks(place.buffer);
    if (end > chunks)
      attributes.refuse(
          "{}=\"{}\" with cnt=\"{}\" ends at chunk {} of buffer {}, which has {} ({}_chunks)", key,
          place.offset, step.count, end, name_of(place.buffer), chunks, name_of(place.buffer));
  }

  static void require_peers(const Attributes<10>& attributes, const ThreadBlock& block,
                            const Step& step) {
    if (sends(step.type) && block.send_peer < 0)
      attributes.refuse("a step of type {} in a tb without a peer to send to (send=\"-1\")",
                        name_of(step.type));
    if (receives(step.type) && block.receive_peer < 0)
      attributes.refuse("a step of type {} in a tb without a peer to receive from (recv=\"-1\")",
                        name_of(step.type));
  }

  XmlFile file_;
  std::int64_t ranks_ = 0;
  Algorithm algorithm_;
};

}  // namespace

Algorithm read(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

}  // namespace weft::format::msccl
