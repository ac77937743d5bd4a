// An option that would change nothing is refused in one line: what, why, what would be right.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/job_options.hpp"
#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

using Lines = std::vector<std::pair<std::string, std::string>>;  // what is typed, what is said

void expect_refused(const std::string& head, const Lines& cases) {
  for (const auto& [options, says] : cases) {
    const std::string line = head + " " + options;
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line << ran.out;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << line << ": " << ran.err;
  }
}

void expect_fine(const std::string& line) {
  const auto ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
}

const std::string kSimulate = "simulate allreduce -t ring:4 -a ring --size 4KiB --model ";

// What hosts pay decides times only. Every option of the table, so that a new one is not ignored.
TEST(NoEffect, options_of_hosts_are_unknown_to_commands_that_compute_no_times) {
  ASSERT_GE(weft::cli::host_options().size(), 15U);
  for (const std::string& name : weft::cli::host_options()) {
    for (const char* head : {"cost x.weft", "list topologies", "optimum allreduce -t ring:4",
                             "synthesize allgather -t ring:4"})
      expect_refused(head, {{name + " 1", "unknown option '" + name + "'"}});
    if (name != "--layout")  // of the picture
      expect_refused("draw -t ring:4 -o -", {{name + " 1", "unknown option '" + name + "'"}});
    if (name != "--ports")  // of which a schedule makes use
      expect_refused("schedule allreduce -t ring:4 -a ring",
                     {{name + " 1", "unknown option '" + name + "'"}});
    if (name != "--alpha")  // of the rank that waits
      expect_refused("testbed list", {{name + " 1", "unknown option '" + name + "'"}});
    expect_refused("plan show x.plan",
                   {{name + " 1", name + " has no effect on an existing plan"}});
  }
}

// Every option of the table, so that a new one is refused where nothing is placed, too.
TEST(NoEffect, options_that_place_ranks_are_refused_where_there_are_none) {
  const ScratchFolder folder;
  const std::string program = folder.path("p.weft");
  const std::string goal =
      folder.file("p.goal",
                  "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\nl1: recv 8b from 0 "
                  "tag 0\n}\n");
  expect_fine("import " + goal + " -o " + program);
  ASSERT_GE(weft::cli::placing_options().size(), 3U);
  for (const std::string& name : weft::cli::placing_options()) {
    expect_refused("draw -t ring:4 -o -", {{name + " 2", name + " has no effect on the picture"}});
    expect_refused("export " + program + " --to goal -o " + folder.path("x.goal"),
                   {{name + " 2", name + " has no effect on a program"}});
    expect_refused("plan show x.plan",
                   {{name + " 2", name + " has no effect on an existing plan"}});
    expect_refused("testbed list", {{name + " 2", name + " applies to weft testbed run"}});
  }
  for (const std::string& name : weft::cli::job_options()) {
    expect_refused("plan check x.plan", {{name + " 2", name + " has no effect on an existing"}});
    expect_refused("simulate " + program + " -t ring:4", {{name + " 2", name + " has no effect"}});
  }
}

// weft order and weft synthesize take only those of the table that they have a use for.
TEST(NoEffect, commands_that_place_ranks_themselves_have_few_options_for_it) {
  for (const std::string& name : weft::cli::placing_options()) {
    const bool orders = name == "--ranks" || name == "--hosts";
    EXPECT_EQ(run_weft(words_of("order --help-all")).out.find(name + " ") != std::string::npos,
              orders)
        << name;
    EXPECT_EQ(run_weft(words_of("synthesize --help-all")).out.find("  " + name + " ") !=
                  std::string::npos,
              name == "--placement")
        << name;
  }
}

TEST(NoEffect, packets_belong_to_models_with_packets) {
  const Lines of_packets{
      {"--packet-size 512", "--packet-size has no effect under --model"},
      {"--flit-size 32", "--flit-size has"},
      {"--switching cut-through", "--switching has"},
      {"--router input-queued", "--router has"},
      {"--arbitration age", "--arbitration has"},
      {"--vcs 4", "choose --model packet or flit, or leave it out"},
      {"--buffer 4KiB --vcs 2", "--vcs, --buffer have no effect"},
      {"--router-delay 1us", "--router-delay has"},
      {"--adapter-delay 1us", "--adapter-delay has"},
      {"--credit-delay 1us", "--credit-delay has"},
      {"--self-messages local", "(it has no packets)"},
      {"--adapter serial", "--adapter has"},
      {"--injection in-order", "--injection has"},
      {"--vc-reuse empty", "--vc-reuse has"},
      {"--background uniform", "model does not support background traffic; choose packet"},
      {"--beside ring", "supports one job"},
      {"--sample-interval 1us", "needs packets"}};
  for (const char* model : {"fluid", "alpha-beta"}) expect_refused(kSimulate + model, of_packets);
  expect_refused(kSimulate + "packet",
                 {{"--flit-size 32", "choose --model flit"},
                  {"--switching wormhole", "choose --model flit"},
                  {"--vc-reuse empty", "choose --model flit"},
                  {"--factors smpi-3.12", "--factors has no effect under"},
                  {"--receives in-step", "choose --model fluid"},
                  {"--router codes --arbitration age", "under --router codes"},
                  {"--router codes --switching cut-through --arbitration age",
                   "--switching, --arbitration have no effect"}});
  expect_refused("compare allreduce -t ring:4 -a ring --sizes 4KiB --model fluid",
                 {{"--adapter serial", "--adapter has no effect under --model"}});
  expect_fine(kSimulate + "flit --flit-size 32 --packet-size 128 --vcs 4 --router-delay 1us");
}

