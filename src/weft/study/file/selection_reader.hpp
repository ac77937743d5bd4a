// Reading which combinations of the grid are rows: [[pairs]] and [[exclude]].
#pragma once

#include <string>
#include <vector>

#include "weft/base/toml_document.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {

/// The matches of an [[exclude]]: one for each combination of its values. A value may be a list or
/// a range of integers; one link of several values is a list, several links a list of lists.
/// Throws InvalidInput with the place for what is no value, and for more than 100,000 combinations.
std::vector<Match> read_exclude(const TomlNode& node, const std::string& path);

/// A [[pairs]]: `axes` names parameters or variables, each of `rows` has the values that go
/// together, a value or a list for each. Cells that a row lacks at its end may have any value.
/// Throws as read_exclude.
Pairing read_pairing(const TomlNode& node, const std::string& path);

}  // namespace weft::study
