// A value as JSON. Apart from value.hpp, so that few include the JSON library.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "weft/fields/value.hpp"

namespace weft::fields {

/// Infinity and NaN, which JSON does not have, become texts.
template <class Json>
Json json_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return *count;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value))
    return std::isfinite(*number) ? Json(*number) : Json(to_text(value));
  return nullptr;
}

}  // namespace weft::fields
