// The machine of a saved network: the file of a network names the machine that its expression has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/set_machine.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

const std::string kCall = "simulate allreduce -a ring --size 1MiB -t ";
const std::string kRail = "rail:boxes=4,gpus=2,spines=2";

class SavedMachine : public testing::Test {
 protected:
  // A file is not written over the one that it is read from.
  std::string saved(const std::string& topology) {
    const std::string path = folder_.path(fmt::format("network{}.json", ++files_));
    EXPECT_EQ(run_weft({"topology", "-t", topology, "-o", path}).code, 0) << topology;
    return path;
  }
  static json answer_on(const std::string& topology) {
    const Ran ran = run_weft(
        {"simulate", "allreduce", "-a", "ring", "--size", "1MiB", "-t", topology, "--json"});
    EXPECT_EQ(ran.code, 0) << topology << ": " << ran.err;
    return ran.code == 0 ? json::parse(ran.out) : json();
  }
  // The saved network without its machine, or with another one.
  std::string file_with(const std::string& topology, const std::optional<std::string>& machine) {
    json network = json::parse(read_text(saved(topology)));
    network.erase("machine");
    if (machine) network["machine"] = *machine;
    return folder_.file("changed.json", network.dump());
  }

  ScratchFolder folder_;
  int files_ = 0;
  SetMachine none_{nullptr};  // the user may have set one
};

// A network takes as long from its file as by its expression.
TEST_F(SavedMachine, is_that_of_the_expression) {
  for (const std::string& topology :
       {kRail, std::string("network:dgx-h100"), std::string("boxes(2, network:p5)"),
        std::string("without(node=0, network:dgx-h100)"), std::string("torus:3x3")}) {
    const json direct = answer_on(topology);
    const std::string file = "file:" + saved(topology);
    const json again = answer_on(file);
    EXPECT_EQ(again["speeds"]["machine"], direct["speeds"]["machine"]) << topology;
    EXPECT_EQ(again["time"], direct["time"]) << topology;
    // Saved again, also as a part of another network.
    const json third = answer_on("file:" + saved(file));
    EXPECT_EQ(third["speeds"]["machine"], direct["speeds"]["machine"]) << topology;
    const json less = answer_on("without(cable=0, " + file + ")");
    EXPECT_EQ(less["speeds"]["machine"], direct["speeds"]["machine"]) << topology;
  }
  EXPECT_EQ(answer_on("file:" + saved(kRail))["speeds"]["machine"], "gpus");
  EXPECT_EQ(answer_on("file:" + saved("network:dgx-h100"))["speeds"]["machine"], "dgx-h100-ndr");
  EXPECT_EQ(answer_on("file:" +
                      saved("without(cable=0, file:" + saved(kRail) + ")"))["speeds"]["machine"],
            "gpus");
}

// A profile that the user gives is written, too.
TEST_F(SavedMachine, is_the_profile_that_was_given) {
  const std::string path = folder_.path("given.json");
  for (const std::string machine : {"lumi", "leonardo"}) {
    const std::string topology = "dragonfly:a=3,p=2,h=1";
    ASSERT_EQ(run_weft({"topology", topology, "--machine", machine, "-o", path}).code, 0);
    const json direct =
        json::parse(run_weft(words_of("simulate allreduce -a ring --size 1MiB --json -t " +
                                      topology + " --machine " + machine))
                        .out);
    const json again = answer_on("file:" + path);
    EXPECT_EQ(again["speeds"]["machine"], machine);
    EXPECT_EQ(again["time"], direct["time"]) << machine;
  }
}

