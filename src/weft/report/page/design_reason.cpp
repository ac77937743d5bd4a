// Why a network is advised, in a sentence.
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "weft/base/error.hpp"
#include "weft/report/design_page.hpp"

namespace weft::report {

using design::DesignRow;
using design::NetworkDesign;

std::string design_reason(const NetworkDesign& found) {
  WEFT_ASSERT(found.chosen < found.rows.size());
  const DesignRow& chosen = found.rows[found.chosen];
  const bool simulated = chosen.is_finalist();
  const DesignRow* fastest = &chosen;
  const DesignRow* cheapest = &chosen;
  std::int64_t count = 0;  // of networks by the same model
  for (const DesignRow& row : found.rows) {
    if (row.is_finalist() != simulated) continue;
    ++count;
    if (row.time_s() < fastest->time_s()) fastest = &row;
  }
  if (found.rows.size() == 1) return "the only candidate that was timed";
  for (const DesignRow& row : found.rows)
    if (row.is_finalist() == simulated && row.time_s() <= design::kAsFast * fastest->time_s() &&
        row.bill.dollars() < cheapest->bill.dollars())
      cheapest = &row;
  const std::string among = fmt::format(
      "{} {}", count, simulated ? "simulated networks" : "networks timed by alpha-beta");
  const std::string within = fmt::format("{:.0f} %", 100 * (design::kAsFast - 1));
  const auto compared = [&](const DesignRow& other) {
    return fmt::format("({:.2f} times the time and {:.2f} times the price of {})",
                       chosen.time_s() / other.time_s(),
                       chosen.bill.dollars() / other.bill.dollars(), other.candidate.topology);
  };
  if (cheapest != &chosen)
    return fmt::format(
        "costs at most {:.0f} % more than the cheapest of {} within {} of the fastest, and {} {}",
        100 * (design::kAlike - 1), among, within,
        chosen.time_s() < cheapest->time_s() ? "is faster" : "loses less time to a failed cable",
        compared(*cheapest));
  if (fastest != &chosen)
    return fmt::format("the cheapest of {} within {} of the fastest {}", among, within,
                       compared(*fastest));
  return fmt::format("the fastest of {}; none within {} of its time is cheaper", among, within);
}

}  // namespace weft::report
