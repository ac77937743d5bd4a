#include "support/process/schema_faults.hpp"

#include <algorithm>
#include <string_view>

namespace weft::test {

using nlohmann::json;

namespace {

// The one pattern of schemas: that of exact numbers.
constexpr const char* kExact = "^-?[0-9]+(/[0-9]+)?$";

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}
bool is_exact(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  return is_digits(text.substr(0, slash)) &&
         (slash == std::string_view::npos || is_digits(text.substr(slash + 1)));
}

bool is_of_type(const json& value, const std::string& type) {
  return type == "null"      ? value.is_null()
         : type == "string"  ? value.is_string()
         : type == "boolean" ? value.is_boolean()
         : type == "integer" ? value.is_number_integer()
         : type == "number"  ? value.is_number()
         : type == "array"   ? value.is_array()
                             : type == "object" && value.is_object();
}

void check(const json& schema, const json& value, const std::string& place,
           std::vector<std::string>& faults);

// Of an object: its keys, and what they hold.
void check_members(const json& schema, const json& value, const std::string& place,
                   std::vector<std::string>& faults) {
  for (const json& key : schema.value("required", json::array()))
    if (!value.contains(key)) faults.push_back(place + " lacks " + key.get<std::string>());
  const json properties = schema.value("properties", json::object());
  const json others = schema.value("additionalProperties", json(true));
  for (const auto& [key, inner] : value.items())
    if (properties.contains(key))
      check(properties[key], inner, place + "." + key, faults);
    else if (others.is_object())
      check(others, inner, place + ".*", faults);
    else if (others == false)
      faults.push_back(place + " has " + key);
}

// The keywords of JSON schema that weft schema writes. Adds the faults of a value.
void check(const json& schema, const json& value, const std::string& place,
           std::vector<std::string>& faults) {
  if (schema.contains("anyOf")) {
    std::vector<std::string> fewest;
    for (const json& each : schema["anyOf"]) {
      std::vector<std::string> found;
      check(each, value, place, found);
      if (found.empty()) return;
      if (fewest.empty() || found.size() < fewest.size()) fewest = found;
    }
    faults.insert(faults.end(), fewest.begin(), fewest.end());
    return;
  }
  if (schema.contains("type")) {
    const json types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
    bool fits = false;
    for (const json& type : types) fits = fits || is_of_type(value, type);
    if (!fits) faults.push_back(place + " is " + value.dump().substr(0, 40));
  }
  if (schema.contains("pattern") && value.is_string() &&
      (schema["pattern"] != kExact || !is_exact(value.get<std::string>())))
    faults.push_back(place + " does not match");
  if (value.is_array() && schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i)
      check(schema["items"], value[i], place + "[]", faults);
  if (value.is_object()) check_members(schema, value, place, faults);
}

}  // namespace

std::vector<std::string> schema_faults(const json& schema, const json& value) {
  std::vector<std::string> faults;
  check(schema, value, "", faults);
  return faults;
}

}  // namespace weft::test
