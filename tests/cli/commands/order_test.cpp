// weft order: its answers, its files and its refusals.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

json order(const std::string& line) {
  const auto ran = run_weft(words_of("order broadcast " + line + " --json"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return json::parse(ran.out);
}

TEST(OrderCommand, answers_by_the_contract) {
  for (const std::string objective : {"hops", "makespan", "time"}) {
    const json answer = order(
        "-a binomial -t 'hosts(1, random-regular:32,4,seed=1)' --attempts 300 --judge objective "
        "--objective " +
        objective);
    EXPECT_EQ(answer["attempts"], 300);
    EXPECT_LT(answer[objective], answer["start"][objective]);
    EXPECT_EQ(answer["found_by"], objective);
    EXPECT_EQ(answer["hops_bound"], 32);  // rank 0 has five peers, its switch four neighbours
    std::vector<int> hosts = answer["order"];
    std::sort(hosts.begin(), hosts.end());
    std::vector<int> all(32);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(hosts, all);
  }
}

// On one switch each message has its terminal links to itself: the fluid time is the makespan.
TEST(OrderCommand, makespan_is_the_time_where_messages_never_meet) {
  const json answer =
      order("-a binomial -t 'hosts(8, complete:2)' --ranks 8 --alpha 1us --switch-delay 100ns");
  // Eight ranks on one switch: 3 sends in a row of 1 + 2 + 0.1 + 5.24288 us (64 KiB at 12.5 GB/s).
  EXPECT_NEAR(answer["makespan"].get<double>(), 3 * 8.34288e-6, 1e-11);
  EXPECT_NEAR(answer["time"].get<double>(), 3 * 8.34288e-6, 1e-11);
  EXPECT_EQ(answer["hops"], 0);
}

TEST(OrderCommand, writes_a_placement_that_simulate_reads) {
  const ScratchFolder folder;
  const std::string file = folder.path("order.txt"), network = "-t 'hosts(2, torus:3x3)' ";
  const json answer = order("-a binomial " + network + "--size 1MiB --attempts 20000 -o " + file);
  const auto ran = run_weft(words_of("simulate broadcast -a binomial --json --size 1MiB " +
                                     network + "--placement file:" + file));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["time"], answer["time"]);
  const json again =
      order("-a binomial " + network + "--size 1MiB --attempts 1 --start file:" + file);
  EXPECT_EQ(again["start"]["hops"], answer["hops"]);
}

TEST(OrderCommand, puts_ranks_on_cores) {
  const json answer = order("-a binomial -t 'hosts(1, ring:4)' --cores 4 --copy-bandwidth 10GB/s");
  EXPECT_EQ(answer["ranks"], 16);
  EXPECT_EQ(answer["hops_bound"], 3);
}

// Reduce mirrors the broadcast: the same messages the other way, on cables as long both ways.
TEST(OrderCommand, serves_other_collectives_and_algorithms) {
  const auto answer = [](const std::string& line) {
    const auto ran = run_weft(words_of("order " + line + " --json -t 'hosts(2, torus:4x4)'"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(ran.out);
  };
  const std::string hops = " -a binomial --objective hops";
  const json reduce = answer("reduce" + hops), broadcast = answer("broadcast" + hops);
  EXPECT_EQ(reduce["order"], broadcast["order"]);
  EXPECT_EQ(reduce["hops"], broadcast["hops"]);
  // 32 ranks in a ring of 31 steps over 16 switches: each switch is entered.
  const json ring = answer("allgather -a ring --objective hops --search anneal --attempts 200000");
  EXPECT_EQ(ring["hops_bound"], 16 * 31);
  EXPECT_GE(ring["hops"], ring["hops_bound"]);
  EXPECT_EQ(ring["hops"].get<int>() % 31, 0);
  EXPECT_LT(ring["hops"], ring["start"]["hops"]);
  EXPECT_LT(ring["time"], ring["start"]["time"]);
}

// The start alone, and other algorithms beside it.
TEST(OrderCommand, shows_baselines_in_the_first_order) {
  const std::string network = "-t 'hosts(1, random-regular:32,4,seed=1)' --size 64KiB ";
  const json found =
      order(network + "-a binomial --search none --baseline scatter-allgather --baseline tree");
  EXPECT_EQ(found["time"], found["start"]["time"]);
  EXPECT_EQ(found["attempts"], 0);
  ASSERT_EQ(found["baselines"].size(), 2u);
  EXPECT_EQ(found["baselines"][1]["algorithm"], "binomial");
  EXPECT_EQ(found["baselines"][1]["time"], found["time"]);
  const auto ran = run_weft(words_of("simulate broadcast -a scatter-allgather --json " + network));
  EXPECT_EQ(found["baselines"][0]["time"], json::parse(ran.out)["time"]);
}

// The algorithm is the fastest of those that need no network, in the first order or a simple one;
// simulate agrees on the first.
TEST(OrderCommand, chooses_the_fastest_algorithm) {
  for (const std::string size : {"1KiB", "1MiB"}) {
    const std::string network = " -t 'hosts(4, torus:4x4)' --size " + size;
    const json answer = json::parse(run_weft(words_of("order allreduce --json" + network)).out);
    ASSERT_GT(answer["considered"].size(), 2U);
    EXPECT_EQ(answer["considered"][0]["algorithm"], answer["algorithm"]);
    for (const json& other : answer["considered"]) {
      const auto ran = run_weft(words_of("simulate allreduce --json -a " +
                                         other["algorithm"].get<std::string>() + network));
      EXPECT_NEAR(json::parse(ran.out)["time"].get<double>(), other["start_time"].get<double>(),
                  1e-12)
          << other["algorithm"];
      EXPECT_LE(other["time"], other["start_time"]);
      EXPECT_GE(other["time"], answer["considered"][0]["time"]);
    }
  }
}

// Two boxes of four GPUs (nodes 0-7) behind switches of their own (8, 9), GPU i of each box on rail
// i (10-13), the rails on one spine (14): fewer hops in boxes and rails, and it is found.
TEST(OrderCommand, serves_boxes_with_rails) {
  const ScratchFolder folder;
  std::string links;
  const auto cable = [&](int a, int b) {
    links += (links.empty() ? "[" : ",[") + std::to_string(a) + "," + std::to_string(b) + "],[" +
             std::to_string(b) + "," + std::to_string(a) + "]";
  };
  for (int gpu = 0; gpu < 8; ++gpu) {
    cable(gpu, 8 + gpu / 4);
    cable(gpu, 10 + gpu % 4);
  }
  for (int rail = 10; rail < 14; ++rail) cable(rail, 14);
  const std::string file = folder.file("rails.json",
                                       "{\"format\":\"weft-topology\",\"version\":1,\"nodes\":15,"
                                       "\"switches\":[8,9,10,11,12,13,14],\"links\":[" +
                                           links + "]}");
  for (const std::string collective : {"allreduce", "alltoall"}) {
    const auto ran =
        run_weft(words_of("order " + collective + " --json --start random -t file:" + file));
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_LE(answer["time"], answer["start"]["time"]);
    EXPECT_GE(answer["hops"], answer["hops_bound"]);
  }
}

// Above the most ranks for which they are timed, this is said.
TEST(OrderCommand, says_where_schedules_of_the_network_were_not_timed) {
  const std::string line = "order broadcast -t 'hosts(1, ring:257)' --attempts 1";
  EXPECT_NE(run_weft(words_of(line)).out.find("weft compare broadcast times them"),
            std::string::npos);
  EXPECT_FALSE(json::parse(run_weft(words_of(line + " --json")).out)["alternatives_timed"]);
}

TEST(OrderCommand, says_where_no_better_order_is_known) {
  const ScratchFolder folder;
  const std::string file = folder.path("order.txt");
  // Everyone to everyone on one switch: all orders are alike.
  const auto ran =
      run_weft(words_of("order alltoall -t 'hosts(6, complete:2)' --ranks 6 -o " + file));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("no better order found than linear"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(", routing "), std::string::npos) << ran.out;
  EXPECT_TRUE(read_text(file).ends_with("\n0\n1\n2\n3\n4\n5\n"));
  const json answer = json::parse(
      run_weft(words_of("order alltoall -t 'hosts(6, complete:2)' --ranks 6 --json")).out);
  EXPECT_EQ(answer["found_by"], "start");
  EXPECT_EQ(answer["time"], answer["start"]["time"]);
}

TEST(OrderCommand, help_has_what_it_can_use) {
  const std::string help = run_weft(words_of("order --help-all")).out;
  EXPECT_EQ(help.find("\n  --placement "), std::string::npos);
  EXPECT_NE(help.find("\n  --hosts "), std::string::npos);
}

// Two rings of four that nothing joins: each is a network of its own.
TEST(OrderCommand, needs_ways_between_the_named_hosts_alone) {
  const std::string network = " -t 'without(cable=3, cable=7, hosts(1, ring:8))' ";
  const json answer = order("-a binomial --hosts 4-7" + network);
  EXPECT_EQ(answer["allocation"], json({4, 5, 6, 7}));
  EXPECT_EQ(answer["ranks"], 4);
  const auto ran = run_weft(words_of("order broadcast -a binomial --hosts 3-7" + network));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("from host 3 to host 4"), std::string::npos) << ran.err;
}

/// The path of a pipe that gives the text once.
class Pipe {
 public:
  explicit Pipe(const std::string& text) {
    EXPECT_EQ(pipe(ends_), 0);
    EXPECT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close(ends_[0]); }
  std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }

 private:
  int ends_[2] = {};
};

// As --start file:<(...) and --hosts <(...) of a shell.
TEST(OrderCommand, reads_pipes) {
  const std::string network = " -t 'hosts(2, ring:4)' ";
  const Pipe start("7\n1\n4\n"), hosts("1,4,7\n");
  const json answer = order("--baseline scatter-allgather --start file:" + start.path() +
                            " --hosts " + hosts.path() + network);
  EXPECT_EQ(answer["ranks"], 3);
  EXPECT_EQ(answer["allocation"], json({1, 4, 7}));
  for (const std::string command : {"simulate allgather -a ring", "compare allgather"}) {
    const Pipe again("1,4,7\n");
    const auto ran = run_weft(words_of(command + " --json --hosts " + again.path() + network));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json::parse(ran.out)["allocation"], json({1, 4, 7}));
  }
}

