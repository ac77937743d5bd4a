// Files of fitted profiles: they have all that the base profile has.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/calibrate/profile/profile_values.hpp"
#include "weft/fields/machine/host_table.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::calibrate {
namespace {

// A value for each key of [host] that differs from its default.
const std::map<std::string, std::string> kCosts = {{"startup", "400ns"},
                                                   {"startup_receive", "100ns"},
                                                   {"ports", "2"},
                                                   {"copy_bandwidth", "9GBps"},
                                                   {"copy_large", "24MiB,4GBps"},
                                                   {"reduce_bandwidth", "6GBps"},
                                                   {"reduce_large", "32MiB,5GBps"},
                                                   {"first_touch", "32MiB,3GBps"},
                                                   {"exchange", "4MiB,25GBps"},
                                                   {"latency", "900ns"},
                                                   {"rendezvous", "16KiB,3us"},
                                                   {"eager_copy", "16KiB,4GBps"},
                                                   {"launch", "6us"},
                                                   {"skew", "300ns"},
                                                   {"loopback", "8GBps,300ns"},
                                                   {"release", "injected"}};

std::string machine_with(const std::map<std::string, std::string>& costs) {
  std::string text = "[host]\n";
  for (const auto& [key, value] : costs) text += key + " = \"" + value + "\"\n";
  return text +
         "[links.all]\nline_rate = \"100Gbps\"\npayload = 0.9\nlatency = \"30ns\"\n"
         "switch_latency = \"130ns\"\n";
}

Values values_after_fit(const std::string& base) {
  const ProfileState state = profile_state(fields::parse_machine_model(base, "base.toml"));
  return fields::parse_machine_model(profile_file(state, "fitted", {}, {}), "fitted.toml").values;
}

// Whoever adds a cost of hosts has to add it to kCosts, or to the readings that no machine has.
TEST(ProfileFile, has_a_case_for_each_cost_of_hosts) {
  const std::set<std::string_view> of_no_machine = {"alpha-per", "layout", "source-routed"};
  std::set<std::string_view> expected, cases;
  for (const auto& member : fields::host_members())
    if (!of_no_machine.contains(member.field->name)) expected.insert(member.field->name);
  expected.insert({"loopback", "release"});
  for (const auto& entry : fields::host_entries())
    if (kCosts.contains(entry.key)) cases.insert(entry.field->name);
  EXPECT_EQ(cases, expected);
}

TEST(ProfileFile, keeps_each_cost_of_its_base) {
  const std::string base = machine_with(kCosts);
  const Values before = fields::parse_machine_model(base, "base.toml").values;
  const Values after = values_after_fit(base);
  for (const auto& entry : fields::host_entries()) {
    const std::string name(entry.field->name);
    ASSERT_TRUE(after.contains(name)) << name;
    EXPECT_EQ(fields::to_text(after.at(name)), fields::to_text(before.at(name))) << name;
  }
}

// As people write them: rates of hosts in GBps, whatever the unit of links.
TEST(ProfileFile, has_the_units_of_machine_files) {
  const ProfileState state =
      profile_state(fields::parse_machine_model(machine_with(kCosts), "base.toml"));
  const std::string text = profile_file(state, "fitted", {}, {});
  for (const auto& [key, value] : kCosts)
    EXPECT_NE(text.find("\n" + key + " = \"" + value + "\"\n"), std::string::npos)
        << key << ": " << text;
}

// A note names options that replace a value of the file, so a cost that is 0 is not in the file.
TEST(ProfileFile, has_no_cost_that_its_base_lacks) {
  const Values after = values_after_fit(machine_with({}));
  for (const auto& entry : fields::host_entries()) {
    const std::string name(entry.field->name);
    EXPECT_EQ(after.contains(name), name == "release") << name;
  }
}

}  // namespace
}  // namespace weft::calibrate
