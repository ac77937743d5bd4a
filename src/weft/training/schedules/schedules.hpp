// The schedules that groups run a collective with: the fastest at each size.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/evaluate/evaluation.hpp"
#include "weft/program/program.hpp"
#include "weft/training/prices.hpp"

namespace weft::training {

/// Links that groups have for their own: those on their routes. A schedule with routes of its own
/// may lead over others, where a simulation of these groups does not see who else is there.
struct OwnLinks {
  std::vector<bool> own;  // empty: all are

  bool hold(const std::vector<double>& link_bytes) const {
    for (std::size_t i = 0; i < own.size() && i < link_bytes.size(); ++i)
      if (link_bytes[i] > 0 && !own[i]) return false;
    return true;
  }
};

/// A time, and what it was reached with.
struct TimedSchedule {
  double time_s = INFINITY;
  std::string schedule;
  std::vector<double> link_bytes;
  std::int64_t segments = 1;
};

struct Fastest {
  double time_s = INFINITY;  // where no schedule stays on its own links
  std::string schedule = {};
  std::int64_t segments = 1;
  std::vector<ClassBytes> bytes = {};         // of all groups together, or of each
  Combining combining = Combining::at_ranks;  // in the network where some that was tried does
  std::vector<std::string> not_tried = {};    // that fit, too; see GroupPrice
};

/// Whose bytes are told apart.
enum class BytesOf : std::uint8_t { all, each };

/// The fastest at each size, where these groups run the collective at once. That of a size does not
/// depend on the others, which share what is built.
std::vector<Fastest> fastest(const Collective& collective, const std::vector<Network>& groups,
                             const std::vector<std::int64_t>& sizes_B, BytesOf told,
                             const OwnLinks& links, const PriceOptions& options);

/// Bytes on each link of programs that groups run, whenever it is that they do.
std::vector<double> bytes_of(std::span<const program::Program> programs,
                             std::span<const Network> groups);

}  // namespace weft::training
