// How many messages a schedule may store.
#pragma once

#include <cstdint>

namespace weft::schedule {

inline constexpr std::int64_t kMostMessages = std::int64_t{1} << 26;  // some 5 GB

/// For what is about to store so many messages, before it does. Throws InvalidInput above
/// kMostMessages.
void require_holdable(std::int64_t messages);

}  // namespace weft::schedule
