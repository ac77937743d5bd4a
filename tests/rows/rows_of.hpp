// The rows of an experiment whose grid a test says.
#pragma once

#include <string>
#include <vector>

#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::rows {

inline std::vector<Row> rows_of(const std::string& grid, const std::string& kind = "simulate") {
  return study::expand(study::parse_experiment(
      "[experiment]\ntitle = \"t\"\nkind = \"" + kind + "\"\n[grid]\n" + grid, "t.toml"));
}

}  // namespace weft::rows
