// JSON values that know the way to themselves, for messages such as
// "plan.json: gpus[3].threadblocks[1].ops[7]: 'size' is missing".
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/format/mscclpp.hpp"
#include "weft/format/wrong_content.hpp"

namespace weft::format::mscclpp {

using Json = nlohmann::json;

/// Parses a file. Throws InvalidInput, with the line, for what is no JSON, nests too deep, or has a
/// key twice in one object (of which a reader would see one).
Json parse(std::string_view text, const std::string& file);

/// A value of the file, with the way to it.
class Node {
 public:
  Node(const Json& json, const std::string& file) : json_(json), file_(file) {}

  /// Throws WrongContent with the way to the value.
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_here(fmt::format(format, std::forward<Args>(args)...));
  }

  std::string path() const {
    if (parent_ == nullptr) return {};
    const std::string before = parent_->path();
    if (index_ >= 0) return fmt::format("{}[{}]", before, index_);
    return fmt::format("{}{}{}", before, before.empty() ? "" : ".", key_);
  }

  /// An object that has these keys alone.
  template <std::size_t N>
  void require_object(const std::array<std::string_view, N>& known) const {
    if (!json_.is_object()) refuse("the value is not an object; write {{\"{}\": ...}}", known[0]);
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(known, key) == known.end())
        refuse("{}",
               unknown_text({"key", key}, std::vector<std::string>(known.begin(), known.end())));
  }

  bool has(std::string_view key) const { return json_.contains(key); }

  Node operator[](std::string_view key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) refuse("'{}' is missing", key);
    return Node(*found, file_, this, key, -1);
  }

  /// Calls visit(element) for those of a list of at most `most`.
  template <class Visit>
  void each(std::int64_t most, Visit&& visit) const {
    if (!json_.is_array()) refuse("the value is not a list; write [...]");
    if (std::ssize(json_) > most)
      refuse("the list has {} elements, but at most {} are possible", json_.size(), most);
    std::int64_t index = 0;
    for (const Json& element : json_) visit(Node(element, file_, this, {}, index++));
  }

  std::int64_t number(std::int64_t low, std::int64_t high) const {
    const bool fits =
        json_.is_number_integer() &&
        (!json_.is_number_unsigned() || json_.get<std::uint64_t>() <= std::uint64_t{kMostSigned});
    const std::int64_t value = fits ? json_.get<std::int64_t>() : 0;
    if (!fits || value < low || value > high)
      refuse("{} is not an integer from {} to {}", shown(), low, high);
    return value;
  }
  std::int32_t integer(std::int64_t low, std::int64_t high) const {
    return static_cast<std::int32_t>(number(low, high));
  }
  std::uint64_t bytes() const {
    if (!json_.is_number_unsigned()) refuse("{} is not a number of bytes (0 or more)", shown());
    return json_.get<std::uint64_t>();
  }
  bool flag() const {
    if (!json_.is_boolean()) refuse("{} is neither true nor false", shown());
    return json_.get<bool>();
  }
  std::string text() const {
    if (!json_.is_string()) refuse("{} is not a text; write \"...\"", shown());
    return json_.get<std::string>();
  }

  /// The position of the text in a list of names.
  template <class Names>
  std::size_t one_of(const Names& names) const {
    const std::string value = text();
    const auto found = std::ranges::find(names, value);
    if (found == names.end())
      refuse("{}",
             unknown_text({"value", value}, std::vector<std::string>(names.begin(), names.end())));
    return static_cast<std::size_t>(found - names.begin());
  }

  std::vector<std::int32_t> integers(std::int64_t most_elements, std::int64_t high) const {
    std::vector<std::int32_t> result;
    each(most_elements, [&](const Node& one) { result.push_back(one.integer(0, high)); });
    return result;
  }

 private:
  static constexpr std::int64_t kMostSigned = std::numeric_limits<std::int64_t>::max();

  Node(const Json& json, const std::string& file, const Node* parent, std::string_view key,
       std::int64_t index)
      : json_(json), file_(file), parent_(parent), key_(key), index_(index) {}

  [[noreturn]] void refuse_here(const std::string& why) const;
  ContentPlace place() const;

  std::string shown() const {
    std::string text = json_.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 40) text.replace(37, std::string::npos, "...");
    return text;
  }

  const Json& json_;
  const std::string& file_;
  const Node* parent_ = nullptr;  // on the stack of whoever reads
  std::string_view key_ = {};
  std::int64_t index_ = -1;
};

inline constexpr std::int64_t kMostChunks = 1 << 24;  // of a buffer
inline constexpr std::int64_t kMostNumber = std::numeric_limits<std::int32_t>::max();

Buffer buffer_of(const Node& node);
ChannelType channel_type_of(const Node& node);

/// An operation of a thread block, whose channels and buffers are known.
Op read_op(const Node& node, const Gpu& gpu, const Block& block);

}  // namespace weft::format::mscclpp
