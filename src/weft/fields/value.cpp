#include "weft/fields/value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>

#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"

namespace weft::fields {

namespace {

using Json = nlohmann::json;

std::optional<double> number_in(const std::string& text) {
  try {
    return parse_rational(text).to_double();
  } catch (const std::exception&) {  // no fraction, or one that does not fit
    return std::nullopt;
  }
}

Value value_of(const Json& json, const std::string& name) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) {
    const bool fits = !json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX;
    return fits ? Value(json.get<std::int64_t>()) : Value(json.get<double>());
  }
  if (json.is_number()) return json.get<double>();
  require(json.is_string(), "'{}' is a list or an object (expected a number or a text)", name);
  return json.get<std::string>();
}

// Infinity and NaN, which JSON does not have, become texts.
Json json_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return *count;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value))
    return std::isfinite(*number) ? Json(*number) : Json(to_text(value));
  return nullptr;
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* count = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

std::optional<double> to_number(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1.0 : 0.0;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return number_in(*text);
  return std::nullopt;
}

std::string text_in(const Values& parameters, std::string_view name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? "" : to_text(found->second);
}

std::int64_t count_in(const Values& parameters, std::string_view name, std::int64_t fallback) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return fallback;
  const auto* count = std::get_if<std::int64_t>(&found->second);
  return count == nullptr ? fallback : *count;  // "auto" stands for none
}

std::string to_json(const Values& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = json_of(value);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Values values_from_json(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, false);
  require(parsed.is_object(), "the values are not a JSON object; write {{\"name\": value}}");
  Values values;
  for (const auto& [name, value] : parsed.items()) values[name] = value_of(value, name);
  return values;
}

}  // namespace weft::fields
