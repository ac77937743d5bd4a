#include "weft/question/profile/library_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "weft/base/error.hpp"
#include "weft/question/library/baseline.hpp"
#include "weft/question/library/binary_trees.hpp"
#include "weft/question/packet_rows.hpp"
#include "weft/question/profile/profile_values.hpp"
#include "weft/question/setup.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

Network network_of(const LibraryRun& run, const MachineModel& base) {
  NetworkSpec spec;
  spec.topology = run.topology.empty() ? fmt::format("xgft:1;{};1", run.ranks) : run.topology;
  const BuiltTopology built = build_topology(spec.topology);
  spec.routing = network_routing({{"topology", spec.topology}, {"routing", std::string("auto")}},
                                 built.topology);
  spec.links.defaults = profile_state(base).links;
  spec.ranks = run.ranks;
  return make_network(spec, built, {});
}

// Whether one algorithm of the registry is all that runs.
bool is_one_algorithm(const LibraryChoice& choice, const LibraryCall& call) {
  if (choice.parts.size() != 1 || choice.segments != 1 || choice.has_stand_in()) return false;
  const LibraryPart& part = choice.parts.front();
  if (part.level != LibraryLevel::all || part.segments != 1) return false;
  if (choice.device) return part.algorithm == "ring" && call.gpus.equal;
  return part.algorithm != kBinaryTree && part.algorithm != kSplitBinaryTree;
}

}  // namespace

ForcedTable library_points(const MeasuredTable& table, const LibraryRun& run,
                           const MachineModel& base) {
  require(table.collective.has_value(),
          "{}: {} is not a collective, so {} did not choose an algorithm", table.path,
          table.benchmark, run.rules->name);
  require_rules(*run.rules, *table.collective);
  const Network network = network_of(run, base);
  const std::string kind(schedule::name_of(*table.collective));
  LibraryCall call =
      library_call(make_collective({{"collective", kind}}, network.ranks()), network, *run.rules);
  ForcedTable made;
  std::set<std::string> others;
  for (const MeasuredRow& row : table.rows) {
    if (row.size_B == 0) continue;
    call.size_B = row.size_B;
    const LibraryChoice choice = run.rules->choose(call);
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

}  // namespace weft::question
