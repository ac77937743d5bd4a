#include "weft/graph/unit_layer.hpp"

#include <algorithm>

#include "weft/graph/layer_classes.hpp"

namespace weft::graph {

namespace {

// The larger of a fraction and count / size.
Rational larger(const Rational& least, std::int64_t count, std::int64_t size) {
  return count * least.denominator() > least.numerator() * size ? Rational(count, size) : least;
}

// Of each set of arcs how many it has.
constexpr auto kSizes = [] {
  std::array<std::uint8_t, std::size_t{1} << UnitLayer::kMostDense> sizes{};
  for (std::size_t set = 1; set < sizes.size(); ++set) sizes[set] = sizes[set >> 1U] + (set & 1U);
  return sizes;
}();

}  // namespace

void UnitLayer::clear() {
  std::fill_n(single_.begin(), arcs_, 0);
  if (shares_) std::fill_n(dense_.begin(), sets(), 0);
  shares_ = false;
  sparse_.clear();
}

Rational UnitLayer::raise(const Rational& least) const {
  if (shares_) return raise_by_sets(least);
  if (!sparse_.empty()) return raise_by_flows(least);
  return larger(least, *std::ranges::max_element(single_), 1);
}

Rational UnitLayer::raise_by_sets(const Rational& least) const {
  const std::size_t sets = this->sets();
  std::array<std::int32_t, std::size_t{1} << kMostDense> within;
  std::copy_n(dense_.begin(), sets, within.begin());
  for (int arc = 0; arc < arcs_; ++arc) within[std::size_t{1} << arc] = single_[arc];
  for (int arc = 0; arc < arcs_; ++arc)
    for (std::size_t low = std::size_t{1} << arc, set = low; set < sets; set = (set + 1) | low)
      within[set] += within[set ^ low];
  std::array<std::int32_t, kMostDense + 1> most{};  // by size of the set
  for (std::size_t set = 1; set < sets; ++set) {
    std::int32_t& largest = most[kSizes[set]];
    largest = std::max(largest, within[set]);
  }
  Rational load = least;
  for (int size = 1; size <= arcs_; ++size) load = larger(load, most[size], size);
  return load;
}

Rational UnitLayer::raise_by_flows(const Rational& least) const {
  LayerClasses classes;
  classes.capacities.assign(arcs_, 1);
  for (int arc = 0; arc < arcs_; ++arc) {
    const MaskWord mask = MaskWord{1} << arc;
    if (const std::int32_t count = single_[arc]; count > 0)
      append_class(std::span(&mask, 1), count, classes);
  }
  for (const auto& [mask, count] : sparse_) {
    const MaskWord word = mask;
    append_class(std::span(&word, 1), count, classes);
  }
  return least_layer_time(classes, least);
}

}  // namespace weft::graph
