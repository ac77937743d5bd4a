#include "collectives.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace weft::format::simgrid {

namespace {

class Rounds {
 public:
  explicit Rounds(const CollectiveCall& call) : call_(call) {}

  std::vector<CollectiveRound> take() && { return std::move(rounds_); }

  void exchange() {
    rounds_.emplace_back();
    for (std::int32_t i = 1; i < call_.ranks; ++i) receive(wrapped(call_.rank - i));
    for (std::int32_t i = 1; i < call_.ranks; ++i) send(wrapped(call_.rank + i));
  }
  void scan() {
    rounds_.emplace_back();
    for (std::int32_t i = 0; i < call_.rank; ++i) receive(i);
    for (std::int32_t i = call_.rank + 1; i < call_.ranks; ++i) send(i);
  }
  void gather(std::int32_t root) {
    rounds_.emplace_back();
    if (call_.rank != root) return send(root);
    for (std::int32_t i = 0; i < call_.ranks; ++i) receive(i);
  }
  void scatter(std::int32_t root) {
    rounds_.emplace_back();
    if (call_.rank != root) return receive(root);
    for (std::int32_t i = 0; i < call_.ranks; ++i) send(i);
  }
  // Of all bytes, whatever each rank's share.
  void reduce(std::int32_t root, std::int64_t bytes) {
    rounds_.emplace_back();
    if (call_.rank != root) return add(root, bytes, true);
    for (std::int32_t i = 0; i < call_.ranks; ++i) add(i, bytes, false);
  }
  void broadcast(std::int32_t root) {
    const std::int32_t own = wrapped(call_.rank - root);
    std::int32_t mask = 1;
    while (mask < call_.ranks && (own & mask) == 0) mask <<= 1;
    if (own != 0) {
      rounds_.emplace_back();
      receive(wrapped(own - mask + root));
    }
    for (mask >>= 1; mask > 0; mask >>= 1)
      if (own + mask < call_.ranks) {
        rounds_.emplace_back();
        send(wrapped(own + mask + root));
      }
  }

 private:
  std::int32_t wrapped(std::int32_t rank) const {
    return (rank % call_.ranks + call_.ranks) % call_.ranks;
  }
  static std::int64_t of(const std::vector<std::int64_t>& all, std::int32_t peer) {
    return all.size() == 1 ? all[0] : all[static_cast<std::size_t>(peer)];
  }
  void send(std::int32_t peer) { add(peer, of(call_.sends, peer), true); }
  void receive(std::int32_t peer) { add(peer, of(call_.receives, peer), false); }
  void add(std::int32_t peer, std::int64_t bytes, bool is_send) {
    if (peer != call_.rank && bytes > 0) rounds_.back().push_back({peer, bytes, is_send});
  }

  const CollectiveCall& call_;
  std::vector<CollectiveRound> rounds_;
};

}  // namespace

std::vector<CollectiveRound> rounds_of(const CollectiveCall& call) {
  Rounds rounds(call);
  if (call.kind == "barrier") {
    rounds.gather(0);
    rounds.scatter(0);
  } else if (call.kind == "bcast") {
    rounds.broadcast(call.root);
  } else if (call.kind == "reduce") {
    rounds.reduce(call.root, call.sends[0]);
  } else if (call.kind == "allreduce") {
    rounds.reduce(0, call.sends[0]);
    rounds.broadcast(0);
  } else if (call.kind == "reducescatter") {
    rounds.reduce(0, std::accumulate(call.sends.begin(), call.sends.end(), std::int64_t{0}));
    rounds.scatter(0);
  } else if (call.kind == "gather" || call.kind == "gatherv") {
    rounds.gather(call.root);
  } else if (call.kind == "scatter" || call.kind == "scatterv") {
    rounds.scatter(call.root);
  } else if (call.kind == "scan" || call.kind == "exscan") {
    rounds.scan();
  } else {
    rounds.exchange();
  }
  return std::move(rounds).take();
}

std::int64_t bytes_of_type(std::int64_t number) {
  constexpr std::array<std::int64_t, 25> kBytes{8, 4,  1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8,
                                                8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8};
  return number >= 0 && number < std::ssize(kBytes) ? kBytes[static_cast<std::size_t>(number)] : 0;
}

}  // namespace weft::format::simgrid
