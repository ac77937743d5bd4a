// What readers of a profile refuse, and what works but is more than needed.
#pragma once

#include "weft/format/msccl/check/links/flat.hpp"

namespace weft::format::msccl {

void check_limits(const Flat& flat, const Profile& profile, Findings& findings);

/// Idle thread blocks, flags that nobody waits for, nops that wait for nothing.
void check_style(const Flat& flat, Findings& findings);

/// Consecutive reductions that readers join into one step and that then mean something else.
void check_joined_reductions(const Flat& flat, Findings& findings);

}  // namespace weft::format::msccl
