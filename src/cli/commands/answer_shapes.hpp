// The shapes of answers whose tables of parts lie in the command's own file, for weft schema.
#pragma once

#include <vector>

#include "weft/answer/json.hpp"

namespace weft::cli {

std::vector<answer::Shape> calibrate_shapes();
std::vector<answer::Shape> cost_shapes();
std::vector<answer::Shape> draw_shapes();
std::vector<answer::Shape> export_shapes();
std::vector<answer::Shape> find_shapes();
std::vector<answer::Shape> fit_shapes();
std::vector<answer::Shape> import_shapes();
std::vector<answer::Shape> list_shapes();
std::vector<answer::Shape> load_curve_shapes();
std::vector<answer::Shape> optimum_shapes();
std::vector<answer::Shape> profile_shapes();
std::vector<answer::Shape> reproduce_shapes();
std::vector<answer::Shape> results_shapes();
std::vector<answer::Shape> schedule_shapes();
std::vector<answer::Shape> sweep_shapes();
std::vector<answer::Shape> synthesize_shapes();
std::vector<answer::Shape> testbed_shapes();
std::vector<answer::Shape> throughput_shapes();
std::vector<answer::Shape> topology_shapes();
std::vector<answer::Shape> verify_shapes();
std::vector<answer::Shape> where_shapes();

}  // namespace weft::cli
