// Names of nodes and ports, and the notes on an import, in weft's JSON; json.cpp has the layout.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "weft/topology/import/import_notes.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

/// A JSON string of the text; what is no UTF-8 becomes U+FFFD.
std::string json_text(const std::string& text);

/// The value in 40 characters or few more, for a message.
std::string brief(const nlohmann::json& value);

/// Throws InvalidInput, led by the path, for what is no array of that many names. `ports` may be
/// null.
std::shared_ptr<const Names> read_names_json(const nlohmann::json& nodes,
                                             const nlohmann::json* ports, std::size_t node_count,
                                             std::size_t link_count, const std::string& path);
std::shared_ptr<const std::vector<ImportNote>> read_import_notes(const nlohmann::json& notes,
                                                                 const std::string& path);

/// The members of a file that hold names and notes, each led by ",\n"; nothing where there are
/// none.
std::string names_text(const Topology& topology);
std::string import_notes_text(const Topology& topology);

}  // namespace weft::topology
