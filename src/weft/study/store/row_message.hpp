// Rows and results as messages between processes: JSON, as in the store.
#pragma once

#include <string>
#include <string_view>

#include "weft/rows/row.hpp"
#include "weft/study/store.hpp"

namespace weft::study {

std::string to_message(const Row& row);
Row row_from(std::string_view message);
std::string to_message(const StoredRow& row);
StoredRow stored_row_from(std::string_view message);

}  // namespace weft::study
