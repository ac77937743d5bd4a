// Schedule: steps of messages between agents, as flat arrays.
//
//   ScheduleBuilder schedule(allgather(n), {.algorithm = "ring"});
//   for (int t = 0; t < n - 1; ++t)  // pass on what arrived last
//     for (Rank r : ids<Rank>(n)) schedule.at(t).send(r, Rank(mod(r.value() + 1, n)),
//     schedule.block(mod(r.value() - t, n)));
//   return std::move(schedule).build();
//
// Unit line. A block is cut into `units_per_block` equal units; the units of all blocks in a row
// form the unit line [0, blocks * units_per_block), and a piece is an interval of it. A message
// carries pieces, sorted and merged where they touch; several pieces in one message are a
// message-combine.
//
// Rules (verify() holds a schedule to them):
//   - Sends of a step read the state before the step. A message to oneself is legal.
//   - Landings on one unit at one agent in one step are all reductions, taken in message order, or
//   exactly one copy.
//   - A reduction needs an operand: the receiver holds the unit, and no contribution is in both
//   operands.
//   - Helpers hold nothing at first and need nothing in the end. Where one holds nothing yet, the
//   first reduction to land on it counts as a copy, as in a switch that combines what comes in.
//
// Symmetry. With a non-trivial group only messages whose sender is the representative of its orbit
// are stored; the others are their translates: agents move by the group, and block b of rank r
// becomes the block of g r (all-to-all: block (s, d) becomes (g s, g d)). Explicit routes move with
// the links of the network (link_action.hpp), of which the group must be automorphisms. Message
// order within a step is: stored order, then group element.
//
// Segments. The schedule moves one segment of the data; `segments.count` of them run one behind the
// other: segment i runs stored step t at t + i * stride. Nothing is unrolled.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/schedule/symmetry.hpp"
#include "weft/topology/topology.hpp"

namespace weft::schedule {

/// An interval [first, first + count) of the unit line.
struct Piece {
  std::int64_t first = 0, count = 0;

  std::int64_t end() const { return first + count; }
  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class Arrival : std::uint8_t { copy, reduce };

/// An index into the schedule's explicit routes.
using RouteId = Id<struct RouteTag>;
/// The network decides the path.
inline constexpr RouteId kRouted{-1};

struct Message {
  Agent from, to;
  RouteId route = kRouted;
  Arrival arrival = Arrival::copy;
  std::int64_t first_piece = 0;
};
static_assert(sizeof(Piece) == 16 && sizeof(Message) == 24);

/// Pipelining: `count` segments, segment i delayed by i * stride steps.
struct Segments {
  std::int64_t count = 1, stride = 1;

  friend bool operator==(const Segments&, const Segments&) = default;
};

/// What the schedule was made for: explicit routes hold on this graph only.
struct Binding {
  std::string topology = {};  // canonical expression; empty when made for no topology in particular
  std::uint64_t hash = 0;     // Topology::hash()
  std::vector<NodeId> nodes = {};  // node of each agent; empty when not placed

  friend bool operator==(const Binding&, const Binding&) = default;
};

inline constexpr std::int64_t kMaxUnitsPerBlock = std::int64_t{1} << 20;
inline constexpr std::int64_t kMaxSegments = std::int64_t{1} << 20;

class Schedule {
 public:
  const Collective& collective() const { return data_->collective; }
  /// The name of the algorithm that made it, with its options.
  const std::string& algorithm() const { return data_->algorithm; }
  std::int64_t units_per_block() const { return data_->units_per_block; }
  /// Length of the unit line.
  std::int64_t units() const { return data_->collective.blocks() * data_->units_per_block; }
  std::int32_t agents() const { return data_->agents; }
  std::int32_t helpers() const { return data_->agents - data_->collective.ranks; }
  const Symmetry& symmetry() const { return data_->symmetry; }
  const Segments& segments() const { return segments_; }
  const Binding& binding() const { return data_->binding; }

  /// Steps that are stored: those of one segment.
  std::int64_t stored_steps() const {
    return static_cast<std::int64_t>(data_->first_message.size()) - 1;
  }
  /// Steps that run: stored_steps + (segments - 1) * stride.
  std::int64_t steps() const {
    return stored_steps() == 0 ? 0 : stored_steps() + (segments_.count - 1) * segments_.stride;
  }

  /// Stored messages, in all and of a stored step: indices [first_message(t), first_message(t +
  /// 1)).
  std::int64_t stored_messages() const {
    return static_cast<std::int64_t>(data_->messages.size()) - 1;
  }
  std::int64_t first_message(std::int64_t stored_step) const {
    WEFT_ASSERT(stored_step >= 0 && stored_step <= stored_steps());
    return data_->first_message[stored_step];
  }
  const Message& message(std::int64_t index) const { return data_->messages[index]; }
  std::span<const Message> messages(std::int64_t stored_step) const {
    const auto first = static_cast<std::size_t>(first_message(stored_step));
    return std::span(data_->messages)
        .subspan(first, static_cast<std::size_t>(first_message(stored_step + 1)) - first);
  }
  std::span<const Piece> pieces(std::int64_t message_index) const {
    WEFT_ASSERT(message_index >= 0 && message_index < stored_messages());
    const auto first = static_cast<std::size_t>(message(message_index).first_piece);
    const auto last = static_cast<std::size_t>(message(message_index + 1).first_piece);
    return std::span(data_->pieces).subspan(first, last - first);
  }
  /// Messages that run, all segments and orbits counted.
  std::int64_t message_count() const {
    return stored_messages() * symmetry().order() * segments_.count;
  }

