// Node: an answer without its types, as the writers read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weft/base/rational.hpp"

namespace weft::answer {

/// Nothing (null), a truth, a count, a number, a text, an exact fraction.
using Value =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Rational>;

/// An item alone, or a list of items where there is not exactly one.
template <class T>
struct OneOrList {
  using value_type = T;
  std::vector<T> items;
};

struct Member;

/// A value, an object (its members in the order in which they are written) or a list.
struct Node {
  std::variant<Value, std::vector<Member>, std::vector<Node>> content;
};

struct Member {
  std::string key;
  Node node;
};

inline bool is_null(const Node& node) {
  const auto* value = std::get_if<Value>(&node.content);
  return value != nullptr && std::holds_alternative<std::monostate>(*value);
}

}  // namespace weft::answer
