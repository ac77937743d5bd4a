#include "weft/calibrate/link_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/route_walk.hpp"

namespace weft::calibrate {

namespace {

/// Links of a class that are looked at for the most messages over one.
constexpr std::size_t kLinksTried = 64;

class PatternFinder {
 public:
  explicit PatternFinder(const Network& network) : network_(network), walk_(network) {
    const std::int32_t ranks = network.ranks();
    require(ranks <= kMostPatternRanks,
            "{} ranks are too many to choose pairs from (at most {}); place fewer with --ranks",
            ranks, kMostPatternRanks);
    const auto& nodes = network.placement().nodes;
    for (std::int32_t from = 0; from < ranks; ++from)
      for (std::int32_t to = 0; to < ranks; ++to) {
        if (nodes[static_cast<std::size_t>(from)] == nodes[static_cast<std::size_t>(to)]) continue;
        messages_.push_back({from, to});
        walk_.add(nodes[static_cast<std::size_t>(from)], nodes[static_cast<std::size_t>(to)],
                  schedule::kRouted, 0);
      }
    require(!messages_.empty(), "all ranks are on one node; place them on several nodes");
    walk_.route();
    WEFT_ASSERT(walk_.size() == std::ssize(messages_));
    crossing_.resize(static_cast<std::size_t>(network.topology().link_count()));
    by_hops_.resize(messages_.size());
    std::iota(by_hops_.begin(), by_hops_.end(), std::size_t{0});
    std::ranges::stable_sort(by_hops_, {}, [&](std::size_t m) { return hops(m); });
    for (const std::size_t m : by_hops_)
      for (const LinkId link : links(m)) crossing_[link].push_back(m);
  }

  std::vector<LinkPattern> find() {
    const auto names = network_.topology().class_names().values();
    for (std::size_t c = 0; c < names.size(); ++c) add_class(ClassId(c), names[c]);
    return std::move(found_);
  }

 private:
  std::span<const LinkId> links(std::size_t message) const {
    return walk_.links(static_cast<std::int64_t>(message));
  }
  std::size_t hops(std::size_t message) const { return links(message).size(); }

  void add_class(ClassId link_class, const std::string& name) {
    std::vector<LinkId> own;
    for (const LinkId link : network_.topology().links())
      if (network_.topology().link_class(link) == link_class && !crossing_[link].empty())
        own.push_back(link);
    if (own.empty()) return;
    std::size_t near = crossing_[own.front()].front(), far = near;
    for (const LinkId link : own) {  // each has its messages by hops
      if (hops(crossing_[link].front()) < hops(near)) near = crossing_[link].front();
      if (hops(crossing_[link].back()) > hops(far)) far = crossing_[link].back();
    }
    add({.link_class = name, .load = 1, .messages = {messages_[near]}});
    add({.link_class = name, .load = 1, .messages = {messages_[far]}});
    own.resize(std::min(own.size(), kLinksTried));
    for (const std::int32_t load : {2, 4}) add_load(name, load, own);
  }

  void add_load(const std::string& name, std::int32_t load, const std::vector<LinkId>& own) {
    std::vector<RankMessage> most;
    for (const LinkId link : own)
      if (auto apart = apart_on(link, load); apart.size() > most.size()) most = std::move(apart);
    WEFT_ASSERT(!most.empty());  // some message crosses each of these links
    for (std::size_t again = 0; most.size() < static_cast<std::size_t>(load); ++again)
      most.push_back(most[again]);
    add({.link_class = name, .load = load, .messages = std::move(most)});
  }

  /// Up to `load` messages over the link, no two from or to one rank.
  std::vector<RankMessage> apart_on(LinkId link, std::int32_t load) const {
    std::vector<RankMessage> chosen;
    for (const std::size_t m : crossing_[link]) {
      const RankMessage& next = messages_[m];
      const bool free = std::ranges::none_of(chosen, [&](const RankMessage& each) {
        return each.from == next.from || each.to == next.to;
      });
      if (free) chosen.push_back(next);
      if (std::ssize(chosen) == load) break;
    }
    return chosen;
  }

  void add(LinkPattern pattern) {
    WEFT_ASSERT(std::ssize(pattern.messages) >= pattern.load);
    const bool known = std::ranges::any_of(
        found_, [&](const LinkPattern& each) { return each.messages == pattern.messages; });
    if (!known) found_.push_back(std::move(pattern));
  }

  const Network& network_;
  schedule::RouteWalk walk_;
  std::vector<RankMessage> messages_;
  std::vector<std::size_t> by_hops_;
  IdVector<LinkId, std::vector<std::size_t>> crossing_;  // of each link, by hops
  std::vector<LinkPattern> found_;
};

}  // namespace

std::vector<LinkPattern> link_patterns(const Network& network) {
  return PatternFinder(network).find();
}

std::string pairs_text(const std::vector<LinkPattern>& patterns, const Network& network) {
  std::string text = fmt::format("weft-pairs 1\ntopology {}\nranks {}\n", network.topology().name(),
                                 network.ranks());
  for (const LinkPattern& pattern : patterns) {
    text += fmt::format("measure {} {}", pattern.link_class, pattern.load);
    for (const RankMessage& each : pattern.messages)
      text += fmt::format(" {}>{}", each.from, each.to);
    text += '\n';
  }
  return text;
}

}  // namespace weft::calibrate
