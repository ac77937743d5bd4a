// The table of parts of what weft topology answers.
#pragma once

#include <optional>

#include "weft/analysis/forwarding_report.hpp"
#include "weft/analysis/report.hpp"
#include "weft/answer/part.hpp"
#include "weft/topology/topology.hpp"

namespace weft::cli {

struct MeasuredNetwork {
  const Topology& topology;
  const analysis::TopologyReport& report;
  const std::optional<analysis::ForwardingReport>& tables;  // of a network that has some
};
answer::Parts<MeasuredNetwork> topology_parts();

}  // namespace weft::cli
