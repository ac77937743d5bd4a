// What SMPI's factors need beside them to give SMPI's times.
#pragma once

#include <string>

#include "cli/options/options.hpp"

namespace weft::cli {

/// The note that names the settings of SMPI's which --factors smpi-... came without, of those that
/// weft simulate has (docs/explanation/fluid.md); empty where none is missing, or the factors are
/// others.
std::string smpi_note(const GivenFields& said);

}  // namespace weft::cli
