#include "weft/training/gpu_sums.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "weft/base/suggest.hpp"
#include "weft/training/training_spec.hpp"
#include "weft/workload/device.hpp"

namespace weft::training {

namespace {

constexpr std::string_view kReduceBandwidth = "reduce-bandwidth", kDevice = "device";

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

std::string stem_of(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

// All devices that weft has are GPUs; a device in the user's file may be a processor.
bool computes_on_gpu(const fields::Values& values, const fields::MachineModel& machine,
                     const IsGiven& is_given) {
  const auto has = [&](std::string_view field) { return !fields::text_in(values, field).empty(); };
  std::string device = TrainingSpec{}.device;
  if (is_given(kDevice))
    device = fields::text_in(values, kDevice);
  else if (auto named = named_device(values, &machine))
    device = *std::move(named);
  else if (has("layer-times") || has("samples-per-second"))
    return false;
  return std::ranges::any_of(workload::kDevices.all(), [&](const NamedFile& own) {
    return lower(own.name) == lower(device);
  });
}

}  // namespace

std::optional<std::string> named_device(std::string_view topology, std::string_view machine) {
  auto device = device_in(topology);
  return device ? device : device_in(machine);
}

std::optional<std::string> named_device(const fields::Values& values,
                                        const fields::MachineModel* machine) {
  const std::string topology = fields::text_in(values, "topology");
  return named_device(topology.starts_with("file:") ? stem_of(topology) : topology,
                      machine != nullptr ? stem_of(machine->path) : "");
}

void put_named_device(fields::Values& values, const fields::MachineModel* machine,
                      const IsGiven& is_given) {
  if (is_given(kDevice)) return;
  if (auto device = named_device(values, machine))
    values[std::string(kDevice)] = *std::move(device);
}

std::string put_sums_on_gpu(fields::Values& values, const fields::MachineModel& machine,
                            const IsGiven& is_given) {
  if (machine.is_file || is_given(kReduceBandwidth) ||
      !machine.values.contains(std::string(kReduceBandwidth)) ||
      !computes_on_gpu(values, machine, is_given))
    return "";
  const fields::MachineModel gpus = fields::find_machine(std::string(fields::kGpus));
  for (const auto& [field, value] : machine.values)
    if (fields::is_cost_of_sums(field) && !is_given(field)) values.erase(field);
  for (const auto& [field, value] : gpus.values)
    if (fields::is_cost_of_sums(field)) values.try_emplace(field, value);
  return gpus.path;
}

}  // namespace weft::training
