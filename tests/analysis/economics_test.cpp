// Prices, sizes and cables: against the thesis's printed figures and equations, and topologies
// against the formulas of their families.
#include "weft/analysis/economics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/process/source_dir.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using namespace weft::analysis;

PriceLines shipped() {
  const std::string path = test::source_dir() + "/share/prices/infiniband-2025.toml";
  return fit_prices(read_price_list(read_file(path), path));
}

std::int64_t count(const std::map<double, std::int64_t>& cables) {
  std::int64_t sum = 0;
  for (const auto& [metres, number] : cables) sum += number;
  return sum;
}

Topology build(const std::string& expression) {
  return build_topology(expression).topology;
}

void expect_same(const Shopping& a, const Shopping& b, const std::string& what) {
  EXPECT_EQ(a.electrical, b.electrical) << what;
  EXPECT_EQ(a.optical, b.optical) << what;
  EXPECT_EQ(a.switch_nodes, b.switch_nodes) << what;
}

// Section 4.4.2's three lines, to the printed digits.
TEST(Prices, fit_the_printed_lines) {
  const PriceLines lines = shipped();
  EXPECT_EQ(fmt::format("{:.2f} {:.2f}", lines.electrical.slope, lines.electrical.constant),
            "22.76 111.41");
  EXPECT_EQ(fmt::format("{:.2f} {:.2f}", lines.optical.slope, lines.optical.constant),
            "6.76 624.68");
  EXPECT_EQ(fmt::format("{:.2f} {:.2f}", lines.switch_node.slope, lines.switch_node.constant),
            "414.25 8806.20");
}

// 1 m for 200 dollars and 3 m for 100: longer cables would cost less than nothing.
TEST(Prices, that_fall_are_refused_with_file_and_line) {
  const std::string offers =
      "[[optical]]\nlength_m = 1\ndollars = 1\n[[optical]]\nlength_m = 2\ndollars = 2\n"
      "[[switch]]\nports = 1\ndollars = 1\n[[switch]]\nports = 2\ndollars = 2\n";
  try {
    static_cast<void>(read_price_list(
        "name = \"a\"\nsource = \"b\"\n[[electrical]]\nlength_m = 1\ndollars = 200\n"
        "[[electrical]]\nlength_m = 3\ndollars = 100\n" +
            offers,
        "p.toml"));
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("p.toml:3: the line fitted")) << error.what();
  }
}

// "Efficient Direct-Connect Topologies for Collective Communications", section 2.1: 1008 ports at
// 100 dollars each, 384 at 520.
TEST(Prices, of_panels_are_the_printed_ones) {
  const PriceList list = load_price_list(test::source_dir() + "/share/prices/infiniband-2025.toml");
  ASSERT_EQ(list.ports.size(), 2u);
  EXPECT_EQ(list.ports[0].panel, "patch-panel");
  EXPECT_EQ(list.ports[0].most, 1008);
  EXPECT_EQ(list.ports[0].dollars, 100);
  EXPECT_EQ(list.ports[1].panel, "optical-switch");
  EXPECT_EQ(list.ports[1].most, 384);
  EXPECT_EQ(list.ports[1].dollars, 520);
}

// Four racks in a square, the panel in the last: two ports of each node lead there, over 2, 1, 1
// and 0 racks, 1 m longer than that.
TEST(Shopping, leads_every_port_to_the_panel) {
  const Shopping bought = shopping_to_panel(build("ring:4"));
  EXPECT_EQ(bought.optical, (std::map<double, std::int64_t>{{1, 2}, {2, 4}, {3, 2}}));
  EXPECT_TRUE(bought.electrical.empty());
  EXPECT_TRUE(bought.switch_nodes.empty());
}