TEST(OrderCommand, refuses_with_one_clear_line) {
  const ScratchFolder folder;
  const std::string twice = folder.file("twice.txt", "0\n1\n1\n"),
                    far = folder.file("far.txt", "0\n9\n");
  const std::string network = " -t 'hosts(1, ring:4)'";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"broadcast --ranks 5" + network, "5 ranks do not fit on"},
      {"broadcast --ranks 9 --cores 2" + network, "9 ranks do not fit on"},
      {"broadcast -t 'without(cable=0, cable=2, ring:4)'",
       "limit --hosts to one connected part, or use a connected network"},
      {"broadcast --search none --attempts 9" + network, "--attempts has no effect"},
      {"broadcast --search none --objective hops" + network, "--objective has no effect"},
      {"broadcast --search none --time-limit 1s" + network, "--time-limit has no effect"},
      {"broadcast --search none --restarts 2" + network, "--restarts has no effect"},
      {"broadcast --search none --root fixed" + network, "--root has no effect"},
      {"broadcast --judge objective" + network, "without one objective"},
      {"broadcast -a binomial --radix 4" + network,
       "no algorithm of this run supports option radix"},
      {"broadcast --moves swap" + network,
       "which chooses its own moves; add --search two-opt, or leave it"},
      {"broadcast --objective hops --search anneal --moves swap" + network,
       "which chooses its own moves; add --search two-opt, or leave it"},
      {"broadcast --judge me" + network, "unknown value of --judge 'me'"},
      {"broadcast --attempts 0" + network, "invalid attempts '0'"},
      {"broadcast --restarts 0" + network, "invalid restarts '0'"},
      {"broadcast --cores 0" + network, "invalid cores '0'"},
      {"broadcast --time-limit 0s" + network, "invalid --time-limit 0 (expected 1s or more"},
      {"broadcast --start file:" + twice + network, "more often"},
      {"broadcast --start file:" + far + network, "host 9 does not exist"},
      {"broadcast --start spiral" + network, "unknown start 'spiral'"},
      {"broadcast --search three-opt" + network, "unknown value of --search 'three-opt'"},
      {"broadcast --objective cost" + network, "unknown objective"},
      {"broadcast --moves or" + network, "unknown kind of move"},
      {"broadcast --placement random" + network, "--placement"},
      {"alltoall -a binomial" + network, "binomial cannot run alltoall"},
      {"allgather -a bfb" + network, "places its ranks itself"},
      {"broadcast --baseline bruk" + network, "unknown algorithm"},
      {"point-to-point -a direct" + network, "needs no order"},
      {"gossip" + network, "unknown collective"},
      {"alltoall -a spread --cores 2048" + network, "invalid cores '2048'"}};
  for (const auto& [line, words] : cases) {
    const auto ran = run_weft(words_of("order " + line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(ran.out.empty()) << line;
    EXPECT_NE(ran.err.find(words), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

// The time of a mix is that of its calls, each as simulate has it in the order that was found.
TEST(OrderCommand, orders_for_several_collectives_at_once) {
  const ScratchFolder folder;
  const std::string network = " -t 'names(hosts=n[0-7], xgft:2;4,2;1,1)'";
  const std::string file = folder.path("order.txt");
  const auto ran =
      run_weft(words_of("order allreduce --json --start random --mix "
                        "allreduce:1MiB:10,broadcast:1KiB:3,alltoall:64KiB -o " +
                        file + network));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  ASSERT_EQ(answer["mix"].size(), 3u);
  double total_s = 0;
  for (const json& part : answer["mix"]) {
    const auto simulated = run_weft(words_of("simulate " + part["collective"].get<std::string>() +
                                             " --json -a " + part["algorithm"].get<std::string>() +
                                             " --size " + std::to_string(part["size"].get<int>()) +
                                             "B --placement file:" + file + network));
    ASSERT_EQ(simulated.code, 0) << simulated.err;
    EXPECT_NEAR(json::parse(simulated.out)["time"].get<double>(), part["time"].get<double>(),
                1e-12);
    total_s += part["calls"].get<double>() * part["time"].get<double>();
  }
  EXPECT_NEAR(answer["time"].get<double>(), total_s, 1e-9 * total_s);
  EXPECT_LT(answer["time"], answer["start"]["time"]);
  EXPECT_LE(answer["time"].get<double>(), answer["launcher_time"].get<double>() * 1.001);
}

// Eight ranks of a ring on two leaves: by name they stand in turn on both, and all messages cross;
// the order found crosses twice.
TEST(OrderCommand, writes_what_launchers_read) {
  const ScratchFolder folder;
  const std::string file = folder.path("hosts");
  const std::string line = "order allgather -a ring --size 1MiB -o " + file +
                           " -t 'names(hosts=n[1,3,5,7,2,4,6,8], xgft:2;4,2;1,1)' --write ";
  const auto ran = run_weft(words_of(line + "slurm"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("faster than hosts in order of names"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("SLURM_HOSTFILE=" + file + " srun -n 8 -m arbitrary"), std::string::npos);
  const std::string hosts = read_text(file);
  std::vector<bool> odd;
  for (std::size_t i = 0; i < hosts.size(); i += 3) odd.push_back((hosts[i + 1] - '0') % 2 == 1);
  ASSERT_EQ(odd.size(), 8u);
  int crossings = 0;
  for (std::size_t i = 0; i < 8; ++i) crossings += odd[i] != odd[(i + 1) % 8] ? 1 : 0;
  EXPECT_EQ(crossings, 2);
  const auto expect_refused = [&](const std::string& words, const std::string& says) {
    const auto refused = run_weft(words_of("order allgather " + words));
    EXPECT_EQ(refused.code, 2) << words;
    EXPECT_NE(refused.err.find(says), std::string::npos) << refused.err;
  };
  expect_refused("-t ring:4 --write slurm -o " + file, "host 0 of ring:4 has no name");
  expect_refused("-t ring:4 --write slurm", "needs a file");
  expect_refused("-t ring:4 --write srun -o " + file, "unknown launcher");
  expect_refused("-t ring:4 --mix broadcast:1KiB", "allgather is not in the mix");
  expect_refused("-t ring:4 --mix allgather:1KiB:0", "is not a number of calls (in");
  expect_refused("-t ring:4 --mix allgather", "(expected COLLECTIVE:SIZE[:CALLS], such as");
  expect_refused("-t ring:4 --mix allgather:1KiB -a ring", "has its own; leave one of them out");
}

// What it advises takes the time that it says: with the option that made it so.
TEST(OrderCommand, advises_the_command_with_its_options) {
  const auto ran = run_weft(words_of("order allreduce torus:4x4 --variant latency"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("weft schedule allreduce -a swing --variant latency)"), std::string::npos)
      << ran.out;
}

}  // namespace
