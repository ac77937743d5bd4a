// weft calibrate, and --machine and --factors of other commands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

constexpr const char* kLatency =
    "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n1 2.001\n1000 3.0\n2000 4.0\n"
    "1000000 1002.0\n";

Ran run_line(const std::string& line) {
  return run_weft(words_of(line));
}

json answer_of(const std::string& line) {
  const Ran ran = run_line(line + " --json");
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

void expect_refused(const std::string& line, const std::string& says) {
  const Ran ran = run_line(line);
  EXPECT_EQ(ran.code, 2) << line << ran.out;
  EXPECT_EQ(ran.out, "") << line;
  EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << line << ": " << ran.err;
}

// T = 2 us + 1 ns a byte: a start-up and one link of 1 GB/s.
TEST(CalibrateCommand, writes_a_machine_that_other_commands_take) {
  const ScratchFolder folder;
  const std::string table = folder.file("latency.txt", kLatency), file = folder.path("m.toml");
  const json fit = answer_of("calibrate " + table + " -o " + file);
  EXPECT_NEAR(fit["classes"][0]["bandwidth"]["value"].get<double>(), 1e9, 1);
  EXPECT_FALSE(fit["startup"]["separable"]);
  EXPECT_NEAR(fit["startup"]["high"].get<double>(), 2e-6, 1e-12);
  // Two ranks exchange halves twice, or all at once: the time is known though its parts are not.
  const json times = answer_of(
      "simulate allreduce -t complete:2 -a recursive-doubling --size 4000"
      " --machine " +
      file);
  EXPECT_NEAR(times["time"].get<double>(), 6e-6, 1e-9);
  EXPECT_EQ(times["machine"]["measured"]["to"], 1000000);
  EXPECT_TRUE(times["machine"]["overridden"].empty());
}

// A flat table: the machine gives back its 1 us, start-up and latency together.
TEST(CalibrateCommand, gives_back_a_table_without_bandwidth) {
  const ScratchFolder folder;
  const std::string table = folder.file(
      "flat.txt",
      "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 1.00\n2 1.00\n4 1.00\n8 1.00\n");
  const std::string file = folder.path("m.toml");
  // 8 B in 1 us are 8 MB/s, which the slowest of these links carries.
  for (const std::string link : {"", " --link 100Gbps,1us", " --link 8MBps,1us"}) {
    const json fit = answer_of("calibrate " + table + link + " -o " + file);
    EXPECT_TRUE(fit["classes"][0]["measured"]);
    EXPECT_LT(fit["tables"][0]["relative_error"]["max"].get<double>(), 0.021);
    const json times = answer_of(
        "simulate point-to-point -a direct --from 0 --to 1 -t complete:2 --size 8 --machine " +
        file);
    EXPECT_NEAR(times["time"].get<double>(), 1e-6, 0.021e-6) << link;
  }
}

TEST(CalibrateCommand, names_times_scales_and_algorithms) {
  const ScratchFolder folder;
  const std::string latency = folder.file("latency.txt", kLatency);
  // Two ranks send each other all 4,000 bytes: 2 us + 4 us.
  const std::string collective =
      folder.file("allgather.txt",
                  "# OSU MPI Allgather Latency Test\n# Size Avg Latency(us)\n4000 6\n8000 10\n");
  const json fit = answer_of("calibrate " + latency + " " + collective + " --ranks 2");
  const json& row = fit["tables"][1]["rows"][0];
  EXPECT_NEAR(row["measured_time"].get<double>(), 6e-6, 1e-12);
  EXPECT_NEAR(row["model_time"].get<double>(), 6e-6, 1e-8);
  ASSERT_TRUE(fit["tables"][1]["algorithms"].is_array());
  EXPECT_EQ(fit["tables"][1]["algorithms"].size(), 1u);
  EXPECT_TRUE(fit["tables"][0]["algorithms"].empty());
  // Twice the latency and half the time of a byte from 64 KiB on: o + L = 2 us, L of it a half.
  std::string rows;
  for (int size_B = 1; size_B <= 4 << 20; size_B *= 2)
    rows += std::to_string(size_B) + ' ' +
            std::to_string(size_B < 65536 ? 2 + size_B * 1e-3 : 3 + size_B * 0.5e-3) + '\n';
  const std::string pieces =
      folder.file("pieces.txt", "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n" + rows);
  const json sizes = answer_of("calibrate " + pieces)["classes"][0]["sizes"];
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_NEAR(sizes[1]["latency_scale"].get<double>(), 2, 1e-3);
  EXPECT_NEAR(sizes[0]["bandwidth_scale"].get<double>(), 0.5, 1e-3);
}

TEST(CalibrateCommand, lets_options_stand_before_the_machine) {
  const ScratchFolder folder;
  const std::string file = folder.file(
      "m.toml",
      "[host]\nstartup = \"5us\"\n[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n"
      "[measured]\nfrom = \"1B\"\nto = \"1KiB\"\n");
  const std::string line =
      "simulate allreduce -t complete:2 -a recursive-doubling --size 1000"
      " --machine " +
      file;
  EXPECT_NEAR(answer_of(line)["time"].get<double>(), 7e-6, 1e-12);
  const json other = answer_of(line + " --alpha 1us");
  EXPECT_NEAR(other["time"].get<double>(), 3e-6, 1e-12);
  EXPECT_EQ(other["machine"]["overridden"], json::array({"alpha"}));
  const Ran told = run_line(line + " --alpha 1us --link 1GBps,0s");
  EXPECT_NE(told.err.find("--alpha, --link on the command line override the value in"),
            std::string::npos)
      << told.err;
  const Ran flow = run_line("throughput complete:2 --link 1GBps,0s --machine " + file);
  EXPECT_EQ(flow.code, 0) << flow.err;
  EXPECT_NE(flow.err.find("--link on the command line overrides the value in"), std::string::npos);
  const Ran beyond =
      run_line("compare allreduce -t complete:2 --sizes 1KiB,4KiB --machine " + file);
  EXPECT_NE(
      beyond.err.find("messages up to 4KiB (at sizes from 4KiB on) are outside the range that"),
      std::string::npos)
      << beyond.err;
}

// A ring of 8 sends eighths: 8 KiB of 64 KiB, which is below what was measured, and 1 MiB of 8 MiB.
TEST(CalibrateCommand, marks_sizes_by_their_messages) {
  const ScratchFolder folder;
  const std::string file = folder.file(
      "mid.toml",
      "[host]\nstartup = \"5us\"\n[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n"
      "[measured]\nfrom = \"64KiB\"\nto = \"1MiB\"\n");
  const std::string on = " allreduce -t torus:8 --machine " + file + " -a ring ";
  EXPECT_EQ(run_line("compare" + on + "--sizes 64KiB,1MiB,8MiB").err,
            "note: messages down to 8KiB (at sizes up to 64KiB) are outside the range that " +
                file + " was measured for (64KiB to 1MiB)\n");
  EXPECT_EQ(run_line("compare" + on + "--sizes 1MiB,8MiB").err, "");
  EXPECT_EQ(run_line("simulate" + on + "--size 8MiB").err, "");
  EXPECT_NE(run_line("simulate" + on + "--size 16MiB")
                .err.find("messages up to 2MiB are outside the range that"),
            std::string::npos);
  EXPECT_NE(run_line("order allreduce -t torus:8 --machine " + file + " -a ring --size 64KiB")
                .err.find("messages down to 8KiB are outside the range that"),
            std::string::npos);
  EXPECT_NE(run_line("degrade" + on + "--size 64KiB")
                .err.find("messages down to 8KiB are outside the range that"),
            std::string::npos);
}

// 1 us and 5 us of start-up a step of an allgather on two nodes, and half of 2,000 bytes at 1 GB/s.
TEST(CalibrateCommand, serves_commands_that_build_no_schedule) {
  const ScratchFolder folder;
  const std::string file = folder.file(
      "m.toml",
      "[host]\nstartup = \"5us\"\n[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n");
  const json found = answer_of("find -n 2 -d 1 --size 2000 --machine " + file);
  EXPECT_NEAR(found["pareto"][0]["time"].get<double>(), 7e-6, 1e-12);
  expect_refused("find -n 2 -d 1 --machine " + file, "--size");
  const std::string by_class =
      folder.file("c.toml", "[links.link]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n");
  expect_refused("find -n 2 -d 1 --size 2000 --machine " + by_class, "has no [links.all]");
  const std::string network = folder.path("net.json");
  ASSERT_EQ(run_line("topology ring:4 -q -o " + network + " --machine " + file).code, 0);
  const json written = answer_of("simulate allreduce -a ring -t file:" + network);
  const json said = answer_of("simulate allreduce -a ring -t ring:4 --link 1GBps,1us");
  EXPECT_EQ(written["time"], said["time"]);
  expect_refused("topology ring:4 --machine " + file, "add -o FILE.json");
  expect_refused(
      "topology ring:4 -o " + network + " --machine " +
          folder.file("up.toml", "[links.up]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n"),
      "unknown link class 'up' (the link classes of ring:4 are link)");
}

// Rows with a machine are those that say what it says.
TEST(CalibrateCommand, serves_rows_of_studies) {
  const ScratchFolder folder;
  const std::string file = folder.file(
      "m.toml",
      "[host]\nstartup = \"5us\"\n[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n"
      "[[links.all.sizes]]\nfrom = \"512B\"\nlatency = 2\nbandwidth = 0.5\n");
  const std::string head =
      "[experiment]\ntitle = \"t\"\n[grid]\ncollective = \"allreduce\"\ntopology = "
      "\"complete:2\"\nalgorithm = \"recursive-doubling\"\nsize = \"1000\"\n";
  const auto time_s = [&](const char* name, const std::string& more) {
    const std::string study = folder.file(name, head + more);
    EXPECT_EQ(run_line("sweep " + study + " -q").code, 0);
    const Ran rows = run_line("results " + study + " --json");
    EXPECT_EQ(rows.code, 0) << rows.err;
    return rows.code == 0 ? json::parse(rows.out)["rows"][0]["time"].get<double>() : 0;
  };
  EXPECT_NEAR(time_s("a.toml", "machine = \"" + file + "\"\n"), 9e-6, 1e-12);
  EXPECT_NEAR(time_s("b.toml", "machine = \"" + file + "\"\nalpha = \"1us\"\n"), 5e-6, 1e-12);
  EXPECT_NEAR(time_s("c.toml", "link = \"1GBps,1us\"\nfactors = \"512B:2,0.5\"\n"), 4e-6, 1e-12);
  const std::string wrong =
      folder.file("d.toml", head + "machine = \"" + folder.path("none.toml") + "\"\n");
  expect_refused("sweep " + wrong, "none.toml");
}

TEST(ExportCommand, says_what_of_a_machine_the_file_has_no_place_for) {
  const ScratchFolder folder;
  const std::string speeds = "[links.all]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n";
  const std::string plain = folder.file("plain.toml", speeds);
  const std::string file = folder.file("m.toml", "[host]\nstartup = \"5us\"\n" + speeds +
                                                     "[[links.all.sizes]]\nfrom = \"1KiB\"\n"
                                                     "latency = 2.0\nbandwidth = 0.5\n");
  const std::string line =
      "export fat-tree:2,2 --to simgrid-platform -o " + folder.path("p.xml") + " --machine ";
  EXPECT_EQ(answer_of(line + plain)["remarks"], json::array());
  EXPECT_EQ(answer_of(line + file)["remarks"],
            json::array({"simgrid-platform does not support some values of " + file +
                         ": alpha, how speeds change with the size"}));
  EXPECT_NE(run_line(line + file).err.find("note: simgrid-platform does not support some values"),
            std::string::npos);
}

// A step of 1,000 bytes: 2 * 1 us + 1000 / (0.5 * 1 GB/s).
TEST(CalibrateCommand, takes_factors_by_themselves) {
  const std::string line =
      "compare allreduce -t complete:2 -a recursive-doubling --sizes 1000 "
      "--link 1GBps,1us --factors 0:1,1 --factors 512B:2,0.5";
  for (const char* model : {"fluid", "alpha-beta"}) {
    const json answer = answer_of(line + " --model " + model);
    EXPECT_NEAR(answer["rows"][0]["time"].get<double>(), 4e-6, 1e-12) << model;
    EXPECT_EQ(answer["factors"], json::array({"0:1,1", "512B:2,0.5"}));
  }
  EXPECT_FALSE(answer_of("compare allreduce -t complete:2 --sizes 1KiB").contains("factors"));
  expect_refused(line + " --model packet", "--factors has no effect under --model packet");
  for (const std::string option :
       {"--host-latency 10us", "--rendezvous 8KiB,50us", "--eager-copy 8KiB,2GBps"})
    expect_refused("simulate allreduce -t complete:4 -a ring --model packet " + option,
                   option.substr(0, option.find(' ')) + " has no effect under --model packet");
  expect_refused("compare allreduce -t complete:2 --factors 1KiB", "FROM:LATENCY,BANDWIDTH");
  expect_refused("compare allreduce -t complete:2 --factors up=1KiB:1,1", "its classes are");
}

// The line that the guide begins with; the tables were made on one machine.
TEST(CalibrateCommand, fits_the_examples_to_an_imported_fabric) {
  const ScratchFolder folder;
  const std::string examples = test::source_dir() + "/examples/";
  const std::string fabric = folder.path("fabric.json"), file = folder.path("machine.toml");
  ASSERT_EQ(run_line("import " + examples + "leaf-spine.ibnet -o " + fabric).code, 0);
  const Ran fit = run_line(
      "calibrate " + examples + "osu/latency.txt " + examples + "osu/mbw_mr.txt " + examples +
      "osu/allreduce.txt --link 400Gbps,1us --topology file:" + fabric + " -o " + file);
  EXPECT_EQ(fit.code, 0) << fit.err;
  EXPECT_NE(fit.out.find("not separable"), std::string::npos);
  EXPECT_NE(fit.err.find("though messages within one host do not use the network"),
            std::string::npos)
      << fit.err;
  // Links of 4xSDR have 1 GB/s, and the machine's memory more.
  const Ran faster =
      run_line("calibrate " + examples + "osu/latency.txt --topology file:" + fabric);
  EXPECT_EQ(faster.code, 2);
  EXPECT_NE(faster.err.find("faster than the network allows"), std::string::npos) << faster.err;
  const Ran compared =
      run_line("compare allreduce -t file:" + fabric + " --machine " + file + " --sizes 1KiB:1MiB");
  EXPECT_EQ(compared.code, 0) << compared.err;
  expect_refused("compare allreduce -t ring:4 --machine " + file,
                 "the link classes of ring:4 are link");
}

// Ranks on n0 and n2 cross the link between the switches, which those on n0 and n1 do not.
TEST(CalibrateCommand, takes_hosts_of_nccl_tests_from_the_table) {
  const ScratchFolder folder;
  const auto table = [&](const std::string& first, const std::string& second) {
    return folder.file(
        "all_reduce_perf.txt",
        "#  Rank  0 Group  0 Pid 1 on     " + first + " device  0 [0x01] A\n" +
            "#  Rank  1 Group  0 Pid 1 on     " + second + " device  1 [0x02] A\n" +
            "#   size  count  type  redop  root   time  algbw  busbw #wrong   time  algbw  busbw "
            "#wrong\n"
            "#    (B) (elements)                  (us) (GB/s) (GB/s)          (us) (GB/s) (GB/s)\n"
            "  100000  25000 float   sum    -1  50.00   2.00   2.00      0  49.00   2.04   2.04    "
            "  "
            "0\n"
            "  200000  50000 float   sum    -1  80.00   2.50   2.50      0  80.00   2.50   2.50    "
            "  "
            "0\n");
  };
  const std::string on = " -t 'names(hosts=n[0-3], hosts(2, complete:2))'";
  const auto crosses = [&](const std::string& argument) {
    const json fit = answer_of("calibrate " + argument + on);
    int measured = 0;
    for (const json& of_class : fit["classes"]) measured += of_class["measured"].get<bool>();
    return measured == 2;
  };
  const std::string file = table("n0", "n2");
  EXPECT_TRUE(crosses(file));
  EXPECT_FALSE(crosses(file + "@n0,n1"));
  table("n0", "n1");
  EXPECT_FALSE(crosses(file));
  table("n1", "n1");
  expect_refused("calibrate " + file + on, "two ranks on n1 exchange messages, which cross");
  table("x", "x");
  const Ran elsewhere = run_line("calibrate " + file + on);
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
  EXPECT_NE(elsewhere.err.find("its ranks ran on x, but names("), std::string::npos);
  EXPECT_NE(elsewhere.err.find("does not have these hosts; the first hosts are assumed\n"),
            std::string::npos);
}

// An allreduce of M over n ranks moves 2 (n - 1) / n M through the ports of each: on two hosts with
// a link of 50 GB/s it takes M / (50 GB/s) at least. 87.6 GB/s are more.
TEST(CalibrateCommand, refuses_measurements_that_the_network_cannot_reach) {
  const ScratchFolder folder;
  const auto table = [&](double rate_GBps, double start_us) {
    std::string text = "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n";
    for (int size_B = 1 << 20; size_B <= 64 << 20; size_B *= 2)
      text += fmt::format("{} {:.3f}\n", size_B, start_us + size_B / rate_GBps * 1e-3);
    return folder.file("allreduce.txt", text);
  };
  const std::string fit = " -t complete:2 --ranks 2 --link 50GBps,1us";
  EXPECT_EQ(run_line("calibrate " + table(49, 2) + fit).code, 0);
  const Ran refused = run_line("calibrate " + table(87.6, 0) + fit);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("allreduce.txt:3: faster than the network allows: OSU allreduce at "
                             "1MiB is 87.60GB/s, and complete:2 carries at most 50.00GB/s"),
            std::string::npos)
      << refused.err;
  // Speeds that nobody states bound nothing.
  EXPECT_EQ(run_line("calibrate " + table(87.6, 2) + " -t complete:2 --ranks 2").code, 0);
  const std::string plan = "plan --collectives allreduce --sizes 1MiB -o " + folder.path("p.plan") +
                           " --measured " + folder.path("allreduce.txt");
  const Ran native = run_line(plan + " -t complete:2 --link 50GBps,1us");
  EXPECT_EQ(native.code, 2);
  EXPECT_NE(native.err.find("faster than the network allows"), std::string::npos) << native.err;
  // Messages too: a ping-pong of 2 GB/s over a link of 1 GB/s.
  const std::string latency = folder.file(
      "latency.txt", "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1000 2\n1000000 500\n");
  expect_refused("calibrate " + latency + " -t complete:2 --link 1GBps,1us",
                 "latency.txt:4: faster than the network allows");
}

