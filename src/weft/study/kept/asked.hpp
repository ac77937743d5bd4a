// Digests of what an experiment asks: its rows, and what its claims make of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "weft/rows/row.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {

/// Of the rows' keys, and of what else claims know rows by: variables, and topologies as written.
std::string digest_of_grid(const std::vector<Row>& rows);

/// Of what claims look up and hold it against, and of derived columns; not of what they say that we
/// get in its place, which is judged anew.
std::string digest_of_claims(const Experiment& experiment);

/// The columns of results that claims speak of, themselves or through a derived one.
std::set<std::string> columns_asked(const Experiment& experiment);

}  // namespace weft::study
