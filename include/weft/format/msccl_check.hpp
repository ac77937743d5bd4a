// The static check of an MSCCL algorithm: what goes wrong under any interleaving, and how.
//
// A file is right if every order in which its thread blocks can run ends, gives the same result,
// and that result is the collective's. The checker never runs one order and trusts it:
//
//   pairing     the i-th send of a connection meets the i-th receive, with the same count;
//   deadlock    thread blocks wait for data, for a free place in a connection and for other
//               thread blocks. These waits form a graph that no interleaving changes, so one run
//               that goes as far as it can decides; if it stops, the waits contain a circle;
//   races       two accesses of a chunk, one of which writes, must be ordered by program order,
//               dependencies and messages, also through other GPUs;
//   result      without a deadlock and a race all orders give the same result, and one symbolic
//               execution finds it.
//
// The check knows only the Algorithm; it shares nothing with the program that writes such files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/format/msccl.hpp"

namespace weft::format::msccl {

enum class Severity : std::uint8_t {
  fault,  // hangs, or gives a wrong result, for some order or size
  limit,  // the reader of the profile refuses the file, or reads it otherwise
  style,  // works, and does more than it must
};
/// "fault", "limit", "style".
std::string_view name_of(Severity severity);

/// One thing that is wrong. -1 or 0 where it belongs to no rank, thread block, step or line.
struct Finding {
  Severity severity = Severity::fault;
  std::string kind;  // a stable word: "race", "deadlock", "unpaired", "missing-contribution", ...
  std::int32_t rank = -1, block = -1, step = -1, line = 0;
  std::string text;                 // one line: what, where, why
  std::vector<std::string> events;  // the counterexample, in the order of time
};

struct CheckOptions {
  const Profile* profile = nullptr;        // whose limits are checked; null: none
  std::size_t most_findings = 50;          // of each severity
  std::int64_t most_visits = 400'000'000;  // steps that searches for an order may visit in all
};

/// The largest size of the larger user buffer that cannot deadlock.
struct SafeSize {
  std::optional<std::int64_t> size_B;  // nothing: no limit; 0: no size is safe
};
inline constexpr int kProtocols = 3;

struct Report {
  std::vector<Finding> findings;  // faults first, then limits, then style
  std::int64_t left_out = 0;      // findings above most_findings
  std::int64_t faults = 0, limits = 0;
  /// The messages that a connection must hold so that nothing deadlocks: if each step is one
  /// message, and if each chunk is its own message. Nothing: it deadlocks with any number, or
  /// pairing and dependencies are too wrong to tell.
  std::optional<std::int64_t> depth_of_steps, depth_of_chunks;
  /// By Protocol, with the default buffers of NCCL. Nothing like the depths.
  std::optional<std::array<SafeSize, kProtocols>> safe;
  /// Whether the result was compared with the collective's: it is known, and all else is right
  /// enough to execute.
  bool result_checked = false;
  std::optional<std::int32_t> root = {};  // of a rooted collective whose result was checked

  bool right() const { return faults == 0 && limits == 0; }
};

/// Checks an algorithm. Throws InvalidInput for one that is too large to check: above 10^8 chunks
/// of buffers, 2 * 10^8 chunks moved, 2^28 steps. Time: O(steps log(depth)) plus the accesses of
/// chunks; pairs of accesses that only messages order cost a search backwards. Memory: about 100
/// bytes a step and 30 a chunk.
Report check(const Algorithm& algorithm, const CheckOptions& options = {});

/// The root of a rooted collective: the algorithm's, if it is set; else the rank whose data
/// arrives, or the one that is complete in the end; 0 where that is not clear. Executes the steps.
std::int32_t root_of(const Algorithm& algorithm);
/// Throws InvalidInput unless the collective has a root and `root` is a rank.
void require_root(std::int32_t root, std::string_view collective, std::int32_t ranks,
                  std::string_view file);
/// Sets the root to what the user says, or else to root_of(). Throws like require_root().
void set_root(Algorithm& algorithm, std::optional<std::int32_t> root);

/// What the reader of a profile refuses in an algorithm, or reads otherwise; empty: it takes the
/// file. O(steps).
std::vector<Finding> limits_of(const Algorithm& algorithm, const Profile& profile,
                               std::size_t most_findings = 50);

/// What the hand-written readers of these files cannot read, or read otherwise than other XML
/// readers do: a declaration, line breaks within a tag, single quotes, long values. O(bytes).
std::vector<Finding> check_text(std::string_view text, const Profile& profile);

/// A dependency that fix() adds: `step` of `block` then waits for `on`. Steps as in the old file.
struct AddedDependency {
  std::int32_t rank = -1, block = -1, step = -1;
  StepId on;
};

struct StepPlace {
  std::int32_t rank = -1;
  StepId step;
};

struct Repair {
  std::optional<Algorithm> algorithm = {};  // nothing: it cannot be repaired
  std::vector<AddedDependency> added = {};
  /// The steps that others waited for in vain, and that have `hasdep` now. As in the old file.
  std::vector<StepPlace> flags = {};
  std::string reason = {};  // why not
};

/// Adds the dependencies whose absence is a race, and sets `hasdep`. Every further dependency of a
/// step is a nop before it. The repaired algorithm has no fault; otherwise nothing is returned but
/// the reason.
Repair fix(const Algorithm& algorithm, const CheckOptions& options = {});

}  // namespace weft::format::msccl
