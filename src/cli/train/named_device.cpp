#include "cli/train/named_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/workload/device.hpp"

namespace weft::cli {

namespace {

struct Named {
  std::string_view text, device;
};

// Whole words: names of networks and machines.
constexpr std::array kNames{
    Named{"dgx-1", "v100"},   Named{"dgx-2", "v100"}, Named{"p4de", "a100"},
    Named{"nvlink3", "a100"}, Named{"p5", "h100"},    Named{"a3-mega", "h100"},
    Named{"nvlink4", "h100"}, Named{"p4d", "a100"},   Named{"nvlink5", "b200"}};
// GPUs, as parts of words. A name stands before the names that are part of it.
constexpr std::array kGpus{Named{"gb200", "gb200"},  Named{"b200", "b200"},
                           Named{"h100", "h100"},    Named{"a100", "a100"},
                           Named{"v100", "v100"},    Named{"mi300x", "mi300x"},
                           Named{"mi355x", "mi355x"}};

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

// In the order of the text.
std::optional<std::string> device_in(std::string_view written) {
  const std::string text = lower(written);
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::ranges::find_if_not(at, text.end(), is_of_word);
    const std::string_view word(at, end);
    if (const auto name = std::ranges::find(kNames, word, &Named::text); name != kNames.end())
      return std::string(name->device);
    for (const Named& gpu : kGpus)
      if (word.find(gpu.text) != std::string_view::npos) return std::string(gpu.device);
    at = std::ranges::find_if(end, text.end(), is_of_word);
  }
  return std::nullopt;
}

std::optional<std::string> named_by(const TrainQuestion& options) {
  // Folders on the way to a file name no GPU.
  const auto stem = [](const std::string& path) {
    return std::filesystem::path(path).stem().string();
  };
  const std::string topology = options.said.of("topology") ? options.said.text("topology") : "";
  return named_device(topology.starts_with("file:") ? stem(topology) : topology,
                      options.said.machine ? stem(options.said.machine->path) : "");
}

bool gives_times(const TrainQuestion& options) {
  return options.said.of("layer-times") || options.said.of("samples-per-second");
}

// All devices that weft has are GPUs; one in a file of the user's may be a processor.
bool computes_on_gpu(const TrainQuestion& options, const training::TrainingSpec& spec) {
  if (!options.said.of("device") && !named_by(options) && gives_times(options)) return false;
  const std::string device = lower(spec.device);
  return std::ranges::any_of(workload::kDevices.all(),
                             [&](const NamedFile& own) { return lower(own.name) == device; });
}

}  // namespace

std::optional<std::string> named_device(std::string_view topology, std::string_view machine) {
  auto device = device_in(topology);
  return device ? device : device_in(machine);
}

training::TrainingSpec training_of(const TrainQuestion& options) {
  training::TrainingSpec spec = training::training_in(options.said.values);
  if (!options.said.of("device"))
    if (auto device = named_by(options)) spec.device = *std::move(device);
  return spec;
}

TrainQuestion with_sums_on_gpu(const TrainQuestion& options, const training::TrainingSpec& spec) {
  TrainQuestion made = options;
  const auto& machine = options.said.machine;
  if (!machine || machine->is_file || options.said.by_user("reduce-bandwidth") ||
      !machine->values.contains("reduce-bandwidth") || !computes_on_gpu(options, spec))
    return made;
  const fields::MachineModel gpus = fields::find_machine(std::string(fields::kGpus));
  for (const auto& [field, value] : machine->values)
    if (fields::is_cost_of_sums(field) && !options.said.by_user(field))
      made.said.values.erase(field);
  for (const auto& [field, value] : gpus.values)
    if (fields::is_cost_of_sums(field)) made.said.values.try_emplace(field, value);
  made.said.sums_from = gpus.path;
  return made;
}

void add_sums_note(const TrainQuestion& options, const training::TrainingSpec& spec, Notes& notes) {
  const GivenFields& said = options.said;
  if (said.sums_from.empty()) return;
  const auto shown = [](const std::string& rate) {
    const std::int64_t rate_Bps = fields::rate_or_free("reduce-bandwidth", rate);
    return rate_Bps == 0 ? "free" : "at " + format_rate(static_cast<double>(rate_Bps));
  };
  notes.add(
      NoteWeight::assumption,
      fmt::format("sums run on {} and are {}, as in machine {}, because those of machine {} run "
                  "{} on a processor; --reduce-bandwidth sets another rate",
                  spec.device, shown(said.text("reduce-bandwidth")), said.sums_from,
                  said.machine->path,
                  shown(fields::text_in(said.machine->values, "reduce-bandwidth"))));
}

void add_device_note(const TrainQuestion& options, const training::TrainingSpec& spec,
                     Notes& notes) {
  if (options.said.of("device") || gives_times(options) || named_by(options)) return;
  notes.add(NoteWeight::assumption,
            fmt::format("computing takes as long as on {}, because neither the network nor the "
                        "machine names a GPU that weft knows; --device changes it",
                        spec.device));
}

}  // namespace weft::cli
