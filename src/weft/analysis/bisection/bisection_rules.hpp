// Formulas of bisections, family by family; known_bisection.hpp asks them for a topology.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "weft/analysis/bisection/known_bisection.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/views.hpp"

namespace weft::analysis {

/// The network between S switches, or S nodes where there are no switches, with k hosts on each.
struct Size {
  std::int64_t switches = 0;
  std::int64_t hosts = 0;  // on each switch; 0 where there are no switches

  bool hosted() const { return hosts > 0; }
  std::int64_t weight() const { return switches * std::max<std::int64_t>(hosts, 1); }
};

/// What is known of halves of the switches.
struct Rule {
  Rational spread;                   // c: s switches have c s (S - s) cables to the rest, or more
  std::optional<std::int64_t> half;  // cables between some halves of the switches
  std::string_view formula, source;
};

/// The halves of all hosts, or of the nodes where there are none.
KnownBisection apply(const Size& size, const Rule& rule);

/// Hamming networks with equally many parallel links in all dimensions, exact. O(switches).
KnownBisection hamming_bisection(const Size& size, const topology::HyperxView& view);
Rule hyperx_rule(const Size& size, const topology::HyperxView& view);
enum class Line : std::uint8_t { ring, path };
KnownBisection array_bisection(const Size& size, const topology::Extents& view, Line line);
std::optional<Rule> dragonfly_rule(const topology::DragonflyView& view);
Rule slimfly_rule(std::int64_t q);
Rule kautz_rule(std::int64_t degree);  // of diameter 2

}  // namespace weft::analysis
