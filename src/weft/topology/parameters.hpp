// Reading the parameters behind a family's colon, with one wording for what can be wrong.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/text.hpp"

namespace weft::topology {

/// Joins numbers: {4, 4, 2} with "x" gives "4x4x2".
std::string join(const std::vector<int>& numbers, std::string_view separator);

/// Integers, then the seed of what is drawn at random.
struct SeededIntegers {
  std::vector<int> integers;
  std::uint64_t seed = 1;
};

/// What a family or function was given, with its usage for messages.
class Parameters {
 public:
  /// `usage` is "kautz:d,k", `example` "kautz:16,2".
  Parameters(std::string usage, std::string example, std::string_view text)
      : usage_(std::move(usage)), example_(std::move(example)), text_(text) {}

  std::string_view text() const { return text_; }

  /// Exactly `count` integers separated by commas. Throws InvalidInput.
  std::vector<int> integers(std::size_t count) const;
  /// `least` or more integers separated by commas. Throws InvalidInput.
  std::vector<int> integers_from(std::size_t least) const;
  /// One or more extents, "4x4x2". Throws InvalidInput.
  std::vector<int> extents() const;
  /// The integer that `text` is. Throws InvalidInput.
  int integer(std::string_view text) const;
  /// A non-negative 64-bit integer. Throws InvalidInput.
  std::uint64_t seed(std::string_view text) const;
  /// Exactly `count` integers, in messages named `names`, then optionally "seed=s" (else it is 1).
  /// Throws InvalidInput.
  SeededIntegers seeded_integers(std::size_t count, std::string_view names) const;
  /// The parts of "a=4,p=2", keys in lower case; only the known keys, none twice.
  std::map<std::string, std::string> key_values(std::span<const std::string_view> known) const;
  std::map<std::string, std::string> key_values(
      std::initializer_list<std::string_view> known) const {
    return key_values(std::span(known.begin(), known.size()));
  }
  /// Integers by name, "leaves=8,spines=4": all of `needed`, and of `optional` those that are
  /// given. Throws InvalidInput.
  std::map<std::string, int> named_integers(std::initializer_list<std::string_view> needed,
                                            std::initializer_list<std::string_view> optional) const;
  /// Throws InvalidInput: the problem, then the usage and the example.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  std::string usage_, example_;
  std::string_view text_;
};

/// The most links that an expression may build: a typo is told at once, before memory is taken.
inline constexpr double kMostLinks = 200e6;

/// Refuses a topology of too many nodes or links; `name` is its text. Throws InvalidInput.
void require_size(std::string_view name, double nodes, double links);

/// Lowers the limit of require_size to this many nodes and links within a scope of one thread: for
/// text from a file, whose size is known.
class SizeLimit {
 public:
  explicit SizeLimit(double most);
  ~SizeLimit();
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  double previous_;
};

/// "x", "y", "z", "d4", "d5", ...: the class of links along a dimension (0 is x).
std::string dimension_name(int dimension);

}  // namespace weft::topology
