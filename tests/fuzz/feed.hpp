// Damaged input for a reader of text or bytes.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "fuzz/mutator.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::test {

/// Feeds `count` damaged seeds to the reader, which may take them or throw InvalidInput. Returns
/// how many it took.
inline int feed(int count, const std::vector<std::string>& seeds, const Mutator& mutate,
                const std::function<void(const std::string&)>& read) {
  int taken = 0;
  const Rng root = drawn_from(20);
  for (int i = 0; i < rounds(count); ++i) {
    Rng rng = root.split(static_cast<std::uint64_t>(i));
    const std::string input = mutate(seeds[index_below(rng, seeds.size())], rng);
    try {
      read(input);
      ++taken;
    } catch (const InvalidInput& error) {
      const std::string text = error.what();
      EXPECT_FALSE(text.empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "item " << i << ": " << error.what() << "\ninput: " << input;
    }
  }
  return taken;
}

/// Numbers of our binary files that are worth a try: 2^63 - 1, 2^14, 0.
inline std::vector<std::string> bytes_of_numbers() {
  return {std::string(9, '\xff'), std::string("\x80\x80\x01", 3), std::string(1, '\0')};
}

/// A binary file of ours whose header fits its body, which lets damage through to the reader of
/// that.
inline std::string with_right_checksum(std::string file) {
  constexpr std::size_t kHeader = 24, kChecksum = 12, kLength = 16;
  if (file.size() <= kHeader) return file;
  const std::uint64_t sum = checksum(std::string_view(file).substr(kHeader));
  const std::uint64_t length = file.size() - kHeader;
  for (std::size_t i = 0; i < 4; ++i) file[kChecksum + i] = static_cast<char>(sum >> (8 * i));
  for (std::size_t i = 0; i < 8; ++i) file[kLength + i] = static_cast<char>(length >> (8 * i));
  return file;
}

}  // namespace weft::test
