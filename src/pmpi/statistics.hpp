// WEFT_STATS: calls and bytes by communicator, collective, size, schedule and why not one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace weft::pmpi {

struct CallKey {
  std::string communicator;
  std::string collective;
  int size_class = 0;    // sizes in [2^(c-1), 2^c); 0: nothing
  std::string schedule;  // or why it ran natively, in brackets

  auto operator<=>(const CallKey&) const = default;
};

struct CallCount {
  std::uint64_t calls = 0, bytes = 0;
};

/// Adds one call; for several threads.
void count_call(CallKey key, std::uint64_t bytes);

/// The table, a line each, on standard error.
void print_statistics(bool dry_run);

}  // namespace weft::pmpi
