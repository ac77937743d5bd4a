// The worst set of arcs is found by Newton's method on max over S of count(S) - time * capacity(S)
// (Dinkelbach, "On Nonlinear Fractional Programming", Management Science 13(7), 1967): a flow at
// the present time either places everything, which proves the time, or leaves a minimum cut, a set
// that needs more. Times only grow and each set comes up once; two or three flows are usual.
#include "weft/graph/balance.hpp"

#include <algorithm>
#include <optional>

#include "transport.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

struct Need {
  std::int64_t sources = 0;   // that can arrive over the set only
  std::int64_t capacity = 0;  // of the set
};

Need need_of(const LayerClasses& classes, const std::vector<char>& set) {
  Need need;
  for (std::size_t k = 0; k < set.size(); ++k)
    if (set[k] != 0) need.capacity += classes.capacities[k];
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto arcs = classes.arcs_of(i);
    const bool within =
        std::all_of(arcs.begin(), arcs.end(), [&](std::int32_t arc) { return set[arc] != 0; });
    if (within) need.sources += classes.counts[i];
  }
  return need;
}

std::vector<std::int64_t> scaled(const std::vector<std::int64_t>& values, std::int64_t factor) {
  std::vector<std::int64_t> result;
  result.reserve(values.size());
  for (const std::int64_t value : values) result.push_back(checked_mul(value, factor));
  return result;
}

std::int64_t whole(const Rational& time, std::int64_t capacity) {
  return mul_div(time.numerator(), capacity, time.denominator());
}

std::vector<std::int64_t> whole_limits(const LayerClasses& classes, const Rational& time) {
  std::vector<std::int64_t> limits;
  for (const std::int64_t capacity : classes.capacities) limits.push_back(whole(time, capacity));
  return limits;
}

// The least time, from `time` on, in which the set carries so many whole chunks.
Rational time_for(const LayerClasses& classes, const std::vector<char>& set, std::int64_t chunks,
                  Rational time) {
  for (;;) {
    std::int64_t carried = 0;
    std::optional<Rational> next;
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (set[k] == 0) continue;
      const std::int64_t now = whole(time, classes.capacities[k]);
      const Rational one_more(now + 1, classes.capacities[k]);
      if (!next || one_more < *next) next = one_more;
      carried += now;
    }
    if (carried >= chunks) return time;
    WEFT_ASSERT(next.has_value());  // some arc of the set carries one more later
    time = *next;
  }
}

std::vector<char> all_arcs(const LayerClasses& classes) {
  return std::vector<char>(classes.capacities.size(), 1);
}

}  // namespace

void LayerClasses::clear() {
  capacities.clear();
  counts.clear();
  first_arc.assign(1, 0);
  arcs.clear();
  delays.clear();
}

Rational least_layer_time(const LayerClasses& classes, const Rational& at_least) {
  if (classes.size() == 0) return at_least;
  const Need whole_layer = need_of(classes, all_arcs(classes));
  Rational time = std::max(at_least, Rational(whole_layer.sources, whole_layer.capacity));
  for (;;) {
    const Transport transport(classes, scaled(classes.counts, time.denominator()),
                              scaled(classes.capacities, time.numerator()));
    if (transport.complete()) return time;
    const Need need = need_of(classes, transport.cut());
    const Rational longer(need.sources, need.capacity);
    WEFT_ASSERT(longer > time);
    time = longer;
  }
}

Rational least_discrete_layer_time(const LayerClasses& classes, std::int64_t chunks,
                                   const Rational& at_least) {
  WEFT_ASSERT(chunks >= 1);
  if (classes.size() == 0) return at_least;
  const std::vector<std::int64_t> demand = scaled(classes.counts, chunks);
  const auto lengthen = [&](const std::vector<char>& set, const Rational& time) {
    const Need need = need_of(classes, set);
    const std::int64_t wanted = checked_mul(need.sources, chunks);
    return time_for(classes, set, wanted, std::max(time, Rational(wanted, need.capacity)));
  };
  Rational time = lengthen(all_arcs(classes), at_least);
  for (;;) {
    const Transport transport(classes, demand, whole_limits(classes, time));
    if (transport.complete()) return time;
    const Rational longer = lengthen(transport.cut(), time);
    WEFT_ASSERT(longer > time);
    time = longer;
  }
}

std::vector<std::int64_t> split_layer(const LayerClasses& classes, std::int64_t units,
                                      const Rational& time) {
  WEFT_ASSERT(units >= 0 && time >= 0);
  const Transport transport(classes, scaled(classes.counts, units), whole_limits(classes, time));
  WEFT_ASSERT(transport.complete());
  WEFT_ASSERT(transport.flow().size() == classes.arcs.size());
  return transport.flow();
}

std::vector<char> slow_arcs(const LayerClasses& classes, std::int64_t units,
                            const std::vector<std::int64_t>& limits) {
  WEFT_ASSERT(limits.size() == classes.capacities.size());
  const Transport transport(classes, scaled(classes.counts, units), limits);
  return transport.complete() ? std::vector<char>(limits.size(), 0) : transport.cut();
}

}  // namespace weft::graph
