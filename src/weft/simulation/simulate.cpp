#include <algorithm>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/simulation/checks.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/exchanges.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

namespace {

SimulationResult run_model(const Program& program, const Network& network,
                           const SimulationOptions& options) {
  switch (options.model) {
    case Model::alpha_beta:
      return simulate_alpha_beta(program, network, options);
    case Model::fluid:
      return simulate_fluid(program, network, options, {.limit_s = options.limit_s});
    case Model::packet:
    case Model::flit:
      break;
  }
  const Job job{program, network};
  return std::move(simulate_packets(std::span(&job, 1), options).front());
}

// The most bytes that an agent receives in one step to combine with its own.
std::int64_t most_received_B(const Program& program) {
  std::int64_t most_B = 0;
  program::StepProgram step;
  std::vector<std::int64_t> received_B(static_cast<std::size_t>(program.agents()));
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step, program::Copies::left_out);
    std::ranges::fill(received_B, 0);
    for (const program::Transfer& transfer : step.transfers)
      if (transfer.arrival == program::Arrival::reduce)
        most_B = std::max(most_B, received_B[transfer.to.index()] += transfer.bytes);
  }
  return most_B;
}

// Bytes of new buffers in a call: one for what comes in to be combined, of the whole buffer unless
// few bytes come at a time (then two of these, by turns), and one for the sums of a reduce-scatter,
// whose result has room for a block alone. As Open MPI 4.1 and MPICH 4 allocate them
// (coll_base_allreduce.c, coll_base_reduce_scatter.c; allreduce_intra_*.c).
std::int64_t new_buffers_B(const Program& program, std::int64_t from_B) {
  constexpr std::int64_t kFew = 4;  // a quarter of the buffer and more are no few bytes
  const std::int64_t buffer_B = buffer_of(program);
  const std::int64_t received_B = most_received_B(program);
  const auto counted = [&](std::int64_t bytes) { return bytes >= from_B ? bytes : 0; };
  return (received_B * kFew >= buffer_B ? counted(buffer_B) : 2 * counted(received_B)) +
         (schedule::traits_of(program.collective()->kind).ends_with_own() ? counted(buffer_B) : 0);
}

// How long a rank takes to touch the new buffers of a call for the first time; 0 for a program that
// performs no single collective, because the sizes of its buffers are unknown.
double touch_s(const Program& program, const HostParameters& host) {
  if (!program.collective() || !program.collective()->reduces()) return 0;
  if (!host.first_touch.holds(buffer_of(program))) return 0;
  return work_s(new_buffers_B(program, host.first_touch.from_B), host.first_touch.bandwidth_Bps);
}

}  // namespace

double call_s(const Program& program, const Network& network) {
  return network.host().call_s(network.ranks()) + touch_s(program, network.host()) +
         exchange_s(program, network);
}

namespace {

// Adds what calls take on top of their messages, at every rank.
void add_call_s(double call_s, SimulationResult& result) {
  if (call_s == 0) return;
  result.time_s += call_s;
  if (result.least_s > 0) result.least_s += call_s;
  for (double& time : result.agent_times_s) time += call_s;
}

// Steps alone say where a call ends, and what is sent before its receiver asks for it.
void check_reading(const Program& program, const SimulationOptions& options) {
  check_steps(options, program.calls(), program.operations() == nullptr);
}

bool covers(Model model, const CallOption& option) {
  return model == Model::fluid ||
         (model == Model::alpha_beta && option.models == CallModels::fluid_and_alpha_beta);
}

void check_call(const SimulationOptions& options) {
  CallOptions others = options.call;
  for (const CallOption& option : kCallOptions) {
    const CallOptions before = others;
    option.turn_off(others);
    if (others != before && !covers(options.model, option))
      reject("the {} model does not support --{} ({}); choose {}, or remove it",
             name_of(options.model), option.name, option.why,
             option.models == CallModels::fluid ? "fluid" : "fluid or alpha-beta");
  }
  WEFT_ASSERT(others == CallOptions());  // kCallOptions has all of them
}

void check(std::span<const Job> jobs, const SimulationOptions& options) {
  require(!jobs.empty(), "no job is given to simulate");
  check_options(options);
  for (const Job& job : jobs) {
    check_reading(job.program, options);
    require(job.start_s >= 0 && job.start_s < 1e300, "invalid start of a job: {} s", job.start_s);
    require(job.network.topology().hash() == jobs.front().network.topology().hash(),
            "jobs that run together need one network, but {} and {} differ",
            jobs.front().network.topology().name(), job.network.topology().name());
  }
}

// What all jobs put on the links.
void share_link_bytes(std::vector<SimulationResult>& results) {
  WEFT_ASSERT(!results.empty());
  std::vector<double> sum = results.front().link_bytes;
  for (std::size_t j = 1; j < results.size(); ++j) {
    WEFT_ASSERT(results[j].link_bytes.size() == sum.size());
    for (std::size_t link = 0; link < sum.size(); ++link) sum[link] += results[j].link_bytes[link];
  }
  for (SimulationResult& result : results) result.link_bytes = sum;
}

std::vector<SimulationResult> run_together(std::span<const Job> jobs,
                                           const SimulationOptions& options) {
  if (by_packets(options.model)) return simulate_packets(jobs, options);
  std::vector<SimulationResult> results;
  if (options.model == Model::fluid)
    results = simulate_fluid_together(jobs, options);
  else
    for (const Job& job : jobs)
      results.push_back(simulate_alpha_beta(job.program, job.network, options));
  share_link_bytes(results);
  return results;
}

}  // namespace

