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

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/answer/node.hpp"
#include "weft/answer/part_text.hpp"
#include "weft/answer/show.hpp"

namespace weft::answer {

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

  /// The same of a key that several files have.
  template <class Get>
  Part<T> operator()(const Key& key, std::string_view label, Get get) const {
    return (*this)(key.key, label, key.unit, key.meaning, std::move(get));
  }
  template <class Get>
  Part<T> operator()(const Key& key, Get get) const {
    return (*this)(key, "", std::move(get));
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
  template <class Get, class Inner>
  Part<T> object(const Key& key, Get get, Parts<Inner> parts) const {
    return object(key.key, key.meaning, std::move(get), std::move(parts));
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
  template <class Get, class Inner>
  Part<T> list(const Key& key, Get get, Parts<Inner> parts) const {
    return list(key.key, key.meaning, std::move(get), std::move(parts));
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
  template <class Get, class Inner>
  Part<T> map(const Key& key, Get get, Parts<Inner> parts) const {
    return map(key.key, key.meaning, std::move(get), std::move(parts));
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

/// The parts of these keys, in the order of the table.
template <class T>
Parts<T> with_keys(Parts<T> parts, std::initializer_list<std::string_view> keys) {
  std::erase_if(parts, [&](const Part<T>& part) {
    return std::ranges::find(keys, part.text.key) == keys.end();
  });
  return parts;
}

/// The parts but those of these keys, for answers that never have them.
template <class T>
Parts<T> without_keys(Parts<T> parts, std::initializer_list<std::string_view> keys) {
  std::erase_if(parts, [&](const Part<T>& part) {
    return !part.text.key.empty() && std::ranges::find(keys, part.text.key) != keys.end();
  });
  return parts;
}

/// The same parts for programs only.
template <class T>
Parts<T> without_labels(Parts<T> parts) {
  for (Part<T>& part : parts) part.text.label = {};
  return parts;
}

}  // namespace weft::answer
