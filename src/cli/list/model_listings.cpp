#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "weft/format/format.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/workload/device.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::cli {

std::vector<ListRow> model_rows() {
  std::vector<ListRow> rows;
  for (const auto& model : simulation::models()) rows.push_back({model.name, model.summary});
  return rows;
}

std::vector<ListRow> routing_rows() {
  std::vector<ListRow> rows;
  for (const auto& routing : network::routings()) {
    const auto& hops = routing.hops;
    rows.push_back({routing.name, hops ? fmt::format("{}", fmt::join(hops->aliases, " ")) : "",
                    routing.fits,
                    routing.summary + (routing.gives_paths ? "" : " (packet and flit models)"),
                    hops ? hops->channels : "", hops ? hops->deadlock : ""});
  }
  return rows;
}

std::vector<ListRow> traffic_rows() {
  std::vector<ListRow> rows;
  for (const auto& pattern : simulation::traffic_patterns())
    rows.push_back({pattern.name, pattern.summary});
  return rows;
}

std::vector<ListRow> format_rows() {
  std::vector<ListRow> rows;
  for (const format::Format& format : format::formats())
    rows.push_back({format.name, format.what_it_writes(), format.what_it_reads(), format.loses,
                    format.summary});
  return rows;
}

std::vector<ListRow> workload_rows() {
  std::vector<ListRow> rows;
  for (const workload::TrainingModel& model : workload::training_models())
    rows.push_back({model.name, model.sample, fmt::format("{}", model.sample_tokens),
                    fmt::format("{}", model.layers.size()), fmt::format("{}", model.parameters()),
                    fmt::format("{:.0f}", model.operations()), model.summary,
                    fmt::format("{}", fmt::join(model.sources, "; ")), model.note});
  return rows;
}

std::vector<ListRow> device_rows() {
  std::vector<ListRow> rows;
  for (const workload::Device& device : workload::devices()) {
    std::vector<std::string> peaks;
    for (const auto& [precision, operations_per_second] : device.peaks)
      peaks.push_back(fmt::format("{} {:g}T", precision, operations_per_second / 1e12));
    rows.push_back({device.name, fmt::format("{}", fmt::join(peaks, ", ")),
                    device.memory_B ? fmt::format("{:g} GB", *device.memory_B / 1e9) : "",
                    device.summary, fmt::format("{}", fmt::join(device.sources, "; ")),
                    device.note});
  }
  return rows;
}

}  // namespace weft::cli
