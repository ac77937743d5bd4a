// Reading [[claim]].
#pragma once

#include <string>

#include "weft/base/toml_document.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {

/// The claim as the file states it; the columns and rows that it names are checked later. Throws
/// InvalidInput with the place for entries that are wrong or contradict each other, and for a claim
/// that gives a reason and not what we get.
Claim read_claim(const TomlNode& node, const std::string& path, const RowKind& kind);

}  // namespace weft::study
