// Which grid of an experiment file a command works on.
#pragma once

#include "cli/options/command_line.hpp"
#include "weft/study/experiment.hpp"

namespace weft::cli {

struct GridChoice {
  bool quick = false, full = false;

  study::Grid grid() const {
    return quick ? study::Grid::quick : full ? study::Grid::full : study::Grid::standard;
  }
};

/// --quick and --full, one of them at most.
inline void add_grid_options(Command command, GridChoice& choice) {
  const Option quick =
      command.add_flag("--quick", choice.quick, "Use the reduced grid of each file ([quick])");
  command
      .add_flag("--full", choice.full,
                "Use the full grid of each file, which may take hours ([full])")
      .excludes(quick);
}

}  // namespace weft::cli
