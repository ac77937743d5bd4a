#include "weft/design/economics/economics_question.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::design {
namespace {

EconomicsQuestion asked_by(const Values& said) {
  EconomicsQuestion asked;
  fields::set_members(asked, economics_members(), said);
  return asked;
}

TEST(EconomicsQuestion, compares_all_kinds_unless_some_are_named) {
  const auto all = asked_by({}).chosen();
  EXPECT_TRUE(std::ranges::equal(all, analysis::compared_kinds()));
  const EconomicsQuestion some =
      asked_by({{"kinds", "kautz,Slimfly"}, {"columns", std::int64_t{4}}});
  ASSERT_EQ(some.chosen().size(), 2U);
  EXPECT_EQ(some.chosen()[1], analysis::parse_network_kind("slimfly"));
  EXPECT_EQ(some.layout.columns, 4);
}

TEST(EconomicsQuestion, refuses_sizes_out_of_range_as_they_are_read) {
  for (const char* size : {"0", "-3", "10000001", "99999999999999999999", "many"}) {
    EXPECT_THROW(asked_by({{"endpoints", size}}), InvalidInput) << size;
    EXPECT_THROW(asked_by({{"routers", size}}), InvalidInput) << size;
  }
  EXPECT_EQ(asked_by({{"endpoints", "10000000"}}).endpoints, 10'000'000);
}

TEST(EconomicsQuestion, prices_each_kind) {
  const analysis::PriceList prices = analysis::load_price_list("shipped");
  const std::vector<analysis::NetworkKind> kinds{analysis::parse_network_kind("kautz"),
                                                 analysis::parse_network_kind("slimfly")};
  const auto designs = cheapest_of_each(kinds, 1000, prices);
  ASSERT_EQ(designs.size(), 2U);
  const analysis::PriceLines lines = analysis::fit_prices(prices);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(designs[i].design.kind, kinds[i]);
    EXPECT_GE(designs[i].design.endpoints, 1000);
    const double switches = static_cast<double>(designs[i].design.routers) *
                            lines.switch_node(static_cast<double>(designs[i].design.ports));
    EXPECT_NEAR(designs[i].bill.switch_dollars, switches, 1e-6 * switches);
  }
}

}  // namespace
}  // namespace weft::design
