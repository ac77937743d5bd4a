// Every reader of text or bytes, fed with damaged input: it answers or refuses, nothing else.
#include <gtest/gtest.h>

#include <cctype>

#include "fuzz/feed.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/measured_table.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"
#include "weft/workload/device.hpp"
#include "weft/workload/training_model.hpp"

namespace {

using namespace weft;
using test::feed;
using test::Mutator;

const std::vector<std::string> kWords{"(",         ")",     "*",
                                      ",",         ":",     "^",
                                      "\"",        "-1",    "0",
                                      "1e9",       "nan",   "inf",
                                      "=",         ";",     "x",
                                      "ring:3",    "hosts", "without(link=0, ",
                                      "seed=",     "é",     "99999999999999999999",
                                      "\\",        "#",     "\n",
                                      "2147483648"};

const std::vector<std::string> kExpressions{
    "kautz:2,3",
    "hosts(2, random-regular:12,3,seed=2)",
    "torus:3x3x2 * ring:3",
    "without(link=2, cable=1, node=3, mesh:3x3)",
    "dragonfly:a=2,p=1,h=1,g=3,arrangement=relative",
    "xgft:2;3,2;1,2",
    "power(2, transpose(uniring:3))",
    "without(cable=n1 - n2#1, node=n3, names(hosts=n[1-4], ring:4))",
    "circulant:12,1,3",
    "file:\"no such (2).edges\"",
    "fat-tree:2,2"};

// Numbers of one digit build only small networks; longer ones must be refused by their size alone.
std::string small_numbers(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end - i > 1 && end - i < 13)
      result += static_cast<char>('0' + (text[i] - '0') % 4);
    else if (end > i)
      result += text.substr(i, end - i);
    else
      result += text[end++];
    i = end;
  }
  return result;
}

TEST(Readers, parse_damaged_expressions) {
  const int parsed_some = feed(20'000, kExpressions, Mutator(kWords), [](const std::string& text) {
    const topology::Expression parsed = topology::parse_expression(text);
    const std::string canonical = parsed.to_string();
    if (topology::parse_expression(canonical).to_string() != canonical)
      ADD_FAILURE() << "printing does not settle: " << text;
  });
  EXPECT_GT(parsed_some, 1'000);
}

TEST(Readers, build_damaged_expressions) {
  const int built = feed(10'000, kExpressions, Mutator(kWords), [](const std::string& text) {
    const std::string small = small_numbers(text);
    if (small.size() > 60) return;
    const BuiltTopology network = build_topology(small);
    EXPECT_GT(network.topology.node_count(), 0) << small;
  });
  EXPECT_GT(built, 100) << "nearly all were refused: the damage is too coarse";
}

TEST(Readers, read_damaged_network_files) {
  const BuiltTopology network = build_topology("hosts(1, ring:3)");
  BuiltTopology with_speeds = build_topology("torus:3x2");
  for ([[maybe_unused]] const LinkId link : with_speeds.topology.links()) {
    with_speeds.speeds.bandwidth_Bps.emplace_back(1'000'000);
    with_speeds.speeds.latency_ps.emplace_back(5);
  }
  using topology::TopologyFormat;
  for (const TopologyFormat format : {TopologyFormat::edges, TopologyFormat::arcs,
                                      TopologyFormat::json, TopologyFormat::graphml}) {
    const bool list = format == TopologyFormat::edges || format == TopologyFormat::arcs;
    std::vector<std::string> seeds{topology::format_topology(with_speeds, format)};
    if (!list) seeds.push_back(topology::format_topology(network, format));
    feed(10'000, seeds, Mutator(kWords),
         [&](const std::string& text) { (void)topology::parse_topology(text, format, "damaged"); });
  }
}

