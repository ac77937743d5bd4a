// YAML of other systems as a tree with lines. Aliases (*name) become copies of what they stand for,
// and merge keys (<<) the entries of their maps, as far as a short file does not become a huge one
// that way. Several documents are refused.
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
