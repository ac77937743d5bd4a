// The header is binary_file.hpp's.
//
// Numbers that are near their predecessors are stored as differences, so that a message takes some
// eight bytes.
#include "weft/schedule/file.hpp"

#include <fmt/format.h>

#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/files/binary_file.hpp"

namespace weft::schedule {

namespace {

// Version 2 names the symmetry's group by its text; version 1 has moduli, and is still written
// where they say it all.
constexpr std::uint64_t kModuliVersion = 1, kGroupVersion = 2;
constexpr BinaryKind kKind{.magic = "\x89WEFT\r\n\x1a",
                           .first_version = kModuliVersion,
                           .last_version = kGroupVersion,
                           .what = "schedule file",
                           .written_by = "`weft schedule ... -o FILE` writes one"};

std::uint64_t version_of(const Schedule& schedule) {
  const Symmetry& symmetry = schedule.symmetry();
  return symmetry.is_trivial() || !symmetry.group().moduli().empty() ? kModuliVersion
                                                                     : kGroupVersion;
}

void write_symmetry(const Schedule& schedule, BinaryWriter& out) {
  const Group& group = schedule.symmetry().group();
  if (version_of(schedule) == kGroupVersion) return out.text(group.text());
  out.varint(group.moduli().size());
  for (const int modulus : group.moduli()) out.number(modulus);
}

void write_body(const Schedule& schedule, BinaryWriter& out) {
  const Collective& collective = schedule.collective();
  out.number(static_cast<std::int64_t>(collective.kind));
  out.number(collective.ranks);
  out.number(collective.root.value());
  out.number(collective.peer.value());
  out.text(schedule.algorithm());
  out.number(schedule.units_per_block());
  out.number(schedule.helpers());
  write_symmetry(schedule, out);
  out.number(schedule.segments().count);
  out.number(schedule.segments().stride);

  const Binding& binding = schedule.binding();
  out.text(binding.topology);
  out.fixed(binding.hash, 8);
  out.varint(binding.nodes.size());
  std::int64_t previous = 0;
  for (const NodeId node : binding.nodes) {
    out.zigzag(node.value() - previous);
    previous = node.value();
  }

  out.number(schedule.route_count());
  for (const RouteId route : ids<RouteId>(schedule.route_count())) {
    out.varint(schedule.route(route).size());
    for (const LinkId link : schedule.route(route)) out.number(link.value());
  }

  out.number(schedule.stored_steps());
  std::int64_t from = 0, unit = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    out.number(schedule.first_message(t + 1) - schedule.first_message(t));
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      out.zigzag(message.from.value() - from);
      from = message.from.value();
      out.zigzag(message.to.value() - from);
      out.number(message.route.value() + 1);
      const auto pieces = schedule.pieces(m);
      out.varint(pieces.size() << 1 | (message.arrival == Arrival::reduce ? 1 : 0));
      for (const Piece& piece : pieces) {
        out.zigzag(piece.first - unit);
        out.number(piece.count);
        unit = piece.end();
      }
    }
  }
}

constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

Collective read_collective(BinaryReader& in) {
  Collective collective;
  collective.kind = static_cast<CollectiveKind>(
      in.number("kind of collective", 0, static_cast<std::int64_t>(kCollectiveKinds.size()) - 1));
  collective.ranks = static_cast<std::int32_t>(in.number("number of ranks", 1, kMax32));
  collective.root = Rank(in.number("root", 0, collective.ranks - 1));
  collective.peer = Rank(in.number("destination", 0, collective.ranks - 1));
  return collective;
}

Symmetry read_symmetry(BinaryReader& in, std::uint64_t version) {
  if (version == kGroupVersion) return Symmetry(Group::parse(in.text("symmetry")));
  std::vector<int> moduli(in.count("moduli"));
  for (int& modulus : moduli) modulus = static_cast<int>(in.number("modulus", 2, kMax32));
  return Symmetry::translations(moduli);
}

ScheduleOptions read_options(BinaryReader& in, std::uint64_t version) {
  ScheduleOptions options;
  options.algorithm = in.text("algorithm");
  options.units_per_block = in.number("units per block", 1, kMaxUnitsPerBlock);
  options.helpers = static_cast<std::int32_t>(in.number("number of helpers", 0, kMax32 / 2));
  options.symmetry = read_symmetry(in, version);
  options.segments.count = in.number("number of segments", 1, kMaxSegments);
  options.segments.stride = in.number("stride of segments", 1, kMax32);
  options.binding.topology = in.text("topology");
  options.binding.hash = in.fixed(8, "topology's hash");
  options.binding.nodes.resize(in.count("nodes"));
  std::int64_t previous = 0;
  for (NodeId& node : options.binding.nodes) {
    previous = in.near(previous, "node", 0, kMax32);
    node = NodeId(previous);
  }
  return options;
}

