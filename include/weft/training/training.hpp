// Training: how long a step of a model takes on a network, and where its time goes.
//
// The step is a graph of tasks (workload/step.hpp). Its collectives are priced by schedule and
// size, each distinct one once: with the best algorithm that fits, in the model of simulation that
// is asked for. What several groups do at once is simulated together where their routes share
// links; groups whose routes are alike but for the numbers of links are simulated once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/workload/step.hpp"

namespace weft::training {

/// How ranks are numbered: which of the three grows fastest, then next.
class RankOrder {
 public:
  enum class Part : std::uint8_t { tensor, data, pipeline };

  /// rank = tensor + T (data + D pipeline).
  RankOrder() = default;
  /// "tensor,data,pipeline", the fastest first. Throws InvalidInput unless each stands there once.
  explicit RankOrder(std::string_view text);

  std::int32_t rank(std::int32_t tensor, std::int32_t data, std::int32_t stage,
                    const workload::Parallelism& parallel) const;
  std::string text() const;

 private:
  std::array<Part, 3> parts_ = {Part::tensor, Part::data, Part::pipeline};
};

/// "data", "sharded", "expert", with "tensor=8,pipeline=2,data=8" and "sequence": sizes of groups
/// that multiply to the ranks; what is left is data. Throws InvalidInput.
workload::Parallelism parse_parallelism(std::string_view text, std::int32_t ranks);
/// The same in one way of writing: "sharded,tensor=8"; of parallelism without the replicas, whose
/// number follows from the ranks. Throws InvalidInput.
std::string canonical_parallelism(std::string_view text);
std::string canonical_parallelism(const workload::Parallelism& parallel);
/// "data=8", "sharded, tensor=8, pipeline=2, data=8, sequence".
std::string text_of(const workload::Parallelism& parallel);

struct TrainingQuestion {
  workload::StepOptions step = {};  // its bucket apart
  /// Of gradients, each is tried; of replicated parameters.
  std::vector<std::int64_t> buckets_B = {};
  RankOrder order = {};
  std::vector<std::string> algorithms = {};  // by name; empty: the best of all
  algorithm::AlgorithmOptions algorithm = {};
  simulation::SimulationOptions simulation = {};
  /// All-to-alls take the time of the throughput, which no schedule is below, in place of a
  /// schedule's.
  bool flow_alltoall = false;
  bool isolated = false;  // groups do not share links
};

/// Bytes over links, by class.
using ClassBytes = std::map<std::string, double>;

/// What a collective costs that groups of ranks run at once.
struct GroupPrice {
  std::int64_t size_B = 0;
  std::int32_t ranks = 0;     // of a group
  std::int64_t groups = 0;    // that run it at once
  std::int64_t together = 1;  // of them share links, at most
  std::string schedule = {};  // "flow" of the throughput
  std::int64_t segments = 1;  // of the schedule
  double time_s = 0;
  double least_s = 0;  // no schedule takes less, were each group alone
  /// And on no network of as many nodes with as many links each; nothing where the group is not all
  /// of a network without switches.
  std::optional<double> any_network_s = {};
  /// Bytes over links of each class, of all groups together; nothing where prices bound an unequal
  /// all-to-all.
  std::optional<ClassBytes> class_bytes = {};
  /// Algorithms that fit, too, but were estimated to be far behind, take long to build or to
  /// simulate, or need a network that forwards by their routes.
  std::vector<std::string> not_tried = {};
};

/// A collective of the step and what it costs.
struct TrainingCall : GroupPrice {
  workload::GroupCall call = {};
  std::int64_t uses = 0;  // by a rank of the stage that makes it most often
};

struct BucketTrial {
  std::int64_t bucket_B = 0;
  double time_s = 0;
};

/// Seconds; they add up to the step. Means over the stages of a pipeline and the replicas.
struct StepShares {
  double compute_s = 0;
  double gradients_s = 0, alltoall_s = 0, other_s = 0;  // that nothing is computed beside
  double idle_s = 0;
};

struct Training {
  double time_s = 0;
  StepShares shares = {};
  double least_s = 0;  // computing and what no schedule can hide
  /// The step with the best buckets if each collective took the least that it takes on any network;
  /// nothing where that of a collective is not known.
  std::optional<double> ideal_s = {};
  std::int64_t bucket_B = 0;              // the best; of replicated parameters that are summed
  std::vector<BucketTrial> buckets = {};  // in the order asked for
  std::vector<TrainingCall> calls = {};   // of the step with the best buckets
  /// Bytes of a step over links of each class; nothing where that of a call is not known.
  std::optional<ClassBytes> class_bytes = {};
  workload::TrainingStep step = {};     // with its times
  std::vector<workload::Ran> ran = {};  // when each of its tasks runs, of the replica that is last
};

/// Prices the step and runs it, of each size of buckets. For each distinct collective, size and
/// party of groups that share links the schedules that are tried are built, proved and simulated
/// (docs/explanation/training.md), which is most of the cost; the rest is O((tasks + dependencies)
/// log
/// tasks) a size of buckets, of all replicas where their messages share links. Throws InvalidInput
/// where the parallel sizes do not multiply to the ranks, as workload::training_step() does, where
/// the network is in parts, where no algorithm serves a collective on its groups, and for times
/// beyond 64 bits of picoseconds and sums of more bytes than 64 bits hold.
Training train(const workload::TrainingModel& model, const workload::LayerTimes& times,
               const Network& network, const TrainingQuestion& asked);

}  // namespace weft::training

namespace weft {
using training::ClassBytes;
using training::GroupPrice;
using training::RankOrder;
using training::Training;
using training::TrainingCall;
using training::TrainingQuestion;
}  // namespace weft
