// PipelinePrice: T_B of a schedule in any number of segments.
//
// Several stored steps run at once: at time x those t with x = t + i * stride, i < segments. For
// one residue of x modulo the stride this is a window of `segments` neighbouring entries sliding
// over the stored steps of that residue. While it covers all of them nothing changes. Before that
// it only grows, and after that it only shrinks, in the same way for all numbers of segments that
// cover all: what is read backwards grows too, so that the largest load follows from the links that
// an entry adds. Only with fewer segments than entries the whole window is looked at each time.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "loads.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/rational.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::schedule {

/// The largest factors of the steps that one residue runs, while its window grows and shrinks; the
/// last one that grew is that of all entries.
struct Ramp {
  std::vector<Rational> growing, shrinking;
};

/// Loads of all stored steps in numbers of one kind: integers, all of one denominator, where these
/// have room, else fractions.
template <typename Number>
struct PipelineLoads {
  struct Load {
    LinkId link;
    Number units;
  };
  std::vector<std::vector<Load>> steps;
  Rational unit = 1;  // what a number of 1 means
};

class PipelinePrice {
 public:
  /// What each stored step of one segment puts on the links, in units.
  PipelinePrice(const std::vector<std::vector<LinkLoad>>& steps, std::int64_t stride,
                const Fabric& fabric);

  /// T_B and the factors of steps in so many segments; `share` is that of a unit in M then. The
  /// first call with as many segments as entries takes O(loads), the others O(entries); with fewer
  /// segments O(entries * links).
  void price(std::int64_t segments, const Rational& share, Cost& cost);

 private:
  template <typename Number>
  class Peaks;
  template <typename Number>
  class Window;
  template <typename Number>
  Ramp ramp_of(const PipelineLoads<Number>& loads, std::int64_t residue);
  // Of a window that never covers all.
  template <typename Number>
  std::vector<Rational> sliding(const PipelineLoads<Number>& loads, std::int64_t residue,
                                std::int64_t segments);

  std::int64_t entries_of(std::int64_t residue) const {
    return (stored_ - residue + stride_ - 1) / stride_;
  }

  std::int64_t stored_, stride_;
  IdVector<LinkId, std::int32_t> speed_;  // of each link, an index
  std::vector<Rational> weights_;         // by that: egress of a node / bandwidth
  std::variant<PipelineLoads<std::int64_t>, PipelineLoads<Rational>> loads_;
  std::vector<std::optional<Ramp>> ramps_;  // by residue, once asked for
};

}  // namespace weft::schedule
