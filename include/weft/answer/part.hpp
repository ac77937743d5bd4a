// Parts: the one table of an answer, from which all writers take keys, labels, units and meanings.
//
//   Parts<Bill> bill_parts() {
//     constexpr PartOf<Bill> part;
//     return {part("switches", "switches", Unit::none, "switches to buy", &Bill::switches),
//             part("dollars", "$", Unit::dollars, "price of the network", &Bill::dollars)};
//   }
//   to_json(Node{members_of(bill, bill_parts())});  // {"switches": 36, "dollars": 489728.01}
//   cells_of<Bill>(bills, bill_parts(), columns, Reader::person);  // a row of texts for each bill
//
// A new key is one line of its table. The type of a part is that of its C++ value: a std::optional
// is null where it has none.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
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

/// The meaning, and the unit where there is one: "price of the network, in dollars".
std::string description_of(const PartText& part);

/// One part of an answer of type T.
template <class T>
struct Part {
  PartText text;
  std::function<Node(const T&)> value;
  std::function<std::string(const T&)> shown = {};  // null: by type and unit
  std::function<bool(const T&)> present = {};       // null: always
  bool drops_null = false;

  /// How people read it, instead of by type and unit.
  Part shown_as(std::function<std::string(const T&)> show) && {
    shown = std::move(show);
    return std::move(*this);
  }
  /// A number with `count` decimals.
  Part decimals(int count) && {
    shown = [value = value, count](const T& answer) {
      return show_decimals(std::get<Value>(value(answer).content), count);
    };
    return std::move(*this);
  }
  /// Absent unless this holds.
  Part when(std::function<bool(const T&)> condition) && {
    text.optional = true;
    present = std::move(condition);
    return std::move(*this);
  }
  /// Absent, rather than null, where it has no value.
  Part left_out() && {
    text.optional = true;
    text.nullable = false;
    drops_null = true;
    return std::move(*this);
  }
};

