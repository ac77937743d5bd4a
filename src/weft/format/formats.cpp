#include <array>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/format/format.hpp"

namespace weft::format {

// The entries, each in a file of its own.
Format cabling_plan();
Format goal();
Format hwloc();
Format ibnetdiscover();
Format ibsim();
Format nccl_topology();
Format nvidia_smi_topology();
Format simgrid_platform();
Format simgrid_trace();
Format slurm_topology_conf();
Format slurm_topology_yaml();

std::span<const Format> formats() {
  static const std::array kAll{cabling_plan(),
                               goal(),
                               hwloc(),
                               ibnetdiscover(),
                               ibsim(),
                               nccl_topology(),
                               nvidia_smi_topology(),
                               simgrid_platform(),
                               simgrid_trace(),
                               slurm_topology_conf(),
                               slurm_topology_yaml()};
  return kAll;
}

const Format& find_format(std::string_view name) {
  const std::string wanted = lower(std::string(name));
  std::vector<std::string> known;
  for (const Format& format : formats()) {
    if (format.name == wanted) return format;
    known.push_back(format.name);
  }
  reject("unknown format '{}'; {}", name, suggest(std::string(name), known));
}

const Format& recognise(std::string_view text, std::string_view file) {
  std::vector<const Format*> found;
  std::string readable;
  for (const Format& format : formats()) {
    if (!format.reads()) continue;
    readable += (readable.empty() ? "" : ", ") + format.name;
    if (format.recognises(text)) found.push_back(&format);
  }
  require(found.size() == 1, "'{}' does not say which format it has; give --from ({})", file,
          readable);
  return *found.front();
}

std::vector<std::set<std::int32_t>> peers_of(const Program& program) {
  std::vector<std::set<std::int32_t>> peers(static_cast<std::size_t>(program.agents()));
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const program::Transfer& transfer : step.transfers)
      peers[transfer.from.index()].insert(transfer.to.value());
  }
  return peers;
}

}  // namespace weft::format