// GraphML keeps the machine as well as JSON does, of the expression and of the user.
TEST_F(SavedMachine, is_in_graphml) {
  const std::string path = folder_.path("network.graphml");
  ASSERT_EQ(run_weft({"topology", "-t", kRail, "-o", path}).code, 0);
  const json again = answer_on("file:" + path);
  EXPECT_EQ(again["speeds"]["machine"], "gpus");
  const json named =
      json::parse(run_weft(words_of(kCall + "file:" + path + " --machine gpus --json")).out);
  EXPECT_EQ(again["time"], named["time"]);
  const std::string given = folder_.path("given.graphml");
  ASSERT_EQ(run_weft({"topology", "torus:3x3", "--machine", "lumi", "-o", given}).code, 0);
  EXPECT_EQ(answer_on("file:" + given)["speeds"]["machine"], "lumi");
  std::string wrong = read_text(given);
  wrong.replace(wrong.find(">lumi<"), 6, ">../m.toml<");
  const std::string file = folder_.file("wrong.graphml", wrong);
  const Ran ran = run_weft(words_of(kCall + "file:" + file));
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_NE(ran.err.find("machine is '../m.toml'"), std::string::npos) << ran.err;
}

// Edge lists, drawings and lists of cables have no place for it.
TEST_F(SavedMachine, is_missed_where_a_format_cannot_name_it) {
  for (const auto& [name, network, machine] :  // edge lists have no switches
       {std::tuple("n.arcs", "torus:3x3 --machine lumi", "lumi"),
        std::tuple("n.edges", "torus:3x3 --machine lumi", "lumi"),
        std::tuple("n.dot", "rail:boxes=4,gpus=2,spines=2", "gpus"),
        std::tuple("n.csv", "rail:boxes=4,gpus=2,spines=2", "gpus")}) {
    const Ran ran =
        run_weft(words_of(fmt::format("topology -t {} -o {}", network, folder_.path(name))));
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.err.find(fmt::format("has no place for the network's machine, {}", machine)),
              std::string::npos)
        << name << ": " << ran.err;
  }
  EXPECT_EQ(
      run_weft({"topology", "torus:3x3", "-o", folder_.path("plain.edges")}).err.find("no place"),
      std::string::npos);
}

// A file of a machine may be elsewhere for others, so it is not named.
TEST_F(SavedMachine, is_no_file_of_a_machine) {
  const std::string machine = folder_.file("own.toml", "[host]\nstartup = \"2us\"\n");
  const std::string path = folder_.path("own.json");
  const Ran ran =
      run_weft({"topology", "torus:3x3", "--machine", machine, "-o", path, "--verbose"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("give --machine with the file, too"), std::string::npos) << ran.err;
  EXPECT_FALSE(json::parse(read_text(path)).contains("machine"));
}

TEST_F(SavedMachine, may_be_missing_or_another) {
  EXPECT_EQ(answer_on("file:" + file_with("torus:3x3", "ib-ndr"))["speeds"]["machine"], "ib-ndr");
  // A file that weft wrote before it named machines still has the expression.
  EXPECT_EQ(answer_on("file:" + file_with(kRail, std::nullopt))["speeds"]["machine"], "gpus");
  const Ran named =
      run_weft(words_of(kCall + "file:" + file_with(kRail, "ib-ndr") + " --machine ib-edr --json"));
  EXPECT_EQ(json::parse(named.out)["speeds"]["machine"], "ib-edr");
}

TEST_F(SavedMachine, is_refused_where_weft_has_none_of_the_name) {
  for (const auto& [machine, says] :
       {std::pair{"ib-ndrr", "--machine NAME sets another"}, std::pair{"../m.toml", "'machine' is"},
        std::pair{"", "'machine' is"}}) {
    const std::string file = file_with(kRail, machine);
    const Ran ran = run_weft(words_of(kCall + "file:" + file));
    EXPECT_EQ(ran.code, 2) << machine << ran.out;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(file), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
  const Ran ran =
      run_weft(words_of(kCall + "file:" + file_with(kRail, "ib-ndrr") + " --machine ib-edr"));
  EXPECT_EQ(ran.code, 0) << ran.err;
}

}  // namespace
}  // namespace weft::test
