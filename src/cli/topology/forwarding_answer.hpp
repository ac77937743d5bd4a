// What forwarding tables are worth, as rows of an answer and as JSON.
#pragma once

#include "cli/output.hpp"
#include "weft/analysis/forwarding_report.hpp"

namespace weft::cli {

Json json_of(const analysis::ForwardingReport& report, const Topology& topology);

void add_facts(const analysis::ForwardingReport& report, const Topology& topology, Facts& facts);

}  // namespace weft::cli
