// docs/reference/answers*.md name every key that a command prints, in the section of that command.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

// All keys of objects at any depth; those of some objects are names of classes.
void collect_keys(const json& value, std::set<std::string>& keys) {
  if (value.is_array())
    for (const json& item : value) collect_keys(item, keys);
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) {
    keys.insert(key);
    if (key != "links_by_class" && key != "link_crossings" && key != "link_data" &&
        key != "class_bytes")
      collect_keys(inner, keys);
  }
}

std::string reference_page(const std::string& name) {
  return read_text(weft::test::source_dir() + "/docs/reference/" + name + ".md");
}

std::string pages_of_commands() {
  return reference_page("answers-networks") + reference_page("answers-schedules") +
         reference_page("answers-studies");
}

std::string section(const std::string& text, const std::string& heading) {
  const std::size_t start = text.find("\n" + heading + "\n");
  if (start == std::string::npos) return "";
  return text.substr(start, text.find("\n## ", start + heading.size()) - start);
}

TEST(AnswersDocument, names_every_key_of_every_answer) {
  const ScratchFolder folder;
  const std::string file = folder.path("a.weft");
  const std::string times = folder.file("times.csv",
                                        "steps,bandwidth_factor,size,time\n14,15/8,1KB,208us\n"
                                        "8,15/8,1KB,128us\n14,15/8,1GB,0.19\n");
  const std::string document = pages_of_commands();
  const std::string common = reference_page("answers");
  const std::vector<std::pair<std::string, std::string>> lines{
      {"## weft topology", "topology torus:3x3"},
      {"## weft schedule, weft cost", "schedule broadcast -t ring:4 -a chain -o " + file},
      {"## weft schedule, weft cost", "schedule allgather -t mesh:3 -a packing --depth 2"},
      {"## weft schedule, weft cost", "cost " + file},
      {"## weft schedule, weft cost", "cost --crossings " + file},
      {"## weft schedule, weft cost", "cost --phases " + file},
      {"## weft schedule, weft cost",
       "schedule broadcast -t dragonfly:a=2,p=1,h=1 -a llf -o " + folder.path("llf.weft")},
      {"## weft draw",
       "draw --schedule " + folder.path("llf.weft") + " -o " + folder.path("llf.svg")},
      {"## weft verify", "verify " + file},
      {"## weft verify", "verify --dump " + file},
      {"## weft simulate", "simulate " + file + " --links all --rank-times"},
      {"## weft simulate", "simulate " + file + " --model packet"},
      {"## weft compare", "compare allreduce -t ring:4 --sizes 1KiB --timings"},
      {"## weft compare", "compare allgather -t mesh:3 --sizes 1KiB --steps 2..3"},
      {"## weft degrade", "degrade allreduce -t ring:4"},
      {"## weft degrade", "degrade broadcast -t mesh:2x2 --nodes all"},
      {"## weft fit", "fit " + times},
      {"## weft optimum", "optimum broadcast -t torus:3x3 --size 1MiB"},
      {"## weft optimum", "optimum allgather -t mesh:3 --steps 2..3"},
      {"## weft optimum", "optimum allreduce -t mesh:3"},
      {"## weft optimum", "optimum alltoall -t mesh:3 --hosts 0,2"},
      {"## weft throughput", "throughput torus:3x3"},
      {"## weft train", "train gpt-2-small -t torus:2x4 --parallel tensor=2,pipeline=2"},
      {"## weft testbed", "testbed list"},
      {"## weft testbed", "testbed clean"},
      {"## weft load-curve",
       "load-curve -t ring:4 --loads 0.1 --warmup 100 --measure 1000 --resolution 0.1"},
      {"## weft economics", "economics hosts(2,2dfc:3x3)"},
      {"## weft economics", "economics --endpoints 100"},
      {"## weft economics", "economics --routers 100"},
      {"## weft economics", "economics --radix 36"},
      {"## weft synthesize", "synthesize allgather -t ring:4"},
      {"## weft order", "order broadcast -t 'hosts(1, ring:4)'"},
      {"## weft find", "find --nodes 16 --throughput --size 1MiB"},
      {"## weft find", "find --nodes 6 --degree 2 --one-way --steps 2..3"},
      {"## weft find", "find --nodes 15..17 --degree 3"},
      {"## weft find", "find --nodes 10 --degree 3 --for alltoall"},
      {"## weft find", "find --nodes 176 --degree 3"},
      {"## weft design", "design -n 6 -d 3 -c allreduce:1KiB"},
      {"## weft list", "list topologies"},
      {"## weft list", "list algorithms"},
      {"## weft list", "list collectives"},
      {"## weft list", "list models"},
      {"## weft list", "list routings"},
      {"## weft list", "list formats"},
      {"## weft list", "list workloads"},
      {"## weft list", "list devices"},
      {"## weft plan", "plan -t ring:4 --collectives broadcast,allreduce --sizes 1KiB,1MiB -o " +
                           folder.path("a.plan")},
      {"## weft plan", "plan show " + folder.path("a.plan")},
      {"## weft plan", "plan check " + folder.path("a.plan")},
      {"## weft profile", "profile " + weft::test::source_dir() + "/examples/job.profile"},
      {"## weft profile", "profile " + weft::test::source_dir() + "/examples/job.profile --plan " +
                              folder.path("a.plan")},
      {"## weft export, weft import",
       "export " + file + " --to simgrid-trace -o " + folder.path("traces")},
      {"## weft export, weft import",
       "import " + folder.path("traces") + " -o " + folder.path("program.weft")},
      {"## weft export, weft import", "export " + file + " --to chakra -o " + folder.path("trace")},
      {"## weft export, weft import",
       "import " + folder.path("trace") + " --from chakra -o " + folder.path("trace.weft")},
      {"## weft export, weft import", "import " + weft::test::source_dir() +
                                          "/examples/msccl/race.xml --fix -q -o " +
                                          folder.path("right.xml")},
      {"## weft export, weft import", "import " + weft::test::source_dir() +
                                          "/examples/msccl/race.xml --fix -o " +
                                          folder.path("fixed.xml")},
      {"## weft export, weft import",
       "import " + folder.path("fixed.xml") + " -o " + folder.path("fixed.weft")},
      {"## weft train", "train --trace " + folder.path("trace") + " -t ring:4"},
      {"## weft simulate",
       "simulate " + folder.path("program.weft") + " -t ring:4 --links all --rank-times"}};
  for (const auto& [heading, line] : lines) {
    const auto ran = run_weft(words_of(line + " --json"));
    ASSERT_EQ(ran.code, 0) << line << ran.err;
    std::set<std::string> keys;
    collect_keys(json::parse(ran.out), keys);
    ASSERT_FALSE(section(document, heading).empty()) << heading;
    const std::string text = common + section(document, heading);
    for (const std::string& key : keys)
      EXPECT_NE(text.find("`" + key + "`"), std::string::npos) << key << " of " << line;
  }
}

