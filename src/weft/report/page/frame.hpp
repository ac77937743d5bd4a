// What all pages have around their content.
#pragma once

#include <string>
#include <string_view>

namespace weft::report {

/// A whole page of this title, a line in short, and a body in HTML. Title and line are escaped.
std::string framed(std::string_view title, std::string_view in_short, std::string_view body);

}  // namespace weft::report
