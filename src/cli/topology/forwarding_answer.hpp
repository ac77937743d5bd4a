// What forwarding tables are worth, as lines of facts and as a table of parts.
#pragma once

#include "cli/output.hpp"
#include "weft/analysis/forwarding_report.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// The forwarding tables of a network, judged.
struct JudgedTables {
  const analysis::ForwardingReport& report;
  const Topology& topology;
};
answer::Parts<JudgedTables> forwarding_parts();

void add_facts(const analysis::ForwardingReport& report, const Topology& topology, Facts& facts);

}  // namespace weft::cli
