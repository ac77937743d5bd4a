// Decision tables of libraries as text: which algorithm's number serves how many ranks and bytes.
//
//   <4: 4<8 3<4K 6; <16: 3<8K 6; more: 2<2K 6
//
// reads: below 4 ranks number 4 below 8 bytes, number 3 below 4 KiB, else 6; and so on. "=2:" is
// for exactly two ranks. Bands apply from the left.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::libraries {

/// The number that the table has for so many ranks and bytes. Throws InvalidInput for a table with
/// a gap or a mistake.
int table_number(std::string_view table, std::int32_t ranks, std::int64_t bytes);

}  // namespace weft::libraries
