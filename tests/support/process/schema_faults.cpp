#include "support/process/schema_faults.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

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

// The schemas of what is inside, each with what a path to it ends in.
std::vector<std::pair<std::string, json>> inner_schemas(const json& schema) {
  std::vector<std::pair<std::string, json>> inner;
  if (schema.contains("anyOf"))
    for (const json& each : schema["anyOf"]) inner.emplace_back("", each);
  if (schema.contains("properties"))
    for (const auto& [key, each] : schema["properties"].items())
      inner.emplace_back("." + key, each);
  if (schema.contains("items")) inner.emplace_back("[]", schema["items"]);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    inner.emplace_back(".*", schema["additionalProperties"]);
  return inner;
}

void add_keys(const json& schema, const std::string& place, std::set<std::string>& keys) {
  for (const auto& [end, inner] : inner_schemas(schema)) {
    if (end.starts_with('.')) keys.insert(place + end);
    add_keys(inner, place + end, keys);
  }
}

void add_keys_in(const json& schema, const json& value, const std::string& place,
                 std::set<std::string>& keys) {
  const json properties = schema.value("properties", json::object());
  for (const auto& [end, inner] : inner_schemas(schema)) {
    if (end.empty()) {
      add_keys_in(inner, value, place, keys);
    } else if (end == "[]" || end == ".*") {
      if (value.is_array() != (end == "[]")) continue;
      for (const auto& [key, item] : value.items()) {
        if (end == ".*" && properties.contains(key)) continue;
        if (end == ".*") keys.insert(place + end);
        add_keys_in(inner, item, place + end, keys);
      }
    } else if (value.is_object() && value.contains(end.substr(1))) {
      keys.insert(place + end);
      add_keys_in(inner, value[end.substr(1)], place + end, keys);
    }
  }
}

}  // namespace

std::vector<std::string> schema_faults(const json& schema, const json& value) {
  std::vector<std::string> faults;
  check(schema, value, "", faults);
  return faults;
}

std::set<std::string> keys_of(const json& schema) {
  std::set<std::string> keys;
  add_keys(schema, "", keys);
  return keys;
}

std::set<std::string> keys_in(const json& schema, const json& value) {
  std::set<std::string> keys;
  add_keys_in(schema, value, "", keys);
  return keys;
}

}  // namespace weft::test
