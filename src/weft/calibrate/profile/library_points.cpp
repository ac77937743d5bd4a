#include "weft/calibrate/profile/library_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "weft/base/error.hpp"
#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/setup.hpp"
#include "weft/libraries/baseline.hpp"
#include "weft/libraries/binary_trees.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {

namespace {

Network network_of(const LibraryRun& run, const MachineModel& base) {
  NetworkSpec spec;
  spec.topology = run.topology.empty() ? fmt::format("xgft:1;{};1", run.ranks) : run.topology;
  const BuiltTopology built = build_topology(spec.topology);
  spec.routing = fields::network_routing(
      {{"topology", spec.topology}, {"routing", std::string("auto")}}, built.topology);
  spec.links.defaults = profile_state(base).links;
  spec.placing.ranks = run.ranks;
  return fields::make_network(spec, built, {});
}

// Whether one algorithm of the registry is all that runs.
bool is_one_algorithm(const libraries::LibraryChoice& choice, const libraries::LibraryCall& call) {
  if (choice.parts.size() != 1 || choice.segments != 1 || choice.has_stand_in()) return false;
  const libraries::LibraryPart& part = choice.parts.front();
  if (part.level != libraries::LibraryLevel::all || part.segments != 1) return false;
  if (choice.device) return part.algorithm == "ring" && call.gpus.equal;
  return part.algorithm != libraries::kBinaryTree && part.algorithm != libraries::kSplitBinaryTree;
}

}  // namespace

ForcedTable library_points(const MeasuredTable& table, const LibraryRun& run,
                           const MachineModel& base) {
  WEFT_ASSERT(run.rules != nullptr);
  require(table.collective.has_value(),
          "{}: {} is not a collective, so {} did not choose an algorithm", table.path,
          table.benchmark, run.rules->name);
  libraries::require_rules(*run.rules, *table.collective);
  const Network network = network_of(run, base);
  const std::string kind(schedule::name_of(*table.collective));
  libraries::LibraryCall call = libraries::library_call(
      fields::make_collective({{"collective", kind}}, network.ranks()), network, *run.rules);
  ForcedTable made;
  std::set<std::string> others;
  for (const MeasuredRow& row : table.rows) {
    if (row.size_B == 0) continue;
    call.size_B = row.size_B;
    const libraries::LibraryChoice choice = run.rules->choose(call);
    if (!is_one_algorithm(choice, call)) {
      others.insert(choice.native);
      continue;
    }
    Values options;
    for (const auto& [name, value] : choice.parts.front().options.values)
      options[name] = algorithm::to_text(value);
    made.points.push_back({.path = table.path,
                           .line = row.line,
                           .ranks = network.ranks(),
                           .collective = kind,
                           .algorithm = choice.parts.front().algorithm,
                           .options = std::move(options),
                           .size_B = row.size_B,
                           .time_s = row.time_s,
                           .by_nccl = choice.device.has_value()});
  }
  if (!others.empty())
    made.remarks.push_back(fmt::format(
        "{}: sizes at which {} runs {} are left out, because weft has no single algorithm "
        "for them",
        table.path, run.rules->name, fmt::join(others, ", ")));
  return made;
}

}  // namespace weft::calibrate
