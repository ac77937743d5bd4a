// The machines that weft knows by name, and the one that a network has where nobody names any.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/setup.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/registry.hpp"

namespace weft::fields {

namespace {

constexpr const char* kVariable = "WEFT_MACHINE";
constexpr Names<MachineOrigin, 4> kOrigins{"origin",
                                           {"--machine", kVariable, "the network", "default"}};

std::optional<MachineModel> from(MachineOrigin origin, const std::string& name) {
  if (lower(name) == kIdeal) return std::nullopt;
  MachineModel machine = find_machine(name);
  machine.origin = origin;
  return machine;
}

std::optional<MachineModel> from_environment(const std::string& name) try {
  return from(MachineOrigin::environment, name);
} catch (const InvalidInput& error) {
  reject("{}: {}", kVariable, error.what());
}

// Whether links of this class join GPUs.
bool joins_gpus(const std::string& link_class) {
  return link_class.starts_with("nvlink") || link_class.starts_with("xgmi");
}

// Whether a file of the expression holds a network of GPUs. Large files are read but once.
bool has_gpus(const Expression& expression) {
  constexpr std::uintmax_t kMost_B = 4'000'000;
  if (!expression.is_family())
    return std::ranges::any_of(expression.children,
                               [](const Expression& child) { return has_gpus(child); });
  if (expression.name != "file" || !is_regular_file(expression.parameters)) return false;
  std::error_code unknown;
  if (std::filesystem::file_size(expression.parameters, unknown) > kMost_B || unknown) return false;
  return std::ranges::any_of(build_topology(expression.to_string()).topology.class_names(),
                             joins_gpus);
}

std::string profile_of(std::string_view topology) {
  try {
    const Expression expression = topology::parse_expression(topology);
    std::string profile = topology::profile_in(expression);
    return profile.empty() && has_gpus(expression) ? std::string(kGpus) : profile;
  } catch (const InvalidInput&) {  // told where the network is built
    return "";
  }
}

// If a file has tables for some classes of links only, the others get the speed of generic.
void complete_links(MachineModel& machine) {
  const std::string defaults = text_in(machine.values, kLinkDefault.name);
  if (machine.classes.empty() || covers_all_links(defaults) ||
      covers_all_links(text_in(machine.values, "link")))
    return;
  const std::string others = text_in(find_machine(std::string(kGeneric)).values, kLinkDefault.name);
  machine.values[std::string(kLinkDefault.name)] =
      defaults.empty() ? others : others + ';' + defaults;
  machine.others_as_generic = true;
}

}  // namespace

bool MachineModel::has_speed_of(std::string_view link_class) const {
  return !others_as_generic ||
         std::ranges::find(classes, link_class, &MachineLinks::name) != classes.end();
}

std::string_view name_of(MachineOrigin origin) {
  return kOrigins[origin];
}

std::vector<MachineModel> machine_profiles() {
  std::vector<MachineModel> all;
  for (const auto& [name, path] : kMachines.all())
    all.push_back(parse_machine_model(read_file(path), name));
  return all;
}

MachineModel find_machine(const std::string& name_or_path) {
  const auto [name, path] = kMachines.find_or_path(name_or_path);
  MachineModel machine = parse_machine_model(read_file(path), path == name_or_path ? path : name);
  complete_links(machine);
  return machine;
}

std::vector<std::string> put_beneath(const MachineModel& machine, Values& said) {
  std::vector<std::string> both;
  for (const auto& [name, value] : machine.values) {
    const auto [place, made] = said.try_emplace(name, value);
    if (made) continue;
    both.push_back(name);
    // A speed of all links replaces the machine's; speeds of classes are added to it.
    const std::string own = to_text(place->second);
    if ((name == "link" || name == kLinkDefault.name) && !covers_all_links(own))
      place->second = to_text(value) + ';' + own;
  }
  return both;
}

std::optional<MachineModel> default_machine(std::string_view topology) {
  const char* named = std::getenv(kVariable);
  if (named != nullptr && *named != '\0') return from_environment(named);
  if (const std::string profile = profile_of(topology); !profile.empty())
    return from(MachineOrigin::network, profile);
  return from(MachineOrigin::by_default, std::string(kGeneric));
}

}  // namespace weft::fields
