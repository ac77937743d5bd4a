#include "cli/calibrate/forced_input.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/calibrate/measured_table.hpp"
#include "weft/calibrate/profile/library_points.hpp"
#include "weft/libraries/library.hpp"

namespace weft::cli {

namespace {

// FILE:ALGORITHM, a table of a benchmark whose algorithm the user forced.
struct NamedAlgorithm {
  std::string file, algorithm;
};
std::optional<NamedAlgorithm> named_algorithm(const std::string& argument) {
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos || is_there(argument) || !is_there(argument.substr(0, colon)))
    return std::nullopt;
  return NamedAlgorithm{argument.substr(0, colon), argument.substr(colon + 1)};
}

// 0: all hosts of the topology that was given.
std::int32_t ranks_of(const calibrate::MeasuredTable& table, const ProfileCommand& command) {
  const std::int32_t ranks = table.ranks > 0 ? table.ranks : command.ranks;
  require(ranks > 1 || !command.topology.empty(),
          "{}: the table does not state the number of ranks; give --ranks N", table.path);
  return ranks;
}

// nccl-tests and weft-probe time calls in a row; OSU, IMB and weft-bench have a barrier before
// each.
calibrate::Sampling sampling_of(const calibrate::MeasuredTable& table) {
  const bool in_a_row =
      table.benchmark.starts_with("nccl") || table.benchmark.starts_with("weft-probe");
  return in_a_row ? calibrate::Sampling::loop : calibrate::Sampling::barrier;
}

calibrate::ForcedTable read_named(const NamedAlgorithm& named, const ProfileCommand& command) {
  const auto read = calibrate::read_measured_tables(read_file(named.file), named.file);
  calibrate::ForcedTable made{.points = {}, .remarks = read.remarks};
  for (const calibrate::MeasuredTable& table : read.tables) {
    require(table.collective.has_value(), "{}: {} is not a collective, so no algorithm was forced",
            named.file, table.benchmark);
    const std::int32_t ranks = ranks_of(table, command);
    for (const calibrate::MeasuredRow& row : table.rows)
      if (row.size_B > 0)
        made.points.push_back({.path = named.file,
                               .line = row.line,
                               .ranks = ranks,
                               .collective = std::string(schedule::name_of(*table.collective)),
                               .algorithm = named.algorithm,
                               .size_B = row.size_B,
                               .time_s = row.time_s,
                               .sampling = sampling_of(table),
                               .by_nccl = table.benchmark.starts_with("nccl")});
  }
  require(!made.points.empty(), "{}: the file has no time of a collective", named.file);
  return made;
}

// A table of a benchmark whose algorithms the library chose by itself.
calibrate::ForcedTable read_chosen(const std::string& file, const ProfileCommand& command) {
  const auto& rules = libraries::find_library_rules(command.library);
  const auto read = calibrate::read_measured_tables(read_file(file), file);
  calibrate::ForcedTable made{.points = {}, .remarks = read.remarks};
  for (const calibrate::MeasuredTable& table : read.tables) {
    const std::int32_t ranks = ranks_of(table, command);
    calibrate::ForcedTable own = calibrate::library_points(
        table, {.rules = &rules, .ranks = ranks, .topology = command.topology},
        base_machine(command));
    for (ForcedPoint& point : own.points) point.sampling = sampling_of(table);
    std::ranges::move(own.points, std::back_inserter(made.points));
    std::ranges::move(own.remarks, std::back_inserter(made.remarks));
  }
  require(!made.points.empty(), "{}: {} uses no algorithm of weft at these sizes{}", file,
          rules.name, made.remarks.empty() ? "" : "; " + made.remarks.back());
  return made;
}

calibrate::ForcedTable read_unnamed(const std::string& file, const ProfileCommand& command) {
  const std::string text = read_file(file);
  return command.library.empty() || calibrate::is_forced_table(text)
             ? calibrate::read_forced_table(text, file)
             : read_chosen(file, command);
}

// Throws InvalidInput with file and line for a name that is none of its collective.
void check_algorithms(const std::vector<ForcedPoint>& points) {
  std::set<std::pair<std::string, std::string>> known;
  for (const ForcedPoint& point : points) {
    if (!known.emplace(point.collective, point.algorithm).second) continue;
    try {
      (void)algorithm::find_algorithm(point.algorithm,
                                      schedule::parse_collective(point.collective));
    } catch (const InvalidInput& error) {
      reject("{}: {}", point.place(), error.what());
    }
  }
}

}  // namespace

bool are_forced_tables(const std::vector<std::string>& files) {
  const auto forced = [](const std::string& file) {
    return named_algorithm(file) || (is_there(file) && calibrate::is_forced_table(read_file(file)));
  };
  const auto first = std::ranges::find_if(files, forced);
  if (first == files.end()) return false;
  const auto other = std::ranges::find_if_not(files, forced);
  if (other != files.end())
    reject("{} is a table of forced algorithms, but {} is not; calibrate from one kind at a time",
           *first, *other);
  return true;
}

calibrate::ForcedTable read_forced_tables(const ProfileCommand& command) {
  calibrate::ForcedTable all{.points = {}};
  for (const std::string& file : command.files) {
    const auto named = named_algorithm(file);
    calibrate::ForcedTable table =
        named ? read_named(*named, command) : read_unnamed(file, command);
    std::ranges::move(table.points, std::back_inserter(all.points));
    std::ranges::move(table.remarks, std::back_inserter(all.remarks));
  }
  check_algorithms(all.points);
  return all;
}

}  // namespace weft::cli
