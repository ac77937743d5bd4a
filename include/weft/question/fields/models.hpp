// Which models a field is for: what packets have says nothing to a model without packets.
#pragma once

#include <string_view>
#include <vector>

#include "weft/simulation/simulation.hpp"

namespace weft::question {

/// The models under which a field changes anything, or has this value; empty where all do.
std::vector<simulation::Model> models_with(std::string_view field, std::string_view value);

}  // namespace weft::question
