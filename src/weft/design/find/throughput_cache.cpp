#include "weft/design/find/throughput_cache.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/version.hpp"

namespace weft::design {

namespace {

std::string first_line() {
  return fmt::format("# weft-throughput 1 {}", version());
}

// "0.0125 0.0126 torus:3x3"
void read_line(const std::string& line, std::map<std::string, KnownThroughput>& values) {
  std::istringstream words(line);
  KnownThroughput value;
  std::string expression;
  if (words >> value.throughput >> value.upper_bound &&
      std::getline(words >> std::ws, expression) && value.throughput > 0)
    values[expression] = value;
}

}  // namespace

ThroughputCache::ThroughputCache(std::string path) : path_(std::move(path)) {
  if (path_.empty() || !is_there(path_)) return;
  try {
    std::istringstream text(read_file(path_));
    std::string line;
    if (!std::getline(text, line) || line != first_line()) return;
    while (std::getline(text, line)) read_line(line, values_);
  } catch (const InvalidInput&) {  // as good as empty
  }
}

std::optional<KnownThroughput> ThroughputCache::find(const std::string& expression,
                                                     double gap) const {
  const auto found = values_.find(expression);
  if (found == values_.end() || found->second.gap() > gap) return std::nullopt;
  return found->second;
}

void ThroughputCache::add(const std::string& expression, const KnownThroughput& value) {
  values_[expression] = value;
  if (path_.empty()) return;
  std::string text = first_line() + "\n";
  for (const auto& [name, known] : values_)
    text += fmt::format("{} {} {}\n", known.throughput, known.upper_bound, name);
  try {
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), failed);
    write_file(path_, text);
  } catch (const InvalidInput&) {
    path_.clear();
  }
}

}  // namespace weft::design