template <class T>
using Parts = std::vector<Part<T>>;

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
  else if constexpr (std::is_same_v<T, Value> || std::is_same_v<T, WrittenJson>)
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
  } else if constexpr (std::is_same_v<T, Value> || std::is_same_v<T, WrittenJson>) {
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

/// The members of an answer in the order of its table, without absent ones.
template <class T>
std::vector<Member> members_of(const T& answer, const Parts<T>& parts) {
  std::vector<Member> members;
  for (const Part<T>& part : parts) {
    if (part.text.key.empty() || (part.present && !part.present(answer))) continue;
    Node node = part.value(answer);
    if (!part.drops_null || !is_null(node))
      members.push_back({std::string(part.text.key), std::move(node)});
  }
  return members;
}

/// Descriptions of the parts.
template <class T>
std::vector<PartText> texts_of(const Parts<T>& parts) {
  std::vector<PartText> texts;
  for (const Part<T>& part : parts) texts.push_back(part.text);
  return texts;
}

/// Makes parts of T. `get` is a member of T, or a function of a T.
template <class T>
struct PartOf {
  /// A value, or a list of values.
  template <class Get>
  Part<T> operator()(std::string_view key, std::string_view label, Unit unit,
                     std::string_view meaning, Get get) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
    return {detail::with_type<Result>({key, label, unit, meaning}),
            [get](const T& answer) { return detail::node_of<Result>(std::invoke(get, answer)); }};
  }

  /// A line for people only.
  Part<T> line(std::string_view label, std::function<std::string(const T&)> show) const {
    return {{.key = {}, .label = label, .meaning = {}},
            [](const T&) { return Node{}; },
            std::move(show)};
  }

  /// An object with parts of its own, null where `get` gives an optional without value.
  template <class Get, class Inner>
  Part<T> object(std::string_view key, std::string_view meaning, Get get,
                 Parts<Inner> parts) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
    PartText text{.key = key,
                  .label = {},
                  .meaning = meaning,
                  .type = Type::object,
                  .nullable = detail::kIsOptional<Result>,
                  .members = texts_of(parts)};
    return {std::move(text), [get, parts = std::move(parts)](const T& answer) -> Node {
              const auto& result = std::invoke(get, answer);
              const Inner* inner = detail::pointer_to<Inner>(result);
              return inner ? Node{members_of(*inner, parts)} : Node{};
            }};
  }

  /// A list of objects: `get` gives a range of them, or an optional range.
  template <class Get, class Inner>
  Part<T> list(std::string_view key, std::string_view meaning, Get get, Parts<Inner> parts) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
    PartText text = items_text(key, meaning, Type::list, parts);
    text.nullable = detail::kIsOptional<Result>;
    return {std::move(text), [get, parts = std::move(parts)](const T& answer) -> Node {
              const auto& objects = std::invoke(get, answer);
              if constexpr (detail::kIsOptional<Result>)
                return objects ? list_of(*objects, parts) : Node{};
              else
                return list_of(objects, parts);
            }};
  }

  /// Objects by name: `get` gives pairs of a name and an object.
  template <class Get, class Inner>
  Part<T> map(std::string_view key, std::string_view meaning, Get get, Parts<Inner> parts) const {
    PartText text = items_text(key, meaning, Type::map, parts);
    return {std::move(text), [get, parts = std::move(parts)](const T& answer) -> Node {
              std::vector<Member> members;
              const auto& objects = std::invoke(get, answer);
              for (const auto& [name, inner] : objects)
                members.push_back({std::string(name), {members_of<Inner>(inner, parts)}});
              return {std::move(members)};
            }};
  }

  /// The parts of a member as parts of T, absent where it is an optional without value.
  template <class Get, class Inner>
  Parts<T> within(Get get, const Parts<Inner>& parts) const {
    using Result = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
    // Calls `use` with the inner answer, or null; `get` may make it.
    const auto with_inner = [get](const T& answer, auto&& use) {
      const auto& held = std::invoke(get, answer);
      return use(detail::pointer_to<Inner>(held));
    };
    Parts<T> outer;
    for (const Part<Inner>& part : parts) {
      Part<T> made{part.text, [with_inner, part](const T& answer) {
                     return with_inner(answer, [&part](const Inner* inner) {
                       return inner ? part.value(*inner) : Node{};
                     });
                   }};
      made.drops_null = part.drops_null;
      if (part.shown)
        made.shown = [with_inner, part](const T& answer) {
          return with_inner(answer, [&part](const Inner* inner) {
            return inner ? part.shown(*inner) : std::string();
          });
        };
      if (detail::kIsOptional<Result> || part.present) {
        made.text.optional = true;
        made.present = [with_inner, part](const T& answer) {
          return with_inner(answer, [&part](const Inner* inner) {
            return inner && (!part.present || part.present(*inner));
          });
        };
      }
      outer.push_back(std::move(made));
    }
    return outer;
  }

 private:
  template <class Inner>
  static PartText items_text(std::string_view key, std::string_view meaning, Type type,
                             const Parts<Inner>& parts) {
    return {.key = key,
            .label = {},
            .meaning = meaning,
            .type = type,
            .items = {{.key = {},
                       .label = {},
                       .meaning = {},
                       .type = Type::object,
                       .members = texts_of(parts)}}};
  }
  template <class Objects, class Inner>
  static Node list_of(const Objects& objects, const Parts<Inner>& parts) {
    std::vector<Node> nodes;
    for (const Inner& inner : objects) nodes.push_back({members_of(inner, parts)});
    return {std::move(nodes)};
  }
};

/// Both tables, one after the other.
template <class T>
Parts<T> join(Parts<T> first, Parts<T> second) {
  first.insert(first.end(), std::make_move_iterator(second.begin()),
               std::make_move_iterator(second.end()));
  return first;
}

/// The same parts for programs only.
template <class T>
Parts<T> without_labels(Parts<T> parts) {
  for (Part<T>& part : parts) part.text.label = {};
  return parts;
}

}  // namespace weft::answer
