// Balance: how evenly the sources of one layer spread over the in-arcs of one receiver.
//
// Sources with the same mask are alike and form a class. The least time in which all can arrive,
// when source v may be cut and spread over the arcs of its mask and arc k carries c_k a unit of
// time, is
//
//     U = max over non-empty sets S of arcs of |{v : mask(v) is within S}| / sum of c_k over S:
//
// no set of arcs can be faster than what it must carry alone, and by max-flow min-cut the worst set
// is the only obstacle. This is the optimum of linear program (1), found exactly and without one.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// sections 6.1 and E.1 (Theorem 19), E.3 for capacities.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"

namespace weft::graph {

/// LayerClasses of sources and the arcs that each may use, as lists.
struct LayerClasses {
  std::vector<std::int64_t> capacities;    // by arc
  std::vector<std::int64_t> counts;        // by class: sources
  std::vector<std::int32_t> first_arc{0};  // by class, and one more
  std::vector<std::int32_t> arcs;          // of the classes in a row, ascending within each
  std::vector<std::int64_t> delays = {};   // by arc: what it takes to start; empty: nothing

  std::size_t size() const { return counts.size(); }
  std::int64_t sources() const { return std::accumulate(counts.begin(), counts.end(), 0LL); }
  /// The arcs that sources of a class may use, ascending.
  std::span<const std::int32_t> arcs_of(std::size_t index) const {
    WEFT_ASSERT(index < size() && first_arc.size() == size() + 1);
    const auto first = static_cast<std::size_t>(first_arc[index]);
    const auto last = static_cast<std::size_t>(first_arc[index + 1]);
    return std::span(arcs).subspan(first, last - first);
  }
  /// Takes all arcs and classes away; keeps the memory.
  void clear();
  friend bool operator==(const LayerClasses&, const LayerClasses&) = default;
};

/// The least time U of the classes, or `at_least` where that is more: a caller that wants a maximum
/// over many passes the largest so far, and most cases end after one flow. Exact.
Rational least_layer_time(const LayerClasses& classes, const Rational& at_least = 0);

/// The least time in which each source arrives in `chunks` whole chunks, arc k carrying at most
/// floor(time * c_k) of them; in chunks per unit of capacity. `at_least` as above.
Rational least_discrete_layer_time(const LayerClasses& classes, std::int64_t chunks,
                                   const Rational& at_least = 0);

/// What each class sends over each of its arcs, beside LayerClasses::arcs, when each source has
/// `units` units and arc k carries at most floor(time * c_k) of them. Precondition: it is possible.
std::vector<std::int64_t> split_layer(const LayerClasses& classes, std::int64_t units,
                                      const Rational& time);

/// A set of arcs that are too slow, within `limits`, for what can arrive over them alone when each
/// source has `units` units; none where all arrives. By arc.
std::vector<char> slow_arcs(const LayerClasses& classes, std::int64_t units,
                            const std::vector<std::int64_t>& limits);

}  // namespace weft::graph
