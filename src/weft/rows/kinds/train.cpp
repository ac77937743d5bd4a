// Rows of a step of training.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "weft/base/file.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/contest_fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/training/gpu_sums.hpp"
#include "weft/training/prices.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::rows {

namespace {

// The step's, then those of a schedule, whose collective and algorithm the step says.
std::vector<const Field*> fields() {
  std::vector<const Field*> fields;
  for (const auto& [field, set] : training::training_members()) fields.push_back(field);
  for (const Field* field :
       fields::schedule_fields({.started = true, .simulated = true, .ends = fields::Ends::none}))
    if (field->name != "collective" && field->name != "algorithm") fields.push_back(field);
  return fields;
}

void adapt_machine(Values& values, const MachineModel* machine, const Texts& given) {
  const training::IsGiven is_given = [&given](std::string_view field) {
    return given.contains(field);
  };
  training::put_named_device(values, machine, is_given);
  if (machine != nullptr) training::put_sums_on_gpu(values, *machine, is_given);
}

void resolve(Row& row, FactsOfNetworks& facts) {
  Values& parameters = row.parameters;
  resolve_topology(row, facts);
  resolve_link(parameters, facts.topology(fields::text_in(parameters, "topology")));
  resolve_placement(row, facts);
  resolve_readings(row, facts, Startups::by_model);
  const training::TrainingSpec spec = training::training_in(parameters);
  training::TrainingPlan plan = training::plan_training(
      spec, static_cast<std::int32_t>(fields::count_in(parameters, "ranks", 1)));
  plan.asked.simulation = fields::simulation_options_in(parameters);
  if (!spec.no_memory_check) training::require_fits(spec, plan, training::state_memory(plan));
  parameters.erase("no-memory-check");  // the answer does not depend on it
  training::complete(parameters, plan);
  resolve_options(parameters, spec.algorithms);
}

std::string contents(const Row& row, FactsOfNetworks& facts) {
  const training::TrainingSpec spec = training::training_in(row.parameters);
  std::string text = contents_of_schedule(row, facts);
  const auto add = [&](const char* name, const std::string& path) {
    text += fmt::format("{}={:08x}\n", name, checksum(read_file(path)));
  };
  add("workload", workload::kTrainingModels.find_or_path(spec.workload).path);
  add("device", workload::kDevices.find_or_path(spec.device).path);
  if (!spec.layer_times.empty()) add("layer-times", spec.layer_times);
  return text;
}

// What the prices of collectives depend on but they themselves.
std::string price_key(const Row& row, const std::string& contents) {
  std::string key =
      contents + part_key(row, {fields::Part::network, fields::Part::host, fields::Part::schedule});
  const auto add = [&](const Field& field) {
    key += fmt::format("{}={}\n", field.name, fields::text_in(row.parameters, field.name));
  };
  for (const auto& [field, set] : fields::reading_members()) add(*field);
  for (const Field* field : fields::packet_fields()) add(*field);
  return key;
}

// For the rows that follow.
struct SharedPrices {
  std::unique_ptr<const training::GroupPrices> prices;
};
constexpr std::size_t kMostPrices = 16;

double calls_s(const Training& training, CollectiveKind kind) {
  double sum_s = 0;
  for (const TrainingCall& call : training.calls)
    if (call.call.kind == kind) sum_s += static_cast<double>(call.uses) * call.time_s;
  return sum_s;
}

Values answer(const Row& row, Workspace& workspace) {
  const std::string contents = contents_of_files(row);
  const auto network = network_of(row, contents, workspace);
  training::TrainingPlan plan =
      training::plan_training(training::training_in(row.parameters), network->ranks());
  contents_of_files(row);  // what was read is what the key was made of
  plan.asked.algorithm = fields::algorithm_options_in(row.parameters);
  plan.asked.simulation = fields::simulation_options_in(row.parameters);
  const auto shared = workspace.kept<SharedPrices>(kMostPrices).get(price_key(row, contents), [&] {
    return SharedPrices{
        std::make_unique<training::GroupPrices>(network, training::price_options(plan.asked))};
  });
  const Training found = training::train(plan.model, plan.times, *shared->prices, plan.asked);
  const double rate = plan.samples() / found.time_s;
  std::optional<std::int64_t> bucket_B;
  if (!plan.asked.buckets_B.empty()) bucket_B = found.bucket_B;
  std::optional<double> over_ideal;
  if (found.ideal_s) over_ideal = found.time_s / *found.ideal_s;
  return {{"time", found.time_s},
          {"compute", found.shares.compute_s},
          {"exposed_gradients", found.shares.gradients_s},
          {"exposed_alltoall", found.shares.alltoall_s},
          {"exposed_other", found.shares.other_s},
          {"idle", found.shares.idle_s},
          {"alltoall_share", found.shares.alltoall_s / found.time_s},
          {"allreduce_time", calls_s(found, CollectiveKind::allreduce)},
          {"alltoall_time", calls_s(found, CollectiveKind::alltoall)},
          {"bucket", fields::or_nothing(bucket_B)},
          {"least_time", found.least_s},
          {"over_least", found.time_s / found.least_s},
          {"ideal_time", fields::or_nothing(found.ideal_s)},
          {"over_ideal", fields::or_nothing(over_ideal)},
          {"dropped", found.step.dropped},
          {"samples", plan.samples()},
          {"samples_per_second", rate},
          {"tokens_per_second", rate * static_cast<double>(plan.model.sample_tokens)},
          {"utilisation", plan.utilisation(found.time_s)},
          {"computing_efficiency", fields::or_nothing(plan.compute.efficiency)},
          {"model_parameters", plan.model.parameters()}};
}

// Measured by formula and by flows: each of some tens of algorithms, for four to ten sizes.
Estimate estimate_of(const Row& row) {
  constexpr double kPair_s = 1e-5, kPair_B = 500;
  const auto ranks = static_cast<double>(fields::count_in(row.parameters, "ranks", 1));
  return {.time_s = 10 * kReport_s + ranks * ranks * kPair_s,
          .memory_B = kRow_B + ranks * ranks * kPair_B};
}

}  // namespace

RowKind train_kind() {
  return {.name = "train",
          .subject = Subject::topology,
          .fields = fields(),
          .needed = {"workload", "topology"},
          .measures = {"time",
                       "compute",
                       "exposed_gradients",
                       "exposed_alltoall",
                       "exposed_other",
                       "idle",
                       "alltoall_share",
                       "allreduce_time",
                       "alltoall_time",
                       "bucket",
                       "least_time",
                       "over_least",
                       "ideal_time",
                       "over_ideal",
                       "dropped",
                       "samples",
                       "samples_per_second",
                       "tokens_per_second",
                       "utilisation",
                       "computing_efficiency",
                       "model_parameters"},
          .chart = {.x = "topology", .y = "time", .series = "workload"},
          .adapt_machine = adapt_machine,
          .resolve = resolve,
          .contents = contents,
          .names_files = true,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
