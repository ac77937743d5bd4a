// Files of schedulers, InfiniBand's tools and cabling plans, damaged: they are read or refused. The
// cases have what the examples have not: rings, toruses, groups, messages, lists of ports.
#include <gtest/gtest.h>

#include "format/import_cases.hpp"
#include "fuzz/feed.hpp"

namespace {

using namespace weft;
using test::case_file;
using test::feed;
using test::Mutator;

struct Seeds {
  const char* format;
  std::vector<std::string> files, words;
};

TEST(ClusterFiles, are_read_or_refused_when_damaged) {
  const std::string ports =
      "SW     6  2 0x0000000000000100 4x EDR - CA     4  2 0x0000000000000202 ( 's' - 'h HCA-1' )\n"
      "CA     4  2 0x0000000000000202 4x EDR - SW     6  2 0x0000000000000100 ( 'h HCA-1' - 's' "
      ")\n";
  const std::vector<Seeds> all{
      {"slurm-topology-conf",
       {case_file("ring.conf"), case_file("forest.conf"),
        case_file("files/slurm-no-topology.conf")},
       {"SwitchName=", "RingName=", "AggregatedBlock=", "BlockIndex=1", "Nodes=", "[1-9999999]",
        "Include x", "TorusName=p", "\n", ",", "#", "\\\n"}},
      {"slurm-topology-yaml",
       {case_file("slurm-2605.yaml"), case_file("torus-regions.yaml"),
        case_file("files/slurm-empty-switch.yaml")},
       {"- ", ": ", "\n", "  ", "x: 65535", "y: 0", "nodes: n[1-4]", "ring:", "torus3d:",
        "regions:", "flat: true", "tree:", "anchor: {x: 9, y: 9, z: 9}", "cluster_default: true"}},
      {"ibnetdiscover",
       {case_file("grouped.ibnet"), case_file("dirty.ibnet"), case_file("lonely.ibnet"), ports},
       {"Chassis 1", "[1]", "\"S-000a000000000010\"", "Switch 36 \"", "Ca 1 \"H-1\"", "4xHDR",
        "1xSDR", "lid 7", "SW ", "CA ", "0x", " - ", "( '", "' )", "ibwarn: [1] x", "=", "\n"}},
      {"cabling-plan",
       {case_file("files/dot-hairpin-cable.dot"), case_file("files/dot-unknown-function.dot"),
        case_file("files/dot-device-without-cable.dot")},
       {"--", "->", "digraph", "[function=\"fake\"]", "label=\"100G\"", "latency=\"1us\"",
        "speed=1", "{", "}", "\"swp1\"", "#", "\n"}}};
  for (const Seeds& seeds : all) {
    const int taken = feed(2'000, seeds.files, Mutator(seeds.words), [&](const std::string& text) {
      const topology::ImportOptions joined{.join = true};
      const auto fabric =
          format::find_format(seeds.format).read_fabric({text, "damaged", {}, joined});
      EXPECT_GT(fabric.network.topology.node_count(), 0);
    });
    EXPECT_GT(taken, 20) << seeds.format;
  }
}

}  // namespace
