// Rows of what a collective took in a testbed, as a file of measurements has it, beside what the
// models estimate.

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/kinds/testbed_call.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

// Who chooses what is run.
std::string library_name(std::string_view name, std::string_view text) {
  return fields::listed_name(name, text, {"weft", "mpi"});
}
constexpr auto kLibrary = fields::text<library_name>("library", "weft");

std::vector<const Field*> fields() {
  std::vector<const Field*> fields;
  for (const Field* field :
       fields::schedule_fields({.sized = true, .started = true, .placed = false}))
    for (const char* name : {"collective", "topology", "algorithm", "size", "alpha", "routing"})
      if (field->name == name) fields.push_back(field);
  fields.insert(fields.end(), {&kLibrary, &kLinkRate, &kMeasurementsFile});
  return fields;
}

// Start-ups are made by weft's own executor; the MPI's own choice has neither them nor a schedule.
void resolve(Row& row, FactsOfNetworks& facts) {
  Values& parameters = row.parameters;
  if (fields::text_in(parameters, "routing") == "auto")
    parameters["routing"] = std::string("shortest");
  resolve_topology(row, facts);
  if (fields::text_in(parameters, "library") != "mpi") return;
  parameters.erase("algorithm");
  parameters.erase("alpha");
}

Values answer(const Row& row, Workspace&) {
  contents_of_files(row);
  const Measurements measurements = measurements_of(row);
  if (const auto fault = unmeasured(row, measurements)) throw InvalidInput(*fault);
  const MeasuredCall* call = measurements.find(asked_in(row.parameters));
  WEFT_ASSERT(call != nullptr);  // see unmeasured
  Values values{{"time", call->least_s},
                {"median", call->median_s},
                {"calls", call->calls},
                {"load", call->load},
                {"runs", std::string("native")}};
  for (const char* name :
       {"fluid_time", "alpha_beta_time", "over_fluid", "steps", "bandwidth_factor"})
    values[name] = Value();
  values["nodes"] = row.nodes;
  if (fields::text_in(row.parameters, "library") == "mpi") return values;
  const TestbedForecast forecast = forecast_call(row.parameters);
  values["runs"] = fields::text_in(row.parameters, "algorithm");
  values["fluid_time"] = forecast.fluid_s;
  values["alpha_beta_time"] = forecast.alpha_beta_s;
  values["over_fluid"] = call->least_s / forecast.fluid_s;
  values["steps"] = forecast.steps;
  values["bandwidth_factor"] = to_string(forecast.bandwidth_factor);
  return values;
}

}  // namespace

RowKind testbed_kind() {
  return {.name = "testbed",
          .subject = Subject::topology,
          .fields = fields(),
          .needed = {"collective", "topology", "algorithm", "measurements"},
          .measures = {"time", "median", "fluid_time", "over_fluid", "alpha_beta_time", "steps",
                       "bandwidth_factor", "nodes", "calls", "load", "runs"},
          .chart = {.x = "size", .y = "time", .series = "runs", .timed = true},
          .resolve = resolve,
          .contents = contents_of_measurements,
          .names_files = true,
          .estimate = estimate_routes,
          .answer = answer};
}

}  // namespace weft::rows
