// Experiment files: where they are found, and which a name means.
#pragma once

#include <string>
#include <vector>

#include "weft/study/experiment.hpp"

namespace weft::cli {

/// The folder of experiments: WEFT_EXPERIMENTS, else ./reproduction/experiments, else the installed
/// share/weft/experiments beside the program. Throws InvalidInput when there is none.
std::string experiments_folder();

/// All experiments of the folder, by name. Throws InvalidInput for a file that is wrong.
std::vector<study::Experiment> all_experiments();

/// Those that the names mean: a path to a file, an experiment's name or a group's; all when there
/// is no name. Each once. Throws InvalidInput for a name that means nothing, with the nearest.
std::vector<study::Experiment> find_experiments(const std::vector<std::string>& names);

}  // namespace weft::cli
