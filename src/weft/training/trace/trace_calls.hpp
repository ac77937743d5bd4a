// Calls of a trace: which of its collectives are made at once, and what they cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "weft/training/callers.hpp"
#include "weft/training/prices.hpp"
#include "weft/training/trace/trace_items.hpp"
#include "weft/training/trace/trace_run.hpp"

namespace weft::training {

class TraceCalls {
 public:
  /// Prices all collectives of the items, which have to outlive it.
  TraceCalls(const TraceItems& items, const Network& network, const TraceQuestion& asked);

  /// Of an item; nothing where it is no collective or moves nothing.
  const TrainingCall* of(std::int32_t item) const {
    return calls_of_[item] < 0 ? nullptr : &calls_[calls_of_[item]];
  }
  /// With their uses.
  const std::vector<TrainingCall>& all() const { return calls_; }
  /// Bytes of all over links of each class; nothing where that of one is not known.
  std::optional<ClassBytes> class_bytes() const;

 private:
  /// Calls of a size.
  struct Made {
    std::vector<std::int32_t> items;
    std::map<std::size_t, std::int64_t> of_group;  // how often each makes it
  };
  /// Groups that make calls at once.
  struct Round {
    std::vector<RankGroup> groups;
    std::map<std::int64_t, Made> made;  // by size
    std::vector<bool> busy;             // by rank
  };
  struct Place {
    std::size_t round, group;
  };

  /// What it is, where it moves anything.
  std::optional<CollectiveKind> kind_of(const TraceItem& item) const;
  std::int64_t size_of(const TraceItem& item) const;
  void gather();
  Place place(std::vector<Round>& rounds, const RankGroup& group) const;
  static Callers callers(const Round& round, const Made& made);
  void price(const Network& network, const TraceQuestion& asked);

  const TraceItems& items_;
  std::int32_t ranks_;
  std::map<CollectiveKind, std::vector<Round>> rounds_;
  std::vector<TrainingCall> calls_;
  std::vector<double> times_made_;      // by call: by all groups, in units of all groups at once
  std::vector<std::int32_t> calls_of_;  // by item
};

}  // namespace weft::training
