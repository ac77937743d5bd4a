// Prices of collectives that groups of ranks run at once: of schedules that are proved and
// simulated, each distinct one once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/training/groups.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

/// What a collective's price depends on beside the network.
struct PriceOptions {
  std::vector<std::string> algorithms = {};  // by name; empty: the best of all
  algorithm::AlgorithmOptions algorithm = {};
  simulation::SimulationOptions simulation = {};
  bool flow_alltoall = false;  // as TrainingQuestion has them
  bool isolated = false;
};
PriceOptions price_options(const TrainingQuestion& asked);

/// Of a time, relative to it: fluid and formula add fractions, packets take whole picoseconds each.
double rounding_of(simulation::Model model);

/// What went over each link, of the links of each class.
ClassBytes class_bytes(const std::vector<double>& link_bytes, const Topology& topology);
/// Adds `times` the one to the other.
void add_bytes(ClassBytes& bytes, const ClassBytes& more, double times);

struct OwnLinks;

/// Safe to use from several threads, and of use to several steps on the same network.
class GroupPrices {
 public:
  GroupPrices(std::shared_ptr<const Network> network, PriceOptions options);
  ~GroupPrices();

  const Network& network() const { return *network_; }
  const simulation::SimulationOptions& simulation() const { return options_.simulation; }
  /// Whether groups never wait for each other: isolated ones, and under alpha-beta.
  bool priced_apart() const;

  /// What a collective of each size takes where all these groups run it at once, in the order of
  /// sizes; of point-to-point groups of two, from the first to the second, of rooted collectives
  /// the first is the root. Sizes share what algorithms are built and proved. Precondition: there
  /// is a group, and all have equally many ranks, two or more. Throws InvalidInput where no
  /// algorithm serves them. `beside`: groups that may make such a call of another size meanwhile,
  /// whose links are theirs; where these groups share links with them, they make it, too.
  std::vector<GroupPrice> price(CollectiveKind kind, std::span<const std::int64_t> sizes_B,
                                std::span<const RankGroup> groups,
                                std::span<const RankGroup> beside = {}) const;

  /// What an all-to-all takes in which each rank of a group sends to each other so many bytes, by
  /// receiver; `back`: each gets so many from each other, by sender. Messages go straight, all at
  /// once or in turn; or, with flow_alltoall, it takes what ports and the prices of the even
  /// throughput say at least. Throws InvalidInput for groups of more than 512 ranks without flow.
  GroupPrice price_unequal(const std::vector<std::int64_t>& parts_B, bool back,
                           std::span<const RankGroup> groups,
                           std::span<const RankGroup> beside = {}) const;

 private:
  /// Groups that call, and after them those beside.
  struct All {
    All(std::span<const RankGroup> calling, std::span<const RankGroup> beside);

    std::vector<RankGroup> groups;
    std::size_t callers;
  };

  std::vector<GroupPrice> priced(CollectiveKind kind, const std::vector<std::int64_t>& sizes_B,
                                 const All& all) const;
  /// Of infinite time where each schedule of a party leads over links that are not its own.
  std::vector<GroupPrice> priced(CollectiveKind kind, const std::vector<std::int64_t>& sizes_B,
                                 const All& all, const std::vector<LinkSharers>& parties) const;

  GroupPrice priced_unequal(const std::vector<std::int64_t>& parts_B, bool back,
                            const All& all) const;
  /// Takes the fastest schedules of a party, the callers first, into the prices by size.
  void take_fastest(std::vector<GroupPrice>& prices, CollectiveKind kind,
                    const std::vector<RankGroup>& members, const LinkSharers& party,
                    bool has_others) const;
  OwnLinks own_links(CollectiveKind kind, const std::vector<RankGroup>& party,
                     bool has_others) const;
  std::shared_ptr<const LowerBounds> bounds_of(const Collective& collective, const RankGroup& group,
                                               Combining combining) const;
  /// Of an even all-to-all on the group, which takes long to find.
  std::shared_ptr<const Optimum> throughput_of(const RankGroup& group) const;

  std::shared_ptr<const Network> network_;
  PriceOptions options_;
  struct Known;
  std::unique_ptr<Known> known_;
};

/// As train() above, with prices that others share.
Training train(const workload::TrainingModel& model, const workload::LayerTimes& times,
               const GroupPrices& of_groups, const TrainingQuestion& asked);

}  // namespace weft::training
