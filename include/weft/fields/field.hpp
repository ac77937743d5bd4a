// Field: one thing that a question says, as an axis of a study and a part of a row's key.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/fields/value.hpp"

namespace weft::fields {

/// What a field decides, so that what was made for one row serves those that differ in other parts.
enum class Part : std::uint8_t {
  network,   // topology, speeds, placement and routes
  host,      // what start-ups, copies and reductions cost
  schedule,  // which messages are sent
  run,       // all else: sizes, models and their readings, searches
};

/// Whether a range of integers, "2..2000", may stand for the values of an axis.
enum class Ranges : std::uint8_t { none, counts };

struct Field {
  std::string_view name;      // as the option is called, without dashes
  std::string_view fallback;  // the text that stands for it where nothing is said; may be empty
  Part part = Part::run;
  /// What a user wrote in canonical form: sizes and counts as numbers, names in lower case and
  /// without aliases, speeds in their largest exact unit. Throws InvalidInput, without a place.
  Value (*canonical)(std::string_view name, std::string_view text);
  Ranges ranges = Ranges::none;
  std::string_view help = {};  // of the option; empty where no command has it
  bool number = false;         // a whole one, without a unit
  bool flag = false;           // an option without a value, which says true
  bool repeated = false;       // an option for each of its parts, which ';' separates in the text
  bool advanced = false;       // only --help-all shows the option
};

}  // namespace weft::fields

namespace weft {
using fields::Field;
}  // namespace weft
