#include "cli/foreign/source_file.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "cli/foreign/collective_file.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::cli {

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::function<std::string(const std::string& path)> reader_of(const std::string& path) {
  const auto text = std::make_shared<std::optional<std::string>>();
  return [path, name = name_of_file(path), text](const std::string& asked) {
    if (asked != name) return read_file(asked);
    if (!*text) *text = read_file(path);
    return **text;
  };
}

Verified verified_in(const std::string& bytes, const std::string& name) {
  if (auto read = collective_in(bytes, name)) return schedule_of(*std::move(read), name);
  const Schedule schedule = schedule_in(bytes, name);
  return told_with(name, [&] {
    std::optional<BuiltTopology> built;
    if (schedule.route_count() > 0) built = topology_of(schedule, name);
    const auto result = verify(schedule, built ? &built->topology : nullptr);
    require(static_cast<bool>(result), "'{}' has an incorrect schedule: {}", name,
            result ? "" : result.fault().text);
    return *result;
  });
}

}  // namespace weft::cli
