// What the environment says: WEFT_PLAN and the others (docs/runtime.md).
#pragma once

#include <string>

namespace weft::pmpi {

enum class Yield : unsigned char { where_crowded, always, never };

struct Settings {
  std::string plan;
  std::string profile;   // WEFT_PROFILE: the file that all ranks' calls are counted in
  int log = 1;           // WEFT_LOG: 0 nothing, 1 what goes wrong, 2 what is done too
  bool verify = false;   // WEFT_VERIFY
  bool stats = false;    // WEFT_STATS
  bool dry_run = false;  // WEFT_DRY_RUN
  Yield yield = Yield::where_crowded;
};

/// Reads the environment; a value that is none, and an unknown WEFT_ variable, is named on rank 0
/// and passed over.
Settings read_settings(bool tells);

/// One line on standard error: "weft: ...".
void say(const std::string& line);

}  // namespace weft::pmpi
