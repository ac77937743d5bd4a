// simulate: how long a program takes on a network, under the model the user picks.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/background.hpp"
#include "weft/simulation/call_options.hpp"
#include "weft/simulation/packet.hpp"
#include "weft/simulation/recall.hpp"
#include "weft/simulation/size_factors.hpp"

namespace weft::simulation {

enum class Model : std::uint8_t { alpha_beta, fluid, packet, flit };

/// Whether messages travel as packets or flits, through queues and credits.
constexpr bool by_packets(Model model) {
  return model == Model::packet || model == Model::flit;
}

/// How the steps of a schedule are read.
enum class Sync : std::uint8_t {
  lockstep,  // a global barrier between steps, as in the formulas
  per_rank,  // a rank starts step t + 1 when its own sends and receives of step t are done (isend,
             // irecv, waitall)
  dataflow,  // a transfer starts once what it carries is there
};

/// When a sender's part of a message is over and its port is free again.
enum class Release : std::uint8_t {
  injected,      // the last byte has left the sender
  delivered,     // the last byte has arrived
  acknowledged,  // an answer has come back: zero bytes over the same latency, or a short message
};

/// How flows share a link.
enum class Sharing : std::uint8_t {
  max_min,  // plain max-min fairness
  rtt,   // weighted by 1 / route latency, as TCP and SimGrid do; by 1 where all latencies are zero
  smpi,  // as SimGrid's SMPI: weighted by latency and links, and 5 % of a message on its way back
};

/// What the two directions of a cable have.
enum class Cables : std::uint8_t {
  duplex,  // its bandwidth each
  shared,  // its bandwidth together, as links of SimGrid that are SHARED
};

struct SimulationOptions {
  Model model = Model::fluid;
  Sync sync = Sync::per_rank;            // of fluid and packet; alpha-beta is lockstep by nature
  Release release = Release::delivered;  // fluid, packet, flit
  Sharing sharing = Sharing::max_min;    // fluid
  Cables cables = Cables::duplex;        // fluid
  /// Of latency and bandwidth; null: messages of every size alike. Of alpha-beta and fluid.
  std::shared_ptr<const SizeFactors> factors = {};
  CallOptions call = {};              // of the models that kCallOptions names
  bool link_statistics = false;       // fill SimulationResult::link_bytes
  PacketOptions packet = {};          // packet, flit (which set its granularity)
  BackgroundOptions background = {};  // packet, flit
  /// What earlier runs of the same schedule found; of fluid. Null: each finds it anew.
  std::shared_ptr<Recall> recall = {};
  /// The run ends early if it is known to take more than limit_s seconds, or after most_work. The
  /// result then has `ended_early`, and its time_s is a lower bound. Work counts how often a flow
  /// or a link is looked at; it is the same on every machine. Of fluid.
  double limit_s = std::numeric_limits<double>::infinity();
  std::int64_t most_work = std::numeric_limits<std::int64_t>::max();
  /// Where a program of one step would take long to simulate, bounds that are this close together,
  /// relative to the lower one, are enough, at any rate those within 0.1 %. The result then has the
  /// upper bound as time_s, the lower one as least_s, and no agent_times_s. 0: simulate. Of fluid.
  double accuracy = 0;
  std::int64_t many_messages = 500'000;  // so many of a step take long
  /// Told now and then which share of the payload has been received; of packet and flit.
  std::function<void(double share)> progress = {};
};

struct SimulationResult {
  double time_s = 0;                   // from the job's start until its last rank is done
  double least_s = 0;                  // > 0: the time is between this and time_s; see accuracy
  double run_s = 0;                    // until that of the last job is, of several at once
  std::vector<double> agent_times_s;   // when each agent has done its last operation, likewise
  std::int64_t messages = 0;           // that went over the network or within a node
  std::int64_t work = 0;               // that the run took, see SimulationOptions::most_work
  bool ended_early = false;            // by a limit of the options
  double algorithm_bandwidth_Bps = 0;  // size of all calls / time
  double bus_bandwidth_Bps =
      0;  // algorithm bandwidth times the nccl-tests factor of the collective
  std::vector<double> link_bytes;  // by link, when asked for
  /// The most bytes in one of its buffers, by link, when asked for; of packet and flit.
  std::vector<std::int64_t> link_peaks_B;
  std::optional<PacketStatistics> packet;
  /// A lower bound of the time: the time itself where it is known.
  double lower_s() const { return least_s > 0 ? least_s : time_s; }
  /// Share of its capacity that a link used over the whole run.
  double utilisation(LinkId link, const Network& network) const;
  /// How long the link was sending, at its bandwidth.
  double busy_s(LinkId link, const Network& network) const;
};

/// Runs the program. Deterministic. Throws InvalidInput when the network has fewer ranks than the
/// program has, for options under a model or reading that has none of the kind, and for a shared
/// cable whose directions differ in bandwidth.
SimulationResult simulate(const Program& program, const Network& network,
                          const SimulationOptions& options = {});

/// A program, the hosts that run it, and when they begin.
struct Job {
  const Program& program;
  const Network& network;
  double start_s = 0;
};

/// Runs several programs at once on one fabric; a result for each. In the alpha-beta model, which
/// knows of no other traffic, each runs as if it were alone. Link bytes, engine and background
/// statistics are of the whole run, and stand in every result. The fabric and the packets' paths
/// are those of the first job's network. Throws InvalidInput where networks differ in their
/// topology, and for a start before 0.
std::vector<SimulationResult> simulate_together(std::span<const Job> jobs,
                                                const SimulationOptions& options);

/// bus bandwidth * time / --size, after nccl-tests. There the factor 2(n-1)/n (allreduce), (n-1)/n
/// (allgather, reduce-scatter, all-to-all, gather, scatter) or 1 (others) applies to the whole
/// buffer; where --size is one block of n, the buffer is n times as large and the factor with it.
double bus_factor(const Collective& collective);

/// Names as options have them. Parsing throws InvalidInput, naming those that there are.
Model parse_model(std::string_view name);
Sync parse_sync(std::string_view name);
Release parse_release(std::string_view name);
Sharing parse_sharing(std::string_view name);
Cables parse_cables(std::string_view name);
Receives parse_receives(std::string_view name);
std::string_view name_of(Model model);
std::string_view name_of(Sync sync);
std::string_view name_of(Release release);
std::string_view name_of(Sharing sharing);
std::string_view name_of(Cables cables);
std::string_view name_of(Receives receives);

/// One line of `weft list models`.
struct ModelInfo {
  std::string name, summary;
};
std::span<const ModelInfo> models();

}  // namespace weft::simulation

namespace weft {
using simulation::Cables;
using simulation::Model;
using simulation::Receives;
using simulation::Release;
using simulation::Sharing;
using simulation::simulate;
using simulation::SimulationOptions;
using simulation::SimulationResult;
using simulation::Sync;
}  // namespace weft
