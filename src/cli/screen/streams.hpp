// Where a command writes, so that tests can call it.
#pragma once

#include <memory>
#include <ostream>

#include "cli/screen/notes.hpp"

namespace weft::cli {

/// Results go to `out`, prose to `err`; notes are gathered, and printed after the answer.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  std::shared_ptr<Notes> notes = std::make_shared<Notes>();
};

inline constexpr int kFine = 0;      // done
inline constexpr int kNo = 1;        // a sound "no": a check failed
inline constexpr int kBadInput = 2;  // usage or input
inline constexpr int kOurFault = 3;
inline constexpr int kStopped = 130;  // by Ctrl-C or SIGTERM, to be continued

}  // namespace weft::cli
