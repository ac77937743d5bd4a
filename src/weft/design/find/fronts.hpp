// The networks that weft find knows of each size, before it measures them.
#pragma once

#include <optional>
#include <vector>

#include "weft/design/find/find_question.hpp"
#include "weft/search/catalogue.hpp"
#include "weft/search/finder.hpp"

namespace weft::design {

/// The fronts of the sizes that are asked for: those of search::find_topologies() and, where both
/// the nodes and the ports of two-way networks are odd, spliced networks (design/spliced.hpp).
std::vector<search::FoundFront> known_fronts(const FindQuestion& asked,
                                             const search::Catalogue& catalogue);

/// Whether a network of the front takes more than twice the fewest steps that any network of this
/// size can have.
bool is_far_from_bound(const search::FoundFront& front, const FindQuestion& asked);

/// Searches the one size that is asked for (search/size_search.hpp), if its front is far from the
/// bound, and replaces the front. Returns nothing if no search was done.
std::optional<FindSearch> search_where_far(const FindQuestion& asked, search::Catalogue& catalogue,
                                           std::vector<search::FoundFront>& fronts);

}  // namespace weft::design
