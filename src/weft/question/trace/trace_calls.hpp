// Calls of a trace: which of its collectives and messages are made at once, and what they cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "weft/question/trace/trace_items.hpp"
#include "weft/question/trace/trace_run.hpp"
#include "weft/question/training/callers.hpp"
#include "weft/question/training/prices.hpp"

namespace weft::question {

class TraceCalls {
 public:
  /// Prices all that the items do; they have to outlive it.
  TraceCalls(const TraceItems& items, const Network& network, const TraceAsked& asked);

  /// Of an item; nothing where it moves nothing.
  const TrainingCall* of(std::int32_t item) const {
    return calls_of_[item] < 0 ? nullptr : &calls_[calls_of_[item]];
  }
  /// With their uses.
  const std::vector<TrainingCall>& all() const { return calls_; }
  /// Bytes of all over links of each class; nothing where that of one is not known.
  std::optional<std::map<std::string, double>> class_bytes() const;

 private:
  /// What is taken to be made at once, of any sizes.
  struct Key {
    CollectiveKind kind;
    std::int32_t name;  // of messages the group that they name, -1: none
    auto operator<=>(const Key&) const = default;
  };
  /// Calls of a size.
  struct Made {
    std::vector<std::int32_t> items;
    std::map<std::size_t, std::int64_t> of_group;  // how often each makes it
  };
  /// Groups that make calls at once.
  struct Round {
    std::vector<RankGroup> groups;
    std::map<std::int64_t, Made> made;     // by size
    std::vector<bool> busy_from, busy_to;  // by rank; of collectives the first alone
  };
  struct Place {
    std::size_t round, group;
  };

  std::optional<Key> key_of(const TraceItem& item) const;
  std::int64_t size_of(const TraceItem& item) const;
  RankGroup group_of(const TraceItem& item) const;
  void gather();
  Place place(std::vector<Round>& rounds, const RankGroup& group, bool is_message) const;
  Callers callers(const Key& key, std::size_t round, const Made& made) const;
  void price(const Network& network, const TraceAsked& asked);

  const TraceItems& items_;
  std::int32_t ranks_;
  std::map<Key, std::vector<Round>> rounds_;
  std::vector<TrainingCall> calls_;
  std::vector<double> times_made_;      // by call: by all groups, in units of all groups at once
  std::vector<std::int32_t> calls_of_;  // by item
};

}  // namespace weft::question
