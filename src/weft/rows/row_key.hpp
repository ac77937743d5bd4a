// The key under which a row is stored.
#pragma once

#include <initializer_list>
#include <string>

#include "weft/rows/kind.hpp"

namespace weft::rows {

/// The policy by which the row's ranks are placed, or first placed; empty where they are not.
std::string placement_of(const Row& row);

/// What the row's results depend on beside kind and parameters, as files that it names are now;
/// empty where it names none. Throws InvalidInput where it is not what it was when the row's key
/// was made.
std::string contents_of_files(const Row& row);

/// What the parts of the row's question say, as text: values are kept by the parts that they depend
/// on. The network's has what the network routes by (see network_routing): two models may mean
/// different ones by one word.
std::string part_key(const Row& row, std::initializer_list<fields::Part> parts);

/// Of all that has an influence on the row's results: 32 hexadecimal digits.
std::string key_of(const Row& row, std::string_view contents);

}  // namespace weft::rows
