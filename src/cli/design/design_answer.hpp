// How weft design answers.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/design/network_design.hpp"
#include "weft/report/design_page.hpp"

namespace weft::cli {

struct DesignAnswer {
  const design::DesignQuestion& asked;
  const design::NetworkDesign& found;
  const report::DesignSpeeds& speeds;
  const Network& network;              // the advised one
  const GivenFields& said;             // of its speeds
  std::vector<std::string> schedules;  // their files, by call; empty where none are written
};

answer::Parts<DesignAnswer> design_parts();
/// A row for each call of the advised network; a row for each candidate.
answer::Cells call_cells(const DesignAnswer& answer);
answer::Cells row_cells(const DesignAnswer& answer);
/// Of what time ran out for; a line and its end.
std::string late_note(const design::NetworkDesign& found);
std::string text_of(const DesignAnswer& answer, const Screen& screen);

}  // namespace weft::cli
