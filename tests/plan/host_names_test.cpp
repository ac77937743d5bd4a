// Host names of two programs: whole names before short ones, and no short name of several hosts.
#include "weft/plan_reader/host_names.hpp"

#include <gtest/gtest.h>

namespace weft::plan {
namespace {

using Names = std::vector<std::string_view>;

TEST(HostNames, take_the_whole_name_before_a_short_one) {
  EXPECT_EQ(matching_hosts(Names{"worker.3", "worker.1"}, Names{"worker.1", "worker.3"}),
            (Names{"worker.3", "worker.1"}));
}

// "worker" is short for two hosts of the plan, or of the job.
TEST(HostNames, take_no_short_name_of_several_hosts) {
  EXPECT_EQ(matching_hosts(Names{"worker.4"}, Names{"worker.1", "worker.3"}), (Names{""}));
  EXPECT_EQ(matching_hosts(Names{"worker.3", "worker.4"}, Names{"worker.1"}), (Names{"", ""}));
  EXPECT_EQ(matching_hosts(Names{"worker.3", "worker.4"}, Names{"worker.1", "worker.3"}),
            (Names{"worker.3", ""}));
}

TEST(HostNames, take_a_single_short_name_with_or_without_its_domain) {
  EXPECT_EQ(matching_hosts(Names{"n1.cluster", "n0.cluster"}, Names{"n0", "n1"}),
            (Names{"n1", "n0"}));
  EXPECT_EQ(matching_hosts(Names{"n1"}, Names{"n0.cluster", "n1.cluster"}), (Names{"n1.cluster"}));
  EXPECT_EQ(matching_hosts(Names{"n2"}, Names{"n0", "n1"}), (Names{""}));
}

// Several ranks on a host.
TEST(HostNames, may_repeat) {
  EXPECT_EQ(matching_hosts(Names{"a.x", "a.x", "b.x"}, Names{"a", "b", "a"}),
            (Names{"a", "a", "b"}));
}

TEST(HostNames, match_no_empty_name) {
  EXPECT_EQ(matching_hosts(Names{"", "a"}, Names{"", "b"}), (Names{"", ""}));
}

}  // namespace
}  // namespace weft::plan
