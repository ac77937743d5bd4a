#include "weft/graph/delayed_balance.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "transport.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

std::int64_t delay_of(const LayerClasses& classes, std::size_t arc) {
  return classes.delays.empty() ? 0 : classes.delays[arc];
}

// Sources that can arrive over the set only.
std::int64_t sources_within(const LayerClasses& classes, const std::vector<char>& set) {
  std::int64_t sources = 0;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (std::ranges::all_of(classes.arcs_of(i), [&](std::int32_t arc) { return set[arc] != 0; }))
      sources += classes.counts[i];
  return sources;
}

// The least time in which the set carries `amount`: the first line from which the next delay does
// not turn off any more.
Rational time_to_carry(const LayerClasses& classes, const std::vector<char>& set,
                       const Rational& amount) {
  std::vector<std::size_t> arcs;
  for (std::size_t k = 0; k < set.size(); ++k)
    if (set[k] != 0) arcs.push_back(k);
  std::ranges::stable_sort(arcs, {}, [&](std::size_t k) { return delay_of(classes, k); });
  WEFT_ASSERT(!arcs.empty());
  std::int64_t capacity = 0;
  Rational carried = amount;  // and what the arcs would have carried had they begun at 0
  Rational time;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const std::int64_t c = classes.capacities[arcs[i]], a = delay_of(classes, arcs[i]);
    if (i > 0 && time <= Rational(a)) break;
    capacity = checked_add(capacity, c);
    carried += Rational(checked_mul(c, a));
    time = carried / capacity;
  }
  return time;
}

// c_k max(0, time - a_k), in sizes of which a source has `units`, rounded down.
std::vector<std::int64_t> whole_limits(const LayerClasses& classes, std::int64_t units,
                                       const Rational& size, const Rational& time) {
  std::vector<std::int64_t> limits;
  for (std::size_t k = 0; k < classes.capacities.size(); ++k) {
    const Rational running = time - delay_of(classes, k);
    const Rational carried =
        running > 0 ? running * classes.capacities[k] * units / size : Rational(0);
    const std::int64_t most = checked_mul(units, std::max<std::int64_t>(1, classes.sources()));
    limits.push_back(carried >= most ? most
                                     : static_cast<std::int64_t>(carried.wide_numerator() /
                                                                 carried.wide_denominator()));
  }
  return limits;
}

std::vector<std::int64_t> scaled(const std::vector<std::int64_t>& values, std::int64_t factor) {
  std::vector<std::int64_t> result;
  for (const std::int64_t value : values) result.push_back(checked_mul(value, factor));
  return result;
}

// A number of units of which every arc carries whole ones by this time.
std::int64_t fitting_units(const LayerClasses& classes, const Rational& size,
                           const Rational& time) {
  std::int64_t units = 1;
  for (std::size_t k = 0; k < classes.capacities.size(); ++k) {
    const Rational running = time - delay_of(classes, k);
    if (running <= 0) continue;
    const std::int64_t q = (running * classes.capacities[k] / size).denominator();
    units = checked_mul(units / std::gcd(units, q), q);
  }
  return units;
}

}  // namespace

Rational least_delayed_time(const LayerClasses& classes, const Rational& size,
                            const Rational& at_least) {
  WEFT_ASSERT(size > 0);
  if (classes.size() == 0) return at_least;
  const auto lengthen = [&](const std::vector<char>& set) {
    return time_to_carry(classes, set, size * sources_within(classes, set));
  };
  Rational time = std::max(at_least, lengthen(std::vector<char>(classes.capacities.size(), 1)));
  for (;;) {
    const std::int64_t units = fitting_units(classes, size, time);
    const Transport transport(classes, scaled(classes.counts, units),
                              whole_limits(classes, units, size, time));
    if (transport.complete()) return time;
    const Rational longer = lengthen(transport.cut());
    WEFT_ASSERT(longer > time);
    time = longer;
  }
}

Rational least_discrete_delayed_time(const LayerClasses& classes, std::int64_t chunks,
                                     const Rational& size, const Rational& at_least) {
  WEFT_ASSERT(size > 0 && chunks >= 1);
  if (classes.size() == 0) return at_least;
  const std::vector<std::int64_t> demand = scaled(classes.counts, chunks);
  Rational time = least_delayed_time(classes, size, at_least);
  for (;;) {
    const std::vector<std::int64_t> limits = whole_limits(classes, chunks, size, time);
    const Transport transport(classes, demand, limits);
    if (transport.complete()) return time;
    // The next chunk of an arc of the cut.
    std::optional<Rational> next;
    for (std::size_t k = 0; k < limits.size(); ++k) {
      if (transport.cut()[k] == 0) continue;
      const Rational one_more =
          Rational(delay_of(classes, k)) + size * (limits[k] + 1) / chunks / classes.capacities[k];
      if (!next || one_more < *next) next = one_more;
    }
    WEFT_ASSERT(next && *next > time);
    time = *next;
  }
}

std::vector<std::int64_t> split_delayed(const LayerClasses& classes, std::int64_t units,
                                        const Rational& size, const Rational& time) {
  WEFT_ASSERT(size > 0 && units >= 0);
  const Transport transport(classes, scaled(classes.counts, units),
                            whole_limits(classes, units, size, time));
  WEFT_ASSERT(transport.complete());
  return transport.flow();
}

}  // namespace weft::graph
