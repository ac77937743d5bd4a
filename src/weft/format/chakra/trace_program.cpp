// Programs as traces and back. What reduces what it receives is a node that receives and one that
// computes behind it, as in the files that ASTRA-sim takes for a collective of one's own.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "node_reader.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"

namespace weft::format {

using program::Agent;
using program::Operation;
using program::OperationKind;
using program::Operations;
using program::OperationSpec;

namespace {

std::int64_t picoseconds(double seconds) {
  const double ps = std::round(seconds / kSecondsPerPicosecond);
  require(ps < 1e18, "work of {} s is too long for a trace", seconds);
  return static_cast<std::int64_t>(ps);
}

// By message of the program, counted for each sender and receiver: sender, receiver, tag and size
// mean one message alone, whatever order they come in.
struct Tags {
  std::vector<std::vector<std::int32_t>> of;  // by agent and operation

  explicit Tags(const Operations& operations) {
    for (std::int32_t a = 0; a < operations.agents(); ++a)
      of.emplace_back(operations.of(Agent(a)).size(), 0);
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> next;
    for (const Operations::MessageEnds& ends : operations.messages()) {
      const std::int32_t tag = next[{ends.from.value(), ends.to.value()}]++;
      of[ends.from.index()][static_cast<std::size_t>(ends.send)] = tag;
      of[ends.to.index()][static_cast<std::size_t>(ends.receive)] = tag;
    }
  }
};

class RankWriter {
 public:
  RankWriter(const Operations& operations, const HostParameters& host,
             const std::vector<std::int32_t>& tags)
      : operations_(operations), host_(host), tags_(tags) {}

  RankTrace write(Agent agent) && {
    for (const Operation& operation : operations_.of(agent)) add(operation);
    return std::move(trace_);
  }

 private:
  double bytes_s(std::int64_t bytes, std::int64_t bandwidth_Bps) const {
    return bandwidth_Bps == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(bandwidth_Bps);
  }
  double work_s(const Operation& operation) const {
    if (operation.kind == OperationKind::compute) return operation.seconds;
    return bytes_s(operation.bytes, operation.kind == OperationKind::copy
                                        ? host_.copy_bandwidth_Bps
                                        : host_.reduce_bandwidth_Bps);
  }

  std::int32_t put(TraceNode node, const std::string& name, std::span<const std::int32_t> after,
                   TraceOperation operation) {
    node.id = trace_.nodes.size();
    trace_.operations.push_back(std::move(operation));
    return trace_.add(node, name, after);
  }

  void add(const Operation& operation) {
    std::vector<std::int32_t> after;
    for (const std::int32_t before : operations_.waits(operation))
      after.push_back(done_[static_cast<std::size_t>(before)]);
    const auto reads = operations_.reads(operation), writes = operations_.writes(operation);
    TraceOperation says{.kind = operation.kind,
                        .stream = operation.stream,
                        .bytes = operation.is_message() ? 0 : operation.bytes,
                        .origin = operation.origin,
                        .reads = {reads.begin(), reads.end()},
                        .writes = {writes.begin(), writes.end()}};
    TraceNode node;
    const std::string kind(program::name_of(operation.kind));
    if (!operation.is_message()) {
      node.duration_ps = picoseconds(work_s(operation));
      done_.push_back(put(node, kind, after, std::move(says)));
      return;
    }
    const bool sends = operation.kind == OperationKind::send;
    node.kind = sends ? TraceKind::send : TraceKind::receive;
    node.peer = operation.peer.value();
    node.tag = tags_[done_.size()];
    node.bytes = operation.bytes;
    std::int32_t done = put(
        node, fmt::format("{} {} {}", sends ? "send" : "receive", sends ? "to" : "from", node.peer),
        after, std::move(says));
    if (operation.kind == OperationKind::receive_reduce) {
      const TraceNode reduces{
          .duration_ps = picoseconds(bytes_s(operation.bytes, host_.reduce_bandwidth_Bps))};
      done = put(reduces, "reduce", std::array{done}, {.part_of = done});
    }
    done_.push_back(done);
  }

  const Operations& operations_;
  HostParameters host_;
  const std::vector<std::int32_t>& tags_;
  RankTrace trace_;
  std::vector<std::int32_t> done_;  // by operation: the node that ends it
};

// A rank's nodes as operations.
class RankOperations {
 public:
  RankOperations(program::ProgramBuilder& builder, const RankTrace& trace, const std::string& file)
      : builder_(builder), trace_(trace), file_(file), done_(trace.nodes.size()) {}

