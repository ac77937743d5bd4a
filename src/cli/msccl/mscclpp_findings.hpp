// weft import FILE --from mscclpp --verify: what is wrong with an MSCCL++ plan.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/options/options.hpp"

namespace weft::cli {

/// Checks a plan and prints every finding with its counterexample. Returns kFine for a right one,
/// else kNo, also for wrong content. Throws InvalidInput for what is no plan at all.
int check_mscclpp(const std::string& file, std::string_view text, std::optional<std::int32_t> root,
                  const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
