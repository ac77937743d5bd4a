// The device that weft train assumes where --device does not name one.
#pragma once

#include "cli/screen/notes.hpp"
#include "cli/train/training_answer.hpp"

namespace weft::cli {

/// Reads the training step; its device is that of --device, else the named one, else the default.
training::TrainingSpec training_of(const TrainQuestion& options);

/// Returns what was given with the sums of gradients on the GPU, if ranks compute on one
/// (training::put_sums_on_gpu).
TrainQuestion with_sums_on_gpu(const TrainQuestion& options);
/// Notes that rate, and the one in the machine that it replaces; nothing where none is replaced.
void add_sums_note(const TrainQuestion& options, const training::TrainingSpec& spec, Notes& notes);

/// Notes which device is assumed where nothing names one and its peak gives the times.
void add_device_note(const TrainQuestion& options, const training::TrainingSpec& spec,
                     Notes& notes);

}  // namespace weft::cli
