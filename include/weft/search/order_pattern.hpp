// Who sends to whom: what a schedule is to a search of rank orders.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft::search {

/// A message between two ranks, wherever they stand.
struct OrderMessage {
  std::int32_t from = 0, to = 0;
  std::int64_t bytes = 0;
};

/// The messages of a schedule by step, and by rank.
class OrderPattern {
 public:
  /// Step t has the messages [first[t], first[t + 1]). Messages of a rank to itself are dropped.
  /// Throws InvalidInput for fewer than 1 ranks, or a message of a rank outside. O(m log m).
  OrderPattern(std::int32_t ranks, std::span<const OrderMessage> messages,
               std::span<const std::size_t> first);

  std::int32_t ranks() const { return ranks_; }
  std::size_t steps() const { return first_.size() - 1; }
  /// The messages of step t.
  std::span<const OrderMessage> step(std::size_t t) const {
    return std::span(messages_).subspan(first_[t], first_[t + 1] - first_[t]);
  }
  std::span<const OrderMessage> messages() const { return messages_; }

  /// A rank that another exchanges messages with: how many it is sent, and how many it sends.
  struct Peer {
    std::int32_t rank = 0;
    std::int32_t sent = 0, received = 0;
  };
  /// By rank, each once.
  std::span<const Peer> peers(std::int32_t rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(peers_).subspan(first_peer_[r], first_peer_[r + 1] - first_peer_[r]);
  }

 private:
  void add_peers();

  std::int32_t ranks_;
  std::vector<OrderMessage> messages_;
  std::vector<std::size_t> first_{0};
  std::vector<std::size_t> first_peer_;
  std::vector<Peer> peers_;
};

/// A tree along which messages run away from its root (broadcast, scatter) or towards it (reduce,
/// gather): each rank but the root has one message to or from its parent.
struct OrderTree {
  bool outwards = true;
  std::int32_t root = 0;
  struct Child {
    std::int32_t rank = 0;
    std::size_t step = 0;
    std::int64_t bytes = 0;
  };
  std::vector<std::int32_t> parent;      // of the root itself
  std::vector<std::size_t> first_child;  // ranks + 1
  std::vector<Child> children;           // of each rank by step
};

/// The tree that the messages are, if there is one: every rank passes on only after it has received
/// all that it is to receive. O(messages).
std::optional<OrderTree> find_tree(const OrderPattern& pattern);

}  // namespace weft::search
