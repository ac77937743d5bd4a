// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// The text as content or attribute: & < > " and ' as entities.
std::string escape_xml(std::string_view text);

}  // namespace weft
