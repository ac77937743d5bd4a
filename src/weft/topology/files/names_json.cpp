#include "weft/topology/files/names_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"

namespace weft::topology {

namespace {

using nlohmann::json;

// Nested deeper than this; dump() calls itself, and a hostile file would overflow the stack.
bool deeper_than(const json& value, int levels) {
  if (!value.is_structured()) return false;
  return levels == 0 || std::any_of(value.begin(), value.end(), [levels](const json& inner) {
           return deeper_than(inner, levels - 1);
         });
}

std::vector<std::string> read_texts(const json& column, const char* key, std::size_t count,
                                    const std::string& path) {
  require(column.is_array() && column.size() == count, "{}: '{}' is not an array of {} entries",
          path, key, count);
  std::vector<std::string> texts;
  for (const json& each : column) {
    require(each.is_null() || each.is_string(), "{}: '{}' has {}, which is not a text", path, key,
            brief(each));
    texts.push_back(each.is_null() ? std::string() : each.get<std::string>());
  }
  return texts;
}

std::string texts(const char* key, const std::vector<std::string>& values, std::size_t count) {
  std::string text = fmt::format(",\n\"{}\": [", key);
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : ",") +
            (i < values.size() && !values[i].empty() ? json_text(values[i]) : std::string("null"));
  return text + "]";
}

}  // namespace

std::string json_text(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string brief(const json& value) {
  if (deeper_than(value, 8)) return "deeply nested";
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 40) + "...";
}

std::shared_ptr<const Names> read_names_json(const json& nodes, const json* ports,
                                             std::size_t node_count, std::size_t link_count,
                                             const std::string& path) {
  Names names;
  names.nodes = read_texts(nodes, "names", node_count, path);
  check_names(names.nodes, path);
  if (ports != nullptr) names.ports = read_texts(*ports, "ports", link_count, path);
  return std::make_shared<const Names>(std::move(names));
}

std::shared_ptr<const std::vector<ImportNote>> read_import_notes(const json& notes,
                                                                 const std::string& path) {
  std::vector<ImportNote> read;
  require(notes.is_array(), "{}: 'import_notes' is not an array", path);
  for (const json& each : notes) {
    const auto text = [&](const char* key) -> std::string {
      require(each.is_object() && each.contains(key) && each[key].is_string(),
              "{}: 'import_notes' has {} without the text '{}'", path, brief(each), key);
      return printable(each[key].get<std::string>());
    };
    const auto kind = note_kind(text("kind"));
    require(kind.has_value(),
            "{}: invalid kind '{}' of an import note (expected reading, answer or speed)", path,
            text("kind"));
    read.emplace_back(text("text"), *kind);
  }
  return std::make_shared<const std::vector<ImportNote>>(std::move(read));
}

std::string names_text(const Topology& topology) {
  const auto& names = topology.facets().names;
  if (!names) return {};
  const bool ports = !std::ranges::all_of(names->ports, &std::string::empty);
  return texts("names", names->nodes, static_cast<std::size_t>(topology.node_count())) +
         (ports ? texts("ports", names->ports, static_cast<std::size_t>(topology.link_count()))
                : std::string());
}

std::string import_notes_text(const Topology& topology) {
  const auto& notes = topology.facets().import_notes;
  if (!notes || notes->empty()) return {};
  std::string text = ",\n\"import_notes\": [";
  for (std::size_t i = 0; i < notes->size(); ++i)
    text += fmt::format("{}{{\"text\": {}, \"kind\": \"{}\"}}", i == 0 ? "" : ",\n",
                        json_text((*notes)[i].text), name_of((*notes)[i].kind));
  return text + "]";
}

}  // namespace weft::topology
