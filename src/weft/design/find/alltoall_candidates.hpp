// The networks that weft find measures for an all-to-all.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/design/find/find_question.hpp"
#include "weft/search/catalogue.hpp"
#include "weft/search/finder.hpp"

namespace weft::design {

struct AlltoallCandidates {
  std::vector<search::FoundTopology> lines;  // the highest distance bound first
  std::size_t known = 0;                     // networks that the lines were chosen from
};

/// Returns the networks of the front's size with the highest distance bounds on their throughput:
/// from the front, the catalogue, families, random regular graphs and circulants. Of networks of
/// one source a few alone, because their throughputs are alike. Lines of large networks may have no
/// steps (0) and no bandwidth factor. Deterministic. O(networks * nodes * links).
AlltoallCandidates alltoall_candidates(const search::FoundFront& front, const FindQuestion& asked,
                                       const search::Catalogue& catalogue);

}  // namespace weft::design