// NCCL sends an eighth of the data around a ring by each of eight cards: with 46 GB/s a card the 16
// ranks take 30 steps of 4 us + M / 16 / (8 * 46 GB/s), which one ring would take for cards of 368
// GB/s.
TEST(CalibrateCommand, takes_nccl_for_as_many_rings_as_cards) {
  const ScratchFolder folder;
  std::string text = "# Collective test starting: all_reduce_perf\n";
  for (int rank = 0; rank < 16; ++rank)
    text += fmt::format("#  Rank {} Group  0 Pid 1 on dgx{} device {} [0x01] A\n", rank, rank / 8,
                        rank % 8);
  text +=
      "# size count type redop root time algbw busbw #wrong\n"
      "# (B) (elements) (us) (GB/s) (GB/s)\n";
  constexpr double kBus_GBps = 8 * 46, kFactor = 2 * 15 / 16.;
  for (std::int64_t size_B = 1 << 20; size_B <= 1 << 30; size_B *= 2) {
    const double time_us = 30 * 4 + kFactor * static_cast<double>(size_B) / kBus_GBps * 1e-3;
    const double rate_GBps = static_cast<double>(size_B) / time_us * 1e-3;
    text += fmt::format("{} {} float sum -1 {:.4f} {:.4f} {:.4f} 0\n", size_B, size_B / 4, time_us,
                        rate_GBps, kFactor * rate_GBps);
  }
  const std::string file = folder.file("all_reduce_perf.txt", text);
  const json fit = answer_of("calibrate " + file + " -t 'boxes(2, network:dgx-h100)'");
  const json& remarks = fit["remarks"];
  EXPECT_NE(remarks.dump().find("taken for 8 rings (NCCL makes one for each network card) of 16"),
            std::string::npos)
      << remarks;
  double card_Bps = 0;
  for (const json& of_class : fit["classes"])
    if (of_class["class"] == "terminal") card_Bps = of_class["bandwidth"]["value"].get<double>();
  EXPECT_NEAR(card_Bps, 46e9, 0.01 * 46e9) << fit["classes"];
  // Without the lines that say which ranks share a host it is one ring, and cards have 50 GB/s.
  const std::string bare = folder.file(
      "all_reduce_perf_bare.txt", "# all_reduce_perf\n" + text.substr(text.find("# size count")));
  expect_refused("calibrate " + bare + " -t 'boxes(2, network:dgx-h100)'",
                 "with one ring, its times need 368.0GB/s of a terminal link, which has 50.00GB/s");
}

