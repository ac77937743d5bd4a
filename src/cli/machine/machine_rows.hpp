// The machines of weft list machines.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// By profile: name, summary, what hosts pay, speeds of links, sources, assumptions.
std::vector<std::vector<std::string>> machine_rows();

}  // namespace weft::cli
