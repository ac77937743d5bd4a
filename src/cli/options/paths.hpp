// The paths of a message that goes over several at once, and what each of them carries.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/output.hpp"
#include "weft/answer/part.hpp"
#include "weft/base/rational.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/topology.hpp"

namespace weft::cli {

/// Whether it is a message from one rank to another by routes of its own (`multipath`).
bool has_paths(const schedule::Schedule& schedule);

/// A path from end to end, and its share of the message.
struct Path {
  Rational share;
  std::vector<std::int32_t> nodes;
};
/// Of such a schedule, in its order.
std::vector<Path> paths_of(const schedule::Schedule& schedule, const Topology& topology);
answer::Parts<Path> path_parts();

std::string text_of_paths(const schedule::Schedule& schedule, const Topology& topology,
                          const Screen& screen);

}  // namespace weft::cli