std::string problem_of(const std::string& text) {
  try {
    read_price_list(text, "p.toml");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "none";
}

TEST(Prices, name_file_and_line_of_what_is_wrong) {
  const std::string head = "name = \"n\"\nsource = \"s\"\n";
  const std::string rest =
      "[[optical]]\nlength_m = 1\ndollars = 5\n[[optical]]\nlength_m = 2\ndollars = 6\n"
      "[[switch]]\nports = 1\ndollars = 5\n[[switch]]\nports = 2\ndollars = 6\n";
  const auto with = [&](const std::string& electrical) { return head + electrical + rest; };
  const std::string good = "[[electrical]]\nlength_m = 1\ndollars = 3\n";
  EXPECT_EQ(problem_of(with(good + "[[electrical]]\nlength_m = 2\ndollars = 3\n")), "none");
  const std::string two = good + "[[electrical]]\nlength_m = 2\ndollars = 3\n";
  const std::string port = "most = 8\ndollars = 1\nsource = \"s\"\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {with(two) + "[[port]]\npanel = \"switch\"\n" + port,
       "p.toml:22: unknown panel 'switch'; known: patch-panel, optical-switch"},
      {with(two) + "[[port]]\npanel = \"patch-panel\"\nmost = 8\ndollars = 1\n",
       "p.toml:21: this [[port]] has no source"},
      {with(two) + "[[port]]\npanel = \"patch-panel\"\n" + port +
           "[[port]]\npanel = \"patch-panel\"\n" + port,
       "p.toml:27: a second [[port]] of 'patch-panel'; remove one"},
      {with(good + "[[electrical]]\nlength_m = 2\n"),
       "p.toml:6: this [[electrical]] has no dollars"},
      {with(good + "[[electrical]]\nlength_m = 2\ndollars = -3\n"),
       "p.toml:8: dollars of this [[electrical]] is -3 (expected a number from 1e-06 to 1e+12)"},
      {with(good + "[[electrical]]\nlength_m = 2\ndollars = 0\n"),
       "p.toml:8: dollars of this [[electrical]] is 0 (expected a number from 1e-06 to 1e+12)"},
      {with(good + "[[electrical]]\nlength_m = 2\ndollars = nan\n"),
       "p.toml:8: dollars of this [[electrical]] is nan"},
      {with(good + "[[electrical]]\nlength_m = 2\ndollars = \"3\"\n"),
       "p.toml:8: dollars of this [[electrical]] is a text"},
      {with(good + "[[electrical]]\nlength_m = 2\ndollar = 3\n"),
       "p.toml:8: unknown key 'dollar' in this [[electrical]]; did you mean dollars?"},
      {with(good + "[[electrical]]\nlength_m = 2\ndollars = 3\nfit = 1\n"),
       "p.toml:9: fit of this [[electrical]] is a number"},
      {with(good), "p.toml:3: a line needs at least two"},
      {with("electrical = 3\n"),
       "p.toml:3: electrical of a price list is a number (expected tables, [[electrical]])"},
      {head, "p.toml:1: the file has fewer than two [[electrical]]; add offers"},
      {"name = 3\n", "p.toml:1: a price list has no source"},
      {"name = \n", "p.toml:1:"}};
  for (const auto& [text, problem] : cases)
    EXPECT_EQ(problem_of(text).substr(0, problem.size()), problem) << text;
}

// Eq. 4.10-4.13 beside the cables of the network itself, on square and other extents.
TEST(Economics, price_2dfc_by_the_equations) {
  const PriceLines lines = shipped();
  for (const auto& [m1, m2, terminals] : {std::tuple{4, 4, 3}, {5, 3, 2}, {2, 6, 4}, {8, 8, 8}}) {
    const Bill bill = price(
        shopping(build(fmt::format("hosts({}, 2dfc:{}x{})", terminals, m1, m2)), {.columns = m1}),
        lines);
    double optical = 0;
    for (int x = 1; x < m1; ++x) optical += m2 * (m1 - x) * lines.optical(x + 1);
    for (int x = 1; x < m2; ++x) optical += m1 * (m2 - x) * lines.optical(x + 1);
    EXPECT_NEAR(bill.optical.dollars, optical, 1e-9 * optical);
    EXPECT_NEAR(bill.electrical.dollars, m1 * m2 * terminals * lines.electrical(1), 1e-6);
    EXPECT_NEAR(bill.switch_dollars, m1 * m2 * lines.switch_node(terminals + m1 + m2 - 2), 1e-6);
  }
}

