// The networks of Prisacari et al., "Bandwidth-optimal All-to-all Exchanges in Fat Tree Networks",
// ICS 2013, Table 1: half bisection bandwidth and two subtrees at the top.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::test {

struct Table1Network {
  std::int32_t hosts;
  std::vector<int> children, parents;
};

inline std::vector<Table1Network> table_1() {
  return {{16, {4, 2, 2}, {1, 4, 1}},        {32, {4, 4, 2}, {1, 4, 2}},
          {64, {8, 4, 2}, {1, 8, 2}},        {128, {8, 8, 2}, {1, 8, 4}},
          {256, {8, 4, 4, 2}, {1, 8, 4, 2}}, {512, {8, 8, 4, 2}, {1, 8, 8, 2}},
          {1024, {8, 8, 8, 2}, {1, 8, 8, 4}}};
}

}  // namespace weft::test
