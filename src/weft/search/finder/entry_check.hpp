// Holds lines of a catalogue's files against the networks that they name.
#pragma once

#include <cstdint>

#include "weft/search/catalogue.hpp"

namespace weft::search {

/// size: nodes, degree and two-way links. cost: of a searched graph its steps and T_B too, in
/// O(nodes * links).
enum class CheckOf : std::uint8_t { size, cost };

/// Throws InvalidInput, FILE:LINE in front, for an entry of a file whose network is another than it
/// says. Entries that were not read from a file are right by rule.
void require_true(const CatalogueEntry& entry, CheckOf what);

}  // namespace weft::search
