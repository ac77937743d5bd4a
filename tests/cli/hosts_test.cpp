// --hosts: ranks stay on the hosts that the user has.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

json answer(const std::string& line) {
  const auto ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ran.err;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

// On hosts(4, mesh:4) hosts 0-3 share switch 0 and 12-15 switch 3. From one host of a switch to
// another: 2 links of 1 us, 12,500 B at 12.5 GB/s 1 us; from switch 0 to 3: 5 links.
TEST(Hosts, are_where_ranks_run) {
  const std::string line =
      "simulate point-to-point -a direct --from 0 --to 1 --size 12500B "
      "-t 'hosts(4, mesh:4)' ";
  EXPECT_NEAR(answer(line + "--hosts 1-2")["time"].get<double>(), 3e-6, 1e-12);
  const json far = answer(line + "--hosts 3,12");
  EXPECT_NEAR(far["time"].get<double>(), 6e-6, 1e-12);
  EXPECT_EQ(far["ranks"], 2);
  EXPECT_EQ(far["allocation"], (json{3, 12}));
  EXPECT_FALSE(answer(line)["placement"].is_null());
  EXPECT_FALSE(answer(line).contains("allocation"));
}

// Roots and ends may be called by their hosts, of which the ranks are those that run there.
TEST(Hosts, say_by_name_which_rank_is_meant) {
  const std::string network = " -t names(hosts=n[01-08],'hosts(2, ring:4)') ";
  EXPECT_EQ(answer("schedule broadcast -a binomial --root n03" + network)["root"], 2);
  EXPECT_EQ(answer("schedule reduce -a binomial --root n03 --hosts n[02-04]" + network)["root"], 1);
  const json found = answer("simulate point-to-point -a direct --from n08 --to n02" + network);
  EXPECT_EQ(found["from"], 7);
  EXPECT_EQ(found["to"], 1);
  const auto refused = [](const std::string& line) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    return ran.err;
  };
  const std::string line = "schedule broadcast -a binomial --root ";
  EXPECT_NE(refused(line + "n30" + network).find("unknown node 'n30'"), std::string::npos);
  EXPECT_NE(refused(line + "n05 --hosts n[01-03]" + network)
                .find("--root n05 is a host without a rank; name a host with a rank"),
            std::string::npos);
  EXPECT_NE(
      refused(line + "n05 -t ring:4")
          .find("invalid --root n05: the hosts of ring:4 have no names; give a number from 0 to 3"),
      std::string::npos);
}

// Every command that places ranks keeps to them.
TEST(Hosts, bound_every_command) {
  const ScratchFolder folder;
  const std::string hosts = folder.file("hosts.txt", "# job 7\n0-2\n5 7\n"),
                    network = " -t 'hosts(2, ring:4)' --hosts " + hosts,
                    schedule = folder.path("ring.weft");
  EXPECT_EQ(answer("compare allgather --sizes 1KiB" + network)["ranks"], 5);
  EXPECT_EQ(answer("schedule allgather -a ring" + network + " -o " + schedule)["ranks"], 5);
  EXPECT_EQ(answer("simulate " + schedule + network)["ranks"], 5);
  EXPECT_EQ(answer("simulate allgather -a ring" + network + " --ranks 3")["ranks"], 3);
  const json drawn = answer("order allgather -a ring --search none --start random" + network);
  std::vector<int> order = drawn["order"];
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 5, 7}));
  EXPECT_EQ(drawn["allocation"], (json{0, 1, 2, 5, 7}));
}

// 40 hosts of 128 in a start file: they are what the ranks may use.
TEST(Hosts, of_a_start_file_are_the_only_ones) {
  const ScratchFolder folder;
  std::string lines;
  std::set<int> given;
  for (int i = 0; i < 40; ++i) {
    const int host = (i * 37 + 11) % 128;
    given.insert(host);
    lines += std::to_string(host) + "\n";
  }
  const std::string start = " --start file:" + folder.file("alloc.txt", lines);
  for (const std::string more : {" --ranks 40", ""}) {
    const json found = answer("order broadcast -t xgft:2;16,8;1,8 --size 1MiB" + start + more);
    const std::vector<int> order = found["order"];
    EXPECT_EQ(std::set<int>(order.begin(), order.end()), given);
    EXPECT_EQ(order.size(), 40U);
    EXPECT_LE(found["time"], found["start"]["time"]);
  }
  const json fewer = answer("order broadcast -t xgft:2;16,8;1,8 --ranks 30" + start);
  for (const int host : fewer["order"]) EXPECT_TRUE(given.contains(host));
}

// Also where commas part what is no range.
TEST(Hosts, have_the_names_of_a_list) {
  const auto ran = run_weft(words_of(
      "simulate allgather -a ring -t ring:4 --names login,n[1-2,4] --hosts login,n4 --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\"ranks\": 2"), std::string::npos) << ran.out;
  const auto missing = run_weft(words_of("simulate allgather -a ring -t ring:4 --names ./nowhere"));
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("cannot read './nowhere'"), std::string::npos) << missing.err;
}

TEST(Hosts, are_refused_in_one_line) {
  const ScratchFolder folder;
  const std::string bad = folder.file("bad.txt", "0\n1\n8\n"),
                    twice = folder.file("2.txt", "0-3\n3\n"),
                    start = folder.file("start.txt", "0\n5\n");
  const std::string network = " -t 'hosts(2, ring:4)'";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"simulate allgather -a ring --hosts " + bad + network, "bad.txt:3: host 8 does not exist"},
      {"compare allgather --hosts " + twice + network, "2.txt:2: host 3 is repeated"},
      {"simulate allgather -a ring --hosts 1-3 --ranks 4" + network,
       "4 ranks do not fit the 3 hosts of"},
      {"simulate allgather -a ring --hosts 3-1" + network, "is descending; write"},
      {"order broadcast --hosts 0-3 --start file:" + start + network, "host 5"},
      {"order broadcast --hosts 0-3 --ranks 5" + network, "5 ranks do not fit on 4 hosts of"}};
  for (const auto& [line, words] : cases) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(words), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

// torchrun orders GPUs by their numbers; names do not tell whether slots are GPUs or cores.
TEST(Hosts, with_slots_are_told_which_launcher_binds_cores) {
  const ScratchFolder folder;
  const auto order = [&](const std::string& names) {
    const auto ran =
        run_weft(words_of("order allgather -a ring -t ring:4 --search none --write torchrun -o " +
                          folder.path("hosts") + " --names " + names));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("run it with: "), std::string::npos) << ran.out;
    return ran.out;
  };
  const std::string advice = "where they are cores, use --write openmpi-rankfile\n";
  EXPECT_NE(order("a:[1,0],b:[0-1]").find(advice), std::string::npos);
  EXPECT_EQ(order("a:[0-1],b:[0-1]").find(advice), std::string::npos);
}

// Before a search; names of hosts that get no rank may be any.
TEST(Hosts, have_names_that_a_shell_may_see) {
  const ScratchFolder folder;
  const std::string line = "order allgather -a ring -t ring:4 --search none --write torchrun -o " +
                           folder.path("hosts") + " --names " +
                           folder.file("names", "a\nb;reboot\nc\nd\n");
  const auto ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("host 1 of "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(" is named 'b;reboot', but ';' is not allowed in a host name"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"names"}));
  EXPECT_EQ(run_weft(words_of(line + " --hosts 0,2-3")).code, 0);
}

}  // namespace