// Values that are objects named by the user's own columns: their keys are those of the commands.
TEST(AnswersDocument, names_every_key_of_stores_and_reproductions) {
  const ScratchFolder folder;
  const std::string study = folder.file("study.toml", R"([experiment]
title = "t"
[grid]
topology = "ring:4"
collective = "allgather"
algorithm = ["ring", "bruck"]
size = ["1KiB", "2KiB"]
[[derive]]
name = "ratio_to_ring"
against = { algorithm = "ring" }
[[claim]]
text = "t"
where = { algorithm = "ring" }
than = { algorithm = "bruck" }
)");
  const std::string a = folder.path("a.sqlite"), b = folder.path("b.sqlite");
  const std::string document = pages_of_commands();
  const std::string columns = reference_page("experiment-fields");
  const std::vector<std::pair<std::string, std::string>> lines{
      {"## weft sweep", "sweep " + study + " --dry-run"},
      {"## weft sweep", "sweep " + study + " --shard 0/1 --store " + a},
      {"## weft sweep", "sweep " + study + " --quick --store " + b + " --shard 0/3"},
      {"## weft results", "results " + study + " --wall --store " + a},
      {"## weft results", "results " + study + " --store " + b},
      {"## weft results", "results diff " + a + " " + b},
      {"## weft results", "results merge " + b + " " + a},
      {"## weft reproduce", "reproduce " + study}};
  for (const auto& [heading, line] : lines) {
    const auto ran = run_weft(words_of(line + " --json"));
    ASSERT_LT(ran.code, 2) << line << ran.err;
    std::set<std::string> keys;
    collect_keys(json::parse(ran.out), keys);
    const std::string text = reference_page("answers") + section(document, heading);
    ASSERT_FALSE(section(document, heading).empty()) << heading;
    keys.erase("ratio_to_ring");
    for (const std::string& key : keys)
      EXPECT_TRUE(text.find("`" + key + "`") != std::string::npos ||
                  columns.find("`" + key + "`") != std::string::npos)
          << key << " of " << line;
  }
}

TEST(AnswersDocument, names_every_key_of_a_network) {
  const ScratchFolder folder;
  const std::string document = reference_page("network-files");
  ASSERT_EQ(run_weft({"topology", "hosts(1, ring:3)", "-o", folder.path("a.json")}).code, 0);
  const json network = json::parse(read_text(folder.path("a.json")));
  for (const auto& [key, value] : network.items())
    EXPECT_NE(document.find("`" + key + "`"), std::string::npos) << key;
}

}  // namespace
