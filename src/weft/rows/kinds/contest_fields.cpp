#include "weft/rows/kinds/contest_fields.hpp"

#include <algorithm>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::rows {

namespace {

// The field of kind train: candidates of which the fastest is used.
const Field& algorithms_field() {
  const auto members = training::training_members();
  const auto found = std::ranges::find_if(
      members, [](const auto& member) { return member.field->name == "algorithms"; });
  WEFT_ASSERT(found != members.end());
  return *found->field;
}

bool is_taken(const algorithm::Option& option, const std::vector<std::string>& algorithms) {
  return std::ranges::any_of(algorithm::algorithms(), [&](const auto& algorithm) {
    const bool is_meant = algorithms.empty() ||
                          std::ranges::find(algorithms, kAll) != algorithms.end() ||
                          std::ranges::find(algorithms, algorithm.name) != algorithms.end();
    return is_meant && algorithm.takes(option);
  });
}

}  // namespace

std::vector<const Field*> contest_fields(const std::vector<const Field*>& own, fields::Ends ends) {
  std::vector<const Field*> fields = fields::schedule_fields(
      {.sized = true, .started = true, .simulated = true, .ends = ends}, own);
  for (const Field*& field : fields)
    if (field->name == "algorithm") field = &algorithms_field();
  return fields;
}

std::vector<std::string> contest_algorithms(const Values& parameters) {
  const std::string names = fields::text_in(parameters, "algorithms");
  return names == fields::kBest ? std::vector<std::string>() : evaluate::algorithms_in(names);
}

void resolve_options(Values& parameters, const std::vector<std::string>& algorithms) {
  for (const algorithm::Option& option : algorithm::options())
    if (fields::text_in(parameters, option.name) == "auto" || !is_taken(option, algorithms))
      parameters.erase(std::string(option.name));
}

void resolve_contest(Row& row, FactsOfNetworks& facts) {
  if (row.kind->has("to")) {
    resolve_collective(row, facts);
  } else {  // no rank is named
    resolve_topology(row, facts);
    resolve_link(row.parameters, facts.topology(fields::text_in(row.parameters, "topology")));
    resolve_placement(row, facts);
  }
  resolve_readings(row, facts, Startups::by_model);
  resolve_options(row.parameters, contest_algorithms(row.parameters));
}

Estimate estimate_contest(const Row& row) {
  constexpr double kApplying = 20, kPair_s = 3e-7, kPair_B = 500, kMost_s = 20;
  const auto ranks = static_cast<double>(fields::count_in(row.parameters, "ranks", 1));
  const auto names = contest_algorithms(row.parameters);
  WEFT_ASSERT(ranks >= 1);
  const double algorithms = names.empty() ? kApplying : static_cast<double>(names.size());
  const double simulated_s = std::min(algorithms * ranks * ranks * kPair_s, kMost_s);
  return {.time_s = kReport_s + algorithms * kReport_s + simulated_s,
          .memory_B = kRow_B + ranks * ranks * kPair_B};
}

}  // namespace weft::rows
