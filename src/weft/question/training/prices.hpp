// Prices of a training step's collectives: each distinct one once.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "weft/question/training.hpp"
#include "weft/question/training/groups.hpp"

namespace weft::question {

class CallPrices {
 public:
  /// The network has to outlive it.
  CallPrices(const Network& network, const TrainingAsked& asked);

  /// Prices all that are not known yet. Those of one kind, that differ in their sizes, share what
  /// algorithms are built and proved for them.
  void price(const std::set<workload::GroupCall>& calls);
  /// Precondition: it was priced. Its uses are the caller's.
  const TrainingCall& of(const workload::GroupCall& call) const { return known_.at(call); }

 private:
  void price_kind(const workload::GroupCall& kind, const std::vector<std::int64_t>& sizes_B);
  /// Nothing where each schedule of a party leads over links that are not its own.
  std::optional<std::vector<TrainingCall>> priced(const workload::GroupCall& kind,
                                                  const std::vector<std::int64_t>& sizes_B,
                                                  const std::vector<RankGroup>& groups,
                                                  const std::vector<Party>& parties) const;
  void price_flow(std::vector<TrainingCall>& calls, const Network& group) const;

  const Network& network_;
  const TrainingAsked& asked_;
  std::map<workload::GroupCall, TrainingCall> known_;
};

}  // namespace weft::question
