// Texts as TOML has them.
#pragma once

#include <string>
#include <string_view>

namespace weft::fields {

/// Between quotes, control characters as '?'.
std::string toml_text(std::string_view text);

/// As a key: bare where that can be.
std::string toml_key(std::string_view name);

}  // namespace weft::fields
