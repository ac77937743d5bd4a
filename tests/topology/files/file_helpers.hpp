// What the tests of the file formats share.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

inline std::string message(std::string_view content, TopologyFormat format) {
  try {
    parse_topology(content, format, "net");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(accepted)";
}

// The same network under a name that builds nothing, so that only the file's facets are left.
inline Topology through_file(const std::string& text) {
  std::string json = format_topology(build_topology(text), TopologyFormat::json);
  const std::string name = "\"expression\": \"" + text + "\"";
  EXPECT_NE(json.find(name), std::string::npos) << text;
  json.replace(json.find(name), name.size(), "\"expression\": \"a-machine\"");
  return parse_topology(json, TopologyFormat::json, "net.json").topology;
}

inline void expect_same(const BuiltTopology& one, const BuiltTopology& other) {
  const Topology& a = one.topology;
  const Topology& b = other.topology;
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_EQ(a.nominal_degree(), b.nominal_degree());
  EXPECT_TRUE(std::ranges::equal(a.class_names(), b.class_names()));
  ASSERT_EQ(a.link_count(), b.link_count());
  for (LinkId link : a.links()) EXPECT_EQ(a.cable(link), b.cable(link));
  EXPECT_EQ(one.speeds.bandwidth_Bps, other.speeds.bandwidth_Bps);
  EXPECT_EQ(one.speeds.latency_ps, other.speeds.latency_ps);
}

// Arcs as text with kinds, classes and whether each has a reverse; link order apart.
inline std::vector<std::string> structure(const Topology& topology) {
  std::vector<std::string> rows;
  for (LinkId link : topology.links())
    rows.push_back(
        fmt::format("{} {} {} {} {}", topology.tail(link).value(), topology.head(link).value(),
                    topology.class_names()[topology.link_class(link)],
                    topology.reverse(link).has_value(), topology.is_host(topology.tail(link))));
  std::sort(rows.begin(), rows.end());
  return rows;
}

inline const std::string kNetworks[] = {"torus:4x3x2",
                                        "kautz:2,3",
                                        "debruijn:2,3",
                                        "hosts(2, random-regular:12,3,seed=5)",
                                        "dragonfly:a=4,p=2,h=2,g=5",
                                        "xgft:2;4,3;1,2",
                                        "without(link=3, node=0, torus:3x3)",
                                        "ring:3 * uniring:4",
                                        "file:" + test::source_dir() + "/examples/dgx1.edges"};

}  // namespace weft::topology
