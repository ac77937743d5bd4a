// Kinds and their fields: what holds for every entry.
#include "weft/rows/kind.hpp"

#include <gtest/gtest.h>

#include <set>

#include "weft/base/error.hpp"
#include "weft/fields/members.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::rows {
namespace {

TEST(Kinds, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const RowKind& kind : kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&kind_of(kind.name), &kind);
    std::set<std::string_view> fields, measures;
    for (const Field* field : kind.fields)
      EXPECT_TRUE(fields.insert(field->name).second) << kind.name << ' ' << field->name;
    for (const Measure& measure : kind.measures)
      EXPECT_TRUE(measures.insert(measure.name).second) << kind.name << ' ' << measure.name;
    for (const std::string_view needed : kind.needed) EXPECT_TRUE(kind.has(needed)) << needed;
    EXPECT_NE(kind.find_measure(kind.chart.y), nullptr) << kind.name;
  }
}

// A field of one name is one field, whichever kind has it; else its axis would mean two things. In
// kinds that take counts the collective has more names; those of all kinds mean the same.
TEST(Kinds, share_the_fields_of_one_name) {
  for (const RowKind& kind : kinds())
    for (const Field* field : kind.fields) {
      const Field* first = find_field(field->name);
      EXPECT_EQ(field->fallback, first->fallback) << field->name;
      if (field->name != "collective") {
        EXPECT_EQ(field->canonical, first->canonical) << field->name;
        continue;
      }
      for (const CollectiveKind known : schedule::kCollectiveKinds)
        EXPECT_EQ(field->canonical(field->name, name_of(known)),
                  first->canonical(field->name, name_of(known)));
    }
}

// What is canonical stays so: rows that are read back have the keys that they had.
TEST(Fields, keep_what_is_canonical) {
  for (const RowKind& kind : kinds())
    for (const Field* field : kind.fields) {
      if (field->fallback.empty()) continue;
      const Value once = canonical_value(field->name, field->fallback);
      EXPECT_EQ(canonical_value(field->name, fields::to_text(once)), once) << field->name;
    }
}

TEST(Kinds, name_the_nearest) {
  EXPECT_EQ(find_kind("no-such"), nullptr);
  EXPECT_EQ(find_kind("COST"), &kind_of("cost"));
  try {
    kind_of("simulat");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("simulate"), std::string::npos);
  }
}