TEST(NoEffect, readings_belong_to_models_that_have_them) {
  const std::string compare = "compare allreduce -t ring:4 -a ring --sizes 4KiB --model ";
  for (const std::string& head : {kSimulate, compare}) {
    for (const char* model : {"packet", "flit"})
      expect_refused(head + model, {{"--sharing rtt", "--sharing has no effect under --model"}});
    expect_refused(head + "alpha-beta",
                   {{"--sharing max-min", "--sharing has no effect under --model alpha-beta"},
                    {"--release injected --sharing rtt", "--release, --sharing have no effect"},
                    {"--sync dataflow", "in lockstep"},
                    {"--alpha 1us --alpha-per message", "--alpha-per has no effect"}});
    expect_fine(head + "alpha-beta --sync lockstep --alpha 1us --alpha-per step");
    expect_fine(head + "fluid --sharing rtt --release injected --sync dataflow");
    for (const char* model : {"fluid", "alpha-beta", "packet"})
      expect_refused(head + model, {{"--layout kept", "such as --copy-bandwidth 10GBps"}});
    expect_fine(head + "fluid --layout kept --copy-bandwidth 10GBps");
  }
  expect_refused(kSimulate + "fluid", {{"--alpha-per step", "give one too, such as --alpha 1us"}});
  expect_fine(kSimulate + "fluid --alpha-per step --alpha-receive 1us");
}

TEST(NoEffect, stored_times_are_of_what_is_measured) {
  const std::string file = weft::test::source_dir() + "/reproduction/experiments/kautz-moore.toml";
  expect_refused("reproduce " + file,
                 {{"--stored", "--stored has no effect on experiments without measured times"}});
}

TEST(NoEffect, a_file_holds_a_schedule_already) {
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  expect_fine("schedule allreduce -t ring:4 -a ring -o " + file);
  Lines cases;
  for (const char* option :
       {"--algorithm ring", "--root 0", "--from 0", "--to 1", "--radix 2", "--group 2",
        "--chunks 2", "--shift 1", "--levels 1", "--sigma 2,1", "--paths 1", "--hops 1"})
    cases.emplace_back(option, "already is a schedule; leave out --");
  expect_refused("simulate " + file, cases);
  expect_fine("simulate " + file + " --segments 2");
  expect_fine("cost " + file + " --seed 3");
  expect_refused("verify " + file, {{"--seed 3", "on weft verify (it uses no random numbers)"},
                                    {"--expand", "--expand needs --dump; give both"}});
  expect_refused("draw -t ring:4", {{"-o - --link 10Gbps,1us", "add --schedule FILE"},
                                    {"-o - --hosts 0-1 --ranks 2", "--ranks, --hosts have"},
                                    {"-o - --json", "the picture is the answer"}});
}

TEST(NoEffect, an_answer_has_one_form) {
  expect_refused(
      "compare allreduce -t ring:4 -a ring --sizes 4KiB",
      {{"--csv --json", "--json and --csv both write to standard output; leave one out,"},
       {"--csv --winners", "--winners has no effect on the rows of --csv"},
       {"--csv --all", "--all has"},
       {"--csv --timings", "--timings has"},
       {"--winners --all", "with --winners; leave one of them out"}});
  expect_fine("compare allreduce -t ring:4 -a ring --sizes 4KiB --winners --json");
  expect_refused("schedule allgather -t ring:4 -a bfb",
                 {{"--cost-only --size 1KiB", "holds for any size"},
                  {"-o - --json", "the schedule is the answer"},
                  {"--ports 1", "give it to weft simulate"}});
  expect_fine("schedule point-to-point --from 0 --to 2 -t ring:4 -a multipath --ports 1");
  expect_refused("synthesize allgather -t ring:3 --chunks 1 --steps 1",
                 {{"-o - --json", "the schedule is the answer"}});
  expect_refused("order allgather -t ring:4 -a ring --names n[1-4]",
                 {{"-o - --json", "the order is the answer"},
                  {"--write hostfile -o - --json", "--json has no effect with -o -"}});
  expect_refused("topology ring:4", {{"--link 10Gbps,1us", "add -o FILE.json"},
                                     {"-o net.dot --link 10Gbps,1us", "has no speeds"},
                                     {"-o - --json", "the network is the answer"},
                                     {"-o - --measure all", "--measure has"},
                                     {"--seed 3", "random-regular:64,8,seed=3"},
                                     {"-o net.csv --columns 0", "--columns"}});
}

