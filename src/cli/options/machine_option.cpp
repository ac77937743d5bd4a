#include "cli/options/machine_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::cli {

std::shared_ptr<const std::string> add_machine_option(Command command, const char* heading) {
  auto file = std::make_shared<std::string>();
  OptionAdder(command, heading)(
      "--machine", *file,
      "File of a machine's speeds and start-ups, as weft calibrate writes it; options on the "
      "command line override it [none]");
  return file;
}

void take_machine(const std::string& file, Said& said) {
  if (file.empty()) return;
  auto machine = std::make_shared<const question::MachineModel>(
      question::parse_machine_model(read_file(file), file));
  said.beside_machine = question::put_beneath(*machine, said.values);
  said.machine = std::move(machine);
}

std::string overridden_note(const Said& said) {
  if (said.beside_machine.empty()) return "";
  return fmt::format("weft: --{} of the command line {} before {}\n",
                     fmt::join(said.beside_machine, ", --"),
                     said.beside_machine.size() == 1 ? "stands" : "stand", said.machine->path);
}

std::string network_notes(const Said& said, const Topology& topology) {
  std::string text = overridden_note(said);
  if (!topology.facets().import_notes) return text;
  const auto links = split(said.of("link") ? said.text("link") : std::string_view(), ';');
  const bool all = std::ranges::any_of(links, [](std::string_view each) {
    return !each.empty() && each.find('=') == std::string_view::npos;
  });
  for (const std::string& note : topology::texts_to_repeat(*topology.facets().import_notes, all))
    text += fmt::format("note: {}\n", note);
  return text;
}

}  // namespace weft::cli
