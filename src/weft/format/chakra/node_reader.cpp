#include "node_reader.hpp"

#include <fmt/format.h>
#include <messages.pb.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format {

namespace {

using Value = wire::Attribute::ValueCase;

constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kLongest_us = 1'000'000'000'000;  // eleven days
constexpr std::int64_t kBarrier = 9;

// Chakra's collectives by number; a barrier is an allreduce of one byte.
constexpr std::array kCollectives = {CollectiveKind::allreduce,      CollectiveKind::reduce,
                                     CollectiveKind::allgather,      CollectiveKind::gather,
                                     CollectiveKind::scatter,        CollectiveKind::broadcast,
                                     CollectiveKind::alltoall,       CollectiveKind::reduce_scatter,
                                     CollectiveKind::reduce_scatter, CollectiveKind::allreduce};

std::string_view what(Value value) {
  switch (value) {
    case Value::kDoubleNumber:
    case Value::kFloatNumber:
      return "a real number";
    case Value::kTruth:
      return "true or false";
    case Value::kText:
    case Value::kRaw:
      return "text";
    case Value::kInt64List:
    case Value::kTruthList:
    case Value::kTextList:
      return "a list";
    case Value::VALUE_NOT_SET:
      return "nothing that is read";
    default:
      return "a whole number";
  }
}

// Whole numbers of any width; nothing for what is none, or above 2^63.
std::optional<std::int64_t> whole_number(const wire::Attribute& attribute) {
  const auto small = [](std::uint64_t number) {
    return number <= static_cast<std::uint64_t>(kMost64)
               ? std::optional(static_cast<std::int64_t>(number))
               : std::nullopt;
  };
  switch (attribute.value_case()) {
    case Value::kInt32Number:
      return attribute.int32_number();
    case Value::kInt64Number:
      return attribute.int64_number();
    case Value::kUint32Number:
      return attribute.uint32_number();
    case Value::kUint64Number:
      return small(attribute.uint64_number());
    case Value::kSint32Number:
      return attribute.sint32_number();
    case Value::kSint64Number:
      return attribute.sint64_number();
    case Value::kFixed32Number:
      return attribute.fixed32_number();
    case Value::kFixed64Number:
      return small(attribute.fixed64_number());
    case Value::kSfixed32Number:
      return attribute.sfixed32_number();
    case Value::kSfixed64Number:
      return attribute.sfixed64_number();
    default:
      return std::nullopt;
  }
}

// The values of attributes, refused with their place where they are of another type.
class Attributes {
 public:
  explicit Attributes(const std::string& file) : file_(file) {}
  Attributes(const std::string& file, std::uint64_t node, std::int64_t byte)
      : file_(file), node_(node), byte_(byte) {}

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string text = fmt::format(format, std::forward<Args>(args)...);
    if (!node_) reject("'{}': the header: {}", file_, text);
    reject("'{}': node {} (byte {}): {}", file_, *node_, byte_, text);
  }
  std::int64_t number(const wire::Attribute& attribute, std::int64_t low, std::int64_t high) const {
    const auto found = whole_number(attribute);
    if (!found)
      refuse("{} is {} (expected a whole number)", attribute.name(), what(attribute.value_case()));
    if (*found < low || *found > high)
      refuse("{} {} is out of range ({} to {})", attribute.name(), *found, low, high);
    return *found;
  }
  bool truth(const wire::Attribute& attribute) const {
    if (attribute.value_case() == Value::kTruth) return attribute.truth();
    return number(attribute, 0, 1) == 1;
  }
  const std::string& text(const wire::Attribute& attribute) const {
    if (attribute.value_case() != Value::kText)
      refuse("{} is {} (expected text)", attribute.name(), what(attribute.value_case()));
    return attribute.text();
  }
  const google::protobuf::RepeatedField<std::int64_t>& list(
      const wire::Attribute& attribute) const {
    if (attribute.value_case() != Value::kInt64List)
      refuse("{} is {} (expected a list of whole numbers)", attribute.name(),
             what(attribute.value_case()));
    return attribute.int64_list().values();
  }

 private:
  const std::string& file_;
  std::optional<std::uint64_t> node_ = {};  // nothing: of the header
  std::int64_t byte_ = 0;
};

// kind, stream, bytes, step, message, segment
TraceOperation operation_in(const wire::Attribute& attribute, const Attributes& values) {
  const auto& list = values.list(attribute);
  constexpr int kNumbers = 6;
  if (list.size() != kNumbers)
    values.refuse("{} has {} numbers of {}", attribute.name(), list.size(), kNumbers);
  const std::array<std::int64_t, kNumbers> most = {
      program::kOperationKinds - 1, 1, kMost64, kMost32, kMost64, kMost32};
  for (int i = 0; i < kNumbers; ++i)
    if (list[i] < 0 || list[i] > most[static_cast<std::size_t>(i)])
      values.refuse("number {} of {}, {}, is out of range (0 to {})", i, attribute.name(), list[i],
                    most[static_cast<std::size_t>(i)]);
  return {.kind = static_cast<program::OperationKind>(list[0]),
          .stream = static_cast<program::Stream>(list[1]),
          .bytes = list[2],
          .origin = {list[3], list[4], static_cast<std::int32_t>(list[5])}};
}

