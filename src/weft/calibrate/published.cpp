#include "weft/calibrate/published.hpp"

#include <algorithm>
#include <array>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/shipped.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/setup.hpp"
#include "weft/libraries/baseline.hpp"
#include "weft/program/copies.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {

namespace {

double library_s(const libraries::LibraryRules& rules, const ForcedPoint& point,
                 const Network& network, const Values& said) {
  libraries::require_rules(rules, schedule::parse_collective(point.collective));
  const std::array sizes_B{point.size_B};
  const libraries::LibraryBaseline baseline =
      libraries::library_baseline(rules, fields::make_collective(said, network.ranks()), network,
                                  sizes_B, fields::simulation_options_in(said));
  const auto& time_s = baseline.rows.front().time_s;
  require(time_s.has_value(), "{}: {} chooses {} here, which weft cannot time", point.place(),
          rules.name, baseline.rows.front().native);
  return *time_s;
}

}  // namespace

std::vector<ForcedPoint> read_published(std::string_view text, const std::string& path) {
  std::vector<ForcedPoint> points = calibrate::read_forced_points(text, path);
  for (const ForcedPoint& point : points)
    require(!point.machine.empty() && !point.topology.empty(),
            "{}: a published point without a machine or a topology; give both", point.place());
  return points;
}

std::string published_path(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".csv")) return name;
  const std::string folder = shipped_folder("WEFT_PUBLISHED", "share/published", "published");
  require(!folder.empty(),
          "the folder of published points, share/published, was not found; set WEFT_PUBLISHED "
          "to it, or name a file");
  return folder + '/' + name + ".csv";
}

double predicted_s(const ForcedPoint& point) {
  Values said = point.options;
  said["topology"] = point.topology;
  said["collective"] = point.collective;
  const libraries::LibraryRules* library = libraries::library_rules_or_null(point.algorithm);
  if (library == nullptr) said["algorithm"] = point.algorithm;
  said["routing"] = std::string("auto");
  if (point.ranks > 0) said["ranks"] = std::int64_t{point.ranks / std::max(point.per_host, 1)};
  fields::put_beneath(fields::find_machine(point.machine), said);
  if (point.sampling == calibrate::Sampling::loop) said.erase("barrier-skew");
  if (point.per_host > 1) said["per-host"] = std::int64_t{point.per_host};
  const Network network = fields::make_network(said);
  if (library != nullptr) return library_s(*library, point, network, said);
  const Collective collective = fields::make_collective(said, network.ranks());
  const simulation::SimulationOptions options = fields::simulation_options_in(said);
  const algorithm::Algorithm& measured =
      algorithm::find_algorithm(point.algorithm, collective.kind);
  const Verified verified = evaluate::schedule_for_size(
      point.algorithm, collective, network,
      algorithm::with_own_radix(measured, fields::algorithm_options_in(point.options)),
      point.size_B, options);
  const Program program = lower(
      verified, {.size_B = point.size_B, .copies = program::plan_copies(verified, network.host())});
  return simulation::simulate(program, network, options).time_s;
}

}  // namespace weft::calibrate
