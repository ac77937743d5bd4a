// What shares of MD are and could be: with `weft schedule`.
#pragma once

#include "cli/output.hpp"
#include "weft/advise/schedule/shares.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// Of `shares`.
answer::Parts<advise::ShareReport> share_parts();
Facts facts_of(const advise::ShareReport& report);

}  // namespace weft::cli