  void add_to(Agent agent) {
    for (const std::int32_t number : order_of(trace_, file_)) {
      const TraceNode& node = trace_.nodes[static_cast<std::size_t>(number)];
      const TraceOperation* says = trace_.operations.empty()
                                       ? nullptr
                                       : &trace_.operations[static_cast<std::size_t>(number)];
      OperationSpec spec = operation(node, says);
      for (const std::int32_t before : trace_.waits_of(node))
        spec.waits.push_back(done_[static_cast<std::size_t>(before)]);
      std::int32_t& done = done_[static_cast<std::size_t>(number)];
      if (says != nullptr && says->part_of) {
        done = reduction(node, *says, spec.waits);
        continue;
      }
      try {
        done = builder_.add(agent, std::move(spec));
      } catch (const InvalidInput& error) {
        refuse(node, "{}", error.what());
      }
    }
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(const TraceNode& node, fmt::format_string<Args...> format,
                           Args&&... args) const {
    reject("'{}': node {}: {}", file_, node.id, fmt::format(format, std::forward<Args>(args)...));
  }

  // It is the receive's own.
  std::int32_t reduction(const TraceNode& node, const TraceOperation& says,
                         const std::vector<std::int32_t>& waits) const {
    const std::int32_t of = *says.part_of;
    const TraceOperation& receive = trace_.operations[static_cast<std::size_t>(of)];
    if (receive.kind != OperationKind::receive_reduce || waits.size() != 1 ||
        trace_.waits_of(node)[0] != of)
      refuse(node, "it reduces data that node {} receives, but does not wait for that node only",
             trace_.nodes[static_cast<std::size_t>(of)].id);
    return waits.front();
  }

  OperationSpec operation(const TraceNode& node, const TraceOperation* says) const {
    OperationSpec spec;
    switch (node.kind) {
      case TraceKind::send:
        spec.kind = OperationKind::send;
        break;
      case TraceKind::receive:
        spec.kind = OperationKind::receive;
        break;
      case TraceKind::compute:
      case TraceKind::metadata:
        spec.kind = OperationKind::compute;
        spec.seconds = static_cast<double>(node.duration_ps) * kSecondsPerPicosecond;
        spec.stream = program::Stream::compute;
        break;
      case TraceKind::collective:
        refuse(node,
               "it is a collective, but a program has only sends, receives and computing; weft "
               "train --trace runs it");
      case TraceKind::load:
      case TraceKind::store:
        refuse(node, "it is a {}, but a program has only sends, receives and computing",
               name_of(node.kind));
    }
    const bool is_message = node.kind == TraceKind::send || node.kind == TraceKind::receive;
    if (is_message) {
      spec.peer = Agent(node.peer);
      spec.tag = node.tag;
      spec.bytes = node.bytes;
    }
    if (says != nullptr && says->kind) take(node, *says, spec);
    return spec;
  }

  // What a file of ours says beyond that.
  void take(const TraceNode& node, const TraceOperation& says, OperationSpec& spec) const {
    const bool receives = *says.kind == OperationKind::receive_reduce;
    const bool works = *says.kind == OperationKind::copy || *says.kind == OperationKind::reduce;
    const OperationKind plain = receives ? OperationKind::receive
                                : works  ? OperationKind::compute
                                         : *says.kind;
    if (plain != spec.kind || node.kind == TraceKind::metadata)
      refuse(node, "it is a {}, but {} states a {}", name_of(node.kind), words::kOperation,
             program::name_of(*says.kind));
    spec.kind = *says.kind;
    spec.stream = says.stream;
    spec.origin = says.origin;
    spec.reads = says.reads;
    spec.writes = says.writes;
    if (works) {
      spec.seconds = 0;
      spec.bytes = says.bytes;
    }
  }

  program::ProgramBuilder& builder_;
  const RankTrace& trace_;
  const std::string& file_;
  std::vector<std::int32_t> done_;  // by node: the operation that ends it
};

std::vector<File> write(const Program& program, const ProgramTarget& target) {
  const Trace trace = trace_of(program, target.host);
  require_no_longer_trace(target.path, static_cast<std::int32_t>(trace.ranks.size()));
  std::vector<File> files;
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const auto number = static_cast<std::int32_t>(rank);
    files.push_back({trace_file(target.path, number),
                     encode(trace.ranks[rank], number, trace.groups, trace.program)});
  }
  return files;
}

Program read(const ProgramSource& source) {
  return program_of(read_trace(source), source.path);
}

}  // namespace

Trace trace_of(const Program& program, const HostParameters& host) {
  require_ranks_only(program, "a Chakra trace");
  require_no_paths(program, "a Chakra trace");
  const Program written = write_out(program);
  const Operations& operations = *written.operations();
  Trace trace;
  trace.program = {.name = written.name(),
                   .size_B = written.size_B(),
                   .buffers = operations.buffers(),
                   // What it says of a collective is said of blocks of one size.
                   .collective = written.blocks() ? std::nullopt : written.collective()};
  const Tags tags(operations);
  for (std::int32_t a = 0; a < operations.agents(); ++a)
    trace.ranks.push_back(
        RankWriter(operations, host, tags.of[static_cast<std::size_t>(a)]).write(Agent(a)));
  return trace;
}

Program program_of(const Trace& trace, const std::string& name) {
  program::ProgramOptions options{.name = name};
  if (trace.program) {
    if (!trace.program->name.empty()) options.name = trace.program->name;
    options.size_B = trace.program->size_B;
    options.buffers = trace.program->buffers;
  }
  program::ProgramBuilder builder(static_cast<std::int32_t>(trace.ranks.size()),
                                  std::move(options));
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank)
    RankOperations(builder, trace.ranks[rank], trace.files[rank])
        .add_to(Agent(static_cast<std::int32_t>(rank)));
  try {
    return std::move(builder).build();
  } catch (const InvalidInput& error) {
    reject("'{}': {}", name, error.what());
  }
}

Format chakra() {
  return {.name = "chakra",
          .summary =
              "Chakra's execution traces, FILE.RANK.et each: sends, receives and computing, as "
              "ASTRA-sim takes a custom collective",
          .loses = "of others' traces, which bytes of a buffer a message carries",
          .write_program = write,
          .read_program = read,
          .read_claim = read_claim,
          .recognises = is_trace,
          .has_prefix = true};
}

}  // namespace weft::format
