// What a claim finds in its rows, and one finding in place of those of all rows.
#pragma once

#include <vector>

#include "weft/study/experiment.hpp"

namespace weft::report {

using fields::Value;
using study::Claim;

/// What a claim speaks of: a number, or the interval up to `to`.
struct Finding {
  Value value, to = {};
};

double number_of(const Finding& found);

/// One number from all rows, which have numbers; the median of an odd number of them, the least and
/// the greatest are some row's, exact where it is.
Finding combined(Claim::Over over, const std::vector<Finding>& findings);

/// The values that most rows have, commonest first, as many as are wanted; what as many rows have
/// is told so, and no order.
Finding commonest(const Claim& claim, const std::vector<Finding>& findings);

/// A bound on each row holds where it does for the worst, which is what is shown.
Finding worst(const Claim& claim, const std::vector<Finding>& findings);

}  // namespace weft::report
