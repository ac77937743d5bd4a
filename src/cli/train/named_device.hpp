// The device that weft train assumes where --device does not name one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/screen/notes.hpp"
#include "cli/train/training_answer.hpp"

namespace weft::cli {

/// Returns the shipped device (weft list devices) that the expression of a network names, else the
/// one that the machine names: h100 for network:dgx-h100, for machine p5 and for a file
/// my-h100-box.toml. Nothing where neither names one that weft has.
std::optional<std::string> named_device(std::string_view topology, std::string_view machine);

/// Reads the training step; its device is that of --device, else the named one, else the default.
training::TrainingSpec training_of(const TrainQuestion& options);

/// What was given, where a rank computes on a GPU that weft has: sums of gradients then run there,
/// at the rate of machine gpus. A rate of the user's, or in a machine file of the user's, stays.
TrainQuestion with_sums_on_gpu(const TrainQuestion& options, const training::TrainingSpec& spec);
/// Notes that rate, and the one in the machine that it replaces; nothing where none is replaced.
void add_sums_note(const TrainQuestion& options, const training::TrainingSpec& spec, Notes& notes);

/// Notes which device is assumed where nothing names one and its peak gives the times.
void add_device_note(const TrainQuestion& options, const training::TrainingSpec& spec,
                     Notes& notes);

}  // namespace weft::cli
