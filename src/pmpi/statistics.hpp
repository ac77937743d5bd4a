// What a rank counts of its calls: by communicator, collective, size, and what ran. WEFT_STATS
// prints it of rank 0, WEFT_PROFILE writes it of all ranks into a file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace weft::pmpi {

struct CallKey {
  std::string communicator;
  int members = 0;  // of it
  std::string collective;
  int size_class = 0;    // sizes in [2^(c-1), 2^c); 0: nothing
  std::string schedule;  // or why it ran natively, in brackets

  auto operator<=>(const CallKey&) const = default;
};

struct CallCount {
  std::uint64_t calls = 0, bytes = 0;
  double time_s = 0;  // in the calls, waiting for other ranks too
};

/// Adds one call; for several threads.
void count_call(CallKey key, const CallCount& call);

/// The table, a line each, on standard error.
void print_statistics(bool dry_run);

/// The lines of a profile (docs/reference/plan-files.md) that are this rank's.
std::string profile_lines(int rank);

}  // namespace weft::pmpi
