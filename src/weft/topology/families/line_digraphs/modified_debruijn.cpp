// Modified de Bruijn digraphs: no self-loops, no 2-cycles.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// A link on a self-loop or 2-cycle: its tail alternates between two digits (or repeats one), and
// its head is the same word shifted.
bool is_rewired(std::int64_t tail, std::int64_t head, std::int64_t d, std::int64_t n) {
  return tail == (d * head + tail % d) % n && head == (d * tail + head % d) % n;
}

// The order round the cycle of the words that alternate between two digits.
std::vector<std::int64_t> cycle_order(int degree, int length, std::int64_t nodes) {
  if (length == 2)
    return degree == 3
               ? std::vector<std::int64_t>{0, 5, 3, 4, 6, 7, 8, 1, 2}
               : std::vector<std::int64_t>{0, 11, 4, 8, 5, 12, 9, 13, 10, 1, 14, 2, 15, 6, 3, 7};
  std::vector<std::int64_t> order;
  for (std::int64_t a = 0; a < degree; ++a) {
    for (std::int64_t b = 0; b < degree; ++b) {
      std::int64_t word = 0;
      for (int i = 0; i < length; ++i) word = word * degree + (i % 2 == 0 ? a : b);
      order.push_back(word % nodes);
    }
  }
  std::sort(order.begin(), order.end());
  return order;
}

// The de Bruijn digraph debruijn:d,n whose self-loops and 2-cycles are taken out and replaced by
// one cycle through their d^2 nodes, so that all degrees stay d. Out-links of a node: the kept
// ones in order, then that of the cycle. Links are one-way. degree >= 2; length >= 3, or length 2
// with degree 3 or 4. Throws InvalidInput.
//
// The paper leaves the order round the cycle open. For length >= 3 it is increasing: of the six
// orders of (2,4) this one and its transpose (up to isomorphism) are the only ones that are not
// reverse-symmetric, and they have the printed diameter and throughput of the square. With length
// 2 the cycle visits every node, and most orders double a link; (3,2) and (4,2) follow orders
// found by search that commute with adding 1 to every digit. They are not reverse-symmetric either
// and have allgathers of the printed 3 steps at T_B = (N-1)/N; the line graphs of (4,2) have the
// printed throughputs. Source: Zhao et al., Tables 7 and 9, Figure 20.
Topology modified_debruijn(int degree, int length) {
  require(degree >= 2, "degree {} is too small for debruijn-mod (needs 2 or more); use uniring:N",
          degree);
  require(length >= 3 || (length == 2 && (degree == 3 || degree == 4)),
          "debruijn-mod:{},{} is not defined (needs n >= 3, or 3,2 or 4,2); use debruijn:d,n or "
          "kautz:d,k",
          degree, length);
  Expression name{"debruijn-mod", fmt::format("{},{}", degree, length), {}};
  const double size = std::pow(degree, length);
  require_size(name.to_string(), size, size * degree);
  const std::int64_t d = degree;
  const auto n = static_cast<std::int64_t>(size);
  const auto order = cycle_order(degree, length, n);
  std::map<std::int64_t, std::int64_t> next;
  for (std::size_t i = 0; i < order.size(); ++i)
    next.emplace(order[i], order[(i + 1) % order.size()]);

  TopologyBuilder builder(n);
  for (std::int64_t u = 0; u < n; ++u) {
    for (std::int64_t j = 0; j < d; ++j)
      if (const std::int64_t v = (d * u + j) % n; !is_rewired(u, v, d, n))
        builder.add_link(NodeId(u), NodeId(v));
    if (const auto on_cycle = next.find(u); on_cycle != next.end())
      builder.add_link(NodeId(u), NodeId(on_cycle->second));
  }
  builder.set_nominal_degree(degree);
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family modified_debruijn_family() {
  return make_family("debruijn-mod", "d,n",
                     "de Bruijn digraph whose self-loops and 2-cycles are replaced by one cycle",
                     "debruijn-mod:2,4", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return modified_debruijn(values[0], values[1]);
                     });
}

}  // namespace weft::topology
