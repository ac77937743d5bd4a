// Which device a training step runs on, and what sums of gradients cost there.
//
// Machine files have the rate at which a processor's core adds up data. A rank that computes on a
// GPU adds up gradients on the GPU, as machine gpus has it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weft/fields/machine_model.hpp"
#include "weft/fields/value.hpp"

namespace weft::training {

/// Returns the shipped device (weft list devices) that the expression of a network names, else the
/// one that the machine names: h100 for network:dgx-h100, for machine p5 and for a file
/// my-h100-box.toml. Nothing if neither names one that weft has.
std::optional<std::string> named_device(std::string_view topology, std::string_view machine);
/// The same for the values of a step; folders on the way to a file name no device. `machine` may
/// be null.
std::optional<std::string> named_device(const fields::Values& values,
                                        const fields::MachineModel* machine);

/// Whether the user set the field, rather than the machine.
using IsGiven = std::function<bool(std::string_view field)>;

/// Sets the device of the step to the named one where the user set none.
void put_named_device(fields::Values& values, const fields::MachineModel* machine,
                      const IsGiven& is_given);

/// Replaces the machine's cost of sums in `values` by that of machine gpus if the step computes on
/// a GPU that weft has. A cost that the user set, or one of the user's machine file, stays. Returns
/// the name of the machine whose cost is used now; empty if nothing is replaced.
std::string put_sums_on_gpu(fields::Values& values, const fields::MachineModel& machine,
                            const IsGiven& is_given);

}  // namespace weft::training
