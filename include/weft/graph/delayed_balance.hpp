// Delayed balance: the balance of one layer (balance.hpp) over arcs that take time to start.
//
// Arc k carries nothing until a_k, then c_k a unit of time; one that starts after all has arrived
// carries nothing and costs nothing. The least time in which sources of `size` (capacity times
// time) each can arrive is the least U with, for all non-empty sets S of arcs,
//
//     sum over k in S of c_k max(0, U - a_k)  >=  size * |{v : mask(v) is within S}|,
//
// by max-flow min-cut at time U, as without delays. The left side grows with U, so that the worst
// set of the present time tells a later one, and no other set's time is passed over. That is linear
// program (14), with every link left out that is too slow to start to be of use: a link of load 0
// is no constraint here.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// section E.3.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/graph/balance.hpp"

namespace weft::graph {

/// The least time U of the classes, or `at_least` where that is more. Exact. Throws
/// std::overflow_error where numbers do not fit in 64 bits. As many flows as sets come up, two or
/// three as a rule.
Rational least_delayed_time(const LayerClasses& classes, const Rational& size,
                            const Rational& at_least = 0);

/// The least time in which each source arrives in `chunks` whole chunks, arc k carrying at most
/// floor(chunks * c_k (time - a_k) / size) of them.
Rational least_discrete_delayed_time(const LayerClasses& classes, std::int64_t chunks,
                                     const Rational& size, const Rational& at_least = 0);

/// What each class sends over each of its arcs, beside LayerClasses::arcs, within these limits.
/// Precondition: it is possible.
std::vector<std::int64_t> split_delayed(const LayerClasses& classes, std::int64_t units,
                                        const Rational& size, const Rational& time);

}  // namespace weft::graph
