// The table of what hosts pay: what holds for every entry.
#include "weft/fields/host_fields.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace weft::fields {
namespace {

TEST(HostFields, have_keys_and_members_of_their_own) {
  std::set<std::string_view> names, keys, machine_keys;
  for (const HostField& each : host_fields()) {
    EXPECT_TRUE(names.insert(each.member.field->name).second) << each.member.field->name;
    EXPECT_FALSE(each.member.field->help.empty()) << each.member.field->name;
    if (!each.machine_key.empty()) {
      EXPECT_TRUE(machine_keys.insert(each.machine_key).second) << each.machine_key;
    }
    if (each.cost) {
      EXPECT_TRUE(keys.insert(each.cost->key).second) << each.cost->key;
    }
  }
}

// A cost that is set to one picosecond, or to one gigabyte per second from or below 64 KiB, is
// shown as that, and changes no other cost.
TEST(HostFields, show_the_member_that_they_set) {
  for (const HostField& set : host_fields()) {
    if (!set.cost) continue;
    const std::string size = set.cost->sizes ? "64KiB," : "";
    HostParameters host;
    set.member.set(host, size + (set.cost->is_time ? "1ps" : "1GBps"));
    for (const HostField& shown : host_fields()) {
      if (!shown.cost) continue;
      const bool same = &shown == &set;
      EXPECT_EQ(shown.cost->value(host), !same               ? 0
                                         : set.cost->is_time ? 1
                                                             : 1'000'000'000)
          << set.member.field->name << ' ' << shown.member.field->name;
      if (same && set.cost->sizes) {
        EXPECT_EQ(set.cost->sizes->bound_B(host), 65536) << size;
      }
    }
  }
}

// Models of packets refuse a cost unless it is nothing, which is what the default shows.
TEST(HostFields, of_which_packets_cover_only_the_default) {
  for (const HostField& each : host_fields())
    if (!each.packets_own.empty()) {
      EXPECT_EQ(to_text(each.show(HostParameters())), each.packets_own) << each.member.field->name;
    }
}

}  // namespace
}  // namespace weft::fields
