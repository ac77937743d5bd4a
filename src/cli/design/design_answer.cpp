#include "cli/design/design_answer.hpp"

#include <fmt/format.h>

#include "cli/answers/parts.hpp"
#include "weft/base/text.hpp"

namespace weft::cli {

std::string late_note(const design::NetworkDesign& found) {
  std::string text = "the time limit was reached";
  if (!found.untimed.empty())
    text += fmt::format("; {} not timed", counted(std::ssize(found.untimed), "network"));
  if (found.unjudged > 0)
    text += fmt::format("; {} neither simulated nor tried with failures",
                        counted(found.unjudged, "finalist"));
  if (found.hurried)
    text += "; the simulated finalist uses the best of a few quick algorithms for each call";
  return text + '\n';
}

std::string text_of(const DesignAnswer& a, const Screen& screen) {
  Facts facts;
  for (const auto& [name, value] : report::design_facts(a.asked, a.found, a.speeds))
    facts.add(name, value);
  std::string text = facts.text(screen);
  text += '\n' + table_of(call_cells(a)).text(screen) + '\n';
  const answer::Cells cells = row_cells(a);
  Table rows(cells.heading);
  for (std::size_t i = 0; i < cells.rows.size(); ++i) {
    rows.add(cells.rows[i]);
    if (i == a.found.chosen) rows.emphasise(0);
  }
  text += rows.text(screen);
  text +=
      "~: estimated by the alpha-beta model; other times are by the fluid model\n"
      "x bound: time over the lower bound on this network; x any bound: over that of any network "
      "of these nodes and ports\n"
      "failure: worst slowdown of a single one, by alpha-beta; rebuilt: with new schedules after "
      "that failure; stops: the calls cannot run\n";
  for (const std::string& note : report::design_notes(a.found)) text += note + '\n';
  return text;
}

}  // namespace weft::cli
