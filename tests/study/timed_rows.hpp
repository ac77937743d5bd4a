// Rows made by hand: what algorithms took at some sizes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/results.hpp"
#include "weft/report/verdict.hpp"

namespace weft::test {

inline std::int64_t operator""_KiB(unsigned long long count) {
  return static_cast<std::int64_t>(count) * 1024;
}

inline MadeRow timed(const char* algorithm, std::int64_t size, double time) {
  return {{{"algorithm", std::string(algorithm)}, {"size", size}, {"collective", std::string("x")}},
          {{"time", time}, {"share", std::string("15/16")}}};
}

inline Experiment two_algorithms() {
  Experiment experiment;
  experiment.axes = {{.name = "collective", .values = {"x"}},
                     {.name = "size", .values = {"1KiB,1MiB"}},
                     {.name = "algorithm", .values = {"bruck", "ring"}}};
  experiment.measures = {"time"};
  return experiment;
}

// Bruck wins at 1 KiB, 10 against 40; ring at 1 MiB, 50 against 100.
inline std::vector<MadeRow> crossing() {
  return {timed("bruck", 1_KiB, 10), timed("ring", 1_KiB, 40), timed("bruck", 1024_KiB, 100),
          timed("ring", 1024_KiB, 50)};
}

inline Match match(std::vector<std::pair<std::string, std::string>> equal) {
  return {.equal = std::move(equal)};
}

inline Experiment two_radices() {
  Experiment experiment = two_algorithms();
  experiment.path = "t.toml";
  experiment.axes.push_back({.name = "radix", .values = {"2", "4"}});
  return experiment;
}

inline std::vector<MadeRow> with_radices() {
  auto rows = crossing();
  rows.resize(2);
  rows[1].results["time"] = 15.0;
  rows[0].parameters["radix"] = std::int64_t{2};
  rows.push_back(timed("bruck", 1_KiB, 20));
  rows.back().parameters["radix"] = std::int64_t{4};
  return rows;
}

inline Claim value_claim(std::string column, std::string printed, double tolerance) {
  Claim claim;
  claim.column = std::move(column);
  claim.where = match({{"size", "1KiB"}, {"algorithm", "ring"}});
  claim.wanted = std::move(printed);
  claim.tolerance = tolerance;
  return claim;
}

inline Claim ring_below_bruck() {
  Claim claim;
  claim.form = Claim::Form::below;
  claim.where = match({{"algorithm", "ring"}});
  claim.than = match({{"algorithm", "bruck"}});
  return claim;
}

}  // namespace weft::test
