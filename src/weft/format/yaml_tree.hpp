// YAML of other systems as a tree with lines. Anchors and aliases, by which a short file becomes a
// huge one, are refused, and so are several documents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::format {

struct YamlNode {
  enum class Kind : std::uint8_t { nothing, text, list, map };

  Kind kind = Kind::nothing;
  std::string text;               // of a scalar
  std::vector<YamlNode> items;    // of a list; of a map its values
  std::vector<std::string> keys;  // of a map
  std::int64_t line = 0;

  /// The value of a key; null where the map has none.
  const YamlNode* find(std::string_view key) const;
};

/// Throws InvalidInput, with the line, for what is no such YAML.
YamlNode read_yaml(std::string_view text, const std::string& file);

}  // namespace weft::format
