#include "weft/study/kept/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <new>

namespace weft::study {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();  // nothing else can go wrong
  return fmt::format("sha256:{:02x}", fmt::join(digest, ""));
}

}  // namespace weft::study
