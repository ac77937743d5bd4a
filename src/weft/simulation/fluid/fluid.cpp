// The fluid simulator: a reading of the steps on top of the transport of messages.
#include <algorithm>

#include "weft/simulation/fluid/alike.hpp"
#include "weft/simulation/fluid/fluid_transport.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/readings.hpp"
#include "weft/simulation/uncontended.hpp"

namespace weft::simulation {

namespace {

// A program on the links of a run, beside others.
class RunningJob {
 public:
  RunningJob(const Job& job, const SimulationOptions& options, StepWindow& window, FluidRun& run,
             Repeats repeats, Driver* driver = nullptr, StepEnds* ends = nullptr)
      : job_(job), transport_(job.network, options, window, run) {
    result_.agent_times_s.resize(window.places().count, job.start_s);
    if (options.link_statistics) result_.link_bytes.resize(window.capacities().size());
    window.on_load([this](const LoadedStep& step) { count_messages(step, result_); });
    ReadingContext context{job.program, job.network,           window,
                           transport_,  result_.agent_times_s, repeats};
    context.driver = driver;
    context.ends = ends;
    context.receives = options.receives;
    if (options.eager_B > 0) context.eager_B = options.eager_B + options.header_B;
    reading_ = read(context, options.sync);
    transport_.read(*reading_, job.start_s);
  }

  SimulationResult result(const Orbits* orbits) {
    if (orbits != nullptr) orbits->expand(job_.network, result_);
    end(job_, result_);
    return std::move(result_);
  }

 private:
  const Job& job_;
  SimulationResult result_;
  FluidTransport transport_;
  std::unique_ptr<Reading> reading_;
};

}  // namespace

SimulationResult simulate_fluid(const Program& program, const Network& network,
                                const SimulationOptions& options, const Shortcuts& allowed) {
  const bool by_steps = reading_of(program, options.sync) != Sync::dataflow;
  // Links of an orbit have one speed, but may be of two classes with factors of their own.
  const bool links_alike =
      options.factors == nullptr || LinkFactors(*options.factors, network.topology()).alike();
  const auto orbits = by_steps && links_alike && own_links_alone(options) && allowed.orbits
                          ? Orbits::of(program, network)
                          : nullptr;
  if (orbits == nullptr && allowed.uncontended)
    if (auto result = simulate_uncontended(program, network, options)) return *std::move(result);
  if (orbits == nullptr && allowed.alike)
    if (auto result = simulate_alike(program, network, options)) return *std::move(result);
  StepWindow window(program, network,
                    {.startups = startups_of(network.host()),
                     .header_B = options.header_B,
                     .factors = options.factors.get()});
  window.follow(orbits.get());
  FluidRun run(window.capacities());
  const Job job{program, network};
  RunningJob running(job, options, window, run, allowed.repeats ? Repeats::alike : Repeats::differ,
                     nullptr, allowed.ends);
  run.run();
  return running.result(orbits.get());
}

std::vector<SimulationResult> simulate_fluid_together(std::span<const Job> jobs,
                                                      const SimulationOptions& options,
                                                      Driver* driver) {
  std::vector<std::unique_ptr<StepWindow>> windows;
  for (const Job& job : jobs)
    windows.push_back(
        std::make_unique<StepWindow>(job.program, job.network,
                                     WindowOptions{.startups = startups_of(job.network.host()),
                                                   .header_B = options.header_B,
                                                   .factors = options.factors.get()}));
  FluidRun run(windows.front()->capacities());
  std::vector<std::unique_ptr<RunningJob>> running;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    running.push_back(std::make_unique<RunningJob>(jobs[j], options, *windows[j], run,
                                                   Repeats::differ, j == 0 ? driver : nullptr));
  run.run();
  std::vector<SimulationResult> results;
  for (const auto& job : running) results.push_back(job->result(nullptr));
  return results;
}

}  // namespace weft::simulation
