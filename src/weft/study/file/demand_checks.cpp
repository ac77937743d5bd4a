// What the values of a field ask of other fields, where no row of any grid has it.
#include <cctype>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/fields/demands.hpp"
#include "weft/fields/models.hpp"
#include "weft/study/file/experiment_checks.hpp"

namespace weft::study {

namespace {

using fields::Demand;

// Hands visit(said) every combination of the axes' values in any grid.
void for_each_said(const Experiment& experiment, std::span<const std::string_view> fields,
                   Values& said, const std::function<void(const Values&)>& visit) {
  if (fields.empty()) return visit(said);
  const std::string name(fields.front());
  if (!experiment.kind->has(name)) return for_each_said(experiment, fields.subspan(1), said, visit);
  for (const std::string& value : values_in_grids(experiment, name)) {
    said[name] = value;
    for_each_said(experiment, fields.subspan(1), said, visit);
  }
}

bool is_heeded(const Demand& demand, const Values& said) {
  const fields::Setting setting{simulation::parse_model(fields::text_in(said, "model")),
                                said.contains("router")
                                    ? simulation::parse_router_kind(fields::text_in(said, "router"))
                                    : simulation::RouterKind::output_buffered};
  return fields::rule_against(demand.field, fields::text_in(said, demand.field), setting) ==
         nullptr;
}

// What is wrong with the value in all rows that heed it; nothing where one has what it asks for.
std::optional<std::string> problem_of(const Experiment& experiment, const Demand& demand,
                                      const std::string& value) {
  std::vector<std::string_view> fields{"model", "router"};
  fields.insert(fields.end(), demand.others.begin(), demand.others.end());
  std::optional<std::string> problem;
  bool fits = false;
  Values all{{std::string(demand.field), value}};
  for_each_said(experiment, fields, all, [&](const Values& said) {
    if (fits || !is_heeded(demand, said)) return;
    try {
      demand.check(said);
      fits = true;
    } catch (const InvalidInput& error) {
      if (!problem) problem = error.what();
    }
  });
  return fits ? std::nullopt : problem;
}

// As files name them: without the dashes of options.
std::string without_dashes(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;)
    if (at + 2 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 2])) != 0)
      text.erase(at, 2);
    else
      at += 2;
  return text;
}

}  // namespace

void check_demands(const Experiment& experiment) {
  // What a machine's file says beneath the rows is not known here.
  if (!experiment.kind->has("model") || find_axis(experiment.axes, "machine") != nullptr) return;
  for (const Demand& demand : fields::demands()) {
    const Axis* axis = find_axis(experiment.axes, demand.field);
    if (axis == nullptr || axis->variable) continue;
    for (const std::string& value : values_in_grids(experiment, axis->name))
      if (auto problem = problem_of(experiment, demand, value))
        reject_at(experiment.path, axis->line, without_dashes(std::move(*problem)));
  }
}

}  // namespace weft::study
