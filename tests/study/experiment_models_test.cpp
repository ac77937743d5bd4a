// What an experiment file may not say of models: what no row heeds would change nothing.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {
namespace {

// Lines 1 to 8; a case begins on line 9.
const std::string kRings = R"([experiment]
title = "t"
[variables]
n = [4, 8]
[grid]
topology = "ring:{n}"
collective = ["allgather", "allreduce"]
algorithm = ["ring", "bruck"]
)";

std::string said_of(const std::string& content) {
  try {
    expand(parse_experiment(content, "t.toml"));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// What is written, and parts of what is said; the first begins it.
using GivenFields = std::pair<std::string, std::vector<std::string>>;

TEST(ExperimentModels, are_asked_for_by_what_only_they_heed) {
  const std::vector<GivenFields> cases{
      {"adapter = [\"pipelined\", \"serial\"]\n",
       {"9: adapter = \"pipelined\" has no effect under model fluid; add model = \"packet\" "
        "or \"flit\", or leave it out"}},
      {"router = \"codes\"\n",
       {"9: router = \"codes\"", "add model = \"packet\", or leave it out"}},
      {"router = \"codes\"\nmodel = \"flit\"\n",
       {"9: ", "under model flit; add model = \"packet\""}},
      {"model = [\"alpha-beta\", \"fluid\"]\nbackground = \"uniform\"\n",
       {"10: ", "under model alpha-beta or fluid"}},
      {"model = \"packet\"\nflit-size = 32\n", {"10: ", "add model = \"flit\", or leave it out"}},
      {"model = \"flit\"\ncables = \"shared\"\n",
       {"10: ", "add model = \"fluid\", or leave it out"}},
      {"model = \"alpha-beta\"\nsync = \"dataflow\"\n",
       {"10: sync = \"dataflow\" has no effect under model alpha-beta", "model = \"fluid\""}},
      {"model = \"packet\"\nswitching = \"wormhole\"\n",
       {"10: switching = \"wormhole\"", "add model = \"flit\", or leave it out"}},
      {"model = \"flit\"\nswitching = \"store-and-forward\"\n",
       {"10: ", "add model = \"packet\", or leave it out"}},
      {"model = \"packet\"\nfactors = \"smpi-3.12\"\n",
       {"10: factors", "add model = \"fluid\" or \"alpha-beta\", or leave it out"}},
      {"model = \"packet\"\nreceives = \"in-step\"\n", {"10: receives = \"in-step\""}},
      {"model = \"packet\"\nrouter = \"codes\"\narbitration = \"age\"\n",
       {"11: arbitration = \"age\" has no effect", "leave it out"}},
      {"model = \"packet\"\nrouter = \"codes\"\nvc-reuse = \"empty\"\n",
       {"11: vc-reuse = \"empty\" has no effect with router codes; leave it out"}},
      {"model = \"packet\"\nrouter = \"codes\"\nflit-size = 32\n",
       {"11: flit-size = \"32B\" has no effect under model packet; add model = \"flit\" "
        "without router codes, or leave it out"}},
      {"model = \"packet\"\nrouter = \"output-buffered\"\ncables = \"shared\"\n",
       {"11: ", "add model = \"fluid\" without router output-buffered, or leave it out"}},
      {"model = \"packet\"\nrouter = \"output-buffered\"\nflit-size = 32\n",
       {"11: ", "add model = \"flit\", or leave it out"}}};
  for (const auto& [content, parts] : cases) {
    const std::string said = said_of(kRings + content);
    EXPECT_TRUE(said.starts_with("t.toml:" + parts.front())) << content << said;
    for (const std::string& part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << content << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
  for (const char* fits :
       {"model = \"flit\"\nflit-size = 32\n", "model = \"fluid\"\ncables = \"shared\"\n",
        "model = [\"fluid\", \"packet\"]\nadapter = \"serial\"\nadapter-delay = \"1us\"\n"
        "cables = \"shared\"\n",
        "model = \"fluid\"\nadapter = \"serial\"\nadapter-delay = \"1us\"\n"
        "[full]\nmodel = \"packet\"\n",
        "model = \"alpha-beta\"\nsync = \"lockstep\"\n",
        "model = \"packet\"\nrouter = [\"codes\", \"output-buffered\"]\narbitration = \"age\"\n",
        "model = \"packet\"\nfactors = \"none\"\n"})
    EXPECT_EQ(said_of(kRings + fits), "") << fits;
}

// What the commands say of the same options, without their dashes; lines begin on 9.
TEST(ExperimentModels, refuse_what_asks_for_what_no_row_has) {
  const std::vector<GivenFields> cases{
      {"model = \"packet\"\ninjection = \"data-first\"\n",
       {"10: the priority of acknowledgements has no effect with release delivered, which has "
        "none; use release acknowledged, or injection in-order"}},
      {"model = \"flit\"\ninjection = [\"in-order\", \"data-first\"]\nrelease = \"injected\"\n",
       {"10: the priority of acknowledgements", "with release injected"}},
      {"model = [\"fluid\", \"packet\"]\nadapter = [\"pipelined\", \"serial\"]\n",
       {"10: a serial adapter has no effect without a delay; give adapter-delay, or adapter "
        "pipelined"}},
      {"model = \"flit\"\nadapter = \"shared\"\nadapter-delay = \"0s\"\n",
       {"10: a shared adapter has no effect without a"}},
      {"sync = \"dataflow\"\nreceives = \"in-step\"\n",
       {"10: receives and eager need programs", "another sync than dataflow"}},
      {"sync = \"dataflow\"\neager = [\"0B\", \"4KiB\"]\n", {"10: receives and eager"}},
      {"model = \"packet\"\nsync = \"dataflow\"\ncalls = 3\n",
       {"11: several calls need ranks that run by steps",
        "another sync than dataflow, or one call"}},
      {"model = \"packet\"\npacket-size = \"0B\"\n",
       {"10: packet size 0 bytes is out of range (1 to 16777215)"}},
      {"model = \"flit\"\npacket-size = 64\nflit-size = [32, 128]\n",
       {"11: flit size 128 bytes is out of range (1 to the packet size, 64)"}},
      {"model = \"flit\"\nflit-size = \"0B\"\n", {"10: flit size 0 bytes is out of range"}},
      {"model = \"flit\"\npacket-size = 32\n",
       {"10: flit size 64 bytes is out of range (1 to the packet size, 32)"}},
      {"model = \"packet\"\nbackground = \"uniform\"\nrouting = \"d-mod-k\"\nranks = 2\n",
       {"10: background traffic needs a packet routing, but d-mod-k has paths only for"}},
      {"model = \"packet\"\nbackground-size = \"2KiB\"\n",
       {"10: background-size requires background"}},
      {"model = \"packet\"\nbackground-interval = \"2us\"\nbackground = \"none\"\n",
       {"10: background-interval requires background"}}};
  for (const auto& [content, parts] : cases) {
    const std::string said = said_of(kRings + content);
    EXPECT_TRUE(said.starts_with("t.toml:" + parts.front())) << content << said;
    for (const std::string& part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << content << said;
    EXPECT_EQ(said.find("--"), std::string::npos) << said;
  }
  for (const char* fits :
       {"model = \"packet\"\ninjection = \"data-first\"\nrelease = [\"delivered\", "
        "\"acknowledged\"]\n",
        "model = \"packet\"\nadapter = \"serial\"\nadapter-delay = [\"0s\", \"1us\"]\n",
        "model = \"packet\"\nadapter = \"serial\"\nadapter-delay = \"0s\"\n[full]\n"
        "adapter-delay = \"1us\"\n",
        "sync = [\"dataflow\", \"per-rank\"]\nreceives = \"in-step\"\neager = \"4KiB\"\n",
        "model = [\"fluid\", \"flit\"]\npacket-size = 64\nflit-size = 64\n",
        "model = \"packet\"\npacket-size = 32\n",
        "model = \"packet\"\nbackground = [\"none\", \"uniform\"]\nbackground-size = \"2KiB\"\n"
        "background-interval = \"2us\"\nranks = 2\n",
        "model = \"packet\"\nbackground = \"uniform\"\nrouting = [\"shortest\", "
        "\"shortest-table\"]\nranks = 2\n"})
    EXPECT_EQ(said_of(kRings + fits), "") << fits;
}

}  // namespace
}  // namespace weft::study
