// What shares of MD are and could be: with `weft schedule`.
#pragma once

#include "cli/output.hpp"
#include "weft/advise/schedule/shares.hpp"

namespace weft::cli {

/// The key `shares`, and what people read of them.
void add(Record& record, const advise::ShareReport& report, const Screen& screen);

}  // namespace weft::cli
