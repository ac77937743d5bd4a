// The key under which a row is stored.
#pragma once

#include <string>

#include "weft/question/kind.hpp"

namespace weft::question {

/// The policy by which the row's ranks are placed, or first placed; empty where they are not.
std::string placement_of(const Row& row);

/// What the row's results depend on beside kind and parameters, as files that it names are now;
/// empty where it names none. Throws InvalidInput where it is not what it was when the row's key
/// was made.
std::string contents_of_files(const Row& row);

/// Of all that has an influence on the row's results: 32 hexadecimal digits.
std::string key_of(const Row& row, std::string_view contents);

}  // namespace weft::question
