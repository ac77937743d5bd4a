// SHA-256, for digests that others can recompute.
#pragma once

#include <string>
#include <string_view>

namespace weft::study {

/// The digest of the bytes, "sha256:" and 64 hexadecimal digits. Throws SystemError where OpenSSL
/// has no SHA-256. O(length).
std::string sha256(std::string_view bytes);

}  // namespace weft::study
