#pragma once

#include <string_view>

namespace weft::algorithm {

/// The text of share/catalogue/allgather.txt, compiled in (cmake/Catalogue.cmake).
std::string_view shipped_allgather_table();

}  // namespace weft::algorithm