TEST(Readers, read_damaged_fabrics) {
  const std::string folder = test::source_dir() + "/examples/";
  const std::string fabric = read_file(folder + "leaf-spine.ibnet");
  const std::string tables = read_file(folder + "leaf-spine.lfts");
  const Mutator mutate({"[1]", "\"", "0x", "lid ", "# ", "Switch\t", "Ca\t", "4xEDR", "guid",
                        "lmc 7", "\n", "4xFOO", "node01 HCA-1",
                        "SwitchName=", "99999999999999999999", "-1", "(", "lids dumped"});
  for (const char* name : {"ibnetdiscover", "ibsim"})
    feed(3'000, {fabric}, mutate, [&](const std::string& text) {
      EXPECT_GT(
          format::find_format(name).read_fabric({text, "damaged"}).network.topology.node_count(),
          0);
    });
  const auto whole = format::find_format("ibnetdiscover").read_fabric({fabric, "whole"});
  const int taken = feed(5'000, {tables}, mutate, [&](const std::string& text) {
    const Topology routed = format::with_forwarding(whole, text, "damaged");
    (void)topology::faults_of(routed, *routed.facets().tables);
  });
  EXPECT_GT(taken, 50);
  const Topology routed = format::with_forwarding(whole, tables, "tables");
  const std::string routes = topology::format_routes(routed, *routed.facets().tables);
  feed(5'000, {routes}, Mutator({"*", ".", "1*9", "-1", "\n", "99999999999999999999"}),
       [&](const std::string& text) { (void)topology::parse_routes(text, routed, "damaged"); });
}

// Files of other systems, and marks that mean something in them.
struct FabricSeed {
  const char *format, *example;
  std::vector<std::string> words;
};

TEST(Readers, read_damaged_files_of_other_systems) {
  const std::vector<FabricSeed> seeds{
      {"booksim-anynet",
       "anynet.txt",
       {"router ", "node ", "0", "3", "-1", "\n", " 1 router 2", "99999999999999999999", "\t"}},
      {"cabling-plan",
       "cabling.dot",
       {"--", "->", "{",  "}",  "[",         "]",        "\"",
        "<",  ">",  "/*", "*/", "subgraph ", "node ",    "edge ",
        ":",  ";",  "=",  "+",  "role=host", "role=lef", "function=\"oob-switch\""}},
      {"hwloc",
       "hwloc.xml",
       {"<object ", "</object>", "type=\"Core\"", "\"PU\"", "/>", "pci_link_speed=\"", "-1", "nan",
        "osdev_type=\"3\"", "depth=\"", "<!--"}},
      {"nvidia-smi-topo",
       "nvidia-smi-topo.txt",
       {"\t", " X ", "NV12", "NV0", "PIX", "SYS", "SOC", "GPU0", "NIC1:", "\n", "\x1b[4m",
        "Legend:", " = ", "999999"}},
      {"simgrid-platform",
       "simgrid-platform.xml",
       {"<route src=\"alice\" dst=\"bob\">", "</route>", "<link_ctn id=\"a\"/>", "\"trunk\"",
        "direction=\"DOWN\"", "<zone ", "</zone>", "symmetrical=\"NO\"", "1e999", "-1", "MBps",
        "<cluster id=\"c\" prefix=\"p\" suffix=\"\" radical=\"0-7\" bw=\"1Gbps\" lat=\"1us\" "
        "topology=\"TORUS\" topo_parameters=\"2,2,2\"/>"}},
      {"nccl-topology",
       "nccl-topology.xml",
       {"<pci ", "</pci>", "<gpu ", "/>", "\"", "count=\"", "busid=", "<nvlink ", "0x03", "-1",
        "99999999999999999999", "<!--", "]]>", "&a;", "link_speed=\"", "17 GT/s",
        "</system><system>"}},
      {"infragraph",
       "infragraph.json",
       {"{", "}", "[", "]", ":", ",", "\"", "[0:2]", "[0:9:2]", "many2many", "one2one", "ring",
        "\"count\": 9", "xpu", "port", "-1", "999999", "null", "host"}},
      {"slurm-topology-conf",
       "topology.conf",
       {"SwitchName=", "Switches=", "Nodes=", "BlockName=", "[", "]", "-", ",", "\\\n", "#",
        "leaf1", "LinkSpeed=", "[1]"}},
      {"slurm-topology-yaml",
       "topology.yaml",
       {"- ", ": ", "\n", "  ", "[", "]", "{", "}", "*a", "&a ", "---", "!!", "'", "\"", "|",
        "? "}}};
  for (const FabricSeed& seed : seeds) {
    const std::string file = read_file(test::source_dir() + "/examples/" + seed.example);
    const int taken = feed(2'000, {file}, Mutator(seed.words), [&](const std::string& text) {
      const auto fabric = format::find_format(seed.format).read_fabric({text, "damaged"});
      EXPECT_GT(fabric.network.topology.node_count(), 0);
    });
    EXPECT_GT(taken, 20) << seed.format;
    feed(1'000, {file}, Mutator(seed.words),
         [&](const std::string& text) { (void)format::recognise(text, "damaged"); });
  }
}

