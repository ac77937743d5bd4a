// The result of an algorithm, by symbolic execution in one order, and whether it is the
// collective's. Without races every order gives the same.
#pragma once

#include <optional>
#include <span>

#include "weft/format/msccl/check/result/memory.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::format::msccl {

/// root_of() for steps in an order in which they all complete.
std::int32_t fitting_root(const Flat& flat, std::span<const StepIndex> order,
                          schedule::Collective collective);

/// Adds findings for reads of chunks that hold nothing, for sums of different chunks or of a
/// contribution twice, and for a result that is not the collective's. Nothing is added for
/// collectives that are not known. O(chunks moved), and unions of contributors.
void check_result(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                  const schedule::Collective& collective, Findings& findings);

/// Adds findings, of style, for steps whose data nobody uses: not the result of the collective,
/// nor, if that is not known, any chunk of an input or output.
void check_use(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
               const std::optional<schedule::Collective>& collective, Findings& findings);

/// Adds findings for accesses beyond the buffers that callers of the collective pass.
void check_sizes(const Flat& flat, Findings& findings);

/// Adds findings for accesses of buffers that only the root's caller must pass, others may pass
/// none (ncclReduce: "recvbuff may be NULL on all calls except for root"). Callers that pass one
/// buffer pass it on every rank.
void check_absent_buffers(const Flat& flat, const schedule::Collective& collective, Mode mode,
                          Findings& findings);

}  // namespace weft::format::msccl
