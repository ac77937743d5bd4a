#include "cli/machine/machine_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/machine/link_origins.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::cli {

std::shared_ptr<const std::string> add_machine_option(Command command, const char* heading,
                                                      const char* otherwise) {
  auto file = std::make_shared<std::string>();
  OptionAdder(command, heading)(
      "--machine", *file,
      fmt::format("Machine for speeds and start-ups: a name from weft list machines, a file, or "
                  "ideal (only links cost time) [{}]",
                  otherwise));
  return file;
}

namespace {

std::optional<fields::MachineModel> chosen_machine(const std::string& name,
                                                   const GivenFields& said) {
  if (!name.empty()) {
    if (weft::lower(name) == fields::kIdeal) return std::nullopt;
    return fields::find_machine(name);
  }
  if (!said.has_default_machine) return std::nullopt;
  return fields::default_machine(said.of("topology") ? said.text("topology") : "");
}

// Packets share queues and links: they pay for no factors by size, and within a host are copies.
void leave_out_other_models(fields::MachineModel& machine, const GivenFields& said) {
  if (said.of("model") && simulation::by_packets(simulation::parse_model(said.text("model"))))
    for (const char* field : {"factors", "loopback"}) machine.values.erase(field);
}

std::string overridden_note(const GivenFields& said) {
  if (said.overridden.empty() || said.machine->origin != fields::MachineOrigin::option) return "";
  return fmt::format("--{} on the command line {} the value in {}",
                     fmt::join(said.overridden, ", --"),
                     said.overridden.size() == 1 ? "overrides" : "override", said.machine->path);
}

}  // namespace

void take_machine(const std::string& name, GivenFields& said) {
  auto found = chosen_machine(name, said);
  if (!found) return;
  leave_out_other_models(*found, said);
  auto machine = std::make_shared<const fields::MachineModel>(*std::move(found));
  said.own = said.values;
  said.overridden = fields::put_beneath(*machine, said.values);
  said.machine = std::move(machine);
}

void add_network_notes(const GivenFields& said, const Topology& topology, Notes& notes) {
  notes.add(NoteWeight::detail, overridden_note(said));
  notes.add(NoteWeight::detail, overridden_speeds_note(said));
  if (said.machine) {
    notes.add(NoteWeight::assumption, said.machine->note);
    notes.add(said.machine->sets_links_of(topology) ? NoteWeight::detail : NoteWeight::assumption,
              fields::idle_tables_text(*said.machine, topology));
  }
  const bool lacks_speeds =
      said.machine && std::ranges::any_of(topology.class_names(), [&](const std::string& name) {
        return has_default_of_generic(name, said);
      });
  if (lacks_speeds)
    notes.add(
        NoteWeight::assumption,
        fmt::format("{} has no [links.all]: links{} have the speed of {}", said.machine->path,
                    said.machine->classes.empty() ? "" : " of other classes", fields::kGeneric));
  if (!topology.facets().import_notes) return;
  const bool all = said.of("link") && fields::has_part_for_all(said.text("link"));
  notes.add(NoteWeight::assumption,
            topology::texts_to_repeat(*topology.facets().import_notes, all));
}

}  // namespace weft::cli
