#include "cli/answers/network_parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "cli/answers/routing_text.hpp"
#include "cli/machine/speeds.hpp"
#include "cli/options/job_options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::cli {

using answer::OneOrList;
using answer::PartOf;
using answer::Parts;
using answer::Unit;
using fields::MachineModel;
using fields::MeasuredSizes;

namespace {

/// The machine, and the options that replaced its values.
struct UsedMachine {
  const MachineModel& machine;
  const std::vector<std::string>& overridden;
};

Parts<MeasuredSizes> measured_parts() {
  constexpr PartOf<MeasuredSizes> part;
  return {part(keys::kSmallestMeasured, &MeasuredSizes::first_B),
          part(keys::kLargestMeasured, &MeasuredSizes::last_B)};
}

Parts<UsedMachine> machine_parts() {
  constexpr PartOf<UsedMachine> part;
  return {part("file", "", Unit::none, "name of the machine, or its file",
               [](const UsedMachine& used) { return used.machine.path; }),
          part("where", "", Unit::none, "where it was measured; may be empty",
               [](const UsedMachine& used) { return used.machine.where; }),
          part("overridden", "", Unit::none,
               "options that replaced a value of its file; one that sets what the file leaves open "
               "replaces nothing",
               [](const UsedMachine& used) { return used.overridden; }),
          part.object(
              "measured", "sizes of messages that were measured, or null",
              [](const UsedMachine& used) { return used.machine.measured; }, measured_parts())};
}

// If none was asked for: linear, unless the schedule in a file brought its own.
std::string placement_of(const UsedNetwork& used) {
  const GivenFields& said = used.said;
  const auto is_said = [&](const fields::Field* field) { return said.of(field->name); };
  if (said.of("placement") || std::ranges::any_of(fields::further_placing_fields(), is_said))
    return said.text("placement");
  std::vector<NodeId> nodes = used.network.placement().nodes;
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());  // several ranks on each
  const auto hosts = used.network.topology().hosts();
  const bool linear =
      nodes.size() <= hosts.size() && std::equal(nodes.begin(), nodes.end(), hosts.begin());
  return linear ? "linear" : "schedule";
}

double seconds(std::int64_t time_ps) {
  return static_cast<double>(time_ps) * kSecondsPerPicosecond;
}

// A value of the network, or of its hosts.
template <class Get>
auto of_network(Get get) {
  return [get](const UsedNetwork& used) { return get(used.network); };
}
template <class Get>
auto of_host(Get get) {
  return [get](const UsedNetwork& used) { return std::invoke(get, used.network.host()); };
}

// Their keys: names with _ for -. The parts refer to them.
std::string_view key_of(const fields::Field& field) {
  static const std::map<std::string_view, std::string> keys = [] {
    std::map<std::string_view, std::string> made;
    for (const auto& members : {fields::placing_members(), fields::job_members()})
      for (const auto& [each, set] : members) {
        std::string key(each->name);
        std::ranges::replace(key, '-', '_');
        made.emplace(each->name, std::move(key));
      }
    return made;
  }();
  return keys.at(field.name);
}

// The given fields that place ranks and have no part of their own.
Parts<UsedNetwork> said_parts(std::span<const fields::Member<fields::NetworkSpec>> members) {
  constexpr PartOf<UsedNetwork> part;
  constexpr std::array<std::string_view, 4> kWithParts{"placement", "ranks", "hosts", "per-host"};
  Parts<UsedNetwork> parts;
  for (const auto& [field, set] : members) {
    const std::string_view name = field->name;
    if (std::ranges::count(kWithParts, name) > 0) continue;
    parts.push_back(part(key_of(*field), "", Unit::none, field->help, [name](const auto& used) {
                      return used.said.text(name);
                    }).when([name](const UsedNetwork& used) { return used.said.of(name); }));
  }
  return parts;
}

}  // namespace