TEST(CalibrateCommand, refuses_what_makes_no_sense) {
  const ScratchFolder folder;
  const std::string table = folder.file("latency.txt", kLatency);
  const std::string collective = folder.file(
      "allreduce.txt", "# OSU MPI Allreduce Latency Test\n# Size Avg Latency(us)\n4 1\n64 2\n");
  expect_refused("calibrate " + folder.path("none.txt"), "none.txt");
  expect_refused("calibrate " + table + "@", "names no hosts after the @; write FILE@HOST,HOST");
  expect_refused("calibrate " + table + "@0,1", "give --topology");
  expect_refused("calibrate " + table + "@0,1,2 -t ring:4", "2 ranks on 3 hosts");
  expect_refused("calibrate " + table + "@0,7 -t ring:4", "7");
  expect_refused("calibrate " + table + "@n0,x -t 'names(hosts=n[0-3], ring:4)'",
                 "weft: " + table + "@n0,x: unknown host 'x' of names(hosts=n[0-3], ring:4); ");
  expect_refused("calibrate " + table + "@n0,x -t ring:4",
                 "weft: " + table +
                     "@n0,x: cannot read 'n0,x': the file does not exist, and ring:4 has no host");
  expect_refused("calibrate " + collective, "give --ranks N");
  expect_refused("calibrate " + table + " --json -o -", "--json has no effect with -o -");
  expect_refused("calibrate " + table + " --plot chart.txt", "chart.txt");
  expect_refused("compare allreduce -t ring:4 --machine " + table, "latency.txt:");
}

}  // namespace
}  // namespace weft::test
