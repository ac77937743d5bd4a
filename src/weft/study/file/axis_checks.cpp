// Checks of what varies: names and values of the axes.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "weft/advise/schedule/counts.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/models.hpp"
#include "weft/rows/kind.hpp"
#include "weft/study/file/experiment_checks.hpp"
#include "weft/study/file/substitution.hpp"

namespace weft::study {

namespace {

void check_name(const Experiment& experiment, const Axis& axis) {
  const auto known = experiment.kind->field_names();
  const fields::Field* field = rows::find_field(axis.name);
  if (axis.variable) {
    require_at(field == nullptr, experiment, axis.line,
               "variable '{}' has the name of a parameter; choose another", axis.name);
    require_at(axis.name.find_first_of("{}*+ ") == std::string::npos && !axis.name.empty(),
               experiment, axis.line, "'{}' is not a variable name; use letters and digits",
               axis.name);
    return;
  }
  if (field == nullptr)
    reject_at(experiment.path, axis.line,
              unknown_text({"parameter", axis.name, "of [grid]"}, known));
  require_at(experiment.kind->has(axis.name), experiment, axis.line,
             "{} has no effect on experiments of kind {}; its parameters are {}", axis.name,
             experiment.kind->name, fmt::format("{}", fmt::join(known, ", ")));
}

void check_values(const Experiment& experiment, const Axis& axis, const std::vector<Axis>& axes) {
  located(experiment.path, axis.line, [&] {
    for (const std::string& value : values_of(axis, axes))
      if (!axis.variable) rows::canonical_value(axis.name, value);
  });
  for (const std::string& value : axis.values)
    require_at(!axis.variable || value.find_first_of("{}") == std::string::npos, experiment,
               axis.line, "variable '{}' is made of another ('{}'); write its values out",
               axis.name, value);
}

void expand_ranges(const Experiment& experiment, Axis& axis) {
  const fields::Field* field = rows::find_field(axis.name);
  if (!axis.variable && (field == nullptr || field->ranges == fields::Ranges::none)) return;
  std::vector<std::string> values;
  located(experiment.path, axis.line, [&] {
    for (const std::string& text : axis.values)
      for (std::string& value : range_values(text)) values.push_back(std::move(value));
  });
  axis.values = std::move(values);
}

void check_variables_are_used(const Experiment& experiment) {
  std::vector<std::string> used;
  for (const Axis& axis : experiment.axes)
    if (!axis.variable)
      for (const std::string& value : axis.values)
        for (std::string& name : variables_in(value)) used.push_back(std::move(name));
  for (const Axis& axis : experiment.axes)
    require_at(!axis.variable || std::ranges::find(used, axis.name) != used.end(), experiment,
               axis.line, "variable '{}' is used nowhere; write {{{}}} in a text of [grid]",
               axis.name, axis.name);
}

// Each named algorithm serves one of the collectives at least.
void check_algorithms(const Experiment& experiment, const std::vector<Axis>& axes) {
  WEFT_ASSERT(find_axis(axes, "algorithm") != nullptr && find_axis(axes, "collective") != nullptr);
  const Axis &algorithms = *find_axis(axes, "algorithm"),
             &collectives = *find_axis(axes, "collective");
  const auto kinds = values_of(collectives, axes);
  for (const std::string& name : values_of(algorithms, axes)) {
    if (lower(name) == "all" || lower(name) == fields::kBest) continue;
    const auto& algorithm = algorithm::find_algorithm(name);
    const bool serves = std::ranges::any_of(kinds, [&](const std::string& kind) {
      return algorithm.supports(advise::kind_scheduled_for(kind));
    });
    std::string served;
    for (const auto kind : algorithm.collectives)
      served += fmt::format("{}{}", served.empty() ? "" : ", ", schedule::name_of(kind));
    require_at(serves, experiment, algorithms.line,
               "{} does not support any collective of the grid; it supports {}", algorithm.name,
               served);
  }
}

// Whether one of the grid's algorithms takes the option; "all" are those that serve one of its
// collectives.
bool takes(const std::vector<Axis>& axes, const algorithm::Option& option) {
  WEFT_ASSERT(find_axis(axes, "algorithm") != nullptr && find_axis(axes, "collective") != nullptr);
  const auto kinds = values_of(*find_axis(axes, "collective"), axes);
  const auto serves = [&](const algorithm::Algorithm& algorithm) {
    return std::ranges::any_of(kinds, [&](const std::string& kind) {
      return algorithm.supports(advise::kind_scheduled_for(kind));
    });
  };
  for (const std::string& name : values_of(*find_axis(axes, "algorithm"), axes)) {
    if (lower(name) == fields::kBest) continue;
    if (lower(name) != "all") {
      if (algorithm::find_algorithm(name).takes(option)) return true;
      continue;
    }
    for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
      if (!algorithm.named_only && algorithm.takes(option) && serves(algorithm)) return true;
  }
  return false;
}

constexpr Grid kGrids[] = {Grid::standard, Grid::quick, Grid::full};

// An option that no algorithm of any of the grids takes would change nothing.
void check_options(const Experiment& experiment) {
  for (const algorithm::Option& option : algorithm::options()) {
    const Axis* axis = find_axis(experiment.axes, option.name);
    if (axis == nullptr || axis->variable) continue;
    const bool taken = std::ranges::any_of(
        kGrids, [&](Grid grid) { return takes(axes_of(experiment, grid), option); });
    std::string takers;
    for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
      if (algorithm.takes(option)) takers += (takers.empty() ? "" : ", ") + algorithm.name;
    require_at(taken, experiment, axis->line,
               "no algorithm of the grid supports {} ({} would); leave it out", axis->name, takers);
  }
}

// Models and routers that rows of any grid have.
struct Settings {
  std::set<std::string> models, routers;

