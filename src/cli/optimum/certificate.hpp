// What proves an optimum, for people and as JSON.
#pragma once

#include "cli/output.hpp"
#include "weft/evaluate/optimum.hpp"

namespace weft::cli {

/// Adds the facts that say why, and "trees", "shares" or "method".
void add_reason(Record& record, const evaluate::Optimum& best, const Collective& collective,
                const Network& network);

/// Adds all that examples/check_optimum.py needs: B, the ranks' places, the certificate, which may
/// be as large as ranks times links.
void add_certificate(Json& answer, const evaluate::Optimum& best, const Network& network);

}  // namespace weft::cli
