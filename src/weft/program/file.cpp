// The header is binary_file.hpp's. An operation takes some ten bytes: numbers that are near their
// predecessors are stored as differences.
#include "weft/program/file.hpp"

#include <bit>
#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/files/binary_file.hpp"
#include "weft/program/operations.hpp"

namespace weft::program {

namespace {

constexpr std::uint64_t kVersion = 1;
constexpr BinaryKind kKind{.magic = "\x89WEFP\r\n\x1a",
                           .first_version = kVersion,
                           .last_version = kVersion,
                           .what = "program file",
                           .written_by = "`weft import ... -o FILE` writes one"};
constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

void write_binding(const schedule::Binding& binding, BinaryWriter& out) {
  out.text(binding.topology);
  out.fixed(binding.hash, 8);
  out.varint(binding.nodes.size());
  for (const NodeId node : binding.nodes) out.number(node.value());
}

void write_operation(const Operations& operations, const Operation& operation, std::int64_t at,
                     BinaryWriter& out) {
  out.number(static_cast<std::int64_t>(operation.kind) * 2 +
             (operation.stream == Stream::compute ? 1 : 0));
  if (operation.is_message()) {
    out.number(operation.peer.value());
    out.zigzag(operation.tag);
    if (operation.kind == OperationKind::send) out.number(operation.route.value() + 1);
  }
  if (operation.kind == OperationKind::compute)
    out.fixed(std::bit_cast<std::uint64_t>(operation.seconds), 8);
  else
    out.number(operation.bytes);
  out.number(operation.origin.step);
  out.number(operation.origin.message);
  out.number(operation.origin.segment);
  for (const auto ranges : {operations.reads(operation), operations.writes(operation)}) {
    out.varint(ranges.size());
    for (const ByteRange& range : ranges) {
      out.number(range.buffer);
      out.number(range.offset_B);
      out.number(range.bytes);
    }
  }
  const auto waits = operations.waits(operation);
  out.varint(waits.size());
  for (const std::int32_t wait : waits) out.number(at - wait);
}

std::vector<ByteRange> read_ranges(BinaryReader& in, std::int64_t buffers) {
  std::vector<ByteRange> ranges(in.count("ranges"));
  for (ByteRange& range : ranges) {
    range.buffer = static_cast<std::int32_t>(in.number("buffer", 0, buffers - 1));
    range.offset_B = in.number("offset", 0, kMax64);
    range.bytes = in.number("length of a range", 1, kMax64 - range.offset_B);
  }
  return ranges;
}

OperationSpec read_operation(BinaryReader& in, std::int64_t at, std::int64_t agents,
                             std::int64_t buffers) {
  OperationSpec spec;
  const std::int64_t kind = in.number("kind of operation", 0, 2 * kOperationKinds - 1);
  spec.kind = static_cast<OperationKind>(kind / 2);
  spec.stream = kind % 2 == 1 ? Stream::compute : Stream::communication;
  const bool sends = spec.kind == OperationKind::send;
  if (sends || spec.kind == OperationKind::receive || spec.kind == OperationKind::receive_reduce) {
    spec.peer = Agent(in.number("peer", 0, agents - 1));
    spec.tag = static_cast<std::int32_t>(in.near(0, "tag", -kMax32, kMax32));
    if (sends) spec.route = RouteId(in.number("route", 0, kMax32) - 1);
  }
  if (spec.kind == OperationKind::compute)
    spec.seconds = std::bit_cast<double>(in.fixed(8, "time"));
  else
    spec.bytes = in.number("bytes", 0, kMax64);
  spec.origin.step = in.number("step", 0, kMax32);
  spec.origin.message = in.number("message", 0, kMax64);
  spec.origin.segment = static_cast<std::int32_t>(in.number("segment", 0, kMax32));
  spec.reads = read_ranges(in, buffers);
  spec.writes = read_ranges(in, buffers);
  spec.waits.resize(in.count("waits"));
  for (std::int32_t& wait : spec.waits)
    wait = static_cast<std::int32_t>(at - in.number("wait", 1, at));
  return spec;
}

Program read_body(BinaryReader& in) {
  ProgramOptions options;
  options.name = in.text("name");
  options.size_B = in.number("size", 0, kMax64);
  const std::int64_t ranks = in.number("number of ranks", 1, kMax32);
  options.helpers = static_cast<std::int32_t>(in.number("number of helpers", 0, kMax32 - ranks));
  const std::int64_t agents = ranks + options.helpers;
  if (agents > static_cast<std::int64_t>(in.rest().size()))  // each takes a byte at least
    in.fail("{} agents do not fit the {} bytes that follow", agents, in.rest().size());
  options.binding.topology = in.text("topology");
  options.binding.hash = in.fixed(8, "topology's hash");
  options.binding.nodes.resize(in.count("nodes"));
  const auto nodes = static_cast<std::int64_t>(options.binding.nodes.size());
  if (options.helpers > 0 && nodes > 0 && nodes != agents)
    in.fail("{} nodes are given for {} ranks and helpers", nodes, agents);
  for (NodeId& node : options.binding.nodes) node = NodeId(in.number("node", 0, kMax32));
  options.buffers.resize(in.count("buffers"));
  for (std::string& name : options.buffers) name = in.text("buffer's name");
  const auto buffers = static_cast<std::int64_t>(options.buffers.size());
  ProgramBuilder builder(static_cast<std::int32_t>(ranks), std::move(options));
  std::vector<LinkId> links;
  for (std::int64_t routes = in.count("routes"); routes > 0; --routes) {
    links.resize(in.count("links of a route"));
    for (LinkId& link : links) link = LinkId(in.number("link", 0, kMax32));
    builder.add_route(links);
  }
  for (std::int64_t a = 0; a < agents; ++a) {
    const std::int64_t operations = in.count("operations");
    for (std::int64_t at = 0; at < operations; ++at)
      builder.add(Agent(a), read_operation(in, at, agents, buffers));
  }
  if (!in.rest().empty()) in.fail("{} extra bytes follow the end", in.rest().size());
  return std::move(builder).build();
}

}  // namespace

std::string encode(const Program& program) {
  const Program written = write_out(program);
  const Operations& operations = *written.operations();
  BinaryWriter out;
  out.text(written.name());
  out.number(written.size_B());
  out.number(written.ranks());
  out.number(written.agents() - written.ranks());
  write_binding(operations.binding(), out);
  out.varint(operations.buffers().size());
  for (const std::string& name : operations.buffers()) out.text(name);
  out.number(operations.route_count());
  for (const RouteId route : ids<RouteId>(operations.route_count())) {
    out.varint(operations.route(route).size());
    for (const LinkId link : operations.route(route)) out.number(link.value());
  }
  for (std::int32_t a = 0; a < written.agents(); ++a) {
    const auto of_agent = operations.of(Agent(a));
    out.varint(of_agent.size());
    for (std::size_t i = 0; i < of_agent.size(); ++i)
      write_operation(operations, of_agent[i], static_cast<std::int64_t>(i), out);
  }
  return frame(kKind, kVersion, out.bytes());
}

Program decode(std::string_view bytes, std::string_view name) {
  const Framed file = unframe(kKind, bytes, name);
  BinaryReader in(file.body, name);
  try {
    return read_body(in);
  } catch (const InvalidInput& error) {
    const std::string text = error.what();
    if (text.starts_with("'")) throw;
    reject("'{}' is damaged: {}", name, text);
  }
}

bool is_program_file(std::string_view bytes) {
  return bytes.starts_with(kKind.magic);
}

}  // namespace weft::program
