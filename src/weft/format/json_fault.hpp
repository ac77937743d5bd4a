// Why a text is not JSON, in words for users of files and not of parsers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::format {

/// "the text ends too early", or "unexpected '...'" with what is there. `byte` is the position that
/// nlohmann's parser reports, from 1.
std::string json_fault(std::string_view text, std::size_t byte);

}  // namespace weft::format
