// Seeded random damage to text and bytes, for tests that feed it to every reader.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/samples.hpp"
#include "weft/base/random.hpp"

namespace weft::test {

inline std::size_t index_below(Rng& rng, std::size_t bound) {
  return static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(bound)));
}

/// WEFT_FUZZ=100 in the environment makes every run a hundred times as long; a sanitizer's share of
/// samples makes it shorter.
inline int rounds(int usual) {
  const char* factor = std::getenv("WEFT_FUZZ");
  return factor == nullptr ? samples(usual) : usual * std::max(1, std::atoi(factor));
}

/// What a test draws: always the same, and with WEFT_FUZZ_SEED=N in the environment something else.
inline Rng drawn_from(std::uint64_t usual) {
  const char* seed = std::getenv("WEFT_FUZZ_SEED");
  const Rng root(usual);
  return seed == nullptr ? root : root.split(std::strtoull(seed, nullptr, 10));
}

/// Applies one to four random edits: a bit flipped, a byte or a word of the dictionary put in, a
/// range cut or doubled, two ranges swapped, the rest cut off.
class Mutator {
 public:
  explicit Mutator(std::vector<std::string> dictionary) : dictionary_(std::move(dictionary)) {}

  std::string operator()(std::string text, Rng& rng) const {
    for (std::int64_t edits = 1 + rng.below(4); edits > 0; --edits) edit(text, rng);
    return text;
  }

 private:
  void edit(std::string& text, Rng& rng) const {
    const std::size_t at = index_below(rng, text.size() + 1);
    const std::size_t length = std::min(text.size() - at, index_below(rng, 8));
    switch (rng.below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ 1 << rng.below(8));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(rng.below(256)));
        break;
      case 2:
        text.insert(at, dictionary_[index_below(rng, dictionary_.size())]);
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(at, text.substr(at, length));
        break;
      case 5:
        text.insert(index_below(rng, text.size() - length + 1), std::string(length, '0'));
        break;
      default:
        if (rng.below(4) == 0) text.resize(at);
    }
  }

  std::vector<std::string> dictionary_;
};

}  // namespace weft::test
