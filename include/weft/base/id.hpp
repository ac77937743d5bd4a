// Distinct 32-bit index types, so that a node is never passed where a link is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace weft {

/// An index into an array of things of one kind; `Tag` names the kind.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  template <class Integer>
  explicit constexpr Id(Integer index) : index_(static_cast<std::int32_t>(index)) {}

  constexpr std::int32_t value() const { return index_; }
  /// For arrays that are not of ids; those that are take the id itself (id_vector.hpp).
  constexpr std::size_t index() const { return static_cast<std::size_t>(index_); }

  friend constexpr auto operator<=>(Id, Id) = default;
  constexpr Id& operator++() {
    ++index_;
    return *this;
  }

 private:
  std::int32_t index_ = 0;
};

/// The ids first, first + 1, ..., last - 1, for range-for.
template <class IdType>
class IdRange {
 public:
  class Iterator {
   public:
    explicit constexpr Iterator(IdType id) : id_(id) {}
    constexpr IdType operator*() const { return id_; }
    constexpr Iterator& operator++() {
      ++id_;
      return *this;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    IdType id_;
  };

  constexpr IdRange(IdType first, IdType last) : first_(first), last_(last) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(last_); }
  constexpr std::int32_t size() const { return last_.value() - first_.value(); }
  constexpr bool empty() const { return first_ == last_; }
  constexpr IdType operator[](std::int32_t i) const { return IdType(first_.value() + i); }

 private:
  IdType first_, last_;
};

/// All ids of an array of `count` things.
template <class IdType>
constexpr IdRange<IdType> ids(std::int64_t count) {
  return {IdType(0), IdType(count)};
}

}  // namespace weft

template <class Tag>
struct std::hash<weft::Id<Tag>> {
  std::size_t operator()(weft::Id<Tag> id) const noexcept {
    return static_cast<std::size_t>(id.value());
  }
};
