// Operations: the explicit storage of a program, every operation of every rank written out.
//
//   ProgramBuilder builder(2);
//   const auto work = builder.add(Agent(0), {.kind = OperationKind::compute, .seconds = 1e-3});
//   builder.add(Agent(0), {.kind = OperationKind::send, .peer = Agent(1), .bytes = 4096,
//                          .waits = {work}});
//   builder.add(Agent(1), {.kind = OperationKind::receive, .peer = Agent(0), .bytes = 4096});
//   const Program program = std::move(builder).build();
//
// An operation starts once those that it waits for, all of its own rank, are done: a send when its
// data has left, a receive when it has landed (and is reduced), other work when it is finished.
// Nothing else orders operations. The k-th send from a to b under a tag is the k-th receive of b
// from a under it. A receive that waits does not hold its sender up: what comes too early waits at
// the receiver.
//
// Data. Each agent has its own of each named buffer. Buffer 0, "data", is the row of all blocks
// of the collective that the program may be proved to perform (prove.hpp): for allgather,
// allreduce, broadcast, reduce and reduce-scatter that row is the rank's buffer; of an all-to-all
// a rank's send buffer is the row of blocks rank * N .. rank * N + N - 1. An operation without
// ranges takes its time and moves nothing that a proof could use. A receive-reduce adds what comes
// to what it writes. If it reads ranges as well, these are the other operand instead: it writes the
// sum, whatever was there before.
//
// Steps. What runs by steps (the alpha-beta model, routings that look at a pattern) takes an
// operation to be in the step that it came from, or later where what it waits for comes later: one
// step after each message on the way to it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/program/program.hpp"

namespace weft::program {

/// Thrown for an operation that fits no other: a message without its other end, or a wait that
/// never ends. Readers put the operation's place in their file in front.
class OperationFault : public InvalidInput {
 public:
  OperationFault(std::string message, Agent agent, std::int32_t operation)
      : InvalidInput(std::move(message)), agent_(agent), operation_(operation) {}

  Agent agent() const { return agent_; }
  /// Its number among those of the agent, in the order in which they were added.
  std::int32_t operation() const { return operation_; }

 private:
  Agent agent_;
  std::int32_t operation_;
};

enum class OperationKind : std::uint8_t { send, receive, receive_reduce, copy, reduce, compute };
/// "send", "receive", "receive-reduce", "copy", "reduce", "compute".
std::string_view name_of(OperationKind kind);
inline constexpr int kOperationKinds = 6;

/// Bytes [offset_B, offset_B + bytes) of an agent's buffer.
struct ByteRange {
  std::int32_t buffer = 0;  // an index into the program's names
  std::int64_t offset_B = 0, bytes = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// Where an operation came from, for people; the step counts, see above.
struct Provenance {
  std::int64_t step = 0;
  std::int64_t message = 0;  // stored message of the schedule
  std::int32_t segment = 0;

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

struct Operation {
  OperationKind kind = OperationKind::send;
  Stream stream = Stream::communication;
  Agent peer = {};                    // of a send or receive; it may be the agent itself
  std::int32_t tag = 0;               // likewise
  RouteId route = schedule::kRouted;  // of a send
  std::int64_t bytes = 0;             // of all but compute
  double seconds = 0;                 // of compute
  Provenance origin = {};
  std::int64_t first_range = 0, first_wait = 0;
  std::int32_t reads = 0, writes = 0, waits = 0;  // how many, from there on

  /// Whether it waits for a message, to keep it or to reduce it.
  bool receives() const {
    return kind == OperationKind::receive || kind == OperationKind::receive_reduce;
  }
  bool is_message() const { return kind == OperationKind::send || receives(); }
};

class Operations {
 public:
  /// Both ends of a message, as indices among the operations of their agents.
  struct MessageEnds {
    Agent from, to;
    std::int32_t send = 0, receive = 0;
    std::int32_t step = 0;
  };
  /// An operation that is no end of a message.
  struct Work {
    Agent at;
    std::int32_t operation = 0;
    std::int32_t step = 0;
    WorkPhase phase = WorkPhase::before_sending;
  };

  std::int32_t ranks() const { return ranks_; }
  std::int32_t agents() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  std::int64_t steps() const { return steps_; }
  /// Names of the buffers; the first is "data".
  const std::vector<std::string>& buffers() const { return buffers_; }
  const schedule::Binding& binding() const { return binding_; }