TEST(NoEffect, limits_belong_to_methods_that_have_them) {
  expect_refused("throughput ring:4",
                 {{"--method exact --gap 0.1", "--gap has no effect with --method exact"},
                  {"--method exact --time-limit 1s", "which always runs to its end"},
                  {"--method cayley --gap 0.1", "choose --method approximate"},
                  {"--method orbits --gap 0.1", "--gap has"}});
  expect_fine("throughput ring:4 --method approximate --gap 0.1 --time-limit 9s");
  expect_fine("throughput ring:4 --gap 0.1");
  expect_refused("economics", {{"--endpoints 9 --columns 2", "--columns has no effect on kinds"},
                               {"--endpoints 9 --columns 0", "--columns"},
                               {"--radix 9 --switches-per-rack 1",
                                "on kinds, because it places the racks of a topology; name a"},
                               {"--routers 9 --prices list.toml",
                                "with --routers and --radix, which count endpoints without"},
                               {"ring:4 --columns 0", "too few"},
                               {"ring:4 --switches-per-rack 0", "too few"},
                               {"ring:4 --seed 1", "it uses no random numbers"}});
}

TEST(NoEffect, what_asks_for_nothing_is_refused) {
  expect_refused("compare allreduce -t ring:4 --sizes 4KiB",
                 {{"-a ring,ring", "--algorithms repeats ring; name each algorithm once"},
                  {"-a binomial,ring,Ring", "--algorithms repeats ring; name each algorithm once"},
                  {"-a ring --hosts 3", "--hosts 3 leaves one rank"}});
  expect_refused("compare reduce -t ring:4 --sizes 4KiB",
                 {{"-a tree,binomial", "--algorithms repeats binomial; name each algorithm once"}});
  expect_refused("simulate allreduce -t ring:4 -a ring --size 4KiB",
                 {{"--hosts 3", "name two hosts or more, such as 0-3"}});
  expect_refused("order allreduce -t \"hosts(1, ring:4)\" -a ring --size 4KiB",
                 {{"--hosts 3", "--hosts 3 leaves one rank"}});
  const Lines reduces{{"--reduce-bandwidth 10GBps", "which has no reduction; leave it out"}};
  expect_refused("simulate allgather -t ring:4 -a ring --size 4KiB", reduces);
  expect_refused("compare alltoall -t ring:4 -a spread --sizes 4KiB", reduces);
  expect_refused("order broadcast -t \"hosts(1, ring:4)\" -a binomial --size 4KiB", reduces);
  expect_fine("simulate reduce -t ring:4 -a binomial --size 4KiB --reduce-bandwidth 10GBps");
  const ScratchFolder folder;
  const std::string file = folder.path("ring.weft");
  expect_fine("schedule allgather -t ring:4 -a ring -o " + file);
  expect_refused("simulate " + file, reduces);
  expect_refused("load-curve -t ring:4 --loads 0.1",
                 {{"--measure 1", "is too short; give"}, {"--measure 99", "give 100 cycles"}});
}

TEST(NoEffect, synthesize_names_the_collectives_that_it_takes) {
  EXPECT_NE(run_weft({"synthesize", "--help"}).out.find("allgather, reduce-scatter and allreduce"),
            std::string::npos);
}

// Hidden, because it is refused; where something is drawn, --help-all shows it.
TEST(NoEffect, help_shows_no_seed_where_nothing_is_drawn) {
  for (const char* command : {"topology", "economics", "verify", "reproduce", "results", "fit"})
    EXPECT_EQ(run_weft({command, "--help-all"}).out.find("--seed"), std::string::npos) << command;
  for (const char* command :
       {"simulate", "compare", "degrade", "throughput", "load-curve", "synthesize"})
    EXPECT_NE(run_weft({command, "--help-all"}).out.find("--seed"), std::string::npos) << command;
}

TEST(NoEffect, numbers_that_outgrow_64_bits_are_named_as_typed) {
  expect_refused(
      "economics",
      {{"--endpoints 99999999999999999999", "--endpoints 99999999999999999999 is too large"},
       {"--routers 9223372036854775808", "does not fit in 64 bits"},
       {"--endpoints 9223372036854775807", "endpoints are out of range (1 to"}});
}

}  // namespace