  /// Links of an explicit route, in order.
  std::span<const LinkId> route(RouteId route) const {
    WEFT_ASSERT(route.value() >= 0 && route.value() < route_count());
    const auto first = static_cast<std::size_t>(data_->first_route_link[route.index()]);
    const auto last = static_cast<std::size_t>(data_->first_route_link[route.index() + 1]);
    return std::span(data_->route_links).subspan(first, last - first);
  }
  std::int32_t route_count() const {
    return static_cast<std::int32_t>(data_->first_route_link.size()) - 1;
  }

  /// The same steps for another number of segments. Throws InvalidInput below 1.
  Schedule with_segments(Segments segments) const;
  /// The same schedule, made for (another) network.
  Schedule with_binding(Binding binding) const;
  Schedule with_algorithm(std::string algorithm) const;

  /// Whether both hold the same steps, messages, pieces and so on.
  friend bool operator==(const Schedule& a, const Schedule& b);

 private:
  friend class ScheduleBuilder;
  struct Data {
    Collective collective;
    std::string algorithm;
    std::int64_t units_per_block = 1;
    std::int32_t agents = 0;
    Symmetry symmetry;
    Binding binding;
    std::vector<std::int64_t> first_message;  // stored_steps + 1
    std::vector<Message> messages;            // one more at the end, for its first_piece
    std::vector<Piece> pieces;
    std::vector<std::int64_t> first_route_link{0};
    std::vector<LinkId> route_links;
  };
  Schedule(std::shared_ptr<const Data> data, Segments segments)
      : data_(std::move(data)), segments_(segments) {}

  std::shared_ptr<const Data> data_;
  Segments segments_;
};

struct ScheduleOptions {
  std::string algorithm = {};        // shown to users
  std::int64_t units_per_block = 1;  // 1 to kMaxUnitsPerBlock
  std::int32_t helpers = 0;          // agents beyond the ranks
  Symmetry symmetry =
      {};  // its order divides ranks and helpers; rooted collectives take the trivial one
  Segments segments = {};
  Binding binding = {};
};

/// Collects messages in any order of steps, then is consumed by build().
class ScheduleBuilder {
 public:
  /// Throws InvalidInput for a collective or options out of range.
  explicit ScheduleBuilder(const Collective& collective, ScheduleOptions options = {});

  /// Sends in one step: `schedule.at(t).send(...)`.
  class Step {
   public:
    void send(Agent from, Agent to, Piece piece, Arrival arrival = Arrival::copy,
              RouteId route = kRouted) {
      send(from, to, std::span(&piece, 1), arrival, route);
    }
    /// Pieces in any order; empty ones are dropped, neighbours merged, and a message without pieces
    /// is not stored.
    void send(Agent from, Agent to, std::span<const Piece> pieces, Arrival arrival = Arrival::copy,
              RouteId route = kRouted) {
      builder_.add(step_, from, to, pieces, arrival, route);
    }

   private:
    friend class ScheduleBuilder;
    Step(ScheduleBuilder& builder, std::int64_t step) : builder_(builder), step_(step) {}
    ScheduleBuilder& builder_;
    std::int64_t step_;
  };
  Step at(std::int64_t step) { return {*this, step}; }

  /// The whole of one block, or of `count` neighbouring ones, or of all.
  Piece block(std::int64_t index) const { return blocks(index, 1); }
  Piece blocks(std::int64_t first, std::int64_t count) const {
    return {first * options_.units_per_block, count * options_.units_per_block};
  }
  Piece everything() const { return blocks(0, collective_.blocks()); }
  /// Blocks first, ..., first + count - 1 modulo N, as one or two pieces; count <= N.
  std::vector<Piece> cyclic_blocks(std::int64_t first, std::int64_t count) const;

  /// Stores an explicit path for `send`.
  RouteId add_route(std::span<const LinkId> links);

  const Collective& collective() const { return collective_; }
  std::int64_t units_per_block() const { return options_.units_per_block; }

  /// Sorts by step (stable). O(messages + pieces log pieces-per-message).
  Schedule build() &&;

 private:
  void add(std::int64_t step, Agent from, Agent to, std::span<const Piece> pieces, Arrival arrival,
           RouteId route);

  Collective collective_;
  ScheduleOptions options_;
  std::vector<std::int32_t> steps_;
  std::vector<Message> messages_;
  std::vector<Piece> pieces_;
  std::vector<std::int64_t> first_route_link_{0};
  std::vector<LinkId> route_links_;
  std::int32_t last_step_ = -1;
};

}  // namespace weft::schedule

namespace weft {
using schedule::Arrival;
using schedule::Binding;
using schedule::kRouted;
using schedule::Message;
using schedule::Piece;
using schedule::RouteId;
using schedule::Schedule;
using schedule::ScheduleBuilder;
using schedule::ScheduleOptions;
using schedule::Segments;
}  // namespace weft
