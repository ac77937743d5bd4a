// Several collectives at once: times from the bytes on the links that they share.
#include "weft/advise/together/together.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"

namespace weft::advise {
namespace {

// No start-ups and no latency: a flow takes its bytes by its rate.
Network ideal(std::string_view expression, std::int64_t bandwidth_Bps) {
  LinkOptions links;
  links.all = LinkSpeed{bandwidth_Bps, 0};
  const Fabric fabric(build_topology(expression), links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

Together run(const std::string& file, const Network& network) {
  const auto calls = read_together(file, "calls.toml", network);
  return run_together(calls, prepare(calls, network, {}), {});
}

void expect_times(const CallTimes& times, double start_s, double end_s, double alone_s) {
  EXPECT_NEAR(times.start_s, start_s, 1e-12);
  EXPECT_NEAR(times.end_s, end_s, 1e-12);
  EXPECT_NEAR(times.alone_s, alone_s, 1e-12);
}

constexpr std::string_view kTwoMessages = R"(
[[call]]
name = "first"
ranks = [0, 2]
collective = "point-to-point"
size = "1MB"
[[call]]
name = "second"
ranks = [1, 2]
collective = "point-to-point"
size = "1MB"
)";

// Leaves of a star share the cable to rank 2: 1 MB at 1 GB/s takes 1 ms, two at once 2 ms.
TEST(Together, two_equal_flows_over_one_cable_take_twice_as_long) {
  const Together both = run(std::string(kTwoMessages), ideal("xgft:1;3;1", 1'000'000'000));
  for (const CallTimes& times : both.calls) {
    expect_times(times, 0, 2e-3, 1e-3);
    EXPECT_NEAR(times.slowdown(), 2, 1e-9);
  }
  EXPECT_NEAR(both.makespan_s, 2e-3, 1e-12);
  EXPECT_EQ(both.messages, 2);
}

// 0.25 ms alone, then half each until the first has its other 0.75 MB at 1.75 ms; the second then
// has 0.25 MB left: 2 ms after the beginning.
TEST(Together, a_later_call_shares_only_while_both_send) {
  const Together both =
      run(std::string(kTwoMessages) + "start = \"0.25ms\"", ideal("xgft:1;3;1", 1'000'000'000));
  expect_times(both.calls[0], 0, 1.75e-3, 1e-3);
  expect_times(both.calls[1], 0.25e-3, 2e-3, 1e-3);
}

TEST(Together, a_call_after_another_is_not_slowed) {
  const Network star = ideal("xgft:1;3;1", 1'000'000'000);
  const Together after = run(std::string(kTwoMessages) + "after = \"first\"", star);
  expect_times(after.calls[0], 0, 1e-3, 1e-3);
  expect_times(after.calls[1], 1e-3, 2e-3, 1e-3);
  EXPECT_NEAR(after.makespan_s, 2e-3, 1e-12);
  const Together pause =
      run(std::string(kTwoMessages) + "after = [\"first\"]\nstart = \"1ms\"", star);
  expect_times(pause.calls[1], 2e-3, 3e-3, 1e-3);
}

// A ring of 4 of 4 MB takes 2 * 3 steps of 1 MB: 6 ms at 1 GB/s. The hosts of one switch share
// no cable with those of another.
TEST(Together, calls_on_disjoint_links_take_what_each_takes_alone) {
  const Together rows = run(R"(
[[call]]
ranks = "0-3"
copies = 4
stride = 4
collective = "allreduce"
algorithm = "ring"
size = "4MB"
)",
                            ideal("hosts(4, complete:4)", 1'000'000'000));
  ASSERT_EQ(rows.calls.size(), 4);
  for (const CallTimes& times : rows.calls) expect_times(times, 0, 6e-3, 6e-3);
}

// Each of 8 GPUs of one box sends to that of the other: two share a card of 12.5 GB/s, which 500 MB
// take 40 ms to cross; 80 ms where both do. Of four pairs each has a card for itself.
TEST(Together, eight_pairs_over_shared_cards_take_twice_as_long_as_four) {
  LinkOptions links;
  links.latency_ps = 0;
  const Fabric fabric(build_topology("boxes(2, network:dgx-1)"), links);
  const Network boxes{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
  const std::string pairs =
      "[[call]]\nranks = [0, 8]\ncollective = \"point-to-point\"\nsize = \"500MB\"\n";
  for (const CallTimes& times : run(pairs + "copies = 8\nstride = 1", boxes).calls)
    expect_times(times, 0, 80e-3, 40e-3);
  for (const CallTimes& times : run(pairs + "copies = 4\nstride = 2", boxes).calls)
    expect_times(times, 0, 40e-3, 40e-3);
}

// d starts after b and c, and c after a: 1 ms for each of a, c and d, b beside a on other cables.
TEST(Together, a_call_may_start_after_several) {
  const Together all = run(R"(
[[call]]
name = "d"
ranks = [2, 3]
collective = "point-to-point"
size = "1MB"
after = ["b", "c"]
[[call]]
name = "c"
ranks = [0, 1]
collective = "point-to-point"
size = "1MB"
after = "a"
[[call]]
name = "a"
ranks = [0, 1]
collective = "point-to-point"
size = "1MB"
[[call]]
name = "b"
ranks = [2, 3]
collective = "point-to-point"
size = "0.5MB"
)",
                           ideal("xgft:1;4;1", 1'000'000'000));
  expect_times(all.calls[0], 2e-3, 3e-3, 1e-3);
  expect_times(all.calls[1], 1e-3, 2e-3, 1e-3);
  expect_times(all.calls[2], 0, 1e-3, 1e-3);
  expect_times(all.calls[3], 0, 0.5e-3, 0.5e-3);
}

// What each call takes before its messages delays them, as it does alone.
TEST(Together, a_launch_comes_before_the_messages) {
  const Network star = ideal("xgft:1;3;1", 1'000'000'000);
  const Network slow{star.fabric(),
                     star.placement(),
                     {.launch_ps = 1'000'000'000},
                     make_routing("shortest", star.fabric())};
  const Together both = run(std::string(kTwoMessages), slow);
  for (const CallTimes& times : both.calls) expect_times(times, 0, 3e-3, 2e-3);
}

// No algorithm that is named is faster.
TEST(Together, takes_the_fastest_algorithm_where_none_is_named) {
  const Network star = ideal("xgft:1;8;1", 1'000'000'000);
  const std::string call =
      "[[call]]\nranks = \"0-7\"\ncollective = \"broadcast\"\nsize = \"8MB\"\n";
  const double fastest_s = run(call, star).makespan_s;
  for (const std::string name : {"binomial", "scatter-allgather", "chain"})
    EXPECT_LE(fastest_s, run(call + "algorithm = \"" + name + "\"", star).makespan_s * (1 + 1e-9))
        << name;
}

// Calls that start after others do as if they had been given the times at which they start.
TEST(Together, starts_after_others_are_those_of_a_single_run) {
  const Network torus = ideal("torus:4x4", 1'000'000'000);
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    std::string file;
    for (int i = 0; i < 8; ++i) {
      const auto first = random() % 12;
      file += fmt::format(
          "[[call]]\nranks = \"{}-{}\"\ncollective = \"allgather\"\nalgorithm = \"ring\"\n"
          "size = \"{}KB\"\nstart = \"{}us\"\n",
          first, first + 1 + random() % 4, 1 + random() % 999, random() % 500);
      if (i > 0 && random() % 2 == 0) file += fmt::format("after = \"call{}\"\n", 1 + random() % i);
    }
    auto calls = read_together(file, "f", torus);
    const auto prepared = prepare(calls, torus, {});
    const Together found = run_together(calls, prepared, {});
    for (std::size_t i = 0; i < calls.size(); ++i) {
      for (const std::size_t other : calls[i].after)
        EXPECT_GE(found.calls[i].start_s, found.calls[other].end_s * (1 - 1e-9)) << seed;
      calls[i].after.clear();
      calls[i].start_s = found.calls[i].start_s;
    }
    const Together single = run_together(calls, prepared, {});
    for (std::size_t i = 0; i < calls.size(); ++i) {
      EXPECT_NEAR(found.calls[i].end_s, single.calls[i].end_s, 1e-9 * single.makespan_s) << seed;
      EXPECT_GE(found.calls[i].slowdown(), 1 - 1e-9) << seed << ": " << i;
    }
    EXPECT_EQ(found.messages, single.messages) << seed;
    for (std::size_t l = 0; l < single.all.link_bytes.size(); ++l)
      EXPECT_NEAR(found.all.link_bytes[l], single.all.link_bytes[l], 1e-3) << seed;
  }
}

std::vector<std::int32_t> ranks_of(const std::string& ranks, const Network& network) {
  return read_together(
             "[[call]]\nranks = " + ranks + "\ncollective = \"allreduce\"\nsize = \"1KiB\"", "f",
             network)
      .front()
      .ranks;
}

TEST(TogetherFile, takes_ranks_as_numbers_ranges_strides_and_hosts) {
  using Ranks = std::vector<std::int32_t>;
  const Network one_each = test::on("names(hosts=node[01-16], ring:16)");
  Placement two_each;
  for (const NodeId host : one_each.placement().nodes)
    two_each.nodes.insert(two_each.nodes.end(), 2, host);
  const Network named = one_each.with_placement(two_each);
  EXPECT_EQ(ranks_of("[3, 1]", named), (Ranks{3, 1}));
  EXPECT_EQ(ranks_of("\"0-2,5\"", named), (Ranks{0, 1, 2, 5}));
  EXPECT_EQ(ranks_of("\"0-30:8\"", named), (Ranks{0, 8, 16, 24}));
  EXPECT_EQ(ranks_of("\"3,5-6:9223372036854775807\"", named), (Ranks{3, 5}));
  EXPECT_EQ(ranks_of("[\"node[02-03],node07\"]", named), (Ranks{2, 3, 4, 5, 12, 13}));
}

// The second line of a call that is wrong in one entry.
void expect_refused(const std::string& entries, const std::string& message) {
  const Network ring = test::on("ring:8");
  try {
    read_together(entries, "f", ring);
    ADD_FAILURE() << entries << " is taken";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, message.size()), message) << error.what();
  }
}

TEST(TogetherFile, says_where_and_what_is_wrong) {
  const std::string rest = "\ncollective = \"allreduce\"\nsize = \"1KiB\"\n";
  const std::string good = "[[call]]\nname = \"a\"\nranks = \"0-3\"" + rest;
  expect_refused("", "f:1: the file has no call; add a table [[call]]");
  expect_refused("[[call]]\nranks = \"0-8\"" + rest,
                 "f:2: rank 8 does not exist; ranks are 0 to 7");
  expect_refused("[[call]]\nranks = [0, 1, 0]" + rest,
                 "f:2: rank 0 is repeated in the group; name each rank once");
  expect_refused("[[call]]\nranks = \"3-1\"" + rest, "f:2: the range 3-1 is descending; write 1-3");
  expect_refused("[[call]]\nranks = \"0-\"" + rest, "f:2: invalid rank '0-'; write 3, 0-7");
  expect_refused("[[call]]\nranks = \"0-4:0\"" + rest,
                 "f:2: invalid rank '0-4:0'; write 3, 0-7, or 0-56:8");
  expect_refused(
      "[[call]]\nranks = \"node1\"" + rest,
      "f:2: invalid rank 'node1': the hosts of ring:8 have no names; give numbers from 0 to 7");
  expect_refused("[[call]]\nranks = [4]" + rest, "f:2: a collective of one rank exchanges no data");
  expect_refused("[[call]]" + rest, "f:1: [[call]] has no ranks; add ranks = \"0-7\"");
  expect_refused(good + "sise = 3", "f:6: unknown key 'sise' in [[call]]; did you mean size");
  expect_refused("[[call]]\nranks = \"0-3\"\ncollective = \"allreduce\"\nsize = \"1MiX\"",
                 "f:4: size '1MiX' has the unknown unit 'MiX'");
  expect_refused("[[call]]\nranks = \"0-3\"\ncollective = \"allreduce\"",
                 "f:1: [[call]] has no size; add size = \"...\"");
  expect_refused(good + "start = 5", "f:6: start 5 has no unit; write \"5us\"");
  expect_refused(good + "root = 1", "f:6: allreduce has no root; remove root");
  expect_refused(good + "radix = 4", "f:6: radix is an option of an algorithm");
  expect_refused(good + "algorithm = \"rign\"", "f:6: ");
  expect_refused(good + "copies = 2", "f:6: copies (the number of groups) and stride");
  expect_refused(good + "copies = 2\nstride = 5", "f:6: rank 8 of the last copy does not exist");
  expect_refused(good + good, "f:7: the call in line 1 has the name 'a', too");
  expect_refused(good + "start = \"9000000s\"", "f:6: start 9000000s is too late (at most 1000s)");
  expect_refused("[[call]]\nname = \"b\"\nranks = \"4-7\"" + rest + good + "after = [\"b\", \"b\"]",
                 "f:11: 'b' is in after twice; name it once");
  expect_refused(good + "after = \"b\"", "f:6: unknown call 'b'; ");
  expect_refused(good + "after = \"a\"",
                 "f:1: calls start after each other in a circle (a after a), so none can start");
  expect_refused(
      "[[call]]\nname = \"b\"\nafter = \"a\"\nranks = \"4-7\"" + rest + good + "after = \"b\"",
      "f:1: calls start after each other in a circle (b after a after b)");
  expect_refused("[[call]]\nranks = \"0-2\"\ncollective = \"alltoallv\"\nsize = \"1B\"",
                 "f:3: calls of a file have blocks of one size, so that alltoallv is none of them "
                 "(expected alltoall)");
  expect_refused("[[call]]\nranks = \"0-2\"\ncollective = \"point-to-point\"\nsize = \"1B\"",
                 "f:2: a point-to-point message has two ranks, but this group has 3");
  expect_refused("[[call]]\nranks = \"0-2\"\ncollective = \"broadcast\"\nroot = 5\nsize = \"1B\"",
                 "f:4: root 5 is not a rank of the group");
}

}  // namespace
}  // namespace weft::advise