TEST(Readers, read_damaged_machines_as_people_keep_them) {
  const std::vector<FabricSeed> seeds{
      {"nccl-topology",
       "nccl-pci-only.xml",
       {"class=\"0x030200\"", "class=\"", "busid=\"", "/>", "<gpu dev=\"0\"/>", "<net ", "0x0207"}},
      {"nccl-topology",
       "nccl-nvlink-to-itself.xml",
       {"target=\"0002:00:00.0\"", "count=\"", "<nvlink ", "net=\"0\"", "<gin/>", "-1"}},
      {"nvidia-smi-topo",
       "gb200.txt",
       {"\t", "NV18", "N/A", "0,2-17", "NODENODE", "GPU0", "\n", "OK", "GPU NUMA ID"}},
      {"nvidia-smi-topo",
       "nvsmi-in-report.txt",
       {"GPU0    GPU1", "NIC0: ", "0: ", "PHB", "X", "\n", "between two GPUs"}}};
  for (const FabricSeed& seed : seeds) {
    const std::string file = read_file(test::source_dir() + "/tests/data/cases/" + seed.example);
    const int taken = feed(2'000, {file}, Mutator(seed.words), [&](const std::string& text) {
      const auto fabric = format::find_format(seed.format).read_fabric({text, "damaged"});
      EXPECT_GT(fabric.network.topology.node_count(), 0);
    });
    EXPECT_GT(taken, 20) << seed.example;
  }
}

TEST(Readers, read_damaged_schedules_of_synthesizers) {
  const std::vector<FabricSeed> seeds{
      {"tacos",
       "synthesized/tacos.csv",
       {",", "None", "\n", "-1", "0", "1e9", "99999999999999999999", "NPUs Count,", "Chunk Size,",
        "1,0,1,1,", ",B"}},
      {"te-ccl",
       "synthesized/te-ccl.json",
       {"\"", ",", "[", "]", "{", "}", "->", "1->2", " in epoch ", " with volume 0.5", "-1",
        " via switches 0", "Chunk 0 from 1 traveled over 2->0 in epoch 0", "1e999", "null",
        "\"8-Chunk paths\": {", "Demand at 1 for chunk 0 from 2 met by epoch 0"}},
      {"forestcoll",
       "synthesized/forestcoll.xml",
       {"<tree ", "</tree>", "<send ", "/>", "root=\"", "nchunks=\"2\"", "(0, 'GPU', 1)", "\"",
        "-1", "99999999999999999999", "&a;", "<!--"}}};
  for (const FabricSeed& seed : seeds) {
    const std::string file = read_file(test::source_dir() + "/examples/" + seed.example);
    const format::Format& format = format::find_format(seed.format);
    const int taken = feed(2'000, {file}, Mutator(seed.words), [&](const std::string& text) {
      const format::ProgramSource source{.path = "damaged",
                                         .read = [&](const std::string&) { return text; }};
      (void)program::prove(format.read_program(source), *format.read_claim(source));
    });
    EXPECT_GT(taken, 20) << seed.format;
  }
}

