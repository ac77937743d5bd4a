// What weft order is asked, and what it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/question/order_advice.hpp"

namespace weft::cli {

struct OrderOptions {
  Said said;
  std::string algorithm = "auto";
  std::vector<std::string> baselines;
  std::string size = "64KiB";
  std::string output;
  OutputOptions common;
};

/// Another algorithm in the order that the search began with.
struct OrderBaseline {
  std::string algorithm;
  question::OrderCost cost;
};

struct OrderAnswer {
  const OrderOptions& options;
  const question::OrderSearch& asked;
  const Network& network;
  const question::OrderChoice& choice;
  const question::OrderStudy& study;
  question::OrderAdvice advice;
  std::vector<OrderBaseline> baselines;
  std::vector<question::OrderAlternative> alternatives;  // where the algorithm was chosen

  const std::string& algorithm() const { return choice.question.algorithm; }
  double gain() const { return 1 - advice.found().cost.time_s / advice.start().cost.time_s; }
  bool chosen() const { return !choice.timed.empty(); }
  /// With the ranks where the answer has them.
  Network placed() const { return study.network_at(advice.found().order); }
  /// Whether a time is less than that of the order, by more than a tie.
  bool betters(double time_s) const {
    return time_s < advice.found().cost.time_s * (1 - question::kLeastGain);
  }
};

Json json_of(const OrderAnswer& answer);
/// What is fastest on this network at this size, in a line; empty where nobody knows.
std::string headline(const OrderAnswer& answer);
/// What the search came to, in a line.
std::string verdict(const OrderAnswer& answer);
void print_table(const OrderAnswer& answer, Streams& streams);

}  // namespace weft::cli
