// The expansions of sends, each from X to the network around it. `inner` is X and `outer` its
// expansion (topology/expansions.hpp has their numbering), both read the same way.
#pragma once

#include <span>

#include "sends.hpp"

namespace weft::algorithm {

/// Definition 1.
Sends line_sends(const Sends& base, const View& inner, const View& outer);

/// Definition 2.
Sends degree_sends(int copies, const Sends& base, const View& inner, const View& outer);

/// Definition 14.
Sends power_sends(int exponent, const Sends& base, const View& inner, const View& outer);

/// Section A.6: the first half of every block as `along` says, an allgather of X read as `inner`
/// is, the second as `against`, one of X read the other way.
Sends bidirectional_sends(const Sends& along, const Sends& against, const View& inner,
                          const View& outer);

/// Throws InvalidInput where an expansion would have more sends, or units per block, than are
/// allowed.
void require_few_sends(double sends, const Topology& outer);
void require_few_units(std::int64_t units, const Topology& outer);

/// X read the other way: the link that each link of transpose(X) is, by link.
std::vector<LinkId> transposed_links(const Topology& inner, const Topology& transposed);

}  // namespace weft::algorithm
