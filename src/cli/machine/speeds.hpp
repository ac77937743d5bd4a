// The speeds and start-ups that an answer used, and where each is from.
#pragma once

#include <string>

#include "cli/options/options.hpp"

namespace weft::cli {

/// {"machine", "origin", "links": [{"class", "bandwidth", "latency", "from"}], "startup", ...}:
/// bandwidths and latencies as [lowest, highest] where links of a class differ.
Json json_of_speeds(const Network& network, const Said& said);

/// "generic machine: links 97Gbps, 160ns; 500ns a message; sums 10GB/s", one line.
std::string speeds_text(const Network& network, const Said& said);

}  // namespace weft::cli
