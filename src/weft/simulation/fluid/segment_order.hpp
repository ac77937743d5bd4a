// SegmentOrder: messages of different segments and steps follow each other between two agents.
//
// As dataflow a rank that has all segments sends them all at once, and so it does with what it has
// for several steps. Sharing the link equally, they would all arrive at the end, and the next rank
// could forward none of them before. Libraries have one connection for them, which delivers in
// order. So flows from one agent to another over the same first link go one segment after another,
// and within a segment one step after another, the oldest that waits first; those of one step of a
// segment share.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

class SegmentOrder {
 public:
  struct Message {
    std::int32_t slot = 0, index = 0;
  };

  /// Whether the message's flow starts now; otherwise ended() returns it later. O(log messages that
  /// wait).
  bool starts(const LoadedStep& step, Message message);
  /// The flow of a message is over. Returns those that start now.
  std::vector<Message> ended(const LoadedStep& step, std::int32_t index);

 private:
  struct SegmentStep {
    std::int32_t segment = 0;
    std::int64_t step = 0;
    auto operator<=>(const SegmentStep&) const = default;
  };
  struct Connection {
    SegmentStep current;     // of the flows under way
    std::int32_t flows = 0;  // under way
    std::map<SegmentStep, std::vector<Message>> waiting;
  };
  using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // sender, receiver, first link
  static Key key_of(const LoadedStep& step, std::int32_t index);

  std::map<Key, Connection> connections_;
};

}  // namespace weft::simulation
