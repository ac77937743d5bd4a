#include "weft/analysis/economics.hpp"

namespace weft::analysis {

namespace {

CableBill price(const std::map<double, std::int64_t>& cables, const PriceLine& line) {
  CableBill bill;
  for (const auto& [metres, count] : cables) {
    const auto number = static_cast<double>(count);
    bill.count += count;
    bill.metres += number * metres;
    bill.dollars += number * line(metres);
  }
  return bill;
}

}  // namespace

Bill price(const Shopping& shopping, const PriceLines& prices) {
  Bill bill{.electrical = price(shopping.electrical, prices.electrical),
            .optical = price(shopping.optical, prices.optical)};
  for (const auto& [ports, count] : shopping.switch_nodes) {
    bill.switches += count;
    bill.switch_dollars +=
        static_cast<double>(count) * prices.switch_node(static_cast<double>(ports));
  }
  return bill;
}

}  // namespace weft::analysis