// A design's cables are those of the network that weft builds, laid out alike.
TEST(Economics, agrees_with_the_networks_themselves) {
  const Design fully = smallest_design(NetworkKind::fully_connected_50, 290);
  EXPECT_EQ(fully.configuration, "7x7, 6 endpoints a router");
  expect_same(shopping(fully), shopping(build("hosts(6, 2dfc:7x7)")), "2dfc");
  const Design kautz = nearest_design(NetworkKind::kautz, 42);
  EXPECT_EQ(kautz.parameter, 6);
  expect_same(shopping(kautz), shopping(build("hosts(3, kautz:6,2)")), "kautz");
  const Design dragonfly = smallest_design(NetworkKind::dragonfly, 50);
  EXPECT_EQ(dragonfly.configuration, "p=2, a=4, h=2, g=9");
  expect_same(shopping(dragonfly),
              shopping(build("dragonfly:a=4,p=2,h=2"), {.switches_per_rack = 4}), "dragonfly");
  const Design hamming = nearest_design(NetworkKind::hamming, 64);
  expect_same(shopping(hamming),
              shopping(build("hosts(2, hamming:4x4x4)"), {.switches_per_rack = 4}), "hamming");
}

// Of a file that carries facets as of the family.
TEST(Economics, prices_files_as_the_networks_that_they_hold) {
  for (const char* text : {"dragonfly:a=4,p=2,h=2,g=9", "hosts(2, torus:4x4)", "fat-tree:4,2"})
    expect_same(shopping(topology::through_file(text)), shopping(build(text)), text);
}

// The Slim Fly's own links by class: those within subgroups and q^2 across stay in racks.
TEST(Economics, counts_the_links_of_slim_flies) {
  for (const int q : {4, 5, 7, 9}) {
    const Design design = nearest_design(NetworkKind::slim_fly, 2 * q * q);
    ASSERT_EQ(design.parameter, q);
    const Topology slim_fly = build(fmt::format("slimfly:{}", q));
    const Shopping bought = shopping(design);
    EXPECT_EQ(count(bought.electrical) + count(bought.optical) - design.endpoints,
              slim_fly.cable_count());
    EXPECT_EQ(count(bought.optical), q * q * (q - 1));
  }
}

// Every port of every router holds one end of a cable; endpoints hold the other end of theirs. Of
// fat trees the whole ones do.
TEST(Economics, fills_every_port) {
  for (const NetworkKind kind : kNetworkKinds)
    for (const std::int64_t endpoints : {1, 200, 3'000, 20'000}) {
      Design design = smallest_design(kind, endpoints);
      if (design.levels) design = *largest_design(kind, design.ports);
      const Shopping bought = shopping(design);
      const std::int64_t cables = count(bought.electrical) + count(bought.optical);
      EXPECT_EQ(2 * cables - design.endpoints, design.ports * design.routers)
          << to_string(kind) << " " << design.configuration;
      EXPECT_GE(design.endpoints, endpoints);
    }
}

// Whole trees of k-port switches. Three levels: k^3 / 4 hosts and 5 k^2 / 4 switches (Al-Fares,
// Loukissas, Vahdat, SIGCOMM 2008, section 2.2); two: k leaves and k / 2 spines (Clos).
TEST(Economics, builds_whole_fat_trees) {
  for (const std::int64_t k : {4, 16, 48, 64}) {
    const Design two = *largest_design(NetworkKind::fat_tree_2, k);
    EXPECT_EQ(two.endpoints, k * k / 2);
    EXPECT_EQ(two.routers, k + k / 2);
    EXPECT_EQ(two.levels, 2);
    EXPECT_EQ(two.bisection(), Rational(1));
    for (const NetworkKind kind : {NetworkKind::fat_tree, NetworkKind::fat_tree_3}) {
      const Design three = *largest_design(kind, k);
      EXPECT_EQ(three.endpoints, k * k * k / 4);
      EXPECT_EQ(three.routers, 5 * k * k / 4);
      EXPECT_EQ(three.levels, 3);
    }
  }
  // As the topologies, but for where their switches stand.
  for (const auto& [kind, topology] : {std::pair{NetworkKind::fat_tree_2, "xgft:2;4,8;1,4"},
                                       {NetworkKind::fat_tree_3, "xgft:3;4,4,8;1,4,4"}}) {
    const Shopping bought = shopping(*largest_design(kind, 8)), same = shopping(build(topology));
    EXPECT_EQ(bought.switch_nodes, same.switch_nodes) << topology;
    EXPECT_EQ(count(bought.electrical) + count(bought.optical),
              count(same.electrical) + count(same.optical))
        << topology;
  }
}