// How many are read, then buffer, offset and bytes of each, those read first.
void add_ranges(const wire::Attribute& attribute, const Attributes& values, TraceOperation& to) {
  const auto& list = values.list(attribute);
  const int ranges = (list.size() - 1) / 3;
  if (list.size() != 1 + 3 * ranges || list[0] < 0 || list[0] > ranges)
    values.refuse("{} is not a list of ranges", attribute.name());
  for (int i = 0; i < ranges; ++i) {
    const std::int64_t buffer = list[1 + 3 * i];
    if (buffer < 0 || buffer > kMost32) values.refuse("buffer {} does not exist", buffer);
    (i < list[0] ? to.reads : to.writes)
        .push_back({static_cast<std::int32_t>(buffer), list[2 + 3 * i], list[3 + 3 * i]});
  }
}

}  // namespace

struct NodeReader::State {
  explicit State(const std::string& name) : file(name) {}

  const std::string& file;
  wire::Node message;
  RawNode raw;
  std::optional<std::int64_t> size, type, source, destination;

  void take(const wire::Attribute& attribute, const Attributes& values);
  void take_own(const wire::Attribute& attribute, const Attributes& values);
  void fit(const Attributes& values, std::int32_t rank);
};

NodeReader::NodeReader(const std::string& file) : state_(std::make_unique<State>(file)) {}
NodeReader::~NodeReader() = default;

void NodeReader::State::take(const wire::Attribute& attribute, const Attributes& values) {
  const std::string_view name = attribute.name();
  TraceNode& node = raw.node;
  if (name == words::kSize) {
    size = values.number(attribute, 0, kMost64);
  } else if (name == words::kCollective) {
    type = values.number(attribute, 0, kMost64);
  } else if (name == words::kSource) {
    source = values.number(attribute, 0, kMost32);
  } else if (name == words::kDestination) {
    destination = values.number(attribute, 0, kMost32);
  } else if (name == words::kTag) {
    node.tag = static_cast<std::int32_t>(values.number(attribute, 0, kMost32));
  } else if (name == words::kPriority) {
    node.priority = static_cast<std::int32_t>(values.number(attribute, -kMost32, kMost32));
  } else if (name == words::kOnCpu) {
    node.on_cpu = values.truth(attribute);
  } else if (name == words::kOperations) {
    node.operations = values.number(attribute, 0, kMost64);
  } else if (name == words::kDimensions) {
    const auto& dimensions = attribute.truth_list().values();
    if (std::ranges::find(dimensions, false) != dimensions.end())
      values.refuse(
          "{} leaves out dimensions, which only one simulator supports; name the ranks by {}", name,
          words::kGroup);
  } else if (name == words::kGroup) {
    raw.group = values.text(attribute);
    raw.has_group = true;
  } else if (name.starts_with("weft_")) {
    take_own(attribute, values);
  }
}

void NodeReader::State::take_own(const wire::Attribute& attribute, const Attributes& values) {
  const std::string_view name = attribute.name();
  const auto operation = [&]() -> TraceOperation& {
    return raw.operation ? *raw.operation : raw.operation.emplace();
  };
  if (name == words::kDuration) {
    // The file's own count of microseconds, to the picosecond; what was edited since wins.
    const std::int64_t exact_ps = values.number(attribute, 0, kMost64 - kMicrosecond_ps);
    const std::int64_t away_ps = exact_ps - raw.node.duration_ps;
    if (away_ps <= kMicrosecond_ps / 2 && away_ps >= -kMicrosecond_ps / 2)
      raw.node.duration_ps = exact_ps;
  } else if (name == words::kOperation) {
    TraceOperation read = operation_in(attribute, values);
    std::swap(read.reads, operation().reads);
    std::swap(read.writes, operation().writes);
    operation() = std::move(read);
  } else if (name == words::kRanges) {
    add_ranges(attribute, values, operation());
  } else if (name == words::kPartOf) {
    raw.part_of = static_cast<std::uint64_t>(values.number(attribute, 0, kMost64));
  }
}

// What each kind of node needs.
void NodeReader::State::fit(const Attributes& values, std::int32_t rank) {
  TraceNode& node = raw.node;
  node.bytes = size.value_or(0);
  const auto need = [&](const auto& value, std::string_view name) {
    if (!value) values.refuse("a {} has no {}", format::name_of(node.kind), name);
  };
  if (node.kind == TraceKind::send) {
    need(size, words::kSize);
    need(destination, words::kDestination);
    if (source && *source != rank)
      values.refuse("it sends from rank {}, but the file belongs to rank {}", *source, rank);
    node.peer = static_cast<std::int32_t>(*destination);
  } else if (node.kind == TraceKind::receive) {
    need(size, words::kSize);
    need(source, words::kSource);
    if (destination && *destination != rank)
      values.refuse("it receives at rank {}, but the file belongs to rank {}", *destination, rank);
    node.peer = static_cast<std::int32_t>(*source);
  } else if (node.kind == TraceKind::collective) {
    need(type, words::kCollective);
    if (*type >= std::ssize(kCollectives))
      values.refuse("unknown comm_type {} (expected 0, ALL_REDUCE, to {}, BARRIER)", *type,
                    kBarrier);
    if (*type == kBarrier) node.bytes = 1;
    if (*type != kBarrier) need(size, words::kSize);
    node.collective = kCollectives[static_cast<std::size_t>(*type)];
    const schedule::CollectiveTraits& traits = schedule::traits_of(node.collective);
    const auto& root = traits.from_root() ? source : destination;
    if (traits.rooted() && root) node.root = static_cast<std::int32_t>(*root);
  }
}

