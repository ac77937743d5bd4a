// The network that tests of calibration measure, and tables on its hosts.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/calibrate/calibration.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {

/// Hosts 0 and 1 under one switch, 2 and 3 under another, a cable between the switches.
inline Network two_leaves() {
  const Fabric fabric(build_topology("hosts(2, complete:2)"));
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

/// The first table of the text, its rank r on hosts[r].
inline PlacedTable placed(const std::string& text, const std::vector<int>& hosts) {
  PlacedTable made{read_measured_tables(text, "t.txt").tables.at(0), {}};
  for (const int host : hosts) made.nodes.push_back(two_leaves().topology().hosts()[host]);
  return made;
}

inline const FittedClass& class_of(const Calibration& fit, const std::string& name) {
  for (const FittedClass& each : fit.classes)
    if (each.name == name) return each;
  throw InvalidInput("no class " + name);
}

}  // namespace weft::calibrate
