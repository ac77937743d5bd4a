// Deadlocks: with connections that hold any number of messages, and with those of NCCL.
#pragma once

#include "weft/format/msccl/check/order/runner.hpp"

namespace weft::format::msccl {

/// Sets the depths and safe sizes of the report, and adds a finding for a deadlock at any depth,
/// or at sizes that the file admits. Returns whether all steps complete in connections without a
/// limit; the runner's order is then one of that run.
bool check_deadlock(const Flat& flat, Runner& runner, Report& report, Findings& findings);

}  // namespace weft::format::msccl
