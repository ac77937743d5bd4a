// From the times of a known machine to a profile, and back: weft simulate with the fitted file
// gives each time, and its values are the known ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/published.hpp"

namespace weft::test {
namespace {

// Known beforehand: the line rate, cable and switch.
constexpr const char* kLinks =
    "[links.all]\nline_rate = \"100Gbps\"\nlatency = \"30ns\"\nswitch_latency = \"130ns\"\n";

std::string truth() {
  return std::string(
             "[host]\nstartup = \"400ns\"\nlatency = \"900ns\"\nrendezvous = \"16KiB,3us\"\n"
             "eager_copy = \"16KiB,4GBps\"\ncopy_bandwidth = \"5GBps\"\nreduce_bandwidth = "
             "\"6GBps\"\nskew = \"700ns\"\nrelease = \"injected\"\n") +
         kLinks + "payload = 0.8\n";
}

// Wrong in all that is fitted.
std::string base(const std::string& more = "") {
  return "[host]\nstartup = \"500ns\"\nreduce_bandwidth = \"10GBps\"\nrelease = \"injected\"\n" +
         more + kLinks + "payload = 0.97\n";
}

struct Call {
  std::string collective, algorithm;
  int ranks = 0;
  std::int64_t size_B = 0;
};

std::vector<Call> calls() {
  std::vector<Call> made;
  for (const int ranks : {4, 6, 16})
    for (const std::int64_t size_B : {64, 4 << 10, 64 << 10, 1 << 20}) {
      made.push_back({"allreduce", "ring", ranks, 8 * size_B});
      made.push_back({"allreduce", "recursive-doubling", ranks, size_B});
      made.push_back({"allgather", "bruck", ranks, size_B});
      made.push_back({"allgather", "ring", ranks, size_B});
      made.push_back({"alltoall", "bruck", ranks, size_B});
    }
  return made;
}

nlohmann::json answer_of(const std::string& line) {
  const Ran ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ": " << ran.err;
  return ran.code == 0 ? nlohmann::json::parse(ran.out) : nlohmann::json();
}

double simulated_s(const Call& call, const std::string& machine, const std::string& more = "") {
  return answer_of(fmt::format("simulate {} -t xgft:1;{};1 -a {} --size {} --machine {}{}",
                               call.collective, call.ranks, call.algorithm, call.size_B, machine,
                               more))["time"];
}

std::string row_of(const Call& call, double time_s) {
  return fmt::format("{},{},{},{},{:.12g}\n", call.collective, call.algorithm, call.ranks,
                     call.size_B, time_s);
}

constexpr const char* kHead = "collective,algorithm,ranks,size,time\n";

TEST(RoundTrip, gives_back_a_known_machine_and_its_times) {
  const ScratchFolder folder;
  const std::string known = folder.file("truth.toml", truth()), fitted = folder.path("fit.toml");
  std::string table = kHead;
  std::vector<double> measured_s;
  for (const Call& call : calls()) {
    measured_s.push_back(simulated_s(call, known));
    table += row_of(call, measured_s.back());
  }
  const nlohmann::json fit =
      answer_of(fmt::format("calibrate {} --machine {} -o {}", folder.file("t.csv", table),
                            folder.file("base.toml", base()), fitted));
  std::map<std::string, std::string> values;
  for (const auto& value : fit["values"])
    if (value["state"] == "fitted") values[value["name"]] = value["value"];
  for (const auto& [name, time_s] : std::map<std::string, double>{{"host.startup", 400e-9},
                                                                  {"host.latency", 900e-9},
                                                                  {"host.rendezvous", 3e-6},
                                                                  {"host.skew", 700e-9}})
    EXPECT_NEAR(parse_seconds(values[name]), time_s, 0.05 * time_s) << name;
  for (const auto& [name, rate_GBps] : std::map<std::string, double>{
           {"host.eager_copy", 4}, {"host.copy_bandwidth", 5}, {"host.reduce_bandwidth", 6}})
    EXPECT_NEAR(std::stod(values[name]), rate_GBps, 0.05 * rate_GBps) << name;
  EXPECT_NEAR(std::stod(values["links.payload"]), 0.8, 0.05 * 0.8);
  EXPECT_EQ(values["eager limit"], "16KiB");
  for (std::size_t i = 0; i < measured_s.size(); ++i) {
    const Call call = calls()[i];
    EXPECT_NEAR(simulated_s(call, fitted), measured_s[i], 0.01 * measured_s[i])
        << call.collective << ' ' << call.algorithm << ' ' << call.ranks << ' ' << call.size_B;
  }
}

// Published points are predicted as weft simulate does it, with the copies of Bruck's algorithm.
TEST(RoundTrip, published_points_have_the_copies_of_weft_simulate) {
  const ScratchFolder folder;
  const std::string known = folder.file("truth.toml", truth());
  for (const Call& call : calls()) {
    const calibrate::ForcedPoint point{.path = "own.csv",
                                       .machine = known,
                                       .topology = fmt::format("xgft:1;{};1", call.ranks),
                                       .ranks = call.ranks,
                                       .collective = call.collective,
                                       .algorithm = call.algorithm,
                                       .size_B = call.size_B};
    const double time_s = simulated_s(call, known);
    EXPECT_NEAR(calibrate::predicted_s(point), time_s, 1e-9 * time_s) << call.algorithm;
  }
}

// Means of calls in a row have no skew: the file has none either, so that weft simulate predicts
// what the fit does, though the base profile has a skew.
TEST(RoundTrip, leaves_out_the_skew_for_calls_in_a_row) {
  const ScratchFolder folder;
  const std::string known = folder.file("truth.toml", truth()), fitted = folder.path("fit.toml");
  std::string table = "collective,algorithm,ranks,size,time,sample\n";
  for (const Call& call : calls()) {
    if (call.ranks != 4) continue;
    std::string row = row_of(call, simulated_s(call, known, " --barrier-skew 0s"));
    row.insert(row.size() - 1, ",loop");
    table += row;
  }
  const nlohmann::json fit =
      answer_of(fmt::format("calibrate {} --machine {} -o {}", folder.file("t.csv", table),
                            folder.file("base.toml", base("skew = \"5us\"\n")), fitted));
  for (const auto& point : fit["points"]) {
    const Call call{point["collective"], point["algorithm"], point["ranks"], point["size"]};
    const double time_s = point["predicted_time"];
    EXPECT_NEAR(simulated_s(call, fitted), time_s, 1e-6 * time_s) << call.algorithm;
  }
  EXPECT_NE(read_text(fitted).find("host.skew: none"), std::string::npos);
}

}  // namespace
}  // namespace weft::test
