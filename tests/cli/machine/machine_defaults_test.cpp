// The third column of the entries in docs/reference/machine-files.md is what a missing entry means.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/process/answer.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

struct Entry {
  std::string table, key, missing;
};

// Rows with one value in backticks in the third column: "| `[host]` `launch` | s | `0s` | ... |".
std::vector<Entry> documented_entries() {
  std::istringstream page(read_text(source_dir() + "/docs/reference/machine-files.md"));
  const std::regex row(R"(\| ([^|]*) \|[^|]*\| `([^`|]*)`[^|]* \|.*)"), word("`([a-z_]+)`");
  std::vector<Entry> entries;
  for (std::string line; std::getline(page, line) && line != "## Measured tables";) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    const std::string names = cells[1];
    const std::string table = names.find("[host]") != std::string::npos ? "host" : "links.all";
    for (std::sregex_iterator key(names.begin(), names.end(), word), end; key != end; ++key)
      entries.push_back({table, (*key)[1], cells[2]});
  }
  return entries;
}

// Without origins, which tell a value of the file from a default, and what is printed if given.
json without_origins(json answer) {
  for (const char* key : {"from", "bandwidth_from", "latency_from", "loopback"})
    if (answer.is_object()) answer.erase(key);
  if (answer.is_structured())
    for (json& each : answer) each = without_origins(each);
  return answer;
}

std::string text_of(const Entry& entry, const std::string& value) {
  const bool is_number = value.find_first_not_of("0123456789.") == std::string::npos;
  return entry.key + " = " + (is_number ? value : '"' + value + '"') + '\n';
}

// Start-ups and sums are needed for other entries to matter.
TEST(MachineDefaults, missing_entries_mean_what_the_page_says) {
  const ScratchFolder folder;
  const std::vector<Entry> entries = documented_entries();
  EXPECT_EQ(entries.size(), 20U);
  const auto answer_with = [&](const std::string& host, const std::string& links) {
    const std::string file =
        folder.file("m.toml", "summary = \"m\"\n[host]\n" + host + "[links.all]\n" + links);
    return without_origins(
        answer_of("simulate allreduce -t leaf-spine:leaves=2,spines=1,hosts=2 --per-host 2 "
                  "-a ring --size 1MiB --machine " +
                  file));
  };
  const json plain = answer_with("", "");
  ASSERT_GT(plain["time"], 0);
  for (const Entry& entry : entries) {
    const std::string text = text_of(entry, entry.missing);
    const bool of_host = entry.table == "host";
    EXPECT_EQ(answer_with(of_host ? text : "", of_host ? "" : text), plain) << text;
  }
}

// An entry has an effect if another value changes the answer.
TEST(MachineDefaults, other_values_change_the_answer) {
  const ScratchFolder folder;
  const auto time_with = [&](const std::string& text) -> double {
    const std::string file = folder.file("m.toml", text);
    return answer_of(
        "simulate allreduce -t leaf-spine:leaves=2,spines=1,hosts=2 -a ring "
        "--size 1MiB --machine " +
        file)["time"];
  };
  const double plain_s = time_with("[links.all]\n");
  for (const char* text :
       {"startup = \"1us\"", "startup_receive = \"1us\"", "latency = \"1us\"",
        "rendezvous = \"1KiB,1us\"", "reduce_bandwidth = \"10GBps\"",
        "reduce_large = \"1KiB,10GBps\"", "first_touch = \"1KiB,10GBps\"", "launch = \"1us\""})
    EXPECT_GT(time_with("[links.all]\n[host]\n" + std::string(text) + '\n'), plain_s) << text;
  for (const char* text :
       {"line_rate = \"50Gbps\"", "payload = 0.5", "latency = \"1us\"", "switch_latency = \"1us\""})
    EXPECT_GT(time_with("[links.all]\n" + std::string(text) + '\n'), plain_s) << text;
}

}  // namespace
}  // namespace weft::test