// Returns how many there are.
std::int64_t read_routes(BinaryReader& in, ScheduleBuilder& builder) {
  std::vector<LinkId> links;
  const std::int64_t routes = in.count("routes");
  for (std::int64_t r = 0; r < routes; ++r) {
    links.resize(in.count("links of a route"));
    for (LinkId& link : links) link = LinkId(in.number("link", 0, kMax32));
    builder.add_route(links);
  }
  return routes;
}

/// What the indices of messages may be: less than these numbers.
struct Counts {
  std::int64_t agents, units, routes;
};

void read_steps(BinaryReader& in, const Counts& counts, ScheduleBuilder& builder) {
  std::vector<Piece> pieces;
  std::int64_t from = 0, unit = 0;
  const std::int64_t steps = in.count("steps");
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t messages = in.count("messages of a step"); messages > 0; --messages) {
      from = in.near(from, "sender", 0, counts.agents - 1);
      const std::int64_t to = in.near(from, "receiver", 0, counts.agents - 1);
      const RouteId route(in.number("route", 0, counts.routes) - 1);  // 0 is none
      // Twice the pieces, plus one for a reduction; a piece takes two bytes or more.
      const std::int64_t packed =
          in.number("pieces of a message", 0, static_cast<std::int64_t>(in.rest().size()) + 1);
      pieces.resize(packed >> 1);
      for (Piece& piece : pieces) {
        piece.first = in.near(unit, "unit", 0, counts.units - 1);
        piece.count = in.number("length of a piece", 1, counts.units - piece.first);
        unit = piece.end();
      }
      builder.at(t).send(Agent(from), Agent(to), pieces,
                         (packed & 1) != 0 ? Arrival::reduce : Arrival::copy, route);
    }
}

Schedule read_body(BinaryReader& in, std::uint64_t version) {
  const Collective collective = read_collective(in);
  ScheduleOptions options = read_options(in, version);
  const std::int64_t agents = checked_add(collective.ranks, options.helpers);
  require(agents <= kMax32, "{} agents are too many", agents);
  const std::int64_t units = checked_mul(collective.blocks(), options.units_per_block);
  ScheduleBuilder builder(collective, std::move(options));
  const std::int64_t routes = read_routes(in, builder);
  read_steps(in, {agents, units, routes}, builder);
  if (!in.rest().empty()) in.fail("{} extra bytes follow the end", in.rest().size());
  return std::move(builder).build();
}

}  // namespace

std::string encode(const Schedule& schedule) {
  BinaryWriter body;
  write_body(schedule, body);
  return frame(kKind, version_of(schedule), body.bytes());
}

Schedule decode(std::string_view bytes, std::string_view name) {
  const auto [version, body] = unframe(kKind, bytes, name);
  BinaryReader in(body, name);
  try {
    return read_body(in, version);
  } catch (const InvalidInput& error) {
    const std::string text = error.what();
    if (text.starts_with("'")) throw;
    reject("'{}' is damaged: {}", name, text);
  }
}

bool is_schedule_file(std::string_view bytes) {
  return bytes.starts_with(kKind.magic);
}

void save(const Schedule& schedule, const std::string& path) {
  write_file(path, encode(schedule));
}
Schedule load(const std::string& path) {
  return decode(read_file(path), path == "-" ? "standard input" : path);
}

std::string dump(const Schedule& schedule) {
  std::string out = fmt::format(
      "{} of {} ranks by {}\nroot {} peer {} helpers {} units-per-block {} symmetry {} segments "
      "{} stride {}\n"
      "topology {} hash {:016x}\n",
      name_of(schedule.collective().kind), schedule.collective().ranks, schedule.algorithm(),
      schedule.collective().root.value(), schedule.collective().peer.value(), schedule.helpers(),
      schedule.units_per_block(), schedule.symmetry().group().text(), schedule.segments().count,
      schedule.segments().stride, schedule.binding().topology, schedule.binding().hash);
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    fmt::format_to(std::back_inserter(out), "step {}\n", t);
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const Message& message = schedule.message(m);
      fmt::format_to(std::back_inserter(out), "  {} {} -> {}",
                     message.arrival == Arrival::reduce ? "reduce" : "copy", message.from.value(),
                     message.to.value());
      for (const Piece& piece : schedule.pieces(m))
        fmt::format_to(std::back_inserter(out), " [{}, {})", piece.first, piece.end());
      if (message.route != kRouted) {
        out += " via";
        for (const LinkId link : schedule.route(message.route))
          fmt::format_to(std::back_inserter(out), " {}", link.value());
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace weft::schedule
