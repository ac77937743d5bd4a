// weft testbed: what its actions share.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/json.hpp"
#include "weft/testbed/launch.hpp"
#include "weft/testbed/layout.hpp"

namespace weft::cli {

struct TestbedOptions {
  std::string what;
  std::vector<std::string> program;
  GivenFields said;
  std::string rate, delay, mpi, time_limit = "1h", sizes = "1MiB", algorithms, alpha = "0s";
  std::vector<std::string> preload;
  int fewest = 5;  // calls of each size that compare measures
  bool dry_run = false, beyond_budget = false;
  OutputOptions common;
};

/// The network as `weft testbed` takes it, its links at the rate's payload; routing shortest unless
/// another was said.
Network testbed_network(const TestbedOptions& options);
/// Laid out and held against the budget, unless that was waived.
testbed::Layout testbed_layout(const TestbedOptions& options, const Network& network);

/// The command line that runs a program in the testbed: options' MPI, or the first that is
/// installed. Programs of weft's own folder are taken as built for that MPI. Throws InvalidInput
/// where either is not there.
testbed::LaunchOptions testbed_launch(const TestbedOptions& options,
                                      const std::vector<std::string>& program);

int run_in_testbed(const TestbedOptions& options, Streams& streams);
answer::Shape testbed_comparison_shape();
int compare_in_testbed(const TestbedOptions& options, Streams& streams);

}  // namespace weft::cli
