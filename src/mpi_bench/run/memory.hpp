// A rank's buffers, of which only those parts have memory that some operation or the collective
// touches: in an all-to-all, N of N * N blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "program.hpp"

namespace weft::mpi_bench {

/// A 4-byte element: a float or an integer.
using Element = std::uint32_t;

/// Units [first, first + count) of the memory.
struct Span {
  std::int64_t first = 0, count = 0;
};

class Memory {
 public:
  explicit Memory(int buffers) : touched_(static_cast<std::size_t>(buffers)) {}

  /// First all that will be used is named, then the memory is laid out once.
  void touch(const UnitRange& range);
  void lay_out();
  /// Where a range lies. Precondition: it lies in one that was named.
  Span find(const UnitRange& range) const;

  std::int64_t units() const { return units_; }
  /// Gives each unit `elements` elements; what was there is lost.
  void resize(std::int64_t elements);
  std::int64_t elements_of(std::int64_t units) const { return units * elements_; }
  Element* at(std::int64_t unit) { return &data_[static_cast<std::size_t>(unit * elements_)]; }
  std::vector<Element>& data() { return data_; }

 private:
  struct Interval {
    std::int64_t first, end, place;
  };
  std::vector<std::vector<Interval>> touched_;  // by buffer; after lay_out() sorted and disjoint
  std::int64_t units_ = 0, elements_ = 0;
  std::vector<Element> data_;
};

}  // namespace weft::mpi_bench
