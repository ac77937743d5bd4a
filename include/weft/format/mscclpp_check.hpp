// The static check of an MSCCL++ plan: what goes wrong under any interleaving, and how.
//
// A plan is right if every order in which its threads and proxies can run ends, gives the same
// result, and that result is the collective's. The checker never runs one order and trusts it:
//
//   hangs       a wait that no signal comes for, waits in a circle, packets that nobody writes, a
//               barrier that is never full. What a thread waits for does not depend on the order,
//               so one run that goes as far as it can decides;
//   races       two accesses of the same data, one of which writes, must be ordered: by a nop
//               between them in one thread block, by signals, semaphores, barriers and packets,
//               also through other GPUs. Vector clocks say whether they are. Different threads of a
//               thread block share an operation, so that only a nop orders what they do. A proxy
//               reads the source of a put until it is flushed, or known to have arrived;
//   calls       who reads or writes another GPU's memory must know that it entered the call, and
//               that GPU must not end the call before. Signals and semaphores end as they began;
//   result      without a hang and a race all orders give the same result, and one symbolic
//               execution finds it.
//
// The check knows only the Plan; it shares nothing with the program that writes such files.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/format/msccl_check.hpp"
#include "weft/format/mscclpp.hpp"

namespace weft::format::mscclpp {

using msccl::Finding;
using msccl::Severity;

struct CheckOptions {
  std::optional<std::int32_t> root = {};     // of a rooted collective; nothing: the rank that fits
  std::size_t most_findings = 50;            // of each severity
  std::int64_t most_accesses = 100'000'000;  // of chunks, in all; beyond, the plan is refused
};

struct Report {
  std::vector<Finding> findings;  // faults first, then limits; `step` is the operation
  std::int64_t left_out = 0;      // findings above most_findings
  std::int64_t faults = 0, limits = 0;
  /// Whether the result was compared with the collective's: it is known, and all else is right.
  bool result_checked = false;
  std::optional<std::int32_t> root = {};

  bool right() const { return faults == 0 && limits == 0; }
};

/// Pipelines are checked for three iterations. Throws InvalidInput for a plan that is too large to
/// check. Time: O(accesses of chunks, and signals * thread blocks). Memory: 100 bytes a chunk.
Report check(const Plan& plan, const CheckOptions& options = {});

}  // namespace weft::format::mscclpp
