#include "weft/analysis/dragonfly_links.hpp"

#include "weft/base/error.hpp"

namespace weft::analysis {

LinkOdds link_odds(const topology::DragonflyView& dragonfly) {
  const std::int64_t a = dragonfly.a, p = dragonfly.p, h = dragonfly.h, g = dragonfly.g;
  require(g == a * h + 1,
          "the Dragonfly with {} groups does not have exactly one link between any two groups "
          "(a={}, h={}); use g={}",
          g, a, h, a * h + 1);
  const std::int64_t others = g * a * p - 1;
  require(others >= 1, "a Dragonfly with one host has no messages (needs 2 hosts or more)");
  LinkOdds odds;
  odds.one_global = Rational(1) - Rational(a * p - 1, others);
  odds.no_local = Rational(p - 1 + h * p, others);
  odds.one_local = Rational((2 * h + 1) * (a - 1) * p, others);
  odds.two_local = Rational(1) - odds.no_local - odds.one_local;
  odds.local_mean = odds.one_local + odds.two_local * 2;
  return odds;
}

LinkCounts expected_tree_crossings(const topology::DragonflyView& dragonfly, std::int64_t ranks) {
  const LinkOdds odds = link_odds(dragonfly);
  const std::int64_t hosts = std::int64_t{dragonfly.g} * dragonfly.a * dragonfly.p;
  require(ranks >= 1 && ranks <= hosts, "{} ranks are out of range (1 to the {} hosts)", ranks,
          hosts);
  return {odds.local_mean * (ranks - 1), odds.one_global * (ranks - 1)};
}

LinkCounts most_crossings_of_aware(const topology::DragonflyView& dragonfly) {
  const std::int64_t a = dragonfly.a, g = dragonfly.g;
  return {Rational(2 * (g - 1) + g * (a - 1)), Rational(g - 1)};
}

}  // namespace weft::analysis
