// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// The text as content or attribute: & < > " and ' as entities. What XML may not contain is
/// replaced: control characters by '?', and U+FFFE, U+FFFF and what is no UTF-8 by U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace weft
