#include "weft/program/rank_program.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/schedule/action.hpp"

namespace weft::program {

namespace {

using schedule::Message;
using schedule::Piece;
using schedule::Schedule;
using schedule::Symmetry;

// The group element that moves `stored` to `agent`, if one does.
std::optional<std::int32_t> element_between(const Symmetry& symmetry, Agent stored, Agent agent) {
  if (symmetry.orbit(stored) != symmetry.orbit(agent)) return std::nullopt;
  return symmetry.multiply(symmetry.element(agent), symmetry.inverse(symmetry.element(stored)));
}

// The bytes of a message, sorted, neighbours merged.
std::vector<ByteRange> byte_ranges(const Program& program, std::int64_t message,
                                   std::int64_t segment, std::int32_t element) {
  std::vector<ByteRange> ranges;
  for (const Piece& piece : program.schedule().pieces(message))
    schedule::translate(program.schedule(), element, piece, [&](Piece image) {
      program.byte_ranges(image, segment, [&](std::int64_t offset_B, std::int64_t bytes) {
        if (bytes > 0) ranges.push_back({offset_B, bytes});
      });
    });
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.offset_B < b.offset_B; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].offset_B == ranges[last].offset_B + ranges[last].bytes)
      ranges[last].bytes += ranges[i].bytes;
    else
      ranges[++last] = ranges[i];
  }
  if (!ranges.empty()) ranges.resize(last + 1);
  return ranges;
}

OperationKind receiving(const Message& message) {
  return message.arrival == Arrival::reduce ? OperationKind::receive_reduce
                                            : OperationKind::receive;
}

}  // namespace

RankProgram rank_program(const Program& program, Agent agent) {
  const Schedule& schedule = program.schedule();
  const Symmetry& symmetry = schedule.symmetry();
  require(agent.value() >= 0 && agent.value() < schedule.agents(),
          "agent {} does not exist; agents are 0 to {}", agent.value(), schedule.agents() - 1);
  RankProgram result;
  const auto add = [&](OperationKind kind, std::int64_t step, std::int64_t segment, std::int64_t m,
                       std::int32_t element, Agent peer) {
    const auto ranges = byte_ranges(program, m, segment, element);
    if (ranges.empty()) return;
    Operation operation{.kind = kind, .peer = peer, .step = step, .message = m};
    operation.first_range = static_cast<std::int64_t>(result.ranges_.size());
    operation.ranges = static_cast<std::int64_t>(ranges.size());
    for (const ByteRange& range : ranges) operation.bytes += range.bytes;
    result.ranges_.insert(result.ranges_.end(), ranges.begin(), ranges.end());
    result.operations_.push_back(operation);
  };

  for (std::int64_t t = 0; t < schedule.steps(); ++t)
    for (const bool sends : {false, true})
      program.each_stored_message(t, [&](std::int64_t m, std::int64_t segment) {
        const Message& message = schedule.message(m);
        const auto element = element_between(symmetry, sends ? message.from : message.to, agent);
        if (!element) return;
        const Agent from = symmetry.apply(*element, message.from),
                    to = symmetry.apply(*element, message.to);
        if (from == to) {
          if (sends) add(OperationKind::copy_to_self, t, segment, m, *element, agent);
        } else {
          add(sends ? OperationKind::send : receiving(message), t, segment, m, *element,
              sends ? to : from);
        }
      });
  return result;
}

}  // namespace weft::program
