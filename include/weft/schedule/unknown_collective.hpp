// The refusal of a name that is no collective, for commands that know more names than schedules do.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft::schedule {

/// Throws InvalidInput with the nearest names of collectives and of `others`.
[[noreturn]] void reject_collective(std::string_view name,
                                    std::span<const std::string> others = {});

}  // namespace weft::schedule
