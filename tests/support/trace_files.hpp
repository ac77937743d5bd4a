// Traces that stand in memory.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/format/execution_trace.hpp"

namespace weft::test {

/// The files f.0.et, f.1.et, ... with these bytes.
inline format::ProgramSource trace_source(std::vector<std::string> files) {
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < files.size(); ++rank)
    names.push_back(format::trace_file("f", static_cast<std::int32_t>(rank)));
  return {.path = "f",
          .read =
              [names, files](const std::string& path) {
                const auto at = std::ranges::find(names, path);
                require(at != names.end(), "there is no file {}", path);
                return files[static_cast<std::size_t>(at - names.begin())];
              },
          .list = [names](const std::string&) { return names; }};
}

inline format::Trace read_traces(std::vector<std::string> files) {
  return format::read_trace(trace_source(std::move(files)));
}

/// What a refusal of them says; empty where there is none.
inline std::string trace_refusal(const std::vector<std::string>& files) {
  try {
    read_traces(files);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

}  // namespace weft::test
