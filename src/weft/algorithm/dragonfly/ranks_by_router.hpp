// Where the ranks sit on a Dragonfly, and who is joined to whom.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::algorithm::dragonfly {

/// A global link by the routers at its ends, numbered over all groups.
struct GlobalLink {
  std::int32_t from_group = 0, to_group = 0, from_router = 0, to_router = 0;
};

class RanksByRouter {
 public:
  /// Precondition: `network` is a Dragonfly. O(links + ranks log ranks).
  explicit RanksByRouter(const Network& network);

  std::int32_t ranks() const { return static_cast<std::int32_t>(router_of_.size()); }
  std::int32_t router(Rank rank) const { return router_of_[rank]; }
  std::int32_t group(Rank rank) const { return router(rank) / routers_a_group_; }

  /// The groups and, of a group, the routers that hold ranks, in increasing order.
  std::span<const std::int32_t> groups() const { return groups_; }
  std::span<const std::int32_t> routers(std::int32_t group) const { return routers_[group]; }
  /// The ranks on a router, in increasing order; empty where there are none.
  std::span<const Rank> on_router(std::int32_t router) const { return on_router_[router]; }
  /// The lowest rank of a group.
  Rank first_in_group(std::int32_t group) const { return first_in_group_[group]; }
  /// The links from one group to another, by the router they leave.
  std::span<const GlobalLink> links(std::int32_t from_group, std::int32_t to_group) const;

  /// Who receives for `group` from `sender` in another group: the first rank on the router at which
  /// a global link between the two ends, a link of the sender's own router before others; where no
  /// such router holds a rank, the first rank of the group.
  Rank receiver(Rank sender, std::int32_t group) const;

 private:
  std::int32_t routers_a_group_ = 1;
  IdVector<Rank, std::int32_t> router_of_, groups_;
  std::vector<std::vector<std::int32_t>> routers_;
  std::vector<std::vector<Rank>> on_router_;
  std::vector<Rank> first_in_group_;
  std::vector<GlobalLink> links_;  // by groups, then routers
};

/// Why a context is no Dragonfly with ranks on its hosts; nothing when it is.
std::optional<std::string> misfit(const Context& context);

/// `list` from the first element that is not below `start` on, then those before it.
std::vector<std::int32_t> cyclic_from(std::span<const std::int32_t> list, std::int32_t start);

}  // namespace weft::algorithm::dragonfly
