// What a design buys: switches, cables, ports of panels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "design/network/asking.hpp"
#include "weft/base/error.hpp"
#include "weft/design/network/bill.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

// Two ends of every cable at the panel, 100 dollars each on the shipped list.
TEST(DesignPrices, buys_a_port_of_the_panel_for_each_end_of_a_cable) {
  DesignQuestion asked = asking(8, 4, "allreduce:1MiB");
  asked.build = Build::patch_panel;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    EXPECT_EQ(row.bill.panel_ports, 2 * row.cables);
    EXPECT_DOUBLE_EQ(row.bill.panel_dollars, 200.0 * static_cast<double>(row.cables));
    EXPECT_EQ(row.bill.panels, 1);  // of 1,008 ports
  }
  // A panel of 7 ports joins three cables, and has a port to spare.
  for (analysis::PortOffer& offer : asked.prices.ports) offer.most = 7;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    EXPECT_EQ(row.bill.panels, (row.cables + 2) / 3);
    EXPECT_DOUBLE_EQ(row.bill.panel_dollars, 200.0 * static_cast<double>(row.cables));
  }
  for (analysis::PortOffer& offer : asked.prices.ports) offer.most = 1;
  EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput);
  asked.prices.ports.clear();
  EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput);
}

// 20 hosts on 8-port switches: whatever has room for more, 20 cables lead to hosts, and those
// between switches are none of theirs.
TEST(DesignPrices, buys_no_cables_of_hosts_beyond_those_asked_for) {
  DesignQuestion asked = asking(20, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  asked.radix = 8;
  bool has_more = false;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    has_more = has_more || row.room > 20;
    EXPECT_EQ(row.hosts, 20) << row.candidate.topology;
    const analysis::Bill& bill = row.bill.parts;
    EXPECT_EQ(bill.electrical.count + bill.optical.count, row.cables) << row.candidate.topology;
    EXPECT_EQ(bill.switches, row.switches);
  }
  EXPECT_TRUE(has_more);
}

// Used or not, all ports are paid for. The shipped list quotes 36-port switches at $19,139, and
// none of 8 ports.
TEST(DesignPrices, buys_whole_switches) {
  DesignQuestion asked = asking(40, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  asked.radix = 36;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows)
    EXPECT_DOUBLE_EQ(row.bill.parts.switch_dollars, 19139.0 * static_cast<double>(row.switches))
        << row.candidate.topology;
  EXPECT_EQ(switch_models(asked).front().part, "MSB7570-E, Switch-IB 2, EDR 100 Gb/s");
  asked.radix = 8;
  const analysis::PriceLine line = analysis::fit_prices(asked.prices).switch_node;
  EXPECT_DOUBLE_EQ(switch_models(asked).front().dollars, line(8));
  EXPECT_TRUE(switch_models(asked).front().part.empty());
}

struct Bought {
  SwitchModel model;
  DesignBill bill;
};

// The candidate of that kind.
Bought bought(const DesignQuestion& asked, const std::string& origin) {
  const auto candidates = candidate_networks(asked, search::Catalogue::by_rule());
  const auto found = std::ranges::find(candidates, origin, &CandidateNetwork::origin);
  EXPECT_NE(found, candidates.end());
  const auto built = topology::build_topology(found->topology);
  return {switch_for(asked, built.topology), bill_of(asked, built.topology)};
}

// 100 hosts take 13 leaves and 8 spines of 16 ports, 21 times what the line says, or 6 leaves of 17
// hosts under 3 spines of 36 ports, 9 times $19,139, or 4 of 25 under 2 of 64, 6 times $34,555.
TEST(DesignPrices, buys_larger_switches_where_they_cost_less_in_all) {
  DesignQuestion asked = asking(100, 1, "broadcast:1KiB");
  asked.build = Build::switches;
  asked.radix = 16;
  const auto leaf_spine = [&] { return bought(asked, "leaf-spine"); };
  const double line = analysis::fit_prices(asked.prices).switch_node(16);
  EXPECT_NEAR(leaf_spine().bill.parts.switch_dollars, 21 * line, 0.01);
  asked.larger = LargerSwitches::considered;
  EXPECT_DOUBLE_EQ(leaf_spine().bill.parts.switch_dollars, 9 * 19139.0);
  EXPECT_EQ(leaf_spine().model.ports, 36);
  asked.radix = 0;  // those of the list alone
  EXPECT_DOUBLE_EQ(leaf_spine().bill.parts.switch_dollars, 9 * 19139.0);
  // Those of 64 ports hold them in fewer, once they cost as much.
  for (analysis::Offer& offer : asked.prices.switches) offer.dollars = 20'000 + offer.size;
  EXPECT_EQ(leaf_spine().model.ports, 64);
  EXPECT_EQ(leaf_spine().bill.parts.switches, 6);
}

// The list has 36, 40 and 64 ports; 34 are one by the line, dearer than the 36.
TEST(DesignPrices, leaves_ports_free_where_that_is_cheaper) {
  DesignQuestion asked = asking(13, 1, "broadcast:1KiB");
  asked.build = Build::switches;
  asked.radix = 34;
  asked.larger = LargerSwitches::considered;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  EXPECT_EQ(chosen.switches, 1);
  EXPECT_EQ(chosen.switch_model.ports, 36);
  EXPECT_DOUBLE_EQ(chosen.bill.parts.switch_dollars, 19139);
  EXPECT_GT(analysis::fit_prices(asked.prices).switch_node(34), 19139);
}

// 33 nodes are one more than a rack holds.
TEST(DesignPrices, fills_racks_with_32_hosts) {
  DesignQuestion asked = asking(32, 2, "broadcast:1KiB");
  asked.finalists = 1;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows)
    EXPECT_EQ(row.bill.parts.optical.count, 0) << row.candidate.topology;
  asked.nodes = 33;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows)
    EXPECT_EQ(row.bill.parts.optical.count, 2) << row.candidate.topology;  // a ring
}

// Eight nodes stand in one rack: electrical cables of 1 m only, $134.17 each by the line through
// those of 1 m and 3 m. A node a rack takes optical ones.
TEST(DesignPrices, buys_no_optics_within_a_rack) {
  DesignQuestion asked = asking(8, 4, "allreduce:1MiB");
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    EXPECT_EQ(row.bill.parts.optical.count, 0);
    EXPECT_EQ(row.bill.parts.electrical.count, row.cables);
    EXPECT_NEAR(row.bill.dollars(), 134.17 * static_cast<double>(row.cables), 0.01);
  }
  asked.per_rack = 1;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows)
    EXPECT_EQ(row.bill.parts.electrical.count, 0);
}

}  // namespace
}  // namespace weft::design
