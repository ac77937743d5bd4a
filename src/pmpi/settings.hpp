// What the environment says: WEFT_PLAN and the others (docs/how-to/run-mpi-programs.md).
#pragma once

#include <cstdint>
#include <string>

namespace weft::pmpi {

enum class Yield : unsigned char { where_crowded, always, never };

/// Bytes that one message, or what is packed for one, may have: MPI counts in ints.
inline constexpr std::int64_t kMostAtOnce_B = std::int64_t{1} << 30;

struct Settings {
  std::string plan;
  std::string profile;   // WEFT_PROFILE: the file that all ranks' calls are counted in
  int log = 1;           // WEFT_LOG: 0 nothing, 1 what goes wrong, 2 what is done too
  bool verify = false;   // WEFT_VERIFY
  bool stats = false;    // WEFT_STATS
  bool dry_run = false;  // WEFT_DRY_RUN
  Yield yield = Yield::where_crowded;
  /// WEFT_MOST_AT_ONCE: bytes of a message, and of what is packed, at most; MPI counts in ints.
  std::int64_t most_at_once_B = kMostAtOnce_B;
};

/// Reads the environment; a value that is none, and an unknown WEFT_ variable, is named on rank 0
/// and passed over.
Settings read_settings(bool tells);

/// One line on standard error: "weft: ...".
void say(const std::string& line);

}  // namespace weft::pmpi
