// Where a value does not fit a JSON schema, of the keywords that weft schema writes.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace weft::test {

/// ".rows[].kind is 7", ".rows[] lacks endpoints"; nothing where the value fits.
std::vector<std::string> schema_faults(const nlohmann::json& schema, const nlohmann::json& value);

/// The keys that a schema describes, as ".rows[].kind"; ".links_by_class.*" of objects by name.
std::set<std::string> keys_of(const nlohmann::json& schema);
/// Those of them that a value has.
std::set<std::string> keys_in(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace weft::test
