// Values as people read them, and as CSV has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/answer/node.hpp"

namespace weft::answer {

/// Unit of a value. JSON has the numbers of these units.
enum class Unit : std::uint8_t { none, seconds, bytes, bytes_per_second, metres, dollars };

/// "s", "bytes per second"; empty for none.
std::string_view name_of(Unit unit);

/// For people: "12.34us", "64KiB", "15/16 = 0.9375"; nothing for null.
std::string show(const Value& value, Unit unit = Unit::none);
/// 15/16 = 0.9375
std::string show(const Rational& value);
/// A number with `decimals` decimals; nothing for null.
std::string show_decimals(const Value& value, int decimals);
/// For CSV: "1.234e-05", "15/16"; nothing for null.
std::string plain(const Value& value);
/// The same with all digits of a number, and 1 or 0 for a truth.
std::string full(const Value& value);

}  // namespace weft::answer
