// Candidates as they are judged.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "weft/design/network/contest.hpp"
#include "weft/design/network_design.hpp"
#include "weft/network/network.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

/// Times the fastest's time by alpha-beta: up to there a network is not far from the advised one.
inline constexpr double kNotFar = 1.25;

/// A candidate, its network, and who is best at each call.
struct Judged {
  DesignRow row = {};
  std::string asked_as = {};  // of the candidate: with room for more hosts
  std::unique_ptr<const topology::BuiltTopology> built = {};
  std::unique_ptr<const Network> network = {};
  std::vector<Contest> contests = {};  // by call
};

/// Of those that are one network the cheapest stays, or of as cheap ones the first; it names the
/// others. Throws OutOfTime where a TimeLimit ends.
void merge_same(std::vector<Judged>& judged);

/// Sets DesignRow::efficient, by the times that are known so far: those of the alpha-beta model
/// before finalists are simulated.
void mark_efficient(std::vector<Judged>& judged);

/// So many of them, by index: the cheapest of those as fast as the fastest; efficient ones that are
/// not far from it; then the fastest of the others.
std::vector<std::size_t> choose_finalists(const std::vector<Judged>& judged, int count);

}  // namespace weft::design
