// What commands and rows ask of a search for rank orders, as fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/base/suggest.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/order/order_advice.hpp"

namespace weft::order {

inline std::string start_text(std::string_view name, std::string_view text) {
  if (text.starts_with("file:")) return std::string(text);
  return fields::listed_name(name, text,
                             {"linear", "random", "bfs", "blocks", "metis", "file:PATH"});
}

inline std::optional<std::int64_t> read_attempts(std::string_view name, std::string_view text) {
  return lower(text) == "auto" ? std::nullopt
                               : std::optional(fields::count_from<1, kUntilTimeIsUp>(name, text));
}

inline Value show_attempts(const std::optional<std::int64_t>& attempts) {
  return attempts ? Value(*attempts) : Value(std::string("auto"));
}

inline constexpr auto kSearch =
    fields::choice<search::parse_order_method>("search", "two-opt")
        .helped(
            "Search method: anneal, two-opt, or none (only the first order) "
            "[anneal; two-opt if --objective names one]");
inline constexpr auto kObjective =
    fields::choice<parse_order_objective>("objective", "hops")
        .helped(
            "Quantity to minimise: hops, makespan or time; auto takes the "
            "fastest result of all searches and simple orders [auto]");
inline constexpr auto kJudge =
    fields::choice<parse_order_judge>("judge", "time")
        .helped(
            "Rule for the result of a search for one objective: time (take it only if it is faster "
            "than the first order) or objective (always) [time]");
inline constexpr auto kTries =
    fields::field<read_attempts, show_attempts>("attempts", "auto")
        .helped(
            "Number of moves to try in each run [auto: by the size of the schedule; two-opt 1000; "
            "anneal 10000000, makespan 100000, time 10000]")
        .numbered();
inline constexpr auto kTimeLimit =
    fields::time("time-limit", "").helped("Time limit of the whole answer [none]");
inline constexpr auto kRestarts =
    fields::count<1>("restarts", "1").helped("Number of runs; the best one counts [1]");
inline constexpr auto kMoves =
    fields::choice<search::parse_order_moves>("moves", "reversal")
        .helped(
            "Moves of two-opt: reversal, swap (of two hosts), both, or cycle "
            "(swaps, and three hosts at once) [reversal]");
inline constexpr auto kRootHost =
    fields::choice<search::parse_root_host>("root", "free")
        .helped("Host of rank 0: free, or fixed (its host in the first order) [free]");
inline constexpr auto kStart =
    fields::text<start_text>("start", "linear")
        .helped(
            "First order: linear, random, bfs, blocks, metis, or file:PATH, "
            "which also restricts the hosts");
inline constexpr auto kCores =
    fields::count<1, 1024>("cores", "1").helped("Maximum number of ranks on a host");
inline constexpr auto kSwitchDelay =
    fields::time("switch-delay", "0s").helped("Latency added to each link that leaves a switch");

}  // namespace weft::order
