// Where a value does not fit a JSON schema, of the keywords that weft schema writes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace weft::test {

/// ".rows[].kind is 7", ".rows[] lacks endpoints"; nothing where the value fits.
std::vector<std::string> schema_faults(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace weft::test