const RawNode& NodeReader::node(std::string_view message, std::int64_t place, std::int32_t rank) {
  State& state = *state_;
  if (!state.message.ParseFromArray(message.data(), static_cast<int>(message.size())))
    reject("'{}': byte {}: {} bytes are not a node; the file may be damaged", state.file, place,
           message.size());
  const Attributes values(state.file, state.message.id(), place);
  const std::int32_t type = state.message.type();
  constexpr std::int32_t kTypes = 7;
  if (type < 1 || type > kTypes)
    values.refuse("unknown type {} (expected 1, METADATA, to 7, COMM_COLL)", type);
  RawNode& raw = state.raw;
  raw.node = {.id = state.message.id(), .kind = static_cast<TraceKind>(type - 1)};
  raw.name = state.message.name();
  raw.waits.assign(state.message.control_waits().begin(), state.message.control_waits().end());
  raw.controls = raw.waits.size();
  raw.waits.insert(raw.waits.end(), state.message.data_waits().begin(),
                   state.message.data_waits().end());
  if (state.message.duration_us() > kLongest_us)
    values.refuse("it takes {} us, which is too long", state.message.duration_us());
  raw.node.duration_ps = static_cast<std::int64_t>(state.message.duration_us()) * kMicrosecond_ps;
  raw.has_group = false;
  raw.groups.clear();
  raw.operation.reset();
  raw.part_of.reset();
  state.size = state.type = state.source = state.destination = std::nullopt;
  for (const wire::Attribute& attribute : state.message.attributes()) state.take(attribute, values);
  // What the processor does of a message or collective: its device's own node follows.
  if (raw.node.on_cpu && raw.node.kind >= TraceKind::send) raw.node.kind = TraceKind::compute;
  state.fit(values, rank);
  if (raw.node.kind == TraceKind::metadata &&
      raw.name.find("process_group:init") != std::string_view::npos) {
    try {
      raw.groups = groups_in(state.message.inputs().values());
    } catch (const InvalidInput& error) {
      values.refuse("{}", error.what());
    }
  }
  return raw;
}

std::optional<TraceProgram> NodeReader::header(std::string_view message) {
  wire::Node& node = state_->message;
  if (node.ParseFromArray(message.data(), static_cast<int>(message.size())) && node.type() != 0)
    reject("'{}': the header is missing before node {}", state_->file, node.id());
  wire::Header header;
  if (!header.ParseFromArray(message.data(), static_cast<int>(message.size())))
    reject("'{}': the first {} bytes are not a header; check that this is a Chakra trace",
           state_->file, message.size());
  const Attributes values(state_->file);
  TraceProgram program;
  bool is_ours = false;
  Collective collective;
  std::optional<std::string> performs;
  for (const wire::Attribute& attribute : header.attributes()) {
    const std::string& name = attribute.name();
    if (name == words::kProgram) {
      program.name = values.text(attribute);
      is_ours = true;
    } else if (name == words::kProgramSize) {
      program.size_B = values.number(attribute, 0, kMost64);
    } else if (name == words::kPerforms) {
      performs = values.text(attribute);
    } else if (name == words::kRoot) {
      collective.root = Rank(values.number(attribute, 0, kMost32));
    } else if (name == words::kPeer) {
      collective.peer = Rank(values.number(attribute, 0, kMost32));
    } else if (name == words::kBuffers) {
      if (attribute.value_case() != Value::kTextList)
        values.refuse("{} is {} (expected a list of texts)", name, what(attribute.value_case()));
      const auto& names = attribute.text_list().values();
      program.buffers.assign(names.begin(), names.end());
    }
  }
  if (!is_ours) return std::nullopt;
  if (performs) {
    try {
      collective.kind = schedule::parse_collective(*performs);
    } catch (const InvalidInput& error) {
      values.refuse("{}: {}", words::kPerforms, error.what());
    }
    program.collective = collective;
  }
  return program;
}

bool is_header(std::string_view message) {
  wire::Header header;
  if (message.empty() || !header.ParseFromArray(message.data(), static_cast<int>(message.size())))
    return false;
  header.clear_version();
  header.clear_attributes();
  return header.ByteSizeLong() == 0;  // fields that a header does not have are kept
}

std::int64_t number_of(CollectiveKind kind) {
  for (std::size_t number = 0; number < kCollectives.size(); ++number)
    if (kCollectives[number] == kind) return static_cast<std::int64_t>(number);
  reject("Chakra does not support {}", schedule::name_of(kind));
}

}  // namespace weft::format
