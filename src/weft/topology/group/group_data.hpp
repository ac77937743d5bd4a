// What copies of a Group share.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "factor.hpp"
#include "weft/topology/group/group.hpp"

namespace weft::topology {

struct Group::Data {
  struct Digit {
    std::ptrdiff_t factor;
    std::size_t local;
  };

  std::vector<Factor> factors;
  std::vector<int> moduli;  // when every factor is cyclic
  std::vector<std::int32_t> extents;
  std::vector<Digit> digits;  // which digit of which factor each extent is
  std::size_t components = 0;
  std::int32_t order = 1;
  std::string text;

  static std::shared_ptr<const Data> of(std::vector<Factor> factors);
};

}  // namespace weft::topology