Parts<UsedNetwork> network_parts() {
  constexpr PartOf<UsedNetwork> part;
  Parts<UsedNetwork> parts = {
      part(keys::kTopology,
           of_network([](const Network& network) { return network.topology().name(); })),
      part(keys::kRanks,
           [](const UsedNetwork& used) {
             return used.program_ranks > 0 ? used.program_ranks : used.network.ranks();
           }),
      part("routing", "", Unit::none, "routing of the network; of packets, their own",
           [](const UsedNetwork& used) {
             return used.packet_routing.empty() ? std::string(used.network.routing().name())
                                                : used.packet_routing;
           }),
      part(keys::kRoutingReason, of_network(routing_reason)),
      part(keys::kRelayedPairs, of_network(relayed_pairs)),
      part("placement", "", Unit::none, "placement of the ranks on hosts", placement_of),
      part("link", "", Unit::none, "values of --link; empty without one",
           [](const UsedNetwork& used) { return link_texts(used.said); }),
      part("alpha", "", Unit::seconds, "start-up of a message, at its sender",
           of_host([](const HostParameters& host) { return seconds(host.startup_ps); })),
      part("alpha_receive", "", Unit::seconds, "start-up of a message, at its receiver",
           of_host([](const HostParameters& host) { return seconds(host.startup_receive_ps); })),
      part("alpha_per", "", Unit::none, "what has a start-up: message or step",
           of_host([](const HostParameters& host) { return name_of(host.startup_per); })),
      part("ports", "", Unit::none, "messages that a host sends at once; 0: any number",
           of_host(&HostParameters::ports)),
      part("copy_bandwidth", "", Unit::bytes_per_second, "bandwidth of copies",
           of_host(&HostParameters::copy_bandwidth_Bps))
          .when([](const UsedNetwork& used) { return used.network.host().copy_bandwidth_Bps > 0; }),
      part("allocation", "", Unit::none, "hosts of the job, from --hosts",
           [](const UsedNetwork& used) { return hosts_of(used.said, used.network.topology()); })
          .when([](const UsedNetwork& used) { return used.said.of("hosts"); }),
      speeds_part<UsedNetwork>(
          [](const UsedNetwork& used) { return speeds_of(used.network, used.said); }),
      part.object(
              "machine", "machine whose speeds were used",
              [](const UsedNetwork& used) {
                return used.said.machine
                           ? std::optional<UsedMachine>({*used.said.machine, used.said.overridden})
                           : std::nullopt;
              },
              machine_parts())
          .left_out(),
      part("import_notes", "", Unit::none, "what the import of the network's file assumed",
           [](const UsedNetwork& used) {
             const auto& notes = used.network.topology().facets().import_notes;
             return notes ? std::optional(topology::texts_to_repeat(*notes, false)) : std::nullopt;
           })
          .left_out()};
  return join(std::move(parts), said_parts(fields::placing_members()));
}

Parts<UsedNetwork> network_parts_of_jobs() {
  constexpr PartOf<UsedNetwork> part;
  Parts<UsedNetwork> parts =
      join(network_parts(),
           {part("per_host", "", Unit::none, "ranks on each host: one number for all, or a list",
                 [](const UsedNetwork& used) {
                   return OneOrList<std::int32_t>{fields::placing_in(used.said.values).per_host};
                 })
                .when([](const UsedNetwork& used) { return has_several_ranks(used.said); })});
  return join(std::move(parts), said_parts(fields::job_members()));
}

namespace {

auto given(std::string_view name) {
  return [name](const UsedReadings& used) { return used.said.of(name); };
}
// The text of a field in lower case.
auto text(std::string_view name) {
  return [name](const UsedReadings& used) { return lower_name(used.said.text(name)); };
}

Parts<UsedReadings> reading_parts() {
  constexpr PartOf<UsedReadings> part;
  Parts<UsedReadings> parts;
  for (const auto& [field, set] : fields::reading_members()) {
    const std::string_view name = field->name;
    if (field->repeated) {
      parts.push_back(part(name, "", Unit::none, field->help, [name](const UsedReadings& used) {
                        const std::string values = used.said.text(name);
                        const auto each = split(values, ';');
                        return std::vector<std::string>(each.begin(), each.end());
                      }).when(given(name)));
    } else if (name == "sync") {
      parts.push_back(part(name, "", Unit::none, field->help, [](const UsedReadings& used) {
        return used.is_program ? std::nullopt : std::optional(lower_name(used.said.text("sync")));
      }));
    } else if (name == "cables") {
      parts.push_back(
          part(name, "", Unit::none, field->help, text(name)).when([](const UsedReadings& used) {
            return lower_name(used.said.text("cables")) != name_of(simulation::Cables::duplex);
          }));
    } else {
      parts.push_back(part(name, "", Unit::none, field->help, text(name)));
    }
  }
  return parts;
}

// A field of calls by its type: a number, bytes, seconds or a text.
answer::Part<UsedReadings> call_part(const fields::Field& field) {
  constexpr PartOf<UsedReadings> part;
  const std::string_view name = field.name;
  if (field.number)
    return part(name, "", Unit::none, field.help, [&field](const UsedReadings& used) {
      return std::get<std::int64_t>(field.canonical(field.name, used.said.text(field.name)));
    });
  if (fields::is_size(field))
    return part(name, "", Unit::bytes, field.help,
                [name](const UsedReadings& used) { return parse_size(used.said.text(name)); });
  if (fields::is_time(field))
    return part(name, "", Unit::seconds, field.help, [name](const UsedReadings& used) {
      return seconds(parse_time(used.said.text(name)));
    });
  return part(name, "", Unit::none, field.help, text(name));
}

// A machine sets it, too, so that commands without options of calls have it.
Parts<UsedReadings> loopback_parts() {
  constexpr PartOf<UsedReadings> part;
  const std::string_view name = fields::kLoopback.name;
  return {part(name, "", Unit::none, fields::kLoopback.help, [name](const UsedReadings& used) {
            return used.said.text(name);
          }).when(given(name))};
}

}  // namespace

Parts<UsedReadings> readings_parts() {
  return join(reading_parts(), loopback_parts());
}

Parts<UsedReadings> readings_parts_of_calls() {
  Parts<UsedReadings> parts = reading_parts();
  for (const fields::Field* field : fields::call_fields())
    if (field != &fields::kLoopback) parts.push_back(call_part(*field).when(given(field->name)));
  return join(std::move(parts), loopback_parts());
}

}  // namespace weft::cli