void check_options(const SimulationOptions& options) {
  require(options.factors == nullptr || !by_packets(options.model),
          "the {} model does not support factors by message size; choose fluid or alpha-beta, "
          "or remove them (--factors none)",
          name_of(options.model));
  require(options.cables == Cables::duplex || options.model == Model::fluid,
          "only the fluid model supports cables shared by both directions; choose fluid, or "
          "duplex cables");
  check_call(options);
  require(options.call.eager_B == 0 || options.release != Release::acknowledged,
          "eager messages are not acknowledged; choose another --release than acknowledged, or "
          "remove --eager");
  require(options.background.traffic.empty() || by_packets(options.model),
          "the {} model does not support background traffic; choose packet",
          name_of(options.model));
}

void end(const Job& job, SimulationResult& result) {
  WEFT_ASSERT(job.start_s >= 0);
  for (double& time : result.agent_times_s) {
    time = std::max(0.0, time - job.start_s);
    result.time_s = std::max(result.time_s, time);
  }
}

void count_link_bytes(const LoadedStep& step, SimulationResult& result) {
  if (result.link_bytes.empty()) return;
  const auto transfers = static_cast<std::int32_t>(step.program.transfers.size());
  for (std::int32_t i = 0; i < transfers; ++i) {
    const auto bytes = static_cast<double>(step.transfer(i).bytes);
    const auto links = step.links(i);
    const auto shares = step.shares(i);
    for (std::size_t j = 0; j < links.size(); ++j)
      result.link_bytes[links[j].index()] += bytes * (shares.empty() ? 1 : shares[j].to_double());
  }
}

SimulationResult simulate(const Program& program, const Network& network,
                          const SimulationOptions& options) {
  check_options(options);
  check_reading(program, options);
  SimulationOptions of_messages = options;
  const double before_s = call_s(program, network) * program.calls();
  of_messages.limit_s -= before_s;
  SimulationResult result = run_model(program, network, of_messages);
  WEFT_ASSERT(result.time_s >= 0);
  WEFT_ASSERT(result.agent_times_s.empty() || std::ssize(result.agent_times_s) == program.agents());
  WEFT_ASSERT(result.link_bytes.empty() ||
              std::ssize(result.link_bytes) == network.topology().link_count());
  add_call_s(before_s, result);
  add_numbers({program, network}, result);
  result.run_s = result.time_s;
  return result;
}

std::vector<SimulationResult> simulate_together(std::span<const Job> jobs,
                                                const SimulationOptions& options) {
  check(jobs, options);
  std::vector<Job> of_messages(jobs.begin(), jobs.end());
  std::vector<double> before_s;
  for (Job& job : of_messages)
    job.start_s += before_s.emplace_back(call_s(job.program, job.network) * job.program.calls());
  std::vector<SimulationResult> results = run_together(of_messages, options);
  WEFT_ASSERT(results.size() == jobs.size());
  double run_s = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    add_call_s(before_s[j], results[j]);
    add_numbers(jobs[j], results[j]);
    run_s = std::max(run_s, jobs[j].start_s + results[j].time_s);
  }
  for (SimulationResult& result : results) result.run_s = run_s;
  return results;
}

double SimulationResult::busy_s(LinkId link, const Network& network) const {
  WEFT_ASSERT(link.index() < link_bytes.size());  // counted where the options ask for them
  return link_bytes[link.index()] / static_cast<double>(network.fabric().bandwidth_Bps(link));
}

double SimulationResult::utilisation(LinkId link, const Network& network) const {
  return run_s == 0 ? 0 : busy_s(link, network) / run_s;
}

}  // namespace weft::simulation
