#include "searched.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace weft::flow {

namespace {

using Key = std::vector<std::int64_t>;

// All that a search reads. Lengths stand before what is of any length.
Key key_of(const Carrier& carrier, const ShallowQuestion& question) {
  Key key{carrier.nodes,
          carrier.unit_Bps,
          static_cast<std::int64_t>(question.trees.sense),
          question.trees.most_trees,
          question.depth,
          question.segments,
          static_cast<std::int64_t>(question.seed),
          static_cast<std::int64_t>(question.weighing)};
  const auto add_all = [&](const auto& items, const auto& add) {
    key.push_back(std::ssize(items));
    for (const auto& each : items) add(each);
  };
  add_all(carrier.arcs, [&](const graph::CapacityArc& arc) {
    key.insert(key.end(), {arc.tail, arc.head, arc.capacity});
  });
  add_all(carrier.roots, [&](const graph::TreeRoot& root) {
    key.insert(key.end(), {root.node, root.trees});
  });
  for (const auto* each : {&carrier.places, &carrier.goals})
    add_all(*each, [&](std::int32_t node) { key.push_back(node); });
  for (const auto* each : {&carrier.kept, &carrier.passes})
    add_all(*each, [&](char flag) { key.push_back(flag); });
  return key;
}

class Remembered {
 public:
  std::optional<Forest> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = forests_.find(key);
    return found == forests_.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(Key key, const Forest& forest) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = forests_.try_emplace(std::move(key), forest);
    if (!is_new) return;
    bytes_ += size_B(*place);
    oldest_first_.push_back(place);
    while (bytes_ > kMost_B) {
      bytes_ -= size_B(*oldest_first_.front());
      forests_.erase(oldest_first_.front());
      oldest_first_.pop_front();
    }
  }

 private:
  using Forests = std::map<Key, Forest>;
  static constexpr std::size_t kMost_B = std::size_t{16} << 20;

  static std::size_t size_B(const Forests::value_type& each) {
    return each.first.size() * sizeof(std::int64_t) + each.second.joins.size() * sizeof(Join);
  }

  std::mutex mutex_;
  Forests forests_;
  std::deque<Forests::iterator> oldest_first_;
  std::size_t bytes_ = 0;
};

Remembered& remembered() {
  static Remembered all;
  return all;
}

}  // namespace

Forest searched_once(const Carrier& carrier, const ShallowQuestion& question,
                     const std::function<Forest()>& search) {
  Key key = key_of(carrier, question);
  if (auto known = remembered().find(key)) return *std::move(known);
  Forest found = search();
  remembered().keep(std::move(key), found);
  return found;
}

}  // namespace weft::flow
