// DataLine: what one buffer of one agent holds, as runs of bytes of one kind, and who touched them
// last.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "weft/schedule/contributors.hpp"

namespace weft::program {

/// Bytes [at, at + bytes) of what an operation moves: they belong to [origin, origin + bytes) of
/// the row of all blocks.
struct Datum {
  std::int64_t at = 0, bytes = 0, origin = 0;
  schedule::SetId set = 0;
};

/// Bytes [first, end) of a buffer.
struct DataCell {
  std::int64_t first = 0, end = 0;
  std::int64_t origin = 0;
  schedule::SetId set = 0;
  std::int32_t writer = -1;           // the operation that wrote it
  std::vector<std::int32_t> readers;  // since then
};

class DataLine {
 public:
  static constexpr std::int32_t kNobody = -1;

  /// Calls visit(cell) for what is held of [first, end), in order, cut to it.
  template <class Visit>
  void each(std::int64_t first, std::int64_t end, Visit&& visit) {
    cut(first);
    cut(end);
    for (auto at = cells_.lower_bound(first); at != cells_.end() && at->first < end; ++at)
      visit(std::as_const(at->second));
  }

  /// `reader` has read [first, end).
  void read(std::int64_t first, std::int64_t end, std::int32_t reader) {
    cut(first);
    cut(end);
    for (auto at = cells_.lower_bound(first); at != cells_.end() && at->first < end; ++at)
      at->second.readers.push_back(reader);
  }

  /// Puts data there from byte `offset` on, in place of what was there.
  void write(std::int64_t offset, std::span<const Datum> data, std::int32_t writer) {
    for (const Datum& datum : data) {
      const std::int64_t first = offset + datum.at, end = first + datum.bytes;
      cut(first);
      cut(end);
      cells_.erase(cells_.lower_bound(first), cells_.lower_bound(end));
      cells_[first] = {first, end, datum.origin, datum.set, writer, {}};
    }
  }

 private:
  /// Lets a cell start at `place`, if one is there.
  void cut(std::int64_t place) {
    auto after = cells_.upper_bound(place);
    if (after == cells_.begin()) return;
    DataCell& cell = std::prev(after)->second;
    if (cell.first == place || cell.end <= place) return;
    DataCell rest = cell;
    rest.first = place;
    rest.origin += place - cell.first;
    cell.end = place;
    cells_.emplace_hint(after, place, std::move(rest));
  }

  std::map<std::int64_t, DataCell> cells_;  // by first byte
};

}  // namespace weft::program
