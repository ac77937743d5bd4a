#include "cli/machine/machine_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "weft/fields/machine/host_table.hpp"
#include "weft/fields/machine_model.hpp"

namespace weft::cli {

std::vector<std::vector<std::string>> machine_rows() {
  const auto text = [](const fields::MachineModel& machine, std::string_view field) {
    return fields::text_in(machine.values, field);
  };
  std::vector<std::vector<std::string>> rows;
  for (const fields::MachineModel& machine : fields::machine_profiles()) {
    std::vector<std::string> host;
    for (const auto& [field, value] : machine.values)
      if (field != "link" && field != "link-default" && field != "factors")
        host.push_back(fmt::format("{} {}", field, fields::host_text(text(machine, field))));
    rows.push_back({machine.path, machine.summary, fmt::format("{}", fmt::join(host, "; ")),
                    text(machine, "link") + text(machine, "link-default"),
                    fmt::format("{}", fmt::join(machine.sources, "; ")),
                    fmt::format("{}", fmt::join(machine.assumptions, "; "))});
  }
  return rows;
}

}  // namespace weft::cli
