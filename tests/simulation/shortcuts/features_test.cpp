// Features are found by what each member means, and shortcuts stand aside from what they do not
// list.
#include "weft/simulation/shortcuts/features.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/simulation/feature_settings.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr std::int64_t kRate = 1'000'000'000;

TEST(Features, are_on_one_by_one) {
  const Fabric fabric(make_topology("torus:4x3"), LinkSpeed{});
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        make_routing("shortest", fabric));
  for (const Feature feature : every_feature()) {
    test::FeatureSetting setting;
    if (!test::turn_on(feature, network.topology(), setting)) continue;
    if (feature == Feature::several_calls) continue;  // of a program
    const Features found = features_of(setting.options, network.with_host(setting.host));
    Features expected{feature};
    if (feature == Feature::factors_by_class) expected.add(Feature::factors);
    EXPECT_EQ(found, expected) << name_of(feature);
  }
  EXPECT_TRUE(features_of(SimulationOptions(), network).empty());
}

// A time or a bandwidth of 0 costs nothing, from whatever size on.
TEST(Features, are_off_at_no_cost) {
  EXPECT_TRUE(features_of(HostParameters{.large_copies = {4096, 0},
                                         .large_reductions = {4096, 0},
                                         .rendezvous = {4096, 0},
                                         .eager_copies = {4096, 0}})
                  .empty());
}

// How steps are read, and flows shared, counts under models that do so.
TEST(Features, are_those_of_the_model) {
  const Fabric fabric(make_topology("ring:4"), LinkSpeed{});
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        make_routing("shortest", fabric));
  SimulationOptions options{.model = Model::alpha_beta,
                            .sync = Sync::dataflow,
                            .release = Release::injected,
                            .sharing = Sharing::rtt};
  EXPECT_EQ(features_of(options, network), Features{Feature::alpha_beta});
  options.model = Model::packet;
  EXPECT_EQ(features_of(options, network),
            (Features{Feature::packets, Feature::dataflow, Feature::injected}));
}

TEST(Shortcuts, are_rows_in_their_order_and_cover_no_unlisted_member) {
  for (std::size_t i = 0; i < shortcut_table().size(); ++i) {
    const ShortcutRow& row = shortcut_table()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.shortcut), i) << row.name;
    EXPECT_EQ(name_of(row.shortcut), row.name);
    EXPECT_FALSE(row.covers.has(Feature::unlisted)) << row.name;
    EXPECT_TRUE(covers(row.shortcut, row.covers)) << row.name;
    for (const Feature feature : every_feature())
      EXPECT_EQ(covers(row.shortcut, Features{feature}), row.covers.has(feature))
          << row.name << ", " << name_of(feature);
  }
}

struct Case {
  const char* what;
  HostParameters host;
  bool sends_and_sums_only, in_a_row, for_messages;
};

// A processor or a port that is shared makes the order of sends matter: start-ups at either end, a
// limit of ports, and packing. Receiving and copying is more than sends and sums. A call pays its
// launch and its skew once, a message nothing; smaller messages avoid a first touch and exchanges.
TEST(Shortcuts, cover_costs_by_what_each_is_paid_for) {
  const std::vector<Case> cases{
      {"nothing", {}, true, false, false},
      {"start-up", {.startup_ps = 1}, true, true, true},
      {"start-up of a step", {.startup_ps = 1, .startup_per = StartupPer::step}, true, true, true},
      {"start-up at the receiver", {.startup_receive_ps = 1}, false, true, true},
      {"ports", {.ports = 1}, false, true, false},
      {"copies", {.copy_bandwidth_Bps = kRate}, false, true, true},
      {"large copies", {.large_copies = {4096, kRate}}, false, true, true},
      {"large copies at no cost", {.large_copies = {4096, 0}}, true, false, false},
      {"layout", {.layout = BlockLayout::combined}, true, false, false},
      {"sums", {.reduce_bandwidth_Bps = kRate}, true, false, true},
      {"large sums", {.large_reductions = {4096, kRate}}, true, false, true},
      {"first touch", {.first_touch = {4096, kRate}}, true, false, true},
      {"exchange", {.exchanges = {4096, kRate}}, true, false, true},
      {"latency", {.latency_ps = 1}, true, false, true},
      {"rendezvous", {.rendezvous = {4096, 1}}, true, false, true},
      {"rendezvous at no cost", {.rendezvous = {4096, 0}}, true, false, false},
      {"eager copies", {.eager_copies = {4096, kRate}}, true, false, true},
      {"launch", {.launch_ps = 1}, true, false, false},
      {"skew", {.skew_ps = 1}, true, false, false},
      {"paths of its own", {.source_routed = true}, true, false, false}};
  for (const Case& each : cases) {
    const Features features = features_of(each.host);
    for (const Shortcut shortcut : {Shortcut::uncontended, Shortcut::alike})
      EXPECT_EQ(covers(shortcut, features), each.sends_and_sums_only) << each.what;
    EXPECT_EQ(covers(Shortcut::alike_orders, features), !each.in_a_row) << each.what;
    EXPECT_EQ(covers(Shortcut::segment_formula, features), !each.for_messages) << each.what;
  }
}

}  // namespace
}  // namespace weft::simulation
