// Numbers as people write them in files: "11.98", "1e-6", "15/16".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/text.hpp"
#include "weft/fields/value.hpp"

namespace weft::fields {

/// A number as C++ or a unit writes it ("1e-6", "10us", "15/16"); nothing where the text is none.
inline std::optional<double> read_number(std::string_view text) {
  if (const auto number = number_in<double>(text)) return number;
  return to_number(Value(std::string(text)));
}

}  // namespace weft::fields
