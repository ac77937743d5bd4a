// Levels: the first step of a schedule in which each message of a program may be.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "moved_units.hpp"

namespace weft::program {

/// Whether a message is also no earlier than those that its operations wait for.
enum class RankOrder : std::uint8_t { kept, ignored };

/// By message, from 0; nothing where messages would have to be earlier than themselves.
std::optional<std::vector<std::int32_t>> find_levels(const Operations& operations,
                                                     const MovedUnits& units, RankOrder order);

}  // namespace weft::program
