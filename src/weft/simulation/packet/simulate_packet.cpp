// The packet simulator: a reading of the steps on top of the packet engine.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/memory.hpp"
#include "weft/base/random.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/checks.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/packet/packet_transport.hpp"
#include "weft/simulation/reading/readings.hpp"

namespace weft::simulation {

namespace {

// A program that runs on the engine, beside others.
class RunningJob {
 public:
  RunningJob(const Job& job, const SimulationOptions& options, PacketEngine& engine, Driver* driver)
      : job_(job),
        window_(job.program, job.network,
                {.routes = options.packet.routing.empty() ? Routes::all : Routes::only_explicit,
                 .startups = startups_of(job.network.host()),
                 .routed_to_self = options.packet.self_messages == SelfMessages::network}),
        transport_(job.network, options, window_, engine) {
    result_.agent_times_s.resize(job.program.agents(), job.start_s);
    ReadingContext context{job.program, job.network, window_, transport_, result_.agent_times_s};
    context.driver = driver;
    reading_ = simulation::read(context, options.sync);
    transport_.read(*reading_, job.start_s);
  }

  bool finished() const { return reading_->finished(); }
  std::int64_t received_B(const PacketEngine& engine) const {
    return engine.traffic(transport_.id()).bytes;
  }

  SimulationResult result(const PacketEngine& engine) {
    if (!finished()) throw std::logic_error("a simulation ended before its program");
    end(job_, result_);
    result_.packet =
        PacketStatistics{.traffic = engine.traffic(transport_.id()), .engine = engine.statistics()};
    return std::move(result_);
  }

 private:
  const Job& job_;
  SimulationResult result_;
  StepWindow window_;
  packet::PacketTransport transport_;
  std::unique_ptr<Reading> reading_;
};

// What a whole run has to say, besides each job.
void add_shared(const PacketEngine& engine, const BackgroundTraffic* background,
                const SimulationOptions& options, SimulationResult& result) {
  result.packet->router = options.packet.router;
  result.packet->series = engine.samples();
  if (background != nullptr) result.packet->background = engine.traffic(background->id());
  if (!options.link_statistics) return;
  for (const std::int64_t bytes : engine.link_bytes())
    result.link_bytes.push_back(static_cast<double>(bytes));
  result.link_peaks_B = engine.link_peaks_B();
}

void check(std::span<const Job> jobs, const SimulationOptions& options) {
  check_injection(options.packet, options.release);
  for (const Job& job : jobs) {
    const network::Routing& routing = job.network.routing();
    require(!options.packet.routing.empty() || !routing.splits(),
            "routing {} splits messages into shares, which packets cannot follow; choose another "
            "routing",
            routing.name());
  }
}

// By which packets choose their links; empty where they follow paths.
std::string routing_of(const PacketOptions& asked, std::span<const Job> jobs) {
  WEFT_ASSERT(!jobs.empty());
  if (asked.routing.empty()) return "";
  network::require_known_routing(asked.routing);
  return network::hop_routing(asked.routing, jobs.front().network.topology());
}

// Links between routers on the longest route that a job's program brings along.
int longest_route(const Job& job) {
  const Topology& topology = job.network.topology();
  const Wiring wiring(job.network.fabric());
  const auto is_leaf = [&](NodeId node) { return wiring.leaves[node.index()].up != kNone; };
  const auto between_routers = [&](LinkId link) {
    return !is_leaf(topology.tail(link)) && !is_leaf(topology.head(link));
  };
  std::int64_t longest = 0;
  for (const auto route : ids<schedule::RouteId>(job.program.route_count()))
    longest = std::max<std::int64_t>(
        longest, std::ranges::count_if(job.program.route(route), between_routers));
  return static_cast<int>(longest);
}

// Messages of a job that are under way at once, at most.
double messages_at_once(const Program& program, Sync sync) {
  return reading_of(program, sync) == Sync::dataflow ? static_cast<double>(program.message_count())
                                                     : program.messages_at_once();
}

// A message takes about this much while it is under way: its transfer, itself and a packet of it.
constexpr double kMessage_B = 250;

void check_memory(std::span<const Job> jobs, Sync sync) {
  double messages = 0;
  for (const Job& job : jobs) messages += messages_at_once(job.program, sync);
  require_memory(messages * kMessage_B, fmt::format("{:.0f} messages at once", messages),
                 "use an algorithm of more steps, fewer ranks, or --model alpha-beta");
}

}  // namespace

std::vector<SimulationResult> simulate_packets(std::span<const Job> jobs,
                                               const SimulationOptions& asked, Driver* driver) {
  SimulationOptions options = asked;
  options.packet.routing = routing_of(asked.packet, jobs);
  check(jobs, options);
  check_memory(jobs, options.sync);
  check_background_routing(options.background.traffic.empty() || !options.packet.routing.empty(),
                           jobs.front().network.routing().name());
  const Fabric& fabric = jobs.front().network.fabric();
  PacketOptions packet = options.packet;
  for (const Job& job : jobs)
    packet.longest_path = std::max(packet.longest_path, longest_route(job));
  packet.granularity = options.model == Model::flit ? Granularity::flit : Granularity::packet;
  const auto engine = make_packet_engine(fabric, packet);
  std::vector<std::unique_ptr<RunningJob>> running;
  std::vector<const std::vector<NodeId>*> placements;
  for (const Job& job : jobs) {
    running.push_back(std::make_unique<RunningJob>(job, options, *engine,
                                                   &job == jobs.data() ? driver : nullptr));
    placements.push_back(&job.network.placement().nodes);
  }
  const auto over = [&] {
    return std::ranges::all_of(running, [](const auto& job) { return job->finished(); });
  };
  std::optional<BackgroundTraffic> background;
  if (!options.background.traffic.empty())
    background.emplace(*engine, fabric, idle_hosts(fabric.topology(), placements),
                       options.background, Rng(options.packet.seed).split(0x6261636b).next(), over);
  if (options.progress) {
    double payload = 0;
    for (const Job& job : jobs) payload += job.program.payload_B();
    engine->watch([&, payload] {
      double received = 0;
      for (const auto& job : running) received += static_cast<double>(job->received_B(*engine));
      options.progress(payload > 0 ? std::min(1.0, received / payload) : 1);
    });
  }
  engine->run();
  std::vector<SimulationResult> results;
  for (const auto& job : running) {
    results.push_back(job->result(*engine));
    add_shared(*engine, background ? &*background : nullptr, options, results.back());
  }
  return results;
}

}  // namespace weft::simulation
