// The machines that weft knows by name, and the one that a network has where nobody names any.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/setup.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/link_classes.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/registry.hpp"

namespace weft::fields {

namespace {

constexpr const char* kVariable = "WEFT_MACHINE";
// Names of fields that fields.hpp keeps to itself.
constexpr const char* kLinkField = "link";
constexpr const char* kLatencyField = "latency";
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

// The hardware that the files of an expression have.
struct Hardware {
  std::string machine, file;        // the machine that a file names, and this file
  bool gpus = false;                // links join GPUs
  std::int64_t infiniband_Bps = 0;  // of most cables of hosts; 0: no InfiniBand, or no rates
};

// A file is read here and again for the network itself, at about 30 MB/s: a fabric of 10,000 hosts
// takes 0.1 s.
Hardware hardware_in(const Expression& expression) {
  Hardware found;
  for (const Expression& child : expression.children) {
    const Hardware in_child = hardware_in(child);
    if (found.machine.empty()) {
      found.machine = in_child.machine;
      found.file = in_child.file;
    }
    found.gpus = found.gpus || in_child.gpus;
    found.infiniband_Bps = std::max(found.infiniband_Bps, in_child.infiniband_Bps);
  }
  if (!expression.is_family()) return found;
  if (expression.name != "file" || !is_regular_file(expression.parameters)) return found;
  const Topology topology = build_topology(expression.to_string()).topology;
  return {.machine = topology::machine_in(topology),
          .file = expression.parameters,
          .gpus = std::ranges::any_of(topology.class_names(), joins_gpus),
          .infiniband_Bps = topology.facets().infiniband_Bps};
}

// The profile of InfiniBand at this rate, else the nearest below it; generic where all are above.
MachineModel infiniband_machine(std::int64_t rate_Bps) {
  WEFT_ASSERT(rate_Bps > 0);
  const auto line_rate_Bps = [](const MachineModel& machine) {
    return network_in(machine.values).links.defaults.all.line.bandwidth_Bps;
  };
  std::optional<MachineModel> nearest;
  for (const auto& [name, path] : kMachines.all()) {
    if (!name.starts_with("ib-")) continue;
    MachineModel machine = find_machine(name);
    const std::int64_t own_Bps = line_rate_Bps(machine);
    if (own_Bps <= rate_Bps && (!nearest || own_Bps > line_rate_Bps(*nearest)))
      nearest = std::move(machine);
  }
  if (!nearest) {
    MachineModel generic = find_machine(std::string(kGeneric));
    generic.origin = MachineOrigin::by_default;
    generic.note = fmt::format(
        "the machine is generic, because most cables of hosts run at {}, below every ib- profile; "
        "--machine NAME sets another",
        format_rate(static_cast<double>(rate_Bps)));
    return generic;
  }
  nearest->origin = MachineOrigin::network;
  if (const std::int64_t own_Bps = line_rate_Bps(*nearest); own_Bps < rate_Bps)
    nearest->note = fmt::format(
        "the machine is {}, of {} a cable, the nearest profile below the {} of most cables of "
        "hosts; --machine NAME sets another",
        nearest->path, format_rate(static_cast<double>(own_Bps)),
        format_rate(static_cast<double>(rate_Bps)));
  return *nearest;
}

MachineModel named_by_file(const Hardware& hardware) try {
  MachineModel machine = find_machine(hardware.machine);
  machine.origin = MachineOrigin::network;
  return machine;
} catch (const InvalidInput& error) {
  reject("{}: {}; --machine NAME sets another", hardware.file, error.what());
}

// The profile of the hardware in the expression; nothing if it has no known hardware.
std::optional<MachineModel> machine_of(std::string_view topology) {
  Hardware hardware;
  try {
    const Expression expression = topology::parse_expression(topology);
    if (const std::string profile = topology::profile_in(expression); !profile.empty())
      return from(MachineOrigin::network, profile);
    hardware = hardware_in(expression);
  } catch (const InvalidInput&) {  // reported where the network is built
    return std::nullopt;
  }
  if (!hardware.machine.empty()) return named_by_file(hardware);
  if (hardware.gpus) return from(MachineOrigin::network, std::string(kGpus));
  if (hardware.infiniband_Bps > 0) return infiniband_machine(hardware.infiniband_Bps);
  return std::nullopt;
}

// If a file has no [links.all], classes without a table get the speed of generic.
void complete_links(MachineModel& machine) {
  if (machine.all_links) return;
  const std::string defaults = text_in(machine.values, kLinkDefault.name);
  const std::string others = text_in(find_machine(std::string(kGeneric)).values, kLinkDefault.name);
  machine.values[std::string(kLinkDefault.name)] =
      defaults.empty() ? others : others + ';' + defaults;
}

// The parts of the text with this latency in place of their own.
std::string with_latency(const std::string& links, const std::string& latency) {
  std::string made;
  for (const std::string_view part : split(links, ';'))
    made +=
        fmt::format("{}{},{}", made.empty() ? "" : ";", part.substr(0, part.find(',')), latency);
  return made;
}

// A cable of class "nvlink-x4" takes a line rate from the table of "nvlink" (fabric.hpp).
bool serves(const MachineLinks& table, std::string_view link_class) {
  if (table.name == link_class) return true;
  return !table.measured && topology::bundle_in(link_class).link_class == table.name;
}

bool serves_some(const MachineLinks& table, const Topology& topology) {
  return std::ranges::any_of(topology.class_names(),
                             [&table](const std::string& name) { return serves(table, name); });
}

// Whether links as the user wrote them set a class that a table of the file sets too. The table of
// measured links is out of reach for defaults.
bool replaces_table(const MachineModel& machine, std::string_view links, bool of_defaults) {
  const auto is_replaced = [of_defaults](const MachineLinks& table) {
    return !of_defaults || !table.measured;
  };
  if (has_part_for_all(links))
    return (machine.all_links && is_replaced(*machine.all_links)) ||
           std::ranges::any_of(machine.classes, is_replaced);
  return std::ranges::any_of(split(links, ';'), [&](std::string_view part) {
    const MachineLinks* table = machine.table_of(trim(part.substr(0, part.find('='))));
    return table != nullptr && is_replaced(*table);
  });
}

// Whether the field, as the user wrote it, replaces a value of the machine's file.
bool replaces_value(const MachineModel& machine, const std::string& field, const Value& own) {
  const auto sets_latency = [](const MachineLinks& table) { return table.sets_latency; };
  if (field == kLinkField || field == kLinkDefault.name)
    return replaces_table(machine, to_text(own), field != kLinkField);
  if (field == kLatencyField)
    return (machine.all_links && sets_latency(*machine.all_links)) ||
           std::ranges::any_of(machine.classes, sets_latency);
  return machine.values.contains(field);
}

}  // namespace

bool has_part_for_all(std::string_view links) {
  return std::ranges::any_of(split(links, ';'), [](std::string_view part) {
    return !trim(part).empty() && part.find('=') == std::string_view::npos;
  });
}

bool has_part_of(std::string_view links, std::string_view link_class) {
  return std::ranges::any_of(split(links, ';'), [link_class](std::string_view part) {
    const std::size_t equals = part.find('=');
    return equals != std::string_view::npos && trim(part.substr(0, equals)) == link_class;
  });
}

const MachineLinks* MachineModel::table_of(std::string_view link_class) const {
  const auto own = std::ranges::find_if(
      classes, [link_class](const MachineLinks& table) { return serves(table, link_class); });
  if (own != classes.end()) return &*own;
  return all_links ? &*all_links : nullptr;
}

bool MachineModel::sets_links_of(const Topology& topology) const {
  return all_links || classes.empty() ||
         std::ranges::any_of(
             classes, [&](const MachineLinks& table) { return serves_some(table, topology); });
}

std::string idle_tables_text(const MachineModel& machine, const Topology& topology) {
  if (!machine.is_file) return "";
  std::vector<std::string> idle;
  for (const MachineLinks& table : machine.classes)
    if (!serves_some(table, topology))
      idle.push_back(fmt::format("[links.{}] (line {})", table.name, table.line));
  if (idle.empty()) return "";
  return fmt::format("{}: {} {} no effect, because {} has no such links; its link classes are {}",
                     machine.path, fmt::join(idle, ", "), idle.size() == 1 ? "has" : "have",
                     topology.name(), fmt::join(topology.class_names(), ", "));
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
  const bool is_file = path == name_or_path;
  MachineModel machine = parse_machine_model(read_file(path), is_file ? path : name);
  machine.is_file = is_file;
  complete_links(machine);
  return machine;
}

std::vector<std::string> put_beneath(const MachineModel& machine, Values& said) {
  std::vector<std::string> replaced;
  for (const auto& [name, value] : said)
    if (replaces_value(machine, name, value)) replaced.push_back(name);
  const std::string latency = text_in(said, kLatencyField);
  for (const auto& [name, value] : machine.values) {
    const bool is_measured = name == kLinkField;
    const std::string text =
        is_measured && !latency.empty() ? with_latency(to_text(value), latency) : to_text(value);
    const auto [place, made] = said.try_emplace(name, text);
    if (made) continue;
    // A speed of all links replaces the machine's; speeds of classes are added to it.
    const std::string own = to_text(place->second);
    if ((is_measured || name == kLinkDefault.name) && !has_part_for_all(own))
      place->second = fmt::format("{};{}", text, own);
  }
  return replaced;
}

std::optional<MachineModel> default_machine(std::string_view topology) {
  const char* named = std::getenv(kVariable);
  if (named != nullptr && *named != '\0') return from_environment(named);
  if (auto machine = machine_of(topology)) return machine;
  return from(MachineOrigin::by_default, std::string(kGeneric));
}

}  // namespace weft::fields
