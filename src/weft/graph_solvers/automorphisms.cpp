// nauty takes a graph's colours as a partition: nodes in order of colour, and where a colour ends.
// Its headers are C; in C++ its name for thread-local storage is missing.
#define _Thread_local thread_local
#include <nauty/traces.h>
#undef _Thread_local

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/graph_solvers/automorphisms.hpp"

namespace weft::graph {

namespace {

std::mutex& nauty_mutex() {
  static std::mutex mutex;
  return mutex;
}

// nauty hands generators to a plain function, one for each of its two programs.
std::vector<std::vector<int>>& found_generators() {
  static std::vector<std::vector<int>> generators;
  return generators;
}
void keep_of_traces(int, int* images, int n) {
  found_generators().emplace_back(images, images + n);
}
void keep_of_nauty(int, int* images, int*, int, int, int n) {
  found_generators().emplace_back(images, images + n);
}

class NautyInput {
 public:
  explicit NautyInput(const ColouredGraph& coloured)
      : labels(static_cast<std::size_t>(coloured.node_count())),
        partition(labels.size()),
        orbits(labels.size()) {
    const auto colour = [&](int v) { return coloured.colours()[v]; };
    std::iota(labels.begin(), labels.end(), 0);
    std::stable_sort(labels.begin(), labels.end(),
                     [&](int u, int v) { return colour(u) < colour(v); });
    for (std::size_t i = 0; i + 1 < labels.size(); ++i)
      partition[i] = colour(labels[i]) == colour(labels[i + 1]) ? 1 : 0;
    for (const auto& ends : coloured.out_ends()) {
      first_.push_back(ends_.size());
      degrees_.push_back(static_cast<int>(ends.size()));
      ends_.insert(ends_.end(), ends.begin(), ends.end());
    }
    sparse.nv = coloured.node_count();
    sparse.nde = sparse.elen = ends_.size();
    sparse.v = first_.data();
    sparse.d = degrees_.data();
    sparse.e = ends_.data();
    sparse.vlen = sparse.dlen = first_.size();
  }
  NautyInput(const NautyInput&) = delete;
  NautyInput& operator=(const NautyInput&) = delete;

  sparsegraph sparse{};
  std::vector<int> labels, partition, orbits;

 private:
  std::vector<std::size_t> first_;
  std::vector<int> degrees_, ends_;
};

// nauty keeps scratch memory for each thread, which would be lost when the thread ends.
struct ScratchFreed {
  ScratchFreed() = default;
  ScratchFreed(const ScratchFreed&) = delete;
  ScratchFreed& operator=(const ScratchFreed&) = delete;
  ~ScratchFreed() {
    nauty_freedyn();
    nautil_freedyn();
    nausparse_freedyn();
    traces_freedyn();
  }
};

enum class Generators { keep, leave };

// Fills the orbits; the caller holds the mutex.
void search(NautyInput& input, ArcReverses reverses, Generators generators) {
  const ScratchFreed freed;
  const bool keep = generators == Generators::keep;
  if (reverses == ArcReverses::all_there) {
    DEFAULTOPTIONS_TRACES(options);
    options.defaultptn = FALSE;
    options.userautomproc = keep ? keep_of_traces : nullptr;
    TracesStats stats;
    Traces(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(),
           &options, &stats, nullptr);
  } else {
    DEFAULTOPTIONS_SPARSEDIGRAPH(options);
    options.defaultptn = FALSE;
    options.userautomproc = keep ? keep_of_nauty : nullptr;
    statsblk stats;
    sparsenauty(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(),
                &options, &stats, nullptr);
  }
}

}  // namespace

std::vector<std::vector<int>> automorphism_generators(const ColouredGraph& coloured,
                                                      ArcReverses reverses) {
  NautyInput input(coloured);
  const std::lock_guard lock(nauty_mutex());
  found_generators().clear();
  search(input, reverses, Generators::keep);
  std::vector<std::vector<int>> generators = std::exchange(found_generators(), {});
  WEFT_ASSERT(std::ranges::all_of(generators, [&](const std::vector<int>& images) {
    return std::ssize(images) == coloured.node_count();
  }));
  return generators;
}

std::vector<int> automorphism_orbits(const ColouredGraph& coloured, ArcReverses reverses) {
  NautyInput input(coloured);
  const std::lock_guard lock(nauty_mutex());
  search(input, reverses, Generators::leave);
  WEFT_ASSERT(std::ssize(input.orbits) == coloured.node_count());
  return std::move(input.orbits);
}

std::vector<std::vector<int>> canonical_form(const ColouredGraph& coloured) {
  NautyInput input(coloured);
  const std::lock_guard lock(nauty_mutex());
  const ScratchFreed freed;
  DEFAULTOPTIONS_SPARSEDIGRAPH(options);
  options.defaultptn = FALSE;
  options.getcanon = TRUE;
  statsblk stats;
  SG_DECL(canonical);
  sparsenauty(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(),
              &options, &stats, &canonical);
  std::vector<std::vector<int>> form(coloured.node_count());
  for (std::size_t v = 0; v < form.size(); ++v) {
    const int* ends = canonical.e + canonical.v[v];
    form[v].assign(ends, ends + canonical.d[v]);
    std::sort(form[v].begin(), form[v].end());
  }
  SG_FREE(canonical);
  WEFT_ASSERT(std::ssize(form) == coloured.node_count());
  return form;
}

std::vector<int> canonical_order(const ColouredGraph& coloured) {
  NautyInput input(coloured);
  const std::lock_guard lock(nauty_mutex());
  const ScratchFreed freed;
  DEFAULTOPTIONS_TRACES(options);
  options.defaultptn = FALSE;
  options.getcanon = TRUE;
  TracesStats stats;
  SG_DECL(canonical);
  Traces(&input.sparse, input.labels.data(), input.partition.data(), input.orbits.data(), &options,
         &stats, &canonical);
  SG_FREE(canonical);
  return std::move(input.labels);
}

}  // namespace weft::graph
