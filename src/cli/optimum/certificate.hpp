// What proves an optimum, for people and as JSON.
#pragma once

#include "cli/output.hpp"
#include "weft/question/optimum.hpp"

namespace weft::cli {

/// Adds the facts that say why, "trees", and all that examples/check_optimum.py needs: B, the
/// ranks' places, the certificate.
void add_certificate(Record& record, const question::Optimum& best, const Collective& collective,
                     const Network& network);

}  // namespace weft::cli
