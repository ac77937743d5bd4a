// Whether a run left what the collective asks for.
#pragma once

#include <optional>

#include "../../msccl/check/findings.hpp"
#include "places.hpp"
#include "values.hpp"
#include "weft/format/mscclpp_check.hpp"

namespace weft::format::mscclpp::checking {

struct ResultCheck {
  bool checked = false;  // the collective is known
  std::optional<std::int32_t> root = {};
};

ResultCheck check_result(const Plan& plan, const Memory& memory, const Values& values,
                         std::optional<std::int32_t> root, msccl::Findings& findings);

}  // namespace weft::format::mscclpp::checking