// 7 endpoints hang on one switch. 1,000 fit two levels of 64-port switches: 32 leaves of 32 ports
// down and at most 32 up; a spine takes two cables of each, so 16 do. 3,000 are above 64^2 / 2.
TEST(Economics, takes_the_levels_that_suit) {
  const std::string path = test::source_dir() + "/share/prices/infiniband-2025.toml";
  const PriceList list = read_price_list(read_file(path), path);
  const auto dollars = [&](const Design& design) {
    return price(shopping(design), shipped()).dollars();
  };
  const Design seven = cheapest_design(NetworkKind::fat_tree, 7, list);
  EXPECT_EQ(seven.configuration, "one switch, 8 ports");
  EXPECT_EQ(seven.routers, 1);
  EXPECT_NEAR(dollars(seven), 7 * 134.17 + 414.25 * 8 + 8806.20, 1);
  const Design thousand = cheapest_design(NetworkKind::fat_tree, 1000, list);
  EXPECT_EQ(thousand.configuration, "two levels, 64 ports");
  EXPECT_EQ(thousand.routers, 32 + 16);
  EXPECT_EQ(thousand.endpoints, 1000);
  const Shopping bought = shopping(thousand);
  EXPECT_EQ(count(bought.electrical), 1000);
  EXPECT_EQ(count(bought.optical), 32 * 32);
  EXPECT_LT(dollars(thousand), dollars(smallest_design(NetworkKind::fat_tree_2, 1000)));
  EXPECT_LT(2 * dollars(thousand), dollars(smallest_design(NetworkKind::fat_tree_3, 1000)));
  EXPECT_EQ(cheapest_design(NetworkKind::fat_tree, 3000, list).levels, 3);
  const Design many = cheapest_design(NetworkKind::fat_tree, 100'000, list);  // 64^3 / 4 = 65,536
  EXPECT_EQ(many.configuration, "three levels, 74 ports");                    // 74^3 / 4 = 101,306
}

// The smallest of so many levels, and no dearer one than all of its parts.
TEST(Economics, buys_the_part_of_a_fat_tree_that_is_needed) {
  // 74 ports: leaves of 37, so 2,703; pods of 37 leaves, so 74, with 37 middle switches each; a
  // core takes one cable of each pod, 37 in each of the 37 groups.
  const Design many = smallest_design(NetworkKind::fat_tree_3, 100'000);
  EXPECT_EQ(many.routers, 2703 + 74 * 37 + 37 * 37);
  for (const NetworkKind kind : {NetworkKind::fat_tree_2, NetworkKind::fat_tree_3})
    for (const std::int64_t endpoints : {1, 2, 3, 30, 129, 1000, 2049, 9999}) {
      const Design part = smallest_design(kind, endpoints);
      const Design whole = *largest_design(kind, part.ports);
      EXPECT_EQ(part.endpoints, endpoints);
      EXPECT_LE(part.routers, whole.routers);
      EXPECT_GE(whole.endpoints, endpoints);
      if (part.ports > 2) {
        EXPECT_LT(largest_design(kind, part.ports - 2)->endpoints, endpoints);
      }
      EXPECT_EQ(part.bisection(), Rational(1));
    }
}

// Figure 4.16's text, at 1,000 routers: "over 65000" (2dfc25), 16000 (2dfc100), 19000 (Slim Fly),
// about 1000 (3-D torus). Its 37000 for 2dfc50 is 31,600 by the formula.
TEST(Economics, connects_the_endpoints_of_figure_4_16) {
  EXPECT_EQ(nearest_design(NetworkKind::fully_connected_25, 1000).endpoints, 65'536);
  EXPECT_EQ(nearest_design(NetworkKind::fully_connected_50, 1000).endpoints, 32'768);
  EXPECT_EQ(nearest_design(NetworkKind::fully_connected_100, 1000).endpoints, 16'384);
  EXPECT_EQ(nearest_design(NetworkKind::slim_fly, 1000).endpoints, 19'044);
  EXPECT_EQ(nearest_design(NetworkKind::torus_3d, 1000).endpoints, 1'000);
  EXPECT_NEAR(endpoints_at(NetworkKind::fully_connected_50, 1000), 31'622.8, 0.1);
}

// At a size that exists the formula for real parameters gives that size's endpoints.
TEST(Economics, formulas_pass_through_the_sizes) {
  for (const NetworkKind kind : kNetworkKinds) {
    const Design design = nearest_design(kind, 4096);
    const double formula = endpoints_at(kind, static_cast<double>(design.routers));
    EXPECT_NEAR(formula / static_cast<double>(design.endpoints), 1, 0.03) << to_string(kind);
  }
}

// 2dfc of even extents has exactly the bisection that it is named for. Of odd ones lines are cut by
// floor(m^2 / 4) links only where the halves are unequal: 7x7 with 6 endpoints a router has 147 of
// them in a half, 24 routers (3 rows and 3 more, 96 links) and half of the endpoints of another
// one. An even torus: 2 k^2 links for k^3 / 2 endpoints.
TEST(Economics, states_bisections) {
  EXPECT_EQ(nearest_design(NetworkKind::fully_connected_25, 64).bisection(), Rational(1, 4));
  EXPECT_EQ(nearest_design(NetworkKind::fully_connected_50, 64).bisection(), Rational(1, 2));
  EXPECT_EQ(nearest_design(NetworkKind::fully_connected_50, 49).bisection(), Rational(99, 147));
  EXPECT_EQ(nearest_design(NetworkKind::hamming, 512).bisection(), Rational(1));
  EXPECT_EQ(nearest_design(NetworkKind::torus_3d, 1000).bisection(), Rational(2, 5));
  EXPECT_EQ(nearest_design(NetworkKind::fat_tree, 1000).bisection(), Rational(1));
  // Slim Fly of even q: q^3 / 2 of q^2 p endpoints; q = 8 has degree 12 and p = 6.
  EXPECT_EQ(nearest_design(NetworkKind::slim_fly, 128).bisection(), Rational(256, 384));
  // Dragonfly, p = 2: 36 routers; halves cut 2^4 + 2^2 links of 36 endpoints, and none cut fewer.
  EXPECT_EQ(nearest_design(NetworkKind::dragonfly, 36).bisection(), Rational(20, 36));
}

// Where there is no formula for the narrowest halves: limits.
TEST(Economics, bounds_bisections) {
  const Design slim_fly = nearest_design(NetworkKind::slim_fly, 50);  // q = 5: 62.5 to 65 links
  EXPECT_EQ(slim_fly.bisection_lower, Rational(63, 100));
  EXPECT_EQ(slim_fly.bisection_upper, Rational(65, 100));
  EXPECT_FALSE(slim_fly.bisection());
  for (const NetworkKind kind : kNetworkKinds)
    for (const std::int64_t routers : {30, 200, 3000}) {
      const Design design = nearest_design(kind, routers);
      EXPECT_GT(design.bisection_lower, Rational(0)) << to_string(kind);
      EXPECT_LE(design.bisection_lower, design.bisection_upper) << to_string(kind);
      EXPECT_LE(design.bisection_upper, Rational(1)) << to_string(kind);
    }
}

// Known Slim Flies: q = 5 is the Hoffman-Singleton graph, 50 routers of degree 7.
TEST(Economics, knows_which_slim_flies_exist) {
  const Design hoffman = nearest_design(NetworkKind::slim_fly, 50);
  EXPECT_EQ(hoffman.parameter, 5);
  EXPECT_EQ(hoffman.ports, 7 + 4);
  EXPECT_EQ(nearest_design(NetworkKind::slim_fly, 72).parameter, 5);  // q = 6 is none
  EXPECT_EQ(nearest_design(NetworkKind::slim_fly, 162).parameter, 9);
}

TEST(Economics, keeps_within_the_ports) {
  const auto fat_tree = largest_design(NetworkKind::fat_tree, 64);
  ASSERT_TRUE(fat_tree);
  EXPECT_EQ(fat_tree->endpoints, 65'536);  // 64^3 / 4
  EXPECT_EQ(largest_design(NetworkKind::dragonfly, 63)->parameter, 16);
  EXPECT_FALSE(largest_design(NetworkKind::dragonfly, 2));
  EXPECT_FALSE(largest_design(NetworkKind::torus_3d, 64));
}

// Three one-way links take two ports of each switch; loops none. Rack 0 and 1 side by side.
TEST(Economics, counts_one_way_links_as_cables) {
  const Shopping ring = shopping(build("hosts(1, uniring:3)"), {.switches_per_rack = 2});
  EXPECT_EQ(ring.electrical, (std::map<double, std::int64_t>{{1, 4}}));
  EXPECT_EQ(ring.optical, (std::map<double, std::int64_t>{{2, 2}}));
  EXPECT_EQ(ring.switch_nodes, (std::map<std::int64_t, std::int64_t>{{3, 3}}));
  EXPECT_TRUE(shopping(build("ring:4")).switch_nodes.empty());
}

// Two leaves of 16 hosts fill a rack of 32, and spines have the third rack, beside the first
// of a square of four and diagonal to the second: 2 * 4 cables to each. 30 hosts leave room for
// all.
TEST(Economics, fills_racks_by_hosts) {
  const RackLayout racks{.hosts_per_rack = 32};
  const Shopping four = shopping(build("leaf-spine:leaves=4,spines=4,hosts=16"), racks);
  EXPECT_EQ(four.electrical, (std::map<double, std::int64_t>{{1, 64}}));
  EXPECT_EQ(four.optical, (std::map<double, std::int64_t>{{2, 8}, {3, 8}}));
  const Shopping two = shopping(build("leaf-spine:leaves=2,spines=4,hosts=15"), racks);
  EXPECT_EQ(two.electrical, (std::map<double, std::int64_t>{{1, 38}}));
  EXPECT_TRUE(two.optical.empty());
  // 32 of the 48 hosts of one switch stand with it, 16 in the next rack.
  const Shopping one = shopping(build("xgft:1;48;1"), racks);
  EXPECT_EQ(one.electrical, (std::map<double, std::int64_t>{{1, 32}}));
  EXPECT_EQ(one.optical, (std::map<double, std::int64_t>{{2, 16}}));
  // The leaves of a second plane stand with those of the first.
  const Shopping planes =
      shopping(build("planes(2, leaf-spine:leaves=2,spines=1,hosts=32)"), racks);
  EXPECT_EQ(planes.electrical, (std::map<double, std::int64_t>{{1, 128}}));
  EXPECT_EQ(shopping(build("ring:33"), racks).optical, (std::map<double, std::int64_t>{{2, 2}}));
}

TEST(Economics, refuses_what_is_out_of_range) {
  EXPECT_THROW(smallest_design(NetworkKind::kautz, 0), InvalidInput);
  EXPECT_THROW(cheapest_design(NetworkKind::fat_tree, 0, {}), InvalidInput);
  EXPECT_THROW(smallest_design(NetworkKind::kautz, 10'000'001), InvalidInput);
  EXPECT_THROW(nearest_design(NetworkKind::kautz, 0), InvalidInput);
  EXPECT_THROW(largest_design(NetworkKind::kautz, 0), InvalidInput);
  EXPECT_THROW(endpoints_at(NetworkKind::kautz, 0), InvalidInput);
  EXPECT_THROW(parse_network_kind("slimfli"), InvalidInput);
  EXPECT_THROW(shopping(build("ring:4"), {.switches_per_rack = 0}), InvalidInput);
  EXPECT_THROW(shopping(build("ring:4"), {.columns = -1}), InvalidInput);
  EXPECT_THROW(shopping(build("ring:4"), {.hosts_per_rack = -1}), InvalidInput);
}

}  // namespace