TEST(Readers, read_damaged_goal) {
  const std::string text =
      "num_ranks 2\nrank 0 {\na: calc 5 cpu 1\nb: send 8b to 1 tag 7 cpu 2 nic 1\nb requires a\n"
      "c: calc 1\nc irequires b\n}\nrank 1 {\na: recv 8b from 0 tag 7\n}\n";
  const int taken =
      feed(5'000, {text},
           Mutator({" requires ", " irequires ", "{", "}", ":", "\n", "-1", "calc ", "send 8b to 1",
                    "recv 8b from 0", "rank 1 {", "/*", "*/", "//", "99999999999999999999"}),
           [](const std::string& damaged) {
             (void)format::find_format("goal").read_program(
                 {.path = "damaged", .read = [&](const std::string&) { return damaged; }});
           });
  EXPECT_GT(taken, 50);
}

TEST(Readers, read_damaged_tables_of_measured_times) {
  const std::string osu =
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 2 ] [ window size: 64 ]\n"
      "# Size                  MB/s        Messages/s\n1 8.61 8612345.22\n1024 800 800000\n";
  const std::string imb =
      "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n"
      "0 1000 1.2 0.00\n1024 1000 2.00 512\n# Benchmarking Barrier\n#repetitions t[usec]\n1 1\n";
  const std::string nccl =
      "#  Rank  0 on box\n#  Rank  1 on box\n# size time algbw busbw\n# (B) (us) (GB/s) (GB/s)\n"
      "1000000 100 10.0 10.0\n";
  const std::string json =
      "{\"args\":[\"all_reduce_perf\"],\"config\":{\"devices\":[{\"rank\":0},{\"rank\":1}]},"
      "\"results\":[{\"size\":1000000,\"redop\":\"sum\",\"root\":\"-1\",\"out_of_place\":"
      "{\"time\":100.0,\"alg_bw\":10.0,\"bus_bw\":10.0}}]}";
  const int taken = feed(20'000, {osu, imb, nccl, json},
                         Mutator({"#",
                                  "\n",
                                  "-1",
                                  "0",
                                  "nan",
                                  "1e300",
                                  "99999999999999999999",
                                  "# Benchmarking ",
                                  "pairs: 1000000",
                                  "WARNING: no device\n",
                                  "Allreduce",
                                  "_perf",
                                  "(us)",
                                  "0: ",
                                  "[1,0]<stdout>:",
                                  "n1:2:3 [0] NCCL INFO x\n",
                                  "cputime",
                                  "# Rank 0\n",
                                  "\x1b[4m",
                                  "null",
                                  "\"in_place\":",
                                  "12:00:00 "}),
                         [](const std::string& text) {
                           const auto read =
                               calibrate::read_measured_tables(text, "all_reduce_perf");
                           for (const auto& table : read.tables)
                             for (const auto& row : table.rows) EXPECT_GT(row.time_s, 0) << text;
                         });
  EXPECT_GT(taken, 100);
}

TEST(Readers, read_damaged_machines) {
  const std::string machine =
      "[host]\nstartup = \"1us\"\nports = 2\n[links.all]\nbandwidth = \"1GBps\"\nlatency = "
      "\"1us\"\n[[links.all.sizes]]\nfrom = \"1KiB\"\nlatency = 2.5\nbandwidth = 1\n[measured]\n"
      "from = \"1B\"\nto = \"4MiB\"\n[intervals]\nstartup = [\"0s\", \"1us\"]\n";
  const int taken = feed(
      10'000, {machine}, Mutator({"[", "]", "\"", "=", "\n", "nan", "-1", "inf", ";", "links."}),
      [](const std::string& text) {
        Values said;
        (void)fields::put_beneath(fields::parse_machine_model(text, "damaged"), said);
        (void)fields::network_in(said);
        (void)fields::simulation_options_in(said);
      });
  EXPECT_GT(taken, 100);
}

