// Rows and results as messages between processes: JSON, as in the store.
#pragma once

#include <string>
#include <string_view>

#include "weft/experiment/row.hpp"
#include "weft/experiment/store.hpp"

namespace weft::experiment {

std::string to_message(const Row& row);
Row row_from(std::string_view message);
std::string to_message(const StoredRow& row);
StoredRow stored_row_from(std::string_view message);

}  // namespace weft::experiment
