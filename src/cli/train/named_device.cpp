#include "cli/train/named_device.hpp"

#include <fmt/format.h>

#include "weft/base/units.hpp"
#include "weft/fields/host_fields.hpp"
#include "weft/training/gpu_sums.hpp"

namespace weft::cli {

namespace {

std::optional<std::string> named_by(const TrainQuestion& options) {
  return training::named_device(options.said.values, options.said.machine.get());
}

bool gives_times(const TrainQuestion& options) {
  return options.said.of("layer-times") || options.said.of("samples-per-second");
}

}  // namespace

training::TrainingSpec training_of(const TrainQuestion& options) {
  fields::Values values = options.said.values;
  training::put_named_device(
      values, options.said.machine.get(),
      [&said = options.said](std::string_view field) { return said.of(field); });
  return training::training_in(values);
}

TrainQuestion with_sums_on_gpu(const TrainQuestion& options) {
  TrainQuestion made = options;
  if (options.said.machine)
    made.said.sums_from = training::put_sums_on_gpu(
        made.said.values, *options.said.machine,
        [&said = options.said](std::string_view field) { return said.by_user(field); });
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
