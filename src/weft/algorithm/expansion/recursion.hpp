// The recursion over a topology's expression.
#pragma once

#include "sends.hpp"

namespace weft::algorithm {

/// A network and an allgather of it, read one way.
struct Expanded {
  Topology topology;
  Sends sends;
  bool bfb = false;  // the sends are a BFB schedule
};

/// The allgather of the expression's network, read in `sense`.
Expanded expand_sends(const topology::Expression& expression, graph::Sense sense,
                      const Bases& bases);

/// The network's own expression, less one application of its function: X of line(X), line(X) of
/// line^2(X). Precondition: it has one child.
topology::Expression inner_of(const topology::Expression& expression);

/// Whether the schedule of the expression's network is made from one of a smaller or a transposed
/// network.
bool has_expansion(const topology::Expression& expression);

/// The integer that a function takes before its network: n of power(n, X).
int leading_integer(const topology::Expression& expression);

/// X where the expression is a product X * X * ... of the same.
std::optional<topology::Expression> repeated_factor(const topology::Expression& expression);

}  // namespace weft::algorithm
