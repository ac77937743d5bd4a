// Wrong input that one field is to blame for, so that a study can tell its line.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/error.hpp"

namespace weft::fields {

class InvalidField : public InvalidInput {
 public:
  InvalidField(std::string_view field, const std::string& message)
      : InvalidInput(message), field_(field) {}
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

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

}  // namespace weft::fields
