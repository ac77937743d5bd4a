// Stored schedules: allgathers of small networks that are better than BFB, found by search, as
// bases of expansions.
//
// A table of them is text. A line "schedule EXPRESSION units U" begins one, and each line behind it
// is a send, "step link source first count": in that step the link carries units [first, first +
// count) of the source's block. Links are numbered as in the network of the expression; the
// schedule of transpose(X) serves the reduce-scatter on X. '#' begins a comment. The table that
// ships, share/catalogue/allgather.txt, is compiled in.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

class StoredSchedules {
 public:
  /// Reads a table; whether its schedules are right is for the verifier. Throws InvalidInput naming
  /// the line.
  explicit StoredSchedules(std::string_view table);
  ~StoredSchedules();
  StoredSchedules(StoredSchedules&&) noexcept;
  StoredSchedules& operator=(StoredSchedules&&) noexcept;

  /// The table that ships.
  static const StoredSchedules& shipped();

  /// The allgather of the topology whose expression this is, rank v on node v; nothing when none is
  /// stored. Throws InvalidInput for links or nodes that the topology lacks.
  std::optional<schedule::Schedule> find(const Topology& topology) const;
  /// The expressions, sorted.
  std::vector<std::string> names() const;

 private:
  struct Table;
  std::unique_ptr<Table> table_;
};

/// The schedule as an entry of a table. Precondition: an allgather, rank v on node v, one link a
/// message.
std::string table_entry(const schedule::Schedule& schedule, const Topology& topology);

}  // namespace weft::algorithm
