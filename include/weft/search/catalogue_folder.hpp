// Where the data of the base catalogue lie.
#pragma once

#include <string>

namespace weft::search {

/// $WEFT_CATALOGUE, else share/catalogue, else beside the installed program; empty where there is
/// none. Throws InvalidInput when WEFT_CATALOGUE names no folder.
std::string catalogue_folder();

}  // namespace weft::search
