// Trees that were searched for lately: a comparison, its run by another model and what failures
// leave ask for the same, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "annealing.hpp"
#include "weft/flow/shallow_trees.hpp"
#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {

/// Searches this once, or says again what came of it: a search depends on nothing but the carrier
/// and the question. Of many the last are remembered, in up to 16 MiB. Any thread; two that ask
/// for the same at once both search.
Forest searched_once(const Carrier& carrier, const ShallowQuestion& question,
                     const std::function<Forest()>& search);

}  // namespace weft::flow
