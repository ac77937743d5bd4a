// What weft order is asked, and what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/part.hpp"
#include "weft/order/order_advice.hpp"

namespace weft::cli {

struct OrderOptions {
  GivenFields said;
  std::string algorithm = "auto";
  std::vector<std::string> baselines;
  std::string size = "64KiB";
  std::string mix;
  std::string output, launcher;
  OutputOptions common;
};

/// Another algorithm in the order that the search began with.
struct OrderBaseline {
  std::string algorithm;
  order::OrderCost cost;
};

/// One collective of what was asked, the algorithm that runs it, and how often it is called.
struct OrderCall {
  order::OrderChoice choice;
  bool chosen = false;  // the algorithm was not asked for
  std::unique_ptr<const order::OrderStudy> study;
  std::string size;  // as it was written
  std::int64_t calls = 1;
  std::vector<order::OrderAlternative> alternatives = {};
  bool out_of_time = false;  // the time limit came before all algorithms were timed

  const std::string& algorithm() const { return choice.question.algorithm; }
  /// The name of an algorithm with those of the given options that it takes: "ring(segments=4)".
  std::string text_of(const std::string& algorithm) const;
};

struct OrderAnswer {
  const OrderOptions& options;
  const order::OrderSearch& asked;
  const Network& network;
  std::vector<OrderCall> calls;  // one, or a mix
  order::OrderAdvice advice = {};
  std::vector<OrderBaseline> baselines = {};
  std::optional<double> launcher_s = {};  // hosts in the order of their names, where they have some

  const order::OrderStudy& study() const { return *calls.front().study; }
  bool is_mix() const { return !options.mix.empty(); }
  double gain() const { return 1 - advice.found().cost.time_s / advice.start().cost.time_s; }
  /// With the ranks where the answer has them.
  Network placed() const { return study().network_at(advice.found().order); }
  /// Seconds of one call in the order that was found.
  double found_s(const OrderCall& call) const;
  /// Lower bound on the hops of any order, of all calls.
  std::int64_t least_hops() const;
  /// By rank.
  std::vector<std::string> host_names() const;
};

/// The fastest algorithm and order that are known.
struct FastestOrder {
  std::string algorithm, order;
  double time_s = 0;
  enum class Is : std::uint8_t { found, other, alternative } is = Is::found;
};
FastestOrder fastest_of(const OrderAnswer& answer, const OrderCall& call);

/// One collective; a mix.
answer::Parts<OrderAnswer> order_parts();
answer::Parts<OrderAnswer> order_mix_parts();
/// A row for each collective of a mix: what a call takes.
answer::Cells mix_cells(const OrderAnswer& answer);
/// What is fastest on this network at this size, in a line; empty where nobody knows. Of a mix a
/// line for each collective that something else than the order's algorithm is fastest for.
std::string headline(const OrderAnswer& answer);
/// What the search came to, in a line.
std::string verdict(const OrderAnswer& answer);
void print_table(const OrderAnswer& answer, Streams& streams);

}  // namespace weft::cli
