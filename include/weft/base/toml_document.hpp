// A TOML file as a tree of texts with their lines, in the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.hpp"

namespace weft {

struct TomlMember;

struct TomlNode {
  enum class Kind : std::uint8_t { text, number, truth, list, table } kind = Kind::table;
  std::string text;                 // of a scalar: "8", "1e-06", "true"
  std::vector<TomlNode> items;      // of a list
  std::vector<TomlMember> members;  // of a table, in the order of the file
  int line = 0;

  bool scalar() const { return kind != Kind::list && kind != Kind::table; }
  /// "a text", "a number", "true or false", "a list", "a table".
  std::string_view kind_name() const;
};

struct TomlMember {
  std::string name;
  TomlNode value;
};

/// Throws InvalidInput, "PATH:LINE: what is wrong".
TomlNode parse_toml(std::string_view content, const std::string& path);

/// Throws InvalidInput with the place in front of the message.
[[noreturn]] void reject_at(const std::string& path, int line, std::string_view message);

/// What `body` gives; what it throws for wrong input is told with the place.
template <class Body>
auto located(const std::string& path, int line, Body body) {
  try {
    return body();
  } catch (const InvalidInput& error) {
    reject_at(path, line, error.what());
  }
}

}  // namespace weft
