// How weft design answers.
#pragma once

#include "cli/output.hpp"
#include "weft/advise/network_design.hpp"
#include "weft/report/design_page.hpp"

namespace weft::cli {

struct DesignAnswer {
  const advise::DesignAsked& asked;
  const advise::NetworkDesign& found;
  const report::DesignSpeeds& speeds;
  std::vector<std::string> schedules;  // their files, by call; empty where none are written
};

Json json_of(const DesignAnswer& answer, Json json);
/// Of what time ran out for; a line and its end.
std::string late_note(const advise::NetworkDesign& found);
std::string text_of(const DesignAnswer& answer, const Screen& screen);

}  // namespace weft::cli
