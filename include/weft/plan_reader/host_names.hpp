// Host names as two programs write them: one with its domain, "node3.cluster", the other without.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace weft::plan {

/// Returns for each name the one of `known` that means the same host, or an empty text if none
/// does. Whole names count first. A short name, up to the first dot, counts only if a single whole
/// name has it on each side: "worker.3" and "worker.4" are other hosts than "worker.1". Names may
/// repeat on both sides. The result refers to the texts of `known`. O(n log n).
std::vector<std::string_view> matching_hosts(std::span<const std::string_view> names,
                                             std::span<const std::string_view> known);

}  // namespace weft::plan
