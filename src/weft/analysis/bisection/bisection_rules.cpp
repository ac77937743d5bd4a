// Bisections by formula.
//
// Most proofs are one: if every set of s of the S switches has at least c s (S - s) cables to the
// rest, and some halves exactly c S^2 / 4, then these are the narrowest. The number c comes from
// the Laplacian's second eigenvalue (c = lambda / S), or from routing one unit between each pair
// with no cable carrying more than 1 / c. With k hosts on each switch, halves of the hosts may take
// t of them from their switches, which cuts t cables more and lets the switches differ by t / k
// from the half: t + c (S^2 / 4 - t^2 / k^2) is concave in t, so it is least at t = 0 or where all
// hosts of a half, k S / 2 of them, are cut off. Hence min(c S^2 / 4, k S / 2).
//
// On Hamming networks the least number of cables around s nodes is known for every s (Lindsey
// 1964): that of the first s nodes where the largest extent varies fastest. Then the best s
// decides.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>

#include "weft/analysis/bisection/known_bisection.hpp"
#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/facets.hpp"

namespace weft::analysis {

namespace {

using namespace topology;  // facets

/// What is known of halves of the switches.
struct Rule {
  Rational spread;                   // c: s switches have c s (S - s) cables to the rest, or more
  std::optional<std::int64_t> half;  // cables between some halves of the switches
  std::string_view formula, source;
};

std::int64_t ceiling(const Rational& value) {
  WEFT_ASSERT(value >= 0);
  const std::int64_t down = value.numerator() / value.denominator();
  return down * value.denominator() == value.numerator() ? down : down + 1;  // value >= 0
}

/// The halves of all hosts, or of the nodes where there are none.
KnownBisection apply(const Size& size, const Rule& rule) {
  const Rational s(size.switches);
  const std::int64_t odd = size.weight() % 2;
  KnownBisection known{.lower = ceiling(rule.spread * (s * s - Rational(odd)) / Rational(4)),
                       .upper = rule.half,
                       .formula = rule.formula,
                       .source = rule.source};
  if (size.hosted()) {
    const std::int64_t all_hosts = size.weight() / 2;
    known.lower = std::min(known.lower, all_hosts);
    if (size.switches % 2 != 0 && size.hosts > 1) known.upper = std::nullopt;  // a switch is parted
    known.upper = std::min(known.upper.value_or(all_hosts), all_hosts);
  }
  return known;
}

bool all_of_shape(const Coordinates& grid, LineShape shape) {
  return std::ranges::all_of(grid.dimensions, [&](const Dimension& d) { return d.is(shape); });
}

std::vector<int> descending_extents(const Coordinates& grid) {
  std::vector<int> extents;
  for (const Dimension& dimension : grid.dimensions) extents.push_back(dimension.extent);
  std::ranges::sort(extents, std::greater<>());
  return extents;
}

// Cables around the first s nodes of a Hamming network of single links; extents descending, the
// first (and largest) varies fastest. Along the slowest dimension of extent m, `full` whole layers,
// then a part.
std::int64_t around_first(std::int64_t s, const std::vector<int>& extents) {
  std::int64_t cables = 0, layer = 1;
  for (const int extent : extents) layer *= extent;
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::int64_t m = extents[d];
    layer /= m;
    const std::int64_t full = s / layer, part = s % layer;
    cables += part * (full + 1) * (m - full - 1) + (layer - part) * full * (m - full);
    s = part;
  }
  return cables;
}

// Equally many parallel links in all dimensions: exact. O(switches).
KnownBisection of_hamming(const Size& size, const Coordinates& grid) {
  const std::vector<int> extents = descending_extents(grid);
  const std::int64_t total = size.weight(), per_switch = std::max<std::int64_t>(size.hosts, 1);
  const auto parted = [&](std::int64_t s) {  // hosts taken from their switches
    return std::min(std::abs(s * per_switch - total / 2),
                    std::abs(s * per_switch - (total + 1) / 2));
  };
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t s = 0; 2 * s <= size.switches + 1; ++s) {
    if (!size.hosted() && parted(s) != 0) continue;
    least =
        std::min(least, grid.dimensions.front().parallel * around_first(s, extents) + parted(s));
  }
  return {.lower = least,
          .upper = least,
          .formula =
              "k N m / 4 for the least extent m, where it is even, else the cables around the "
              "first half of the nodes, the largest extent fastest",
          .source = "Lindsey 1964; Nakano 1994"};
}

// k_i m_i is the second eigenvalue of the Laplacian, for the least such product.
Rule hyperx_rule(const Size& size, const Coordinates& grid) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  bool even = false;
  for (const Dimension& dimension : grid.dimensions) {
    const std::int64_t product = std::int64_t{dimension.extent} * dimension.parallel;
    if (product > least) continue;
    even = (product == least && even) || dimension.extent % 2 == 0;
    least = product;
  }
  return Rule{.spread = Rational(least, size.switches),
              .half = even ? std::optional(size.switches * least / 4) : std::nullopt,
              .formula = "N k m / 4, k m the least k_i m_i (m even)",
              .source = "second eigenvalue of the Laplacian"};
}

// m_d ... m_(i+1) summed over i = 1 .. a, extents descending and a the first even one (or the
// last).
std::int64_t array_sum(const std::vector<int>& extents) {
  std::int64_t rest = 1, sum = 0;
  for (const int extent : extents) rest *= extent;
  for (const int extent : extents) {
    rest /= extent;
    sum += rest;
    if (extent % 2 == 0) break;
  }
  return sum;
}

