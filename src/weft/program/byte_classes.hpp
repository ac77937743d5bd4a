// ByteClasses: which translates of a message are as long as each other.
//
// Unit x of X starts at byte floor(x E / X), so that sizes of units repeat with the period X /
// gcd(E, X). An element of the symmetry that moves every rank by a multiple of that many blocks
// takes each unit to one of the same size; such elements form a subgroup H, and the translates of a
// message by the elements of a coset H g have as many bytes. 1 KiB on torus:16x16x16 leaves 4 of
// 4,096 translates to be measured.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/schedule.hpp"

namespace weft::program {

struct ByteClasses {
  std::vector<std::int32_t> of;  // by group element; empty where every translate is on its own
  std::int32_t count = 0;
};

/// Classes of the elements of the schedule's symmetry where sizes of its fine units repeat after
/// `period` units, by powers of the group's generators (the subgroup need not be the largest).
/// O(order * generators + ranks) where ranks are numbered as the group counts.
ByteClasses byte_classes(const schedule::Schedule& schedule, std::int64_t period);

}  // namespace weft::program
