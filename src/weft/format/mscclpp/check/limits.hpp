// What the executor of MSCCL++ cannot run, or runs otherwise than a plan says.
#pragma once

#include "../../msccl/check/findings.hpp"
#include "places.hpp"

namespace weft::format::mscclpp::checking {

void check_limits(const Plan& plan, const Places& places, msccl::Findings& findings);

}  // namespace weft::format::mscclpp::checking
