// Factor: one of the groups that a Group is the direct product of.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "permutation_table.hpp"

namespace weft::topology {

using Matrix = std::vector<std::vector<int>>;

/// Cyclic, a semidirect product of a module Z_m^k with a cyclic group, the dihedral group numbered
/// round a ring, or permutations.
class Factor {
 public:
  enum class Kind : std::uint8_t { cyclic, semidirect, ring_dihedral, permutations };

  static Factor cyclic(int modulus);
  /// `text` is empty for the text of the construction itself.
  static Factor semidirect(int modulus, int count, Matrix matrix, std::string text = {});
  static Factor ring_dihedral(int corners);
  static Factor permutations(const std::vector<Permutation>& generators);

  Kind kind() const { return kind_; }
  std::int32_t order() const { return order_; }
  const std::string& text() const { return text_; }
  bool is_abelian() const;

  std::int32_t multiply(std::int32_t a, std::int32_t b) const;
  std::int32_t inverse(std::int32_t a) const;
  std::vector<std::int32_t> right_translation(std::int32_t g) const;
  std::vector<std::int32_t> generators() const;

  /// Digits under left multiplication, as Group::extents describes them.
  std::vector<std::int32_t> extents() const;
  bool shifts(std::size_t digit, std::int32_t g) const;

  /// How many components the text of an element has, and each of them.
  std::size_t components() const;
  std::vector<std::string> component_texts(std::int32_t element) const;
  std::int32_t from_components(const std::vector<std::string_view>& parts) const;

 private:
  std::int32_t act(std::int32_t exponent, std::int32_t x) const;
  std::int32_t add(std::int32_t x, std::int32_t y) const;
  std::int32_t negate(std::int32_t x) const;

  Kind kind_ = Kind::cyclic;
  std::int32_t order_ = 1;
  std::int32_t modulus_ = 1, normal_ = 1, count_ = 1;  // normal = modulus^dimension
  std::int32_t dimension_ = 1;
  std::vector<std::int32_t> actions_;  // powers of the factor or matrix, row by row, by exponent
  std::shared_ptr<const PermutationTable> table_;
  std::string text_;
};

/// A permutation in cycle notation. Throws InvalidInput.
Permutation read_cycles(std::string_view text);
/// An integer. Throws InvalidInput, naming `what` it should be.
std::int64_t read_number(std::string_view text, std::string_view what);

}  // namespace weft::topology
