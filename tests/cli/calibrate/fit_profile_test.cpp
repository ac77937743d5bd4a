// weft calibrate of tables of forced algorithms.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

constexpr const char* kOsuLatency =
    "# OSU MPI Latency Test v7.4\n# Size          Latency (us)\n1 2.001\n1000 3.0\n";

nlohmann::json fit_of(const std::string& line) {
  const Ran ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return ran.code == 0 ? nlohmann::json::parse(ran.out) : nlohmann::json();
}

void refuses(const std::string& line, const std::string& says) {
  const Ran ran = run_weft(words_of(line));
  EXPECT_EQ(ran.code, 2) << line << ran.out;
  EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << line << ": " << ran.err;
}

constexpr const char* kForcedTable =
    "collective,algorithm,ranks,size,time\n"
    "allreduce,ring,8,8,30us\nallreduce,ring,8,16MiB,5ms\nallreduce,recursive-doubling,8,8,7us\n"
    "allreduce,recursive-doubling,8,512,7.4us\n";

TEST(FitProfile, fits_a_profile_to_forced_algorithms) {
  const ScratchFolder folder;
  const std::string table = folder.file("forced.csv", kForcedTable), file = folder.path("m.toml");
  const nlohmann::json fit = fit_of("calibrate " + table + " --machine generic -o " + file);
  EXPECT_EQ(fit["points"].size(), 4U);
  EXPECT_EQ(fit["base"], "generic");
  // The file predicts what was printed.
  const nlohmann::json times =
      fit_of("simulate allreduce -t xgft:1;8;1 -a ring --size 16MiB --machine " + file);
  EXPECT_NEAR(times["time"].get<double>(), fit["points"][1]["predicted_time"].get<double>(), 1e-9);
}

TEST(FitProfile, holds_points_out) {
  const ScratchFolder folder;
  const std::string table =
      folder.file("forced.csv",
                  "collective,algorithm,ranks,size,time,sample\nallreduce,ring,8,8,30us,loop\n"
                  "allreduce,ring,8,16MiB,5ms,loop\nallreduce,recursive-doubling,8,8,7us,loop\n");
  const nlohmann::json fit = fit_of("calibrate " + table + " --machine generic --hold-out 2");
  EXPECT_EQ(fit["held_out"]["points"], 1);  // the second of two sizes of the ring
  EXPECT_TRUE(fit["points"][1]["held_out"].get<bool>());
  EXPECT_FALSE(fit["points"][1]["fitted"].get<bool>());
  EXPECT_TRUE(fit["points"][2]["fitted"].get<bool>());
  EXPECT_TRUE(fit_of("calibrate " + table + " --machine generic")["held_out"].is_null());
  const Ran ran = run_weft(words_of("calibrate " + table + " --machine generic --hold-out 2"));
  EXPECT_NE(ran.out.find("1 point held out of the fit: "), std::string::npos) << ran.out;
}

// The same times, from tables of OSU with the algorithm behind the file's name.
TEST(FitProfile, takes_the_algorithm_of_an_osu_table) {
  const ScratchFolder folder;
  const std::string table =
      folder.file("ring.txt",
                  "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n8 30.0\n"
                  "1024 31.0\n16777216 5000.0\n");
  const nlohmann::json fit = fit_of("calibrate " + table + ":ring --ranks 8 --machine generic");
  ASSERT_EQ(fit["points"].size(), 3U);
  EXPECT_EQ(fit["points"][0]["algorithm"], "ring");
  EXPECT_EQ(fit["points"][0]["ranks"], 8);
  EXPECT_NEAR(fit["points"][2]["measured_time"].get<double>(), 5e-3, 1e-12);
}

TEST(FitProfile, refuses_wrong_tables_of_forced_algorithms) {
  const ScratchFolder folder;
  const std::string table = folder.file("forced.csv", kForcedTable),
                    osu = folder.file("latency.txt", kOsuLatency),
                    wrong = folder.file("wrong.csv",
                                        "collective,algorithm,ranks,size,time\n"
                                        "allreduce,rings,8,8,30us\n");
  refuses("calibrate " + wrong, "wrong.csv:2: ");
  refuses("calibrate " + table + ' ' + osu, "one kind at a time");
  for (const char* option : {"--link 1GBps,1us", "--where here", "--strict", "--routing d-mod-k"})
    refuses("calibrate " + table + ' ' + option, std::string(option).substr(0, 6));
  refuses("calibrate " + osu + " --machine generic", "--machine");
  refuses("calibrate " + osu + " --hold-out 2", "--hold-out");
  refuses("calibrate " + table + " --hold-out 1", "--hold-out");
  refuses("calibrate " + table + " --machine nowhere", "nowhere");
  refuses("calibrate " + osu + ":ring", "is not a collective, so no algorithm was forced");
  refuses("calibrate nowhere.csv --machine generic", "cannot read");
}

// Whoever leaves the option out would only then see what is wrong with the file.
TEST(FitProfile, names_the_fault_of_a_file_before_that_of_an_option) {
  const ScratchFolder folder;
  const std::string head = "collective,algorithm,ranks,size,time\n";
  const std::string size = folder.file("size.csv", head + "allreduce,ring,8,lots,30us\n"),
                    name = folder.file("name.csv", head + "allreduce,rings,8,8,30us\n"),
                    osu = folder.file("osu.txt", std::string(kOsuLatency) + "2000 -3.0\n"),
                    loggp = folder.file("loggp.txt",
                                        "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L "
                                        "o_s o_r g G lsqu(g,G)\n1 10 fast\n");
  refuses("calibrate " + size + " --plot x.svg", "size.csv:2: ");
  refuses("calibrate " + name + " --plot x.svg", "name.csv:2: ");
  refuses("calibrate " + osu + " --plot x.txt", "osu.txt:5: ");
  refuses("calibrate " + loggp + " --plot x.svg", "loggp.txt:2: ");
  const std::string table = folder.file("forced.csv", kForcedTable);
  refuses("calibrate " + table + " --plot x.svg", "--plot has no effect");
}

}  // namespace
}  // namespace weft::test
