// Layout (all integers little-endian; "varint" is LEB128, "zigzag" a signed number as varint):
//
//   8 bytes  magic 89 'W' 'E' 'F' 'T' 0d 0a 1a   (a transfer that mangles line ends breaks it)
//   u32      version
//   u32      CRC-32C of the body
//   u64      length of the body
//   body
//
// Numbers that are near their predecessors are stored as differences, so that a message takes some
// eight bytes.
#include "weft/schedule/file.hpp"

#include <fmt/format.h>

#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::schedule {

namespace {

constexpr std::string_view kMagic = "\x89WEFT\r\n\x1a";
// Version 2 names the symmetry's group by its text; version 1 has moduli, and is still written
// where they say it all.
constexpr std::uint64_t kModuliVersion = 1, kGroupVersion = 2;
constexpr std::size_t kHeaderSize = 8 + 4 + 4 + 8;

class Writer {
 public:
  void fixed(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  void number(std::int64_t value) { varint(static_cast<std::uint64_t>(value)); }
  void zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    varint(value.size());
    out_ += value;
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  std::uint64_t fixed(int bytes, std::string_view what) {
    need(static_cast<std::size_t>(bytes), what);
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << (8 * i);
    return value;
  }
  std::uint64_t varint(std::string_view what) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      need(1, what);
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      if (shift == 63 && byte > 1) fail("{} does not fit in 64 bits", what);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  /// A number in [low, high].
  std::int64_t number(std::string_view what, std::int64_t low, std::int64_t high) {
    const std::uint64_t value = varint(what);
    if (value > static_cast<std::uint64_t>(high) || static_cast<std::int64_t>(value) < low)
      fail("{} is {}, not in {} to {}", what, value, low, high);
    return static_cast<std::int64_t>(value);
  }
  /// A count of things of at least one byte each, so no more than the bytes that are left.
  std::int64_t count(std::string_view what) {
    const std::uint64_t value = varint(what);
    if (value > bytes_.size() - at_)
      fail("{} {} are more than the {} bytes left can hold", value, what, bytes_.size() - at_);
    return static_cast<std::int64_t>(value);
  }
  std::int64_t zigzag(std::string_view what) {
    const std::uint64_t value = varint(what);
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  /// previous + a difference, in [low, high].
  std::int64_t near(std::int64_t previous, std::string_view what, std::int64_t low,
                    std::int64_t high) {
    const std::int64_t difference = zigzag(what);
    std::int64_t value = 0;
    if (__builtin_add_overflow(previous, difference, &value) || value < low || value > high)
      fail("{} is out of range ({} to {})", what, low, high);
    return value;
  }
  /// Text for one line: what it holds goes to terminals and into messages.
  std::string text(std::string_view what) {
    const auto length = static_cast<std::size_t>(count(what));
    std::string value(bytes_.substr(at_, length));
    for (const char c : value)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        fail("the {} has a control character", what);
    at_ += length;
    return value;
  }
  std::string_view rest() const { return bytes_.substr(at_); }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    reject("'{}' is damaged at byte {}: {}", name_, at_,
           fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void need(std::size_t bytes, std::string_view what) const {
    if (bytes > bytes_.size() - at_) fail("it ends where the {} should be", what);
  }

  std::string_view bytes_;
  std::string_view name_;
  std::size_t at_ = 0;
};

std::uint64_t version_of(const Schedule& schedule) {
  const Symmetry& symmetry = schedule.symmetry();
  return symmetry.is_trivial() || !symmetry.group().moduli().empty() ? kModuliVersion
                                                                     : kGroupVersion;
}

void write_symmetry(const Schedule& schedule, Writer& out) {
  const Group& group = schedule.symmetry().group();
  if (version_of(schedule) == kGroupVersion) return out.text(group.text());
  out.varint(group.moduli().size());
  for (const int modulus : group.moduli()) out.number(modulus);
}

void write_body(const Schedule& schedule, Writer& out) {
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

Collective read_collective(Reader& in) {
  Collective collective;
  collective.kind = static_cast<CollectiveKind>(
      in.number("kind of collective", 0, static_cast<std::int64_t>(kCollectiveKinds.size()) - 1));
  collective.ranks = static_cast<std::int32_t>(in.number("number of ranks", 1, kMax32));
  collective.root = Rank(in.number("root", 0, collective.ranks - 1));
  collective.peer = Rank(in.number("destination", 0, collective.ranks - 1));
  return collective;
}

Symmetry read_symmetry(Reader& in, std::uint64_t version) {
  if (version == kGroupVersion) return Symmetry(Group::parse(in.text("symmetry")));
  std::vector<int> moduli(static_cast<std::size_t>(in.count("moduli")));
  for (int& modulus : moduli) modulus = static_cast<int>(in.number("modulus", 2, kMax32));
  return Symmetry::translations(moduli);
}

ScheduleOptions read_options(Reader& in, std::uint64_t version) {
  ScheduleOptions options;
  options.algorithm = in.text("algorithm");
  options.units_per_block = in.number("units per block", 1, kMaxUnitsPerBlock);
  options.helpers = static_cast<std::int32_t>(in.number("number of helpers", 0, kMax32 / 2));
  options.symmetry = read_symmetry(in, version);
  options.segments.count = in.number("number of segments", 1, kMaxSegments);
  options.segments.stride = in.number("stride of segments", 1, kMax32);
  options.binding.topology = in.text("topology");
  options.binding.hash = in.fixed(8, "topology's hash");
  options.binding.nodes.resize(static_cast<std::size_t>(in.count("nodes")));
  std::int64_t previous = 0;
  for (NodeId& node : options.binding.nodes) {
    previous = in.near(previous, "node", 0, kMax32);
    node = NodeId(previous);
  }
  return options;
}

void read_routes(Reader& in, ScheduleBuilder& builder) {
  std::vector<LinkId> links;
  const std::int64_t routes = in.count("routes");
  for (std::int64_t r = 0; r < routes; ++r) {
    links.resize(static_cast<std::size_t>(in.count("links of a route")));
    for (LinkId& link : links) link = LinkId(in.number("link", 0, kMax32));
    builder.add_route(links);
  }
}

void read_steps(Reader& in, std::int64_t agents, std::int64_t units, ScheduleBuilder& builder) {
  std::vector<Piece> pieces;
  std::int64_t from = 0, unit = 0;
  const std::int64_t steps = in.count("steps");
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t messages = in.count("messages of a step"); messages > 0; --messages) {
      from = in.near(from, "sender", 0, agents - 1);
      const std::int64_t to = in.near(from, "receiver", 0, agents - 1);
      const RouteId route(in.number("route", 0, kMax32) - 1);
      // Twice the pieces, plus one for a reduction; a piece takes two bytes or more.
      const std::int64_t packed =
          in.number("pieces of a message", 0, static_cast<std::int64_t>(in.rest().size()) + 1);
      pieces.resize(static_cast<std::size_t>(packed >> 1));
      for (Piece& piece : pieces) {
        piece.first = in.near(unit, "unit", 0, units - 1);
        piece.count = in.number("length of a piece", 1, units - piece.first);
        unit = piece.end();
      }
      builder.at(t).send(Agent(from), Agent(to), pieces,
                         (packed & 1) != 0 ? Arrival::reduce : Arrival::copy, route);
    }
}

Schedule read_body(Reader& in, std::uint64_t version) {
  const Collective collective = read_collective(in);
  ScheduleOptions options = read_options(in, version);
  const std::int64_t agents = checked_add(collective.ranks, options.helpers);
  require(agents <= kMax32, "{} agents are too many", agents);
  const std::int64_t units = checked_mul(collective.blocks(), options.units_per_block);
  ScheduleBuilder builder(collective, std::move(options));
  read_routes(in, builder);
  read_steps(in, agents, units, builder);
  if (!in.rest().empty()) in.fail("{} bytes follow the end", in.rest().size());
  return std::move(builder).build();
}

}  // namespace

std::string encode(const Schedule& schedule) {
  Writer body;
  write_body(schedule, body);
  Writer out;
  for (const char c : kMagic) out.fixed(static_cast<unsigned char>(c), 1);
  out.fixed(version_of(schedule), 4);
  out.fixed(checksum(body.bytes()), 4);
  out.fixed(body.bytes().size(), 8);
  return out.bytes() + body.bytes();
}

Schedule decode(std::string_view bytes, std::string_view name) {
  const std::string_view start = bytes.substr(0, kMagic.size());
  require(start == kMagic ||
              (!bytes.empty() && bytes.size() < kMagic.size() && kMagic.starts_with(start)),
          "'{}' is no weft schedule file; `weft schedule ... -o FILE` writes one", name);
  require(bytes.size() >= kHeaderSize, "'{}' is truncated: {} bytes, less than its header of {}",
          name, bytes.size(), kHeaderSize);
  Reader header(bytes.substr(kMagic.size()), name);
  const std::uint64_t version = header.fixed(4, "version");
  require(version >= kModuliVersion && version <= kGroupVersion,
          "'{}' has version {} of the format; this weft reads versions {} to {}", name, version,
          kModuliVersion, kGroupVersion);
  const std::uint64_t sum = header.fixed(4, "checksum");
  const std::uint64_t length = header.fixed(8, "length");
  const std::string_view body = header.rest();
  require(body.size() >= length, "'{}' is truncated: {} of {} bytes are there", name, body.size(),
          length);
  require(body.size() == length, "'{}' has {} bytes more than its length says", name,
          body.size() - length);
  require(checksum(body) == sum, "'{}' is damaged: its checksum is {:08x}, not {:08x} as written",
          name, checksum(body), sum);
  Reader in(body, name);
  try {
    return read_body(in, version);
  } catch (const InvalidInput& error) {
    const std::string text = error.what();
    if (text.starts_with("'")) throw;
    reject("'{}' is damaged: {}", name, text);
  }
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
