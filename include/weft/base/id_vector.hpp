// Arrays that belong to ids: a value for each node, link, cable, rank, ..., read by its id alone.
//
//   IdVector<LinkId, double> bytes(topology.link_count(), 0);
//   for (const LinkId link : path) bytes[link] += 8;   // bytes[node] and bytes[3] don't compile
//
// Ranges and std::span take both kinds as they take a std::vector.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id.hpp"

namespace weft {

/// An array with one value for each of the ids 0, 1, ..., size() - 1.
template <class IdType, class T>
class IdVector {
 public:
  using value_type = T;

  IdVector() = default;
  explicit IdVector(std::integral auto count) : values_(checked(count)) {}
  IdVector(std::integral auto count, const T& value) : values_(checked(count), value) {}
  IdVector(std::initializer_list<T> values) : values_(values) {}
  /// The values of the ids in order.
  IdVector(std::vector<T> values)  // NOLINT(google-explicit-constructor): it is the same array
      : values_(std::move(values)) {}
  template <std::input_iterator Iterator>
  IdVector(Iterator first, Iterator last) : values_(first, last) {}

  decltype(auto) operator[](IdType id) { return values_[checked(id)]; }
  decltype(auto) operator[](IdType id) const { return values_[checked(id)]; }

  std::int32_t size() const { return static_cast<std::int32_t>(values_.size()); }
  bool empty() const { return values_.empty(); }
  IdRange<IdType> ids() const { return weft::ids<IdType>(size()); }

  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  auto data() { return values_.data(); }
  auto data() const { return values_.data(); }
  decltype(auto) front() const { return values_.front(); }
  decltype(auto) back() { return values_.back(); }
  decltype(auto) back() const { return values_.back(); }

  /// The array without its ids, for what counts its places another way.
  const std::vector<T>& values() const& { return values_; }
  std::vector<T>& values() & { return values_; }
  std::vector<T>&& values() && { return std::move(values_); }

  void assign(std::integral auto count, const T& value) { values_.assign(checked(count), value); }
  void resize(std::integral auto count) { values_.resize(checked(count)); }
  void resize(std::integral auto count, const T& value) { values_.resize(checked(count), value); }
  void reserve(std::integral auto count) { values_.reserve(checked(count)); }
  void clear() { values_.clear(); }

  /// Appends a value and returns its id.
  IdType push_back(T value) { return emplace_back(std::move(value)); }
  template <class... Args>
  IdType emplace_back(Args&&... args) {
    const IdType id(values_.size());
    values_.emplace_back(std::forward<Args>(args)...);
    return id;
  }

  friend bool operator==(const IdVector&, const IdVector&) = default;

 private:
  std::size_t checked(IdType id) const {
    WEFT_ASSERT(id.index() < values_.size());
    return id.index();
  }
  static std::size_t checked(std::integral auto count) {
    if constexpr (std::is_signed_v<decltype(count)>) WEFT_ASSERT(count >= 0);
    return static_cast<std::size_t>(count);
  }

  std::vector<T> values_;
};

/// A view of somebody's IdVector, or of any values that ids number; `T` is const where they are
/// only read.
template <class IdType, class T>
class IdSpan {
 public:
  using value_type = std::remove_cv_t<T>;

  IdSpan() = default;
  IdSpan(const IdVector<IdType, value_type>& values)  // NOLINT(google-explicit-constructor)
      requires std::is_const_v<T> : values_(values) {}
  IdSpan(IdVector<IdType, value_type>& values) : values_(values) {}  // NOLINT
  /// The values of the ids in order.
  explicit IdSpan(std::span<T> values) : values_(values) {}

  T& operator[](IdType id) const {
    WEFT_ASSERT(id.index() < values_.size());
    return values_[id.index()];
  }

  std::int32_t size() const { return static_cast<std::int32_t>(values_.size()); }
  bool empty() const { return values_.empty(); }
  IdRange<IdType> ids() const { return weft::ids<IdType>(size()); }

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  T* data() const { return values_.data(); }
  T& front() const { return values_.front(); }

  /// The values without their ids, for what counts their places another way.
  std::span<T> values() const { return values_; }

 private:
  std::span<T> values_;
};

}  // namespace weft

// The values outlive the view, as those of a std::span do.
template <class IdType, class T>
inline constexpr bool std::ranges::enable_borrowed_range<weft::IdSpan<IdType, T>> = true;
