// EnumSet: a set of values of an enumeration that has at most 64 of them, numbered from 0.
//
//   constexpr EnumSet<Feature> kSums{Feature::reductions, Feature::large_reductions};
//   if (features.has_any_of(kSums)) ...
#pragma once

#include <cstdint>
#include <initializer_list>

#include "weft/base/error.hpp"

namespace weft {

template <class Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<Enum> values) {
    for (const Enum value : values) add(value);
  }

  constexpr void add(Enum value) { bits_ |= bit(value); }
  constexpr bool has(Enum value) const { return (bits_ & bit(value)) != 0; }
  constexpr bool has_any_of(EnumSet others) const { return (bits_ & others.bits_) != 0; }
  constexpr bool has_all_of(EnumSet others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr bool empty() const { return bits_ == 0; }

  /// The values of either set.
  friend constexpr EnumSet operator|(EnumSet a, EnumSet b) { return EnumSet(a.bits_ | b.bits_); }
  /// The values of the first set that the second one lacks.
  friend constexpr EnumSet operator-(EnumSet a, EnumSet b) { return EnumSet(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(EnumSet, EnumSet) = default;

 private:
  constexpr explicit EnumSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(Enum value) {
    WEFT_ASSERT(static_cast<std::uint64_t>(value) < 64);
    return std::uint64_t{1} << static_cast<std::uint64_t>(value);
  }

  std::uint64_t bits_ = 0;
};

}  // namespace weft
