#include "weft/study/kept/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include <array>

#include "weft/base/error.hpp"

namespace weft::study {

namespace {

std::string reason() {
  const char* text = ERR_reason_error_string(ERR_get_error());
  return text == nullptr ? "it does not say why" : text;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw SystemError(fmt::format("EVP_Digest: {}", reason()));
  std::string text = fmt::format("sha256:{:02x}", fmt::join(digest, ""));
  WEFT_ASSERT(text.size() == 71);  // "sha256:" and 64 digits
  return text;
}

}  // namespace weft::study
