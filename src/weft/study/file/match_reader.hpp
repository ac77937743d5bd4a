// Reading what rows must have: `{ algorithm = "bruck", size = "32KiB" }`.
#pragma once

#include <string>

#include "weft/base/toml_table.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {

/// A value of an axis or match as text. `link` may be a list of lists: each the values of several
/// --link, kept with ';' between them. Throws InvalidInput with the place for what is no value.
std::string value_text(const TomlTable& table, const std::string& name, const TomlNode& node);

/// All entries of the table `node`, which `table` reads.
Match read_match(const TomlTable& table, const TomlNode& node);

/// The match called `name`; one that names nothing where there is none. Throws InvalidInput where
/// it is needed and missing.
Match match_of(TomlTable& table, const char* name, bool needed = false);

}  // namespace weft::study
