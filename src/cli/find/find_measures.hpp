// What weft find says of a network beyond the finder's own facts: how it is wired, how far its
// nodes are apart, what it carries, how long an allgather takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/answers/throughput_cache.hpp"
#include "cli/find/catalogue_files.hpp"
#include "cli/options/options.hpp"
#include "weft/search/catalogue_builder.hpp"
#include "weft/search/finder.hpp"

namespace weft::cli {

struct FindOptions {
  std::string nodes;
  Said said = {};        // degree; of the throughput, gap and time-limit; link or a machine's file
  bool one_way = false;  // else every link has a reverse
  bool throughput = false;
  bool distances = false;
  std::string search;  // a time; empty: none
  std::string found_file = cache_file("found.csv");
  std::string size, csv;
  std::string steps, steps_chart;  // empty: no curves
  std::string build_folder;
  std::vector<int> build_degrees = search::BuildOptions().degrees;
  OutputOptions common;

  int degree() const;
  search::Direction direction() const {
    return one_way ? search::Direction::one_way : search::Direction::bidirectional;
  }
};

struct FoundMeasures {
  bool two_way = false;  // every link is one direction of a cable
  int ports = 0;         // of the node with the most
  std::optional<int> diameter = {};
  std::optional<double> distance_bound = {};
  std::optional<KnownThroughput> throughput = {};
  std::optional<double> time_s = {};  // of an allgather
};

using FoundFronts = std::vector<search::FoundFront>;
using MeasuredFronts = std::vector<std::vector<FoundMeasures>>;  // by size and line

/// Measures every line; distances only where they are wanted.
MeasuredFronts measure_all(const FoundFronts& found, const FindOptions& options, bool distances);

/// Throws InvalidInput for a --size, --link, --gap or --time-limit that is none, before any work is
/// done.
void check_measures(const FindOptions& options);

}  // namespace weft::cli
