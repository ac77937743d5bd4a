#include "weft/analysis/forwarding/turns.hpp"

#include <algorithm>
#include <utility>

namespace weft::analysis {

namespace {

constexpr std::int64_t kMostVisits = 100'000'000;  // of the search for a shorter loop

// Channels that are left when those that nothing waits for are taken out again and again.
std::vector<char> on_loops(const SwitchNet& net, const Turns& turns) {
  std::vector<std::int32_t> waiting(net.head.size(), 0);
  for (std::int32_t a = 0; a < net.channels(); ++a)
    turns.after(a, [&](std::int32_t b) { ++waiting[b]; });
  std::vector<char> left(net.head.size(), 1);
  std::vector<std::int32_t> free;
  for (std::int32_t a = 0; a < net.channels(); ++a)
    if (waiting[a] == 0) free.push_back(a);
  while (!free.empty()) {
    const std::int32_t a = free.back();
    free.pop_back();
    left[a] = 0;
    turns.after(a, [&](std::int32_t b) {
      if (--waiting[b] == 0) free.push_back(b);
    });
  }
  return left;
}

// Searches for loops through one channel at a time that are shorter than the best so far.
class LoopSearch {
 public:
  LoopSearch(const SwitchNet& net, const Turns& turns, const std::vector<char>& left)
      : turns_(turns), left_(left), before_(net.head.size(), -1), seen_(net.head.size(), -1) {}

  void through(std::int32_t start) {
    reached_.assign(1, {start, 0});
    seen_[start] = start;
    bool found = false;
    for (std::size_t i = 0; i < reached_.size() && !found; ++i) {
      const std::int32_t a = reached_[i].first;
      const std::int64_t depth = reached_[i].second;
      if (!best_.empty() && depth + 1 >= std::ssize(best_)) return;
      turns_.after(a, [&](std::int32_t b) {
        ++visits_;
        if (found || left_[b] == 0) return;
        if (b == start) {
          found = true;
          keep(start, a);
        } else if (seen_[b] != start) {
          seen_[b] = start;
          before_[b] = a;
          reached_.emplace_back(b, depth + 1);
        }
      });
    }
  }
  bool is_tired() const { return visits_ > kMostVisits && !best_.empty(); }
  std::vector<std::int32_t> best() && { return std::move(best_); }

 private:
  void keep(std::int32_t start, std::int32_t last) {
    best_.clear();
    for (std::int32_t at = last; at != start; at = before_[at]) best_.push_back(at);
    best_.push_back(start);
    std::ranges::reverse(best_);
  }

  const Turns& turns_;
  const std::vector<char>& left_;
  std::vector<std::int32_t> before_, seen_;
  std::vector<std::pair<std::int32_t, std::int64_t>> reached_;  // channel, links from the start
  std::vector<std::int32_t> best_;
  std::int64_t visits_ = 0;
};

}  // namespace

std::vector<std::int32_t> shortest_loop(const SwitchNet& net, const Turns& turns) {
  const std::vector<char> left = on_loops(net, turns);
  LoopSearch search(net, turns, left);
  for (std::int32_t a = 0; a < net.channels() && !search.is_tired(); ++a)
    if (left[a] != 0) search.through(a);
  return std::move(search).best();
}

bool has_ranking(const SwitchNet& net, const Turns& turns) {
  std::vector<std::int32_t> middle(static_cast<std::size_t>(net.count), 0);  // turns there
  for (std::int32_t a = 0; a < net.channels(); ++a)
    turns.after(a, [&](std::int32_t) { ++middle[net.head[a]]; });
  std::vector<char> out(static_cast<std::size_t>(net.count), 0);
  std::vector<std::int32_t> lowest;
  for (std::int32_t node = 0; node < net.count; ++node)
    if (middle[node] == 0) lowest.push_back(node);
  std::int32_t taken = 0;
  const auto relieve = [&](std::int32_t node) {
    if (--middle[node] == 0 && out[node] == 0) lowest.push_back(node);
  };
  while (!lowest.empty()) {
    const std::int32_t node = lowest.back();
    lowest.pop_back();
    out[node] = 1;
    ++taken;
    // Turns that begin here, unless their end was taken out before; then those that end here.
    for (std::int32_t a = net.first[node]; a < net.first[node + 1]; ++a)
      if (out[net.head[a]] == 0)
        turns.after(a, [&](std::int32_t b) {
          if (out[net.head[b]] == 0 || net.head[b] == node) relieve(net.head[a]);
        });
    for (const std::int32_t b : net.into(node))
      if (out[net.tail[b]] == 0)
        for (const std::int32_t a : net.into(net.tail[b])) {
          if (out[net.tail[a]] != 0) continue;  // also where it is this switch
          if (turns.has(a, b)) relieve(net.tail[b]);
        }
  }
  return taken == net.count;
}

}  // namespace weft::analysis
