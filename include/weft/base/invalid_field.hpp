// Wrong input that one field is to blame for, so that a study can tell its line. Code that reads
// several options throws it where it refuses one of them; no caller has to find out which.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "weft/base/error.hpp"

namespace weft {

class InvalidField : public InvalidInput {
 public:
  InvalidField(std::string_view field, const std::string& message)
      : InvalidInput(message), field_(field) {}
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

/// Throws InvalidField with the formatted message unless `condition` holds.
template <class... Args>
void require_of(std::string_view field, bool condition, fmt::format_string<Args...> format,
                Args&&... args) {
  if (!condition) [[unlikely]]
    throw InvalidField(field, fmt::format(format, std::forward<Args>(args)...));
}

/// What `body` gives; for wrong input that it throws `field` is to blame, unless it blames another.
template <class Body>
auto blame(std::string_view field, Body body) {
  try {
    return body();
  } catch (const InvalidField&) {
    throw;
  } catch (const InvalidInput& error) {
    throw InvalidField(field, error.what());
  }
}

}  // namespace weft
