// What weft degrade answers of each algorithm, as tables of parts: for the command and for rows of
// studies.
#pragma once

#include <string>
#include <vector>

#include "weft/advise/degradation.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"

namespace weft::advise {

/// An algorithm over all failures, or the fastest one after each failure.
struct AnsweredEndurance {
  const Degradation& of;
  const Endurance& each;
};

/// Whether both cables and nodes fail.
bool fails_both(const Degradation& found);
/// The worst failures: "cable=4~5 (of 3 equal)", "any"; empty if nothing runs.
std::string worst_text(const AnsweredEndurance& answered);

answer::Parts<AnsweredEndurance> endurance_parts();
/// The failures themselves: how many there can be, and how many were tried.
answer::Parts<Degradation> trial_parts();

/// Columns of a row of a study: of the fastest algorithm after each failure, and of the failures.
std::vector<answer::Column> endurance_row_columns();
std::vector<answer::Column> trial_row_columns();

}  // namespace weft::advise
