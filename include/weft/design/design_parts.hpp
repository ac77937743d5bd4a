// What weft design answers of each candidate, as tables of parts: for the command and for rows of
// studies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/design/network_design.hpp"

namespace weft::design {

/// A candidate of a design.
struct DesignedRow {
  const NetworkDesign& of;
  const DesignRow& row;
};

/// The quoted switch; nothing where the fitted line has its price.
std::optional<std::string> quoted_part(const SwitchModel& model);

/// All of a candidate but its calls.
answer::Parts<DesignedRow> designed_row_parts();

/// The table of a row of a study, which is of the advised network, and its columns.
answer::Parts<DesignedRow> design_row_parts();
std::vector<answer::Column> design_row_columns();

}  // namespace weft::design
