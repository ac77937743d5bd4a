// What is known of a part whatever its answer: its description, and the node of its C++ value.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/answer/node.hpp"
#include "weft/answer/show.hpp"

namespace weft::answer {

/// Type of a part in JSON. A map is an object whose keys are names that the question decides, a
/// one_or_list is an item alone, or a list where there is not exactly one.
enum class Type : std::uint8_t {
  text,
  truth,
  count,
  number,
  exact,
  object,
  list,
  map,
  one_or_list,
  any
};

/// Description of a part, the same for every answer.
struct PartText {
  std::string_view key;    // in JSON and CSV; empty: for people only
  std::string_view label;  // on the terminal; empty: for programs only
  Unit unit = Unit::none;
  std::string_view meaning;
  Type type = Type::text;
  bool nullable = false;               // the value may be null
  bool optional = false;               // the key may be absent
  std::vector<PartText> members = {};  // of an object
  std::vector<PartText> items = {};    // of a list, map or one_or_list: one, without a name

  /// Name in lists of columns: the key, or the label of parts for people only.
  std::string_view name() const { return key.empty() ? label : key; }
};

/// Key, unit and meaning of a part that answers of several files have (weft/answer/keys.hpp).
struct Key {
  std::string_view key;
  Unit unit = Unit::none;
  std::string_view meaning;
};

/// The meaning, and the unit where there is one: "price of the network, in dollars".
std::string description_of(const PartText& part);

namespace detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <class T>
inline constexpr bool kIsOneOrList = false;
template <class T>
inline constexpr bool kIsOneOrList<OneOrList<T>> = true;

/// Pairs of a name and a value.
template <class T>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<std::vector<std::pair<std::string, T>>> = true;
template <class T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;

/// An index of a type of its own, such as a link's.
template <class T>
concept Id = requires(const T& id) {
  { id.value() } -> std::integral;
};

template <class T>
constexpr Type type_of() {
  if constexpr (kIsOptional<T>)
    return type_of<typename T::value_type>();
  else if constexpr (kIsMap<T>)
    return Type::map;
  else if constexpr (kIsVector<T>)
    return Type::list;
  else if constexpr (kIsOneOrList<T>)
    return Type::one_or_list;
  else if constexpr (std::is_same_v<T, bool>)
    return Type::truth;
  else if constexpr (std::is_integral_v<T> || Id<T>)
    return Type::count;
  else if constexpr (std::is_floating_point_v<T>)
    return Type::number;
  else if constexpr (std::is_same_v<T, Rational>)
    return Type::exact;
  else if constexpr (std::is_same_v<T, Value>)
    return Type::any;
  else
    return Type::text;
}

/// Type of values of T, and of their items; `text` has the rest.
template <class T>
PartText with_type(PartText text) {
  text.type = type_of<T>();
  text.nullable = kIsOptional<T>;
  if constexpr (kIsOptional<T>)
    text.items = with_type<typename T::value_type>({}).items;
  else if constexpr (kIsMap<T>)
    text.items = {with_type<typename T::value_type::second_type>({})};
  else if constexpr (kIsVector<T> || kIsOneOrList<T>)
    text.items = {with_type<typename T::value_type>({})};
  return text;
}

template <class T>
Node node_of(const T& value) {
  if constexpr (kIsOptional<T>) {
    return value ? node_of(*value) : Node{};
  } else if constexpr (kIsMap<T>) {
    std::vector<Member> members;
    for (const auto& [name, item] : value) members.push_back({name, node_of(item)});
    return {std::move(members)};
  } else if constexpr (kIsVector<T>) {
    std::vector<Node> nodes;
    for (const auto& item : value)
      nodes.push_back(node_of<typename T::value_type>(item));  // not the proxy of a vector<bool>
    return {std::move(nodes)};
  } else if constexpr (kIsOneOrList<T>) {
    return value.items.size() == 1 ? node_of(value.items.front()) : node_of(value.items);
  } else if constexpr (Id<T>) {
    return {Value(std::int64_t{value.value()})};
  } else if constexpr (std::is_same_v<T, Value>) {
    return {value};
  } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T> ||
                       std::is_same_v<T, Rational>) {
    return {Value(value)};
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return {Value(std::int64_t{value})};
  } else if constexpr (std::is_integral_v<T>) {
    return {Value(std::uint64_t{value})};
  } else {
    return {Value(std::string(value))};
  }
}

/// The object itself, or the one of an optional; null where there is none.
template <class T>
const T* pointer_to(const T& object) {
  return &object;
}
template <class T>
const T* pointer_to(const std::optional<T>& object) {
  return object ? &*object : nullptr;
}
template <class T>
const T* pointer_to(const T* const& object) {
  return object;
}

}  // namespace detail

}  // namespace weft::answer
