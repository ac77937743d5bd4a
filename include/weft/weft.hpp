// All that a program of one's own needs of weft, in one include:
//
//   const weft::Network network = weft::make_network("torus:4x4", {.link = "25Gbps,10us"});
//   find_package(weft REQUIRED COMPONENTS report)               # CMake
//   target_link_libraries(mine PRIVATE weft::report)
//
// weft::report brings every room; a program that uses less links less (docs/architecture.md
// says which room uses which) and includes their headers one by one.
// docs/how-to/use-the-library.md is a worked
// example: a network and a schedule of one's own, proved, priced and timed.
#pragma once

#include "weft/advise/comparison.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/analysis/bounds.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/report.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/base/rational.hpp"
#include "weft/base/units.hpp"
#include "weft/base/version.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/fields/make_network.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/network/network.hpp"
#include "weft/network/routing.hpp"
#include "weft/network/routings.hpp"
#include "weft/program/combine.hpp"
#include "weft/program/file.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/program.hpp"
#include "weft/program/prove.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/search/finder.hpp"
#include "weft/search/order.hpp"
#include "weft/search/synthesis.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"