  // Whether the value says something with one of the routers.
  bool heed(const std::string& model, std::string_view field, const std::string& value) const {
    return std::ranges::any_of(routers, [&](const std::string& router) {
      return fields::rule_against(field, value,
                                  {simulation::parse_model(model),
                                   simulation::parse_router_kind(router)}) == nullptr;
    });
  }
};

std::vector<std::string> heeding(const Settings& settings, std::string_view field,
                                 const std::string& value) {
  std::vector<std::string> models;
  for (const char* model : {"fluid", "alpha-beta", "packet", "flit"})
    if (settings.heed(model, field, value)) models.emplace_back(model);
  return models;
}

// Those of the models under which the routers that the file names say something, too.
std::vector<std::string> with_routers(const Experiment& experiment, const Settings& settings,
                                      std::vector<std::string> models) {
  if (find_axis(experiment.axes, "router") == nullptr) return models;
  std::erase_if(models, [&](const std::string& model) {
    return !std::ranges::all_of(settings.routers, [&](const std::string& router) {
      return settings.heed(model, "router", router);
    });
  });
  return models;
}

[[noreturn]] void reject_value(const Experiment& experiment, const Axis& axis,
                               const std::string& value, const Settings& settings) {
  WEFT_ASSERT(!settings.models.empty() && !settings.routers.empty());
  const std::string what = fmt::format("{} = \"{}\" has no effect", axis.name, value);
  const std::string routers = fmt::format("{}", fmt::join(settings.routers, " or "));
  const std::vector<std::string> needed = heeding(settings, axis.name, value);
  if (needed.empty())
    reject_at(experiment.path, axis.line,
              fmt::format("{} with router {}; leave it out", what, routers));
  const std::vector<std::string> fitting =
      axis.name == "router" ? needed : with_routers(experiment, settings, needed);
  reject_at(experiment.path, axis.line,
            fmt::format("{} under model {}; add model = \"{}\"{}, or leave it out", what,
                        fmt::join(settings.models, " or "),
                        fmt::join(fitting.empty() ? needed : fitting, "\" or \""),
                        fitting.empty() ? fmt::format(" without router {}", routers) : ""));
}

// What no row of any grid heeds would change nothing.
void check_models(const Experiment& experiment) {
  if (!experiment.kind->has("model")) return;
  const Settings settings{values_in_grids(experiment, "model"),
                          values_in_grids(experiment, "router")};
  for (const Axis& axis : experiment.axes) {
    if (axis.variable) continue;
    for (const std::string& value : values_in_grids(experiment, axis.name)) {
      if (std::ranges::any_of(settings.models, [&](const std::string& model) {
            return settings.heed(model, axis.name, value);
          }))
        continue;
      reject_value(experiment, axis, value, settings);
    }
  }
}

// Has the axis of the file, and is a variable like it.
void check_replacement(const Experiment& experiment, Axis& axis, std::string_view table) {
  const Axis* replaced = find_axis(experiment.axes, axis.name);
  if (replaced == nullptr) {
    std::vector<std::string> known;
    for (const Axis& candidate : experiment.axes) known.push_back(candidate.name);
    reject_at(experiment.path, axis.line,
              fmt::format("{} replaces '{}', which does not exist; {}", table, axis.name,
                          suggest(axis.name, known)));
  }
  axis.variable = replaced->variable;
  expand_ranges(experiment, axis);
}

}  // namespace

std::string_view name_of(Grid grid) {
  return grid == Grid::quick ? "quick" : grid == Grid::full ? "full" : "standard";
}

const Axis* find_axis(const std::vector<Axis>& axes, std::string_view name) {
  const auto found = std::ranges::find(axes, name, &Axis::name);
  return found == axes.end() ? nullptr : &*found;
}

std::vector<Axis> axes_of(const Experiment& experiment, Grid grid) {
  std::vector<Axis> axes = experiment.axes;
  for (Axis& axis : axes)
    if (const Axis* other = find_axis(experiment.replacements(grid), axis.name)) axis = *other;
  return axes;
}

std::vector<std::string> values_of(const Axis& axis, const std::vector<Axis>& axes) {
  WEFT_ASSERT(!axis.values.empty());
  if (axis.variable) return axis.values;
  std::vector<std::string> values;
  for (const std::string& text : axis.values)
    for (std::string& value : all_substitutions(text, axes)) {
      if (axis.name == "size")
        for (const std::int64_t size_B : parse_sizes(value))
          values.push_back(fmt::format("{}", size_B));
      else
        values.push_back(std::move(value));
    }
  return values;
}

std::set<std::string> values_in_grids(const Experiment& experiment, const std::string& name) {
  std::set<std::string> values;
  for (const Grid grid : kGrids) {
    const auto axes = axes_of(experiment, grid);
    const Axis* axis = find_axis(axes, name);
    WEFT_ASSERT(axis != nullptr || rows::find_field(name) != nullptr);
    if (axis == nullptr) return {std::string(rows::find_field(name)->fallback)};
    for (const std::string& value : values_of(*axis, axes))
      values.insert(fields::to_text(rows::canonical_value(name, value)));
  }
  return values;
}

void check_axes(Experiment& experiment) {
  for (Axis& axis : experiment.axes) expand_ranges(experiment, axis);
  require_at(!experiment.axes.empty(), experiment, 1, "[grid] is missing; name its parameters");
  for (const Axis& axis : experiment.axes) check_name(experiment, axis);
  for (Axis& axis : experiment.quick) check_replacement(experiment, axis, "[quick]");
  for (Axis& axis : experiment.full) check_replacement(experiment, axis, "[full]");
  for (const Grid grid : kGrids) {
    const auto axes = axes_of(experiment, grid);
    for (const Axis& axis : axes) check_values(experiment, axis, axes);
  }
  check_variables_are_used(experiment);
  for (const std::string_view name : experiment.kind->needed)
    require_at(find_axis(experiment.axes, name) != nullptr, experiment,
               experiment.axes.front().line, "[grid] has no {}; add {} = \"...\"", name, name);
  check_models(experiment);
  check_demands(experiment);
  if (!experiment.kind->runs_schedule()) return;
  for (const Grid grid : kGrids) check_algorithms(experiment, axes_of(experiment, grid));
  check_options(experiment);
}

}  // namespace weft::study
