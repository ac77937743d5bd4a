#include "weft/question/measured/published.hpp"

#include <array>

#include "weft/base/error.hpp"
#include "weft/base/shipped.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/program/program.hpp"
#include "weft/question/library/baseline.hpp"
#include "weft/question/machine_model.hpp"
#include "weft/question/setup.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/several_ranks.hpp"

namespace weft::question {

namespace {

double library_s(const LibraryRules& rules, const ForcedPoint& point, const Network& network,
                 const Values& said) {
  require_rules(rules, schedule::parse_collective(point.collective));
  const std::array sizes_B{point.size_B};
  const LibraryBaseline baseline = library_baseline(rules, make_collective(said, network.ranks()),
                                                    network, sizes_B, simulation_options_in(said));
  const auto& time_s = baseline.rows.front().time_s;
  require(time_s.has_value(), "{}: {} chooses {} here, which weft cannot time", point.place(),
          rules.name, baseline.rows.front().native);
  return *time_s;
}

}  // namespace

std::vector<ForcedPoint> read_published(std::string_view text, const std::string& path) {
  std::vector<ForcedPoint> points = read_forced_points(text, path);
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
  const LibraryRules* library = library_rules_or_null(point.algorithm);
  if (library == nullptr) said["algorithm"] = point.algorithm;
  said["routing"] = std::string("auto");
  put_beneath(find_machine(point.machine), said);
  if (point.sampling == Sampling::loop) said.erase("barrier-skew");
  Network network = make_network(said);
  if (point.per_host > 1)
    network =
        network.with_placement(topology::several_on_each(network.placement(), point.per_host));
  if (library != nullptr) return library_s(*library, point, network, said);
  const Collective collective = make_collective(said, network.ranks());
  const Verified verified = evaluate::schedule_for_size(
      point.algorithm, collective, network, algorithm_options_in(point.options), point.size_B);
  return simulation::simulate(lower(verified, {.size_B = point.size_B}), network,
                              simulation_options_in(said))
      .time_s;
}

}  // namespace weft::question
