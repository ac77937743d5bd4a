// What slots hold, as sums of what ranks gave.
//
// A value is a hash, which adds up with the sums, and a node of a graph of additions, from which
// its contributions are found when something is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "moves.hpp"

namespace weft::format::mscclpp::checking {

class Values {
 public:
  explicit Values(const Plan& plan, const Memory& memory);

  void move(const Move& move);

  std::uint64_t hash(std::int64_t slot) const {
    return nodes_[static_cast<std::size_t>(held_[static_cast<std::size_t>(slot)])].hash;
  }
  /// What rank's input has at a unit.
  static std::uint64_t given(std::int32_t rank, std::int64_t unit);

  /// By rank and unit of its input: how often it is in the value. A rank of -1: what nobody wrote.
  /// Nothing if there are too many.
  using Contributions = std::map<std::pair<std::int32_t, std::int64_t>, std::int64_t>;
  std::optional<Contributions> contributions(std::int64_t slot) const;

 private:
  struct Node {
    std::uint64_t hash = 0;
    std::int32_t left = -1, right = -1;  // -1: it is given
    std::int32_t rank = -1;
    std::int64_t unit = 0;
  };

  std::int32_t sum(std::int32_t a, std::int32_t b);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> held_;  // by slot
};

}  // namespace weft::format::mscclpp::checking
