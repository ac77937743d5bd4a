// The machine of networks from files of InfiniBand, by the rate of most cables of hosts.
#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/set_machine.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

const std::string kCall = "simulate allreduce -a ring --size 1MiB -t ";

// The leaf-spine of examples/ with another rate on all of its cables.
std::string fabric_at(const std::string& rate) {
  std::string text = read_text(source_dir() + "/examples/leaf-spine.ibnet");
  for (std::size_t at = 0; (at = text.find("4xSDR", at)) != std::string::npos; at += rate.size())
    text.replace(at, 5, rate);
  return text;
}

std::string note_on_machine(const json& answer) {
  for (const std::string note : answer["notes"])
    if (note.starts_with("the machine is ")) return note;
  return "";
}

class InfinibandMachines : public testing::Test {
 protected:
  json answer_at(const std::string& rate, const std::string& more = "") const {
    return answer_of(kCall + "file:" + folder_.file(rate + ".ibnet", fabric_at(rate)) + more);
  }

  ScratchFolder folder_;
  SetMachine none_{nullptr};  // the user may have set one
};

// Data rates by the InfiniBand Trade Association: EDR 100, HDR 200 and NDR 400 Gb/s on 4 lanes.
TEST_F(InfinibandMachines, are_those_of_the_rate) {
  for (const auto& [rate, machine] :
       {std::pair{"4xEDR", "ib-edr"}, std::pair{"2xHDR", "ib-edr"}, std::pair{"4xHDR", "ib-hdr"},
        std::pair{"2xNDR", "ib-hdr"}, std::pair{"4xNDR", "ib-ndr"}}) {
    const json answer = answer_at(rate);
    EXPECT_EQ(answer["speeds"]["machine"], machine) << rate;
    EXPECT_EQ(answer["speeds"]["origin"], "the network") << rate;
    EXPECT_EQ(note_on_machine(answer), "") << rate;
  }
  // 8xEDR has 200 Gb/s.
  EXPECT_EQ(answer_at("8xEDR")["speeds"]["machine"], "ib-hdr");
}

TEST_F(InfinibandMachines, are_the_nearest_below_with_a_note) {
  const json above = answer_at("4xXDR");
  EXPECT_EQ(above["speeds"]["machine"], "ib-ndr");
  EXPECT_NE(note_on_machine(above).find("below the 100.0GB/s of most cables of hosts"),
            std::string::npos)
      << above["notes"];
  for (const char* rate : {"4xSDR", "4xFDR"}) {  // 8 and 54.5 Gb/s
    const json below = answer_at(rate);
    EXPECT_EQ(below["speeds"]["machine"], "generic") << rate;
    EXPECT_EQ(below["speeds"]["origin"], "default") << rate;
    EXPECT_NE(note_on_machine(below).find("below every ib- profile"), std::string::npos)
        << below["notes"];
  }
}

TEST_F(InfinibandMachines, come_after_what_the_user_names) {
  EXPECT_EQ(answer_at("4xHDR", " --machine roce-100")["speeds"]["machine"], "roce-100");
  EXPECT_EQ(note_on_machine(answer_at("4xSDR", " --machine roce-100")), "");
  const SetMachine named("ib-ndr");
  const json answer = answer_at("4xEDR");
  EXPECT_EQ(answer["speeds"]["machine"], "ib-ndr");
  EXPECT_EQ(answer["speeds"]["origin"], "WEFT_MACHINE");
}

// Of an imported network the file of weft keeps the rate, and a function on it changes nothing.
TEST_F(InfinibandMachines, outlive_an_import) {
  const std::string fabric = folder_.file("f.ibnet", fabric_at("4xHDR"));
  const std::string network = folder_.path("f.json");
  ASSERT_EQ(run_weft({"import", fabric, "-o", network}).code, 0);
  EXPECT_EQ(answer_of(kCall + "file:" + network)["speeds"]["machine"], "ib-hdr");
  EXPECT_EQ(answer_of(kCall + "without(cable=5,file:" + network + ")")["speeds"]["machine"],
            "ib-hdr");
}

// 5 MB of comments do not hide the rate.
TEST_F(InfinibandMachines, are_those_of_large_files_too) {
  const std::string line = "# " + std::string(97, '-') + "\n";
  std::string comments;
  while (comments.size() < 5'000'000) comments += line;
  const std::string fabric = folder_.file("large.ibnet", comments + fabric_at("4xHDR"));
  EXPECT_EQ(answer_of(kCall + "file:" + fabric)["speeds"]["machine"], "ib-hdr");
}

// In dirty.ibnet one host has 4xEDR and one 4xFDR; in grouped.ibnet four of five cables have 4xSDR.
TEST_F(InfinibandMachines, go_by_most_cables_of_hosts) {
  const std::string cases = kCall + "file:" + source_dir() + "/tests/data/cases/";
  EXPECT_EQ(answer_of(cases + "dirty.ibnet")["speeds"]["machine"], "ib-edr");
  EXPECT_EQ(answer_of(cases + "grouped.ibnet")["speeds"]["machine"], "generic");
}

}  // namespace
}  // namespace weft::test
