// What the driver of the graph search sees of the kinds of candidates.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/random.hpp"
#include "weft/search/graph_search.hpp"
#include "weft/search/graph_search_kernel.hpp"

namespace weft::search {

/// The front of one search as it grows, and what candidates are costed with.
class Finds {
 public:
  Finds(const SearchOptions& options, OnResult on_result);

  int nodes() const { return options_.nodes; }
  int degree() const { return options_.degree; }
  Direction direction() const { return options_.direction; }
  /// The most that a layer of a search can grow by, from the second layer on.
  int growth() const { return degree() - (direction() == Direction::bidirectional ? 1 : 0); }
  const ParetoTargets& targets() const { return targets_; }
  /// Empty targets that take ties when the search does: for a source's own front.
  ParetoTargets no_targets() const;

  /// Takes a candidate in if it improves on the front; `expression` is called only then.
  bool offer(CandidateCost cost, const std::string& how,
             const std::function<std::string()>& expression);
  void count(std::int64_t candidates) { candidates_ += candidates; }
  std::int64_t candidates() const { return candidates_; }

  void start_slice(std::int64_t slice) { slice_ = slice; }
  /// Whether nothing better is possible, or the callback has had enough.
  bool done() const { return done_; }
  std::vector<SearchResult> front() const;

 private:
  SearchOptions options_;
  OnResult on_result_;
  ParetoTargets targets_;
  std::vector<SearchResult> results_;
  std::int64_t slice_ = 0, candidates_ = 0;
  bool done_ = false;
};

/// One kind of candidates: the generator sets of one group, say.
class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// Tries the next slice of candidates. `rng` is the slice's own stream.
  virtual void run(Rng rng, Finds& finds) = 0;
  /// Whether all candidates were tried.
  virtual bool exhausted() const { return false; }
};

/// A source that is made when its turn comes.
class LazySource : public Source {
 public:
  using Make = std::function<std::unique_ptr<Source>()>;
  explicit LazySource(Make make) : make_(std::move(make)) {}

  void run(Rng rng, Finds& finds) override {
    if (!made_) made_ = make_();
    made_->run(rng, finds);
  }
  bool exhausted() const override { return made_ && made_->exhausted(); }

 private:
  Make make_;
  std::unique_ptr<Source> made_;
};

/// Candidates in a slice: a few milliseconds' work.
int slice_size(int nodes, int degree);

using Sources = std::vector<std::unique_ptr<Source>>;
/// Generator sets of the groups of order N.
void append_cayley_sources(Sources& sources, const Finds& finds);
/// Lifts of 2 to 12 orbits.
void append_lift_sources(Sources& sources, const Finds& finds);
/// Random regular graphs, where links need reverses.
void append_random_source(Sources& sources, const Finds& finds);
/// The line graphs of searched graphs of N / d nodes.
void append_line_source(Sources& sources, const SearchOptions& options, const Finds& finds);
/// Edited graphs.
void append_edit_sources(Sources& sources, const SearchOptions& options, const Finds& finds);

}  // namespace weft::search
