// weft import FILE --from mscclpp --verify: what is wrong with an MSCCL++ plan.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// Checks a plan and prints every finding with its counterexample. Returns kFine for a right one,
/// else kNo, also for wrong content. Throws InvalidInput for what is no plan at all.
int check_mscclpp(const std::string& file, std::string_view text, std::optional<std::int32_t> root,
                  const OutputOptions& common, Streams& streams);
/// The parts of its answer, for weft schema.
std::vector<answer::PartText> mscclpp_check_parts();

}  // namespace weft::cli