  /// What an agent does; an operation comes after those that it waits for.
  std::span<const Operation> of(Agent agent) const {
    WEFT_ASSERT(agent.value() >= 0 && agent.value() < agents());
    const auto first = static_cast<std::size_t>(first_[agent.index()]);
    return std::span(operations_)
        .subspan(first, static_cast<std::size_t>(first_[agent.index() + 1]) - first);
  }
  std::int64_t count() const { return static_cast<std::int64_t>(operations_.size()); }
  /// What a send, copy or reduction reads; what a receive, copy or reduction writes (or adds to).
  std::span<const ByteRange> reads(const Operation& operation) const {
    return std::span(ranges_).subspan(static_cast<std::size_t>(operation.first_range),
                                      static_cast<std::size_t>(operation.reads));
  }
  std::span<const ByteRange> writes(const Operation& operation) const {
    return std::span(ranges_).subspan(
        static_cast<std::size_t>(operation.first_range + operation.reads),
        static_cast<std::size_t>(operation.writes));
  }
  /// The operations of its agent that it waits for, sorted.
  std::span<const std::int32_t> waits(const Operation& operation) const {
    return std::span(waits_).subspan(static_cast<std::size_t>(operation.first_wait),
                                     static_cast<std::size_t>(operation.waits));
  }

  /// One operation of one agent.
  struct Place {
    Agent at;
    std::int32_t operation = 0;
  };
  /// All operations, each after those that it waits for and a receive after its send.
  std::span<const Place> order() const { return order_; }

  /// By step, then segment and message that they came from, then sender and its operations.
  std::span<const MessageEnds> messages() const { return messages_; }
  /// By step, then agent, then its operations.
  std::span<const Work> work() const { return work_; }

  /// Links of an explicit route, in order.
  std::span<const LinkId> route(RouteId route) const {
    WEFT_ASSERT(route.value() >= 0 && route.value() < route_count());
    const auto first = static_cast<std::size_t>(first_route_link_[route.index()]);
    return std::span(route_links_)
        .subspan(first, static_cast<std::size_t>(first_route_link_[route.index() + 1]) - first);
  }
  /// Explicit routes are 0 ... route_count() - 1.
  std::int32_t route_count() const {
    return static_cast<std::int32_t>(first_route_link_.size()) - 1;
  }

 private:
  friend class ProgramBuilder;
  std::int32_t ranks_ = 0;
  std::int64_t steps_ = 0;
  std::vector<std::string> buffers_;
  schedule::Binding binding_;
  std::vector<std::int64_t> first_{0};  // by agent
  std::vector<Operation> operations_;
  std::vector<ByteRange> ranges_;
  std::vector<std::int32_t> waits_;
  std::vector<MessageEnds> messages_;
  std::vector<Work> work_;
  std::vector<Place> order_;
  std::vector<std::int64_t> first_route_link_{0};
  std::vector<LinkId> route_links_;
};

/// An operation to be added; see Operation.
struct OperationSpec {
  OperationKind kind = OperationKind::send;
  Stream stream = Stream::communication;
  Agent peer = {};
  std::int32_t tag = 0;
  RouteId route = schedule::kRouted;
  std::int64_t bytes = 0;  // 0 where ranges say it
  double seconds = 0;
  std::vector<ByteRange> reads = {}, writes = {};
  std::vector<std::int32_t> waits = {};  // earlier operations of the agent, as add() gave them
  Provenance origin = {};
};

struct ProgramOptions {
  std::string name = {};    // shown to users: the algorithm, the file
  std::int64_t size_B = 0;  // what one call is given, where there is one
  std::vector<std::string> buffers = {"data"};
  std::int32_t helpers = 0;        // agents beyond the ranks, placed by the binding
  schedule::Binding binding = {};  // of explicit routes and helpers
};

/// Collects operations of any agents in turn, then is consumed by build().
class ProgramBuilder {
 public:
  /// Throws InvalidInput for fewer than 1 rank, and where the first buffer is not "data".
  explicit ProgramBuilder(std::int32_t ranks, ProgramOptions options = {});

  /// Appends to the operations of `agent`; its index among them. Throws InvalidInput for an agent,
  /// peer, buffer or route that does not exist, ranges that do not fit the kind or each other,
  /// messages without bytes, negative times and waits for operations that are not before it.
  std::int32_t add(Agent agent, OperationSpec spec);
  /// Stores an explicit path for sends.
  RouteId add_route(std::span<const LinkId> links);

  /// Finds both ends of each message. Throws InvalidInput for a message without its other end or
  /// with other bytes there, and for messages that wait for each other in a circle. O(operations
  /// log operations).
  Program build() &&;

 private:
  void check(Agent agent, OperationSpec& spec) const;
  void flatten();
  void match();
  void find_steps();
  std::int64_t index(Agent agent, std::int32_t operation) const;

  ProgramOptions options_;
  std::vector<std::vector<Operation>> by_agent_;
  Operations out_;
};

}  // namespace weft::program

namespace weft {
using program::Operation;
using program::OperationKind;
using program::Operations;
using program::ProgramBuilder;
}  // namespace weft
