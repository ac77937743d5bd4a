// One self-contained HTML page: charts, claims and parameters of experiments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/report/verdict.hpp"

namespace weft::report {

/// A picture of the page.
struct PageChart {
  std::string title;
  std::vector<std::string> svgs;  // whole SVG files, as page_svgs_of gives them
};

/// An experiment on the page. What it points to must outlive it.
struct PageSection {
  const Experiment* experiment = nullptr;
  const Results* results = nullptr;
  std::vector<Verdict> verdicts;  // of the claims, in their order
  std::vector<PageChart> charts;
  std::string source = {};  // of measured times: what measured them, where and when
  Grid grid = Grid::standard;
};

/// The page: totals first, then each experiment; nothing is loaded from elsewhere and no script
/// runs. It fits a phone (there a claim is a block of lines, and panels stand below each other) and
/// follows the reader's light or dark mode. All text is
/// escaped.
std::string page_of(const std::string& title, const std::vector<PageSection>& sections);

/// The <svg> element of an SVG file, without its prologue, its ids made unique by a prefix so that
/// several stand in one page.
std::string inline_svg(std::string_view svg, std::string_view prefix);

}  // namespace weft::report
