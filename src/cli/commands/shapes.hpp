// Shapes of the answers of commands whose table of parts is in the command's file, for weft schema.
#pragma once

#include <vector>

#include "weft/answer/json.hpp"

namespace weft::cli {

std::vector<answer::Shape> cost_shapes();
std::vector<answer::Shape> draw_shapes();
std::vector<answer::Shape> export_shapes();
std::vector<answer::Shape> import_shapes();
std::vector<answer::Shape> optimum_shapes();
std::vector<answer::Shape> schedule_shapes();
std::vector<answer::Shape> synthesize_shapes();
std::vector<answer::Shape> throughput_shapes();
std::vector<answer::Shape> verify_shapes();

}  // namespace weft::cli
