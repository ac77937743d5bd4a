// Workspace: what answering one question leaves for the next. It keeps networks, schedules and
// what else several questions need, made once and kept while there is room, each by the parts of a
// question that it depends on.
//
// Two threads that want the same value make it once: the second waits. Making may use parallel_for,
// and a thread that waits there for its own parts must not take up another row, which could wait
// for the value that this thread is making; so the value is made in isolation from other work.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"

namespace weft::fields {

template <class T>
class SharedCache {
 public:
  /// Keeps up to `most` values, those used last.
  explicit SharedCache(std::size_t most) : most_(most) {
    WEFT_ASSERT(most >= 1);  // or a value would go before it is made
  }

  /// The value of this key, made by `make` where it is not there. What `make` throws comes out, for
  /// all that wait, and nothing is kept.
  std::shared_ptr<const T> get(const std::string& key, const std::function<T()>& make) {
    std::promise<std::shared_ptr<const T>> promise;
    std::shared_future<std::shared_ptr<const T>> future;
    bool mine = false;
    {
      const std::lock_guard lock(mutex_);
      const auto found = entries_.find(key);
      if (found != entries_.end()) {
        order_.splice(order_.begin(), order_, found->second.place);
        future = found->second.value;
      } else {
        mine = true;
        future = promise.get_future().share();
        order_.push_front(key);
        entries_.emplace(key, Entry{future, order_.begin()});
        shrink();
      }
    }
    if (mine) fulfil(key, make, promise);
    return future.get();
  }

 private:
  struct Entry {
    std::shared_future<std::shared_ptr<const T>> value;
    std::list<std::string>::iterator place;
  };

  void fulfil(const std::string& key, const std::function<T()>& make,
              std::promise<std::shared_ptr<const T>>& promise) {
    try {
      isolated([&] { promise.set_value(std::make_shared<const T>(make())); });
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (const auto found = entries_.find(key); found != entries_.end()) {
        order_.erase(found->second.place);
        entries_.erase(found);
      }
      promise.set_exception(std::current_exception());
    }
  }

  void shrink() {
    WEFT_ASSERT(entries_.size() == order_.size());
    while (entries_.size() > most_) {
      entries_.erase(order_.back());
      order_.pop_back();
    }
  }

  std::size_t most_;
  std::mutex mutex_;
  std::list<std::string> order_;  // used last first
  std::unordered_map<std::string, Entry> entries_;
};

/// Safe to use from several threads.
class Workspace {
 public:
  /// The cache of a type, with room for `spare` values more than there are threads.
  template <class T>
  SharedCache<T>& kept(std::size_t spare) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<void>& cache = caches_[typeid(T)];
    if (cache == nullptr)
      cache = std::make_shared<SharedCache<T>>(static_cast<std::size_t>(threads()) + spare);
    return *static_cast<SharedCache<T>*>(cache.get());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> caches_;
};

}  // namespace weft::fields

namespace weft {
using fields::Workspace;
}  // namespace weft
