#include "weft/fields/make_network.hpp"

#include <algorithm>
#include <vector>

#include "weft/base/enumeration.hpp"
#include "weft/base/suggest.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/fields/setup.hpp"
#include "weft/topology/registry.hpp"

namespace weft {

namespace {

std::vector<std::string> known_options() {
  std::vector<std::string> names;
  for (const auto& members : {fields::network_members(), fields::job_members()})
    for (const auto& [field, set] : members) names.emplace_back(field->name);
  for (const auto& [field, set] : fields::host_members()) names.emplace_back(field->name);
  return names;
}

}  // namespace

Network make_network(const std::string& topology, const NetworkOptions& options) {
  fields::Values said{{"topology", topology}, {"seed", std::to_string(options.seed)}};
  const auto say = [&said](const char* field, const std::string& text) {
    if (!text.empty()) said[field] = text;
  };
  say("link", options.link);
  say("latency", options.latency);
  say("alpha", options.startup);
  say("routing", options.routing);
  say("placement", options.placement);
  say("hosts", options.hosts);
  if (options.ranks != 0) said["ranks"] = std::to_string(options.ranks);
  for (const auto& [name, text] : options.others) {
    const std::vector<std::string> known = known_options();
    if (std::ranges::find(known, name) == known.end())
      reject_unknown({"option of networks", name}, known);
    said[name] = text;
  }
  const BuiltTopology built = build_topology(topology);
  if (lower(options.machine) != fields::kIdeal) {
    const fields::MachineModel machine = fields::find_machine(options.machine);
    fields::require_classes(machine, built.topology);
    (void)fields::put_beneath(machine, said);
  }
  return fields::make_network(said, built);
}

}  // namespace weft
