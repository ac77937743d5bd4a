// What weft schedule and weft cost answer: the price of a schedule on a network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/output.hpp"
#include "weft/advise/routing_advice.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/answer/part.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/step_bound.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::cli {

struct Pricing {
  const Collective& collective;
  const Network& network;
  std::string algorithm;
  Cost cost;  // of a forecast: without messages and loads
  std::int64_t units_per_block = 1;
  evaluate::LowerBounds bounds;
  /// T_B if blocks were cut at will, where chunks keep the algorithm from it.
  std::optional<Rational> exact_bandwidth_factor = {};
  const Verified* verified = nullptr;    // null: a forecast, without a schedule
  evaluate::StepBound least_steps = {};  // of a schedule
  std::optional<advise::RoutingAdvice> advice = {};

  bool is_built() const { return verified != nullptr; }
};

/// Prices a schedule, and adds a note if another routing is faster.
Pricing price(const Verified& verified, const Network& network, Notes& notes,
              const std::optional<Rational>& exact_bandwidth_factor = {});
/// The price that the algorithm forecasts, of a schedule that is not built.
Pricing price(const algorithm::Forecast& forecast, std::string algorithm,
              const Collective& collective, const Network& network);

answer::Parts<Pricing> pricing_parts();
/// What the proof of a schedule found.
answer::Parts<schedule::VerifiedFacts> proof_parts();
/// The paths of a message that goes over several at once, for people; else nothing.
std::string paths_text(const Pricing& pricing, const Screen& screen);

}  // namespace weft::cli