// Rings carry S m / 8 routes between all pairs on each cable, paths S m / 4 on the middle ones.
KnownBisection of_array(const Size& size, const Coordinates& grid, LineShape line) {
  const std::vector<int> extents = descending_extents(grid);
  const int least = extents.back(), largest = extents.front();
  const std::int64_t factor = line == LineShape::ring ? 2 : 1;
  const std::string_view ring =
                             "2 N / m for the largest extent m, where it is even, else 2 (m_d ... "
                             "m_2 + m_d ... m_3 + ...) up to the first even extent",
                         path =
                             "N / m for the largest extent m, where it is even, else m_d ... m_2 "
                             "+ m_d ... m_3 + ... up to the first even extent";
  Rule rule{.spread = Rational(4 * factor, size.switches * largest),
            .half = std::nullopt,
            .formula = line == LineShape::ring ? ring : path,
            .source = line == LineShape::ring ? "Arjona Aroca, Fernandez Anta 2014"
                                              : "Azizoglu, Egecioglu 2004"};
  if (largest % 2 == 0 && (largest >= 4 || line == LineShape::path)) {
    rule.half = factor * size.switches / largest;
    return apply(size, rule);
  }
  if (line == LineShape::ring && least == 2)
    return apply(size, rule);  // rings of 2 are single cables
  rule.half = factor * array_sum(extents);
  if (size.hosted()) return apply(size, rule);
  return {.lower = *rule.half, .upper = rule.half, .formula = rule.formula, .source = rule.source};
}

// The middle group q of an absolute arrangement of a h + 1 groups has its first h a / 2 = q global
// cables on its first a / 2 routers, and they lead to the groups before it: so it is parted there.
std::optional<std::int64_t> parted_dragonfly(const DragonflyView& view) {
  const std::int64_t a = view.a, g = view.g;
  if (view.arrangement != GlobalArrangement::absolute || a % 2 != 0 || g != a * view.h + 1)
    return std::nullopt;
  return (g - 1) / 2 * ((g - 1) / 2) + a / 2 * (a / 2);
}

// Small ones have several shapes.
std::optional<KnownBisection> bisection_of(const Size& size, const Coordinates& grid) {
  const auto parallel = [](const Dimension& dimension) { return dimension.parallel; };
  const int first = parallel(grid.dimensions.front());
  const bool alike =
      std::ranges::count(grid.dimensions, first, parallel) == std::ssize(grid.dimensions);
  if (all_of_shape(grid, LineShape::complete))
    return alike ? of_hamming(size, grid) : apply(size, hyperx_rule(size, grid));
  for (const LineShape line : {LineShape::ring, LineShape::path})
    if (alike && first == 1 && all_of_shape(grid, line)) return of_array(size, grid, line);
  return std::nullopt;
}

// A route between all pairs of routers loads the c cables between two groups by a^2 / c each, and a
// local cable by 1 + 2 a h / c: itself, and each of its ends' routes through the other as gateway.
std::optional<KnownBisection> bisection_of(const Size& size, const DragonflyView& view) {
  const std::int64_t a = view.a, h = view.h, g = view.g;
  if (g < 2 || a * h % (g - 1) != 0) return std::nullopt;
  const std::int64_t c = a * h / (g - 1);
  const Rational global(a * a, c);
  const Rational local = a == 1 ? Rational(0) : Rational(2 * a * h, c) + Rational(1);
  Rule rule{.spread = Rational(1) / std::max(global, local),
            .half = c * g * g / 4,
            .formula = "c g^2 / 4, c cables between two groups (g even)",
            .source = "minimal routes between all pairs; Kim, Dally, Scott, Abts 2008"};
  if (g % 2 != 0) {
    rule.half = parted_dragonfly(view);
    rule.formula =
        rule.half ? "((g - 1)^2 + a^2) / 4, the middle group parted (g = a h + 1 odd, a even)"
                  : "at least c (a g)^2 / (4 max(a^2, 2 a h + c)), c cables between two groups";
  }
  return apply(size, rule);
}

// The Laplacian's second eigenvalue is q. Halves: half of the groups on either side; for odd q one
// group more of the first half of the network, and one fewer of the second.
std::optional<KnownBisection> bisection_of(const Size& size, const SlimflyView& view) {
  const std::int64_t q = view.q;
  return apply(size, {.spread = Rational(1, 2 * q),
                      .half = q % 2 == 0 ? q * q * q / 2 : q * (q * q + 1) / 2,
                      .formula = "q^3 / 2 (q even; q odd: at most q (q^2 + 1) / 2)",
                      .source = "second eigenvalue of the Laplacian, Hafner 2004"});
}

// The eigenvalues of A + A^T are 2d, d - 1, 0 and -(d + 1).
std::optional<KnownBisection> bisection_of(const Size& size, const KautzView& view) {
  if (view.diameter != 2) return std::nullopt;
  return apply(size, {.spread = Rational(1, view.degree),
                      .half = std::nullopt,
                      .formula = "at least d (d + 1)^2 / 4",
                      .source = "second eigenvalue of the Laplacian"});
}

template <class Other>
std::optional<KnownBisection> bisection_of(const Size&, const Other&) {
  return std::nullopt;
}

}  // namespace

std::optional<KnownBisection> known_bisection(const Size& size, const Facet& facet) {
  return std::visit([&](const auto& each) { return bisection_of(size, each); }, facet);
}

}  // namespace weft::analysis