// What is taken has layers of different names, and totals that are numbers.
TEST(Readers, read_damaged_models_to_train) {
  const std::string folder = test::source_dir() + "/share/models/";
  const int taken =
      feed(5'000, {read_file(folder + "switch-c.toml"), read_file(folder + "gpt-2-small.toml")},
           Mutator({"[[layers]]\n", "[[layers.layers]]\n", "times = 100000\n", "experts = 3\n",
                    "capacity = 0.5\n", "layers = []\n", "name = \"x\"\n", "-1", "nan", "inf",
                    "1e18", "4611686018427387904", "_", "\"", "=", "{", "}"}),
           [](const std::string& text) {
             const workload::TrainingModel model =
                 workload::parse_training_model(text, "damaged", "damaged");
             EXPECT_FALSE(model.layers.empty()) << text;
             EXPECT_GE(model.parameters(), 0) << text;
             EXPECT_TRUE(model.operations() >= 0 && model.operations() <= 0x1p62) << text;
           });
  EXPECT_GT(taken, 100);
}

// What is taken says of each kind at each precision what it reaches.
TEST(Readers, read_damaged_devices) {
  const std::string file =
      "summary = \"s\"\n[peak]\nfp16 = 125e12\nfp32 = 15.7e12\n[efficiency]\ndefault = { fp16 = "
      "0.48, fp32 = 0.5 }\nconvolution = 0.2\nfeed-forward = { default = 0.3 }\n";
  const int taken = feed(
      10'000, {file},
      Mutator({"[", "]", "{", "}", "\"", "=", "\n", "nan", "-1", "inf", "head", "fp8", "0", "e99"}),
      [](const std::string& text) {
        const workload::Device device = workload::parse_device(text, "damaged", "damaged");
        for (const auto& peak : device.peaks)
          for (const workload::LayerKind kind : workload::kLayerKinds)
            EXPECT_GT(device.peak(peak.precision).operations_per_second *
                          device.efficiency_of(kind, peak.precision),
                      0)
                << text;
      });
  EXPECT_GT(taken, 100);
}

TEST(Readers, expand_damaged_lists_of_names) {
  const std::vector<std::string> seeds{"node[001-016]", "a,b[1-3]c[0-1]", "n[08-11]"};
  feed(20'000, seeds, Mutator({"[", "]", ",", "-", "0", "9"}), [](const std::string& text) {
    if (text.size() > 20) return;
    EXPECT_FALSE(topology::expand_names(text, "damaged").empty()) << text;
  });
}

TEST(Readers, parse_damaged_quantities) {
  const Mutator mutate({"G", "Ki", "bps", "B", "us", ".", ",", ":", "-", "nan", "inf", "=", "1e5",
                        "9223372036854775807", "0"});
  const std::vector<std::string> seeds{
      "64KiB", "1KiB:64MiB",           "100Gbps",     "4.7GBps", "1us",
      "0.5ms", "global=4.7GBps,100ns", "100Gbps,1us", "4096"};
  feed(20'000, seeds, mutate,
       [](const std::string& text) { EXPECT_GE(parse_size(text), 0) << text; });
  feed(20'000, seeds, mutate, [](const std::string& text) {
    for (const std::int64_t size : parse_sizes(text)) EXPECT_GE(size, 0) << text;
  });
  feed(20'000, seeds, mutate,
       [](const std::string& text) { EXPECT_GT(parse_bandwidth(text), 0) << text; });
  feed(20'000, seeds, mutate,
       [](const std::string& text) { EXPECT_GE(parse_time(text), 0) << text; });
  feed(20'000, seeds, mutate, [](const std::string& text) {
    LinkOptions options;
    topology::parse_link_option(text, options);
  });
}

}  // namespace
