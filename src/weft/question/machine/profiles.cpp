// The machines that weft knows by name, and the one that a network has where nobody names any.
#include <cstdlib>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/question/machine_model.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/machines.hpp"

namespace weft::question {

namespace {

constexpr const char* kVariable = "WEFT_MACHINE";
constexpr Names<MachineOrigin, 4> kOrigins{"unknown origin '{}'; {}",
                                           {"--machine", kVariable, "the network", "default"}};

std::optional<MachineModel> from(MachineOrigin origin, const std::string& name) {
  if (lower(name) == kIdeal) return std::nullopt;
  MachineModel machine = find_machine(name);
  machine.origin = origin;
  return machine;
}

std::string profile_of(std::string_view topology) {
  try {
    return topology::profile_in(topology::parse_expression(topology));
  } catch (const InvalidInput&) {  // told where the network is built
    return "";
  }
}

}  // namespace

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
  return parse_machine_model(read_file(path), path == name_or_path ? path : name);
}

std::optional<MachineModel> default_machine(std::string_view topology) {
  const char* named = std::getenv(kVariable);
  if (named != nullptr && *named != '\0') return from(MachineOrigin::environment, named);
  if (const std::string profile = profile_of(topology); !profile.empty())
    return from(MachineOrigin::network, profile);
  return from(MachineOrigin::by_default, std::string(kGeneric));
}

}  // namespace weft::question
