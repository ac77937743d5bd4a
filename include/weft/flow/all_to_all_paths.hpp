// Paths of an all-to-all at the throughput of its network: what the ranks of each host send to
// those of each other one, cut into equal units and divided over paths, so that the most loaded
// link has as little as it can.
//
//   const AllToAllPaths split = all_to_all_paths(make_topology("torus:4x4"));
//   split.units_per_pair;  // of each pair of ranks
//   split.throughput;      // what units of any size could reach, proven
//
// The paths are those of the flows that prove the throughput. Where these are fractions of few
// units nothing is lost; else shares are rounded so that loads stay even.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/flow/throughput.hpp"
#include "weft/topology/topology.hpp"

namespace weft::flow {

struct AllToAllQuestion {
  /// The hosts of ranks, two or more, each named once for every rank there; empty: a rank on each.
  std::vector<NodeId> places = {};
  std::vector<std::int64_t> capacity = {};  // by link, as of all_to_all_throughput(); or none
  std::int64_t most_units = std::int64_t{1} << 20;  // of a pair
  bool exactly_so_many = false;                     // in most_units, be they more than are needed
  ThroughputOptions throughput = {};
};

/// Links from a host to another, one after the other, none twice and no node twice.
struct SharedPath {
  NodeId from, to;
  std::int64_t units = 0;  // of units_per_pair times the pairs of their ranks; 1 or more
  std::vector<LinkId> links;
};

struct AllToAllPaths {
  Throughput throughput;
  std::int64_t units_per_pair = 1;
  /// By source, then by destination. Where the network is known as Cayley without switches, and
  /// every host has as many ranks, those of the first host alone: CayleyView::translate() takes
  /// them to the others', and loads are even under all translations.
  std::vector<SharedPath> paths;
  bool of_one_source = false;
};

/// The paths. Throws as all_to_all_throughput() does, and for too many hosts and links to hold
/// (2^31 pairs of them). Time: that of the throughput, and about hosts * links a host's paths.
AllToAllPaths all_to_all_paths(const Topology& topology, const AllToAllQuestion& question = {});

}  // namespace weft::flow
