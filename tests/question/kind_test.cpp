// Kinds and their fields: what holds for every entry.
#include "weft/question/kind.hpp"

#include <gtest/gtest.h>

#include <set>

#include "weft/base/error.hpp"
#include "weft/question/members.hpp"

namespace weft::question {
namespace {

TEST(Kinds, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const Kind& kind : kinds()) {
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

// A field of one name is one field, whichever kind has it; else its axis would mean two things.
TEST(Kinds, share_the_fields_of_one_name) {
  for (const Kind& kind : kinds())
    for (const Field* field : kind.fields) {
      const Field* first = find_field(field->name);
      EXPECT_EQ(field->fallback, first->fallback) << field->name;
      EXPECT_EQ(field->canonical, first->canonical) << field->name;
    }
}

// What is canonical stays so: rows that are read back have the keys that they had.
TEST(Fields, keep_what_is_canonical) {
  for (const Kind& kind : kinds())
    for (const Field* field : kind.fields) {
      if (field->fallback.empty()) continue;
      const Value once = canonical_value(field->name, field->fallback);
      EXPECT_EQ(canonical_value(field->name, to_text(once)), once) << field->name;
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
  set_members(of_option, host_members(),
              Texts{{"alpha", "1500ns"}, {"ports", "2"}, {"copy-bandwidth", "10GBps"}});
  set_members(of_row, host_members(),
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
  set_members(packet, packet_members(),
              Texts{{"switching", "auto"}, {"credit-delay", "link"}, {"vcs", "3"}});
  EXPECT_EQ(packet.switching, simulation::Switching::wormhole);
  EXPECT_FALSE(packet.credit_delay_ps.has_value());
  EXPECT_EQ(packet.vcs, 3);
}

}  // namespace
}  // namespace weft::question