TEST(Members, are_set_by_options_and_rows_alike) {
  HostParameters of_option, of_row;
  fields::set_members(of_option, fields::host_members(),
                      Values{{"alpha", "1500ns"}, {"ports", "2"}, {"copy-bandwidth", "10GBps"}});
  fields::set_members(of_row, fields::host_members(),
                      Values{{"alpha", canonical_value("alpha", "1.5us")},
                             {"ports", std::int64_t{2}},
                             {"copy-bandwidth", canonical_value("copy-bandwidth", "80Gbps")}});
  EXPECT_EQ(of_option.startup_ps, 1'500'000);
  EXPECT_EQ(of_option.ports, 2);
  EXPECT_EQ(of_option.copy_bandwidth_Bps, 10'000'000'000);
  EXPECT_EQ(of_row.startup_ps, of_option.startup_ps);
  EXPECT_EQ(of_row.ports, of_option.ports);
  EXPECT_EQ(of_row.copy_bandwidth_Bps, of_option.copy_bandwidth_Bps);
}

// What is left to the model, or to the link, stays as it was.
TEST(Members, leave_what_is_automatic) {
  PacketOptions packet{.switching = simulation::Switching::wormhole};
  fields::set_members(packet, fields::packet_members(),
                      Values{{"switching", "auto"}, {"credit-delay", "link"}, {"vcs", "3"}});
  EXPECT_EQ(packet.switching, simulation::Switching::wormhole);
  EXPECT_FALSE(packet.credit_delay_ps.has_value());
  EXPECT_EQ(packet.vcs, 3);
}

// What a command and a row say of a network comes to one thing.
TEST(Members, name_a_network_and_a_collective) {
  const NetworkSpec spec = fields::network_in(Values{{"topology", "ring:8"},
                                                     {"link", "10Gbps,2us;local=20Gbps,1us"},
                                                     {"ranks", "4"},
                                                     {"model", "alpha-beta"}});
  EXPECT_EQ(spec.topology, "ring:8");
  ASSERT_TRUE(spec.links.all);
  EXPECT_EQ(spec.links.all->bandwidth_Bps, 1'250'000'000);
  EXPECT_EQ(spec.links.by_class.at("local").latency_ps, 1'000'000);
  EXPECT_EQ(spec.placing.ranks, 4);
  EXPECT_EQ(spec.routing, "auto");
  EXPECT_EQ(spec.host.startup_per, StartupPer::step);
  fields::CollectiveSpec ends;
  fields::set_members(
      ends, fields::collective_members(),
      Values{{"collective", "point-to-point"}, {"from", "1"}, {"to", std::int64_t{3}}});
  const Collective collective = fields::make_collective(ends, 4);
  EXPECT_EQ(collective.root, Rank(1));
  EXPECT_EQ(collective.peer, Rank(3));
  EXPECT_THROW(fields::make_collective(ends, 3), InvalidInput);
}

// Whole numbers are decimal, whatever asks for them.
TEST(Members, take_no_hexadecimal) {
  PacketOptions packet;
  EXPECT_THROW(fields::set_members(packet, fields::packet_members(), Values{{"vcs", "0x10"}}),
               InvalidInput);
  simulation::LoadCurveOptions curve;
  EXPECT_THROW(fields::set_members(curve, fields::load_curve_members(), Values{{"vcs", "0x10"}}),
               InvalidInput);
  fields::set_members(curve, fields::load_curve_members(),
                      Values{{"vcs", "16"}, {"link-cycles", "2;global=7"}});
  EXPECT_EQ(curve.router.channels, 16);
  EXPECT_EQ(curve.router.link_cycles, 2);
  ASSERT_EQ(curve.router.cycles_of_class.size(), 1U);
  EXPECT_EQ(curve.router.cycles_of_class[0].cycles, 7);
}

// A field's default is what stands in the struct where nothing is said.
template <class T>
void expect_defaults(std::span<const Member<T>> members, const auto& same) {
  const T untouched;
  for (const Member<T>& member : members) {
    if (member.field->fallback.empty()) continue;
    T said;
    member.set(said, member.field->fallback);
    EXPECT_TRUE(same(said, untouched)) << member.field->name;
  }
}

TEST(Members, have_the_defaults_of_what_they_set) {
  expect_defaults(fields::host_members(), [](const HostParameters& a, const HostParameters& b) {
    return a.startup_ps == b.startup_ps && a.startup_receive_ps == b.startup_receive_ps &&
           a.startup_per == b.startup_per && a.ports == b.ports &&
           a.copy_bandwidth_Bps == b.copy_bandwidth_Bps && a.layout == b.layout &&
           a.reduce_bandwidth_Bps == b.reduce_bandwidth_Bps;
  });
  expect_defaults(fields::packet_members(), [](const PacketOptions& a, const PacketOptions& b) {
    return a.packet_B == b.packet_B && a.flit_B == b.flit_B && a.switching == b.switching &&
           a.arbitration == b.arbitration && a.vcs == b.vcs && a.buffers.all == b.buffers.all &&
           a.router_delay_ps == b.router_delay_ps && a.adapter_delay_ps == b.adapter_delay_ps &&
           a.credit_delay_ps == b.credit_delay_ps && a.self_messages == b.self_messages &&
           a.adapter == b.adapter && a.injection == b.injection && a.vc_reuse == b.vc_reuse;
  });
  using Background = simulation::BackgroundOptions;
  expect_defaults(fields::background_members(), [](const Background& a, const Background& b) {
    return a.traffic == b.traffic && a.message_B == b.message_B && a.interval_ps == b.interval_ps;
  });
  using LoadCurve = simulation::LoadCurveOptions;
  expect_defaults(fields::load_curve_members(), [](const LoadCurve& a, const LoadCurve& b) {
    return a.traffic == b.traffic && a.packet_flits == b.packet_flits &&
           a.router.channels == b.router.channels &&
           a.router.buffer_flits == b.router.buffer_flits &&
           a.router.routing_cycles == b.router.routing_cycles &&
           a.router.link_cycles == b.router.link_cycles &&
           a.router.terminal_cycles == b.router.terminal_cycles &&
           a.router.credit_cycles == b.router.credit_cycles &&
           a.router.iterations == b.router.iterations && a.router.ejection == b.router.ejection;
  });
  using Throughput = flow::ThroughputOptions;
  expect_defaults(fields::throughput_members(), [](const Throughput& a, const Throughput& b) {
    return a.method == b.method && a.gap == b.gap && a.time_limit_s == b.time_limit_s;
  });
}

}  // namespace
}  // namespace weft::rows
