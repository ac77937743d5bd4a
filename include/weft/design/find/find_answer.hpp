// Tables of parts of the answer of weft find.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/design/find/find_question.hpp"

namespace weft::design {

/// The answer and its question.
struct FindReport {
  const FindQuestion& asked;
  const FindAnswer& found;
  std::string catalogue;  // checksum
};

/// One size, and one network of it, each with its question.
struct SizeReport {
  const FindQuestion& asked;
  const FoundSize& size;
};
struct NetworkReport {
  SizeReport of;
  const FoundNetwork& network;
};

/// Tables of parts of the answer, what was asked first, and of a point of a curve.
answer::Parts<FindReport> find_asked_parts();
answer::Parts<FindReport> find_found_parts();
answer::Parts<StepPoint> step_point_parts();

/// All networks of the answer, sizes ascending, as a table of the columns that have any value.
answer::Cells found_cells(const FindQuestion& asked, const FindAnswer& found,
                          answer::Reader reader);

/// Networks are ranked by their all-to-all throughput.
bool is_for_alltoall(const FindQuestion& asked);

}  // namespace weft::design
