// Candidate: a proved schedule on a network, and what fits it to a size.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/program/copies.hpp"
#include "weft/program/program.hpp"

namespace weft::evaluate {

/// A schedule that sizes choose from, and what they choose by.
struct Variant {
  schedule::Verified verified;
  SegmentChooser chooser;
};

struct Candidate {
  schedule::Verified verified;  // as build_schedule() makes it
  /// What each size has the best of; none where sizes share one schedule in its segments.
  std::vector<Variant> variants = {};
  bool pipelined = false;  // it takes any number of segments, and none is given
  /// Builds and proves the schedule of a size, where the algorithm makes one for each. Refers to
  /// the network.
  std::function<schedule::Verified(std::int64_t)> sized = {};
  /// Where not free; none where sizes have schedules of their own.
  std::shared_ptr<const program::CopyPlan> copies = {};
  network::HostParameters host = {};
  /// Equal where the symmetry of so large a schedule is the network's, so that one rank of each
  /// orbit is simulated at any size.
  Shares shares = Shares::elements;
  /// Whether a schedule of over a million messages gets equal shares, too, at sizes that leave each
  /// message many bytes: messages that differ by a byte are of no class with others.
  bool rounds_messages = false;
  /// Where blocks have sizes of their own: these at their natural --size, else in proportion.
  std::shared_ptr<const program::BlockSizes> blocks = {};
  double build_s = 0, verify_s = 0;  // wall time that making and proving `verified` took

  struct Choice {
    std::size_t variant = 0;
    std::int64_t segments = 1;
  };
  /// The choices that a contest found to be the fastest, by size.
  std::map<std::int64_t, Choice> settled = {};

  /// The choice that is settled for the size, else the fastest by SegmentChooser. Precondition: not
  /// sized.
  Choice choose(std::int64_t size_B) const;
  /// The schedule that was chosen, in one segment if nothing else was asked for.
  const schedule::Verified& chosen(const Choice& choice) const {
    WEFT_ASSERT(variants.empty() || choice.variant < variants.size());
    return variants.empty() ? verified : variants[choice.variant].verified;
  }
  bool has_one_schedule() const { return !sized && variants.size() <= 1; }

  /// With the segments, or the shares, that suit the size.
  schedule::Verified for_size(std::int64_t size_B) const;
  /// What the hosts copy in a schedule that for_size gave.
  std::shared_ptr<const program::CopyPlan> copies_of(const schedule::Verified& of_size) const;
  /// How bytes are shared among units to simulate what for_size gave.
  Shares shares_at(const schedule::Schedule& of_size, std::int64_t size_B) const;
  /// A lower bound of the time where messages were rounded up to a byte to simulate it; 0 where
  /// they were not.
  double least_s(const schedule::Schedule& of_size, std::int64_t size_B, double time_s) const;
  /// The least and the greatest message of what for_size gave; `units` are those of the schedule.
  schedule::MessageSizes messages_of(const schedule::Verified& of_size,
                                     const schedule::MessageUnits& units,
                                     std::int64_t size_B) const;
  /// To simulate what for_size gave.
  Program program_of(const schedule::Verified& of_size, std::int64_t size_B) const {
    return program_of(of_size, size_B, copies_of(of_size));
  }
  Program program_of(const schedule::Verified& of_size, std::int64_t size_B,
                     std::shared_ptr<const program::CopyPlan> plan) const {
    return lower(of_size, {.size_B = size_B,
                           .copies = std::move(plan),
                           .shares = shares_at(of_size.schedule(), size_B),
                           .blocks = blocks});
  }
};

/// What a candidate promises at a size before it is simulated: steps * longest latency + start-ups
/// + T_B * M / B. `price`: of its first schedule. 0 where its exact price does not fit in 128 bits.
double expected_s(const Candidate& candidate, const Cost& price, const Network& network,
                  std::int64_t size_B);

/// The same, pricing its first schedule where its schedule is as it is.
double estimate_s(const Candidate& candidate, const Network& network, std::int64_t size_B);

/// Of its first schedule. Throws std::overflow_error where it does not fit in 128 bits.
Cost price_of(const Candidate& candidate, const Network& network);

/// Whether these names, none or "all" among them, mean all that apply.
bool are_all(const std::vector<std::string>& names);

/// Those of these names, none or "all" among them: all that apply, which take what they can of the
/// options. Returns none for kNone. Throws InvalidInput where none applies, a named one does not
/// fit, or none takes an option.
std::vector<const algorithm::Algorithm*> chosen_algorithms(
    const Collective& collective, const Network& network, const std::vector<std::string>& names,
    const algorithm::AlgorithmOptions& options);

/// The algorithms that "all" would hold too, but for the time that they take; none where each is
/// named.
std::vector<Dropped> too_long(const Collective& collective, const Network& network,
                              const std::vector<std::string>& names,
                              const algorithm::AlgorithmOptions& options);
/// One of this name whose exact fractions outgrow 128 bits.
Dropped overflown(const std::string& algorithm, const std::string& reason);
/// One that a time limit came before.
Dropped too_late(const std::string& algorithm);
/// An algorithm whose schedule the network refuses, in the words of the refusal.
Dropped refused(const algorithm::Algorithm& algorithm, std::string_view refusal);

/// Whether the schedule has a symmetry that links of equal speed and the routes follow, so that one
/// rank of each orbit is enough.
bool moves_with(const schedule::Schedule& schedule, const Network& network);

/// What an algorithm makes for a collective on a network, not proved yet.
struct BuiltSchedules {
  const algorithm::Algorithm* algorithm = nullptr;
  algorithm::AlgorithmOptions options;  // those that it takes
  std::vector<schedule::Schedule> variants;
  double build_s = 0;
};
/// As make_candidate() does.
BuiltSchedules build_schedules(const algorithm::Algorithm& algorithm, const Collective& collective,
                               const Network& network, const algorithm::AlgorithmOptions& options);
/// The same, proved.
struct ProvedSchedules {
  /// Those that were built, in their order; then each of them whose explicit routes are not the
  /// network's, without these, unless options fix the routes or sizes have schedules of their own.
  std::vector<schedule::Verified> variants;
  double verify_s = 0;
};
ProvedSchedules prove(const BuiltSchedules& built, const Network& network);
/// Those of them that processes can run which choose no paths: all go as the network routes them.
ProvedSchedules over_network_routes(const BuiltSchedules& built, const ProvedSchedules& proved,
                                    const Network& network);
/// Prices what sizes choose from. Above kMostRanksOfBothRoutes, those over the network's routes
/// stay only where they promise to be faster.
Candidate candidate_of(const BuiltSchedules& built, const ProvedSchedules& proved,
                       const Network& network);
/// A schedule as it is, in its own segments. Throws InvalidInput where it does not fit the network.
Candidate given_candidate(const schedule::Verified& verified, const Network& network);

/// Builds and proves; `options` may hold some that the algorithm does not take. Throws InvalidInput
/// when it does not fit.
Candidate make_candidate(const algorithm::Algorithm& algorithm, const Collective& collective,
                         const Network& network, const algorithm::AlgorithmOptions& options);

}  // namespace weft::evaluate

namespace weft {
using evaluate::Candidate;
using evaluate::make_candidate;
}  // namespace weft
