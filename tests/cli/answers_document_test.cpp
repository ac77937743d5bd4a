// docs/reference/answer-keys.md names every key that a command prints: answers fit their schemas.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"
#include "support/process/schema_faults.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::schema_faults;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::string reference_page(const std::string& name) {
  return read_text(weft::test::source_dir() + "/docs/reference/" + name + ".md");
}

// The page of keys is made from the schemas.
void expect_schemas(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const auto ran = run_weft(words_of(line + " --json"));
    ASSERT_LT(ran.code, 2) << line << ran.err;
    const auto schema = run_weft({"schema", words_of(line).front()});
    ASSERT_EQ(schema.code, 0) << line << schema.err;
    EXPECT_EQ(schema_faults(json::parse(schema.out), json::parse(ran.out)),
              std::vector<std::string>())
        << line;
  }
}

TEST(AnswersDocument, names_every_key_of_every_answer) {
  const ScratchFolder folder;
  const std::string file = folder.path("a.weft");
  const std::string times = folder.file("times.csv",
                                        "steps,bandwidth_factor,size,time\n14,15/8,1KB,208us\n"
                                        "8,15/8,1KB,128us\n14,15/8,1GB,0.19\n");
  expect_schemas(
      {"topology torus:3x3",
       "schedule broadcast -t ring:4 -a chain -o " + file,
       "schedule allgather -t mesh:3 -a packing --depth 2",
       "cost " + file,
       "cost --crossings " + file,
       "cost --phases " + file,
       "schedule broadcast -t dragonfly:a=2,p=1,h=1 -a llf -o " + folder.path("llf.weft"),
       "draw --schedule " + folder.path("llf.weft") + " -o " + folder.path("llf.svg"),
       "verify " + file,
       "verify --dump " + file,
       "simulate " + file + " --links all --rank-times",
       "simulate " + file + " --model packet",
       "compare allreduce -t ring:4 --sizes 1KiB --timings",
       "compare allgather -t mesh:3 --sizes 1KiB --steps 2..3",
       "degrade allreduce -t ring:4",
       "degrade broadcast -t mesh:2x2 --nodes all",
       "fit " + times,
       "optimum broadcast -t torus:3x3 --size 1MiB",
       "optimum allgather -t mesh:3 --steps 2..3",
       "optimum allreduce -t mesh:3",
       "optimum alltoall -t mesh:3 --hosts 0,2",
       "throughput torus:3x3",
       "train gpt-2-small -t torus:2x4 --parallel tensor=2,pipeline=2",
       "testbed list",
       "testbed clean",
       "load-curve -t ring:4 --loads 0.1 --warmup 100 --measure 1000 --resolution 0.1",
       "economics hosts(2,2dfc:3x3)",
       "economics --endpoints 100",
       "economics --routers 100",
       "economics --radix 36",
       "synthesize allgather -t ring:4",
       "order broadcast -t 'hosts(1, ring:4)'",
       "find --nodes 16 --throughput --size 1MiB",
       "find --nodes 6 --degree 2 --one-way --steps 2..3",
       "find --nodes 15..17 --degree 3",
       "find --nodes 10 --degree 3 --for alltoall",
       "find --nodes 176 --degree 3",
       "design -n 6 -d 3 -c allreduce:1KiB",
       "list topologies",
       "list algorithms",
       "list collectives",
       "list models",
       "list routings",
       "list formats",
       "list workloads",
       "list devices",
       "plan -t ring:4 --collectives broadcast,allreduce --sizes 1KiB,1MiB -o " +
           folder.path("a.plan"),
       "plan show " + folder.path("a.plan"),
       "plan check " + folder.path("a.plan"),
       "profile " + weft::test::source_dir() + "/examples/job.profile",
       "profile " + weft::test::source_dir() + "/examples/job.profile --plan " +
           folder.path("a.plan"),
       "export " + file + " --to simgrid-trace -o " + folder.path("traces"),
       "import " + folder.path("traces") + " -o " + folder.path("program.weft"),
       "export " + file + " --to chakra -o " + folder.path("trace"),
       "import " + folder.path("trace") + " --from chakra -o " + folder.path("trace.weft"),
       "import " + weft::test::source_dir() + "/examples/msccl/race.xml --fix -q -o " +
           folder.path("right.xml"),
       "import " + weft::test::source_dir() + "/examples/msccl/race.xml --fix -o " +
           folder.path("fixed.xml"),
       "import " + folder.path("fixed.xml") + " -o " + folder.path("fixed.weft"),
       "train --trace " + folder.path("trace") + " -t ring:4",
       "simulate " + folder.path("program.weft") + " -t ring:4 --links all --rank-times"});
}

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
  expect_schemas({"sweep " + study + " --dry-run", "sweep " + study + " --shard 0/1 --store " + a,
                  "sweep " + study + " --quick --store " + b + " --shard 0/3",
                  "results " + study + " --wall --store " + a, "results " + study + " --store " + b,
                  "results diff " + a + " " + b, "results merge " + b + " " + a,
                  "reproduce " + study});
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
