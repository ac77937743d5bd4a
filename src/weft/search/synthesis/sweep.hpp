// The sweep over steps and chunks: plans, bounds and proofs together.
#pragma once

#include "weft/search/synthesis.hpp"
#include "weft/search/synthesis/annealing.hpp"
#include "weft/search/synthesis/instance.hpp"

namespace weft::search {

struct SweptPoint {
  Plan plan;
  Rational ratio;  // rounds per chunk
  Rational bound;  // on rounds per chunk in at most so many steps
  Proof proof = Proof::none;
};

struct Swept {
  std::vector<SweptPoint> pareto;  // by increasing steps
  Rational bound;                  // on rounds per chunk in any number of steps
  bool complete = true;
};

/// The most steps that are swept, from `first` up.
int last_steps(const SynthesisOptions& options, int first);

/// Sweeps the numbers of steps from the least up. Precondition: options checked.
Swept sweep(const Instance& instance, const SynthesisOptions& options, Clock::time_point deadline);

}  // namespace weft::search
