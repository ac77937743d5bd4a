// Breadth-first search from 512 sources at once.
//
// Problem: all-pairs distances cost one search per node, and a search spends its time on fetching
// neighbours from memory. Idea (Then et al., "The More the Merrier: Efficient Multi-Source Graph
// Traversal", VLDB 2014): searches from different sources visit the same links, so run 512 of them
// in step. Each node has a block of 512 bits, one cache line: bit s of `seen[v]` says that source s
// has reached v. A level ORs the blocks of neighbours: one line fetched serves 512 searches.
//
// A level goes one of two ways, whichever fetches less:
//   push  from the few nodes that were reached last, along their out-links (the first levels, and
//         all levels of long thin networks such as rings);
//   pull  into every node that some source has not reached, along its in-links (the dense middle),
//         giving up on a node as soon as all its bits are set.
//
// Only counts leave a batch: pairs per level (population counts), and each source's last level.
// Batches are independent and their integer results are added in batch order, so the outcome does
// not depend on the number of threads.
//
// Cost: batches * dense levels * links line fetches; three blocks a node in memory for each thread.
// 100,000 nodes of degree 8 keep their 6.4 MB of blocks in the last-level cache, and since which
// blocks come next is known (the tails of the in-links in order), asking for them ahead hides its
// latency: four times faster on random networks.
#include "bit_bfs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"

// The hot loops in versions for wider vector units, chosen when the program is loaded. Sanitizers
// are not ready that early, and other compilers choose for themselves.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WEFT_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "popcnt", "default")))
#else
#define WEFT_VECTOR_CLONES
#endif

namespace weft::analysis {

namespace {

constexpr std::int32_t kWords = 8;
constexpr std::int32_t kBatch = 64 * kWords;
constexpr std::int32_t kLinksAhead = 64;  // asked of the cache before they are needed

// All words of a block at once: what is gathered in one stays in registers, while the compiler may
// keep an array in memory. (A vector is never passed to a function: it would need the widest unit.)
using Lanes = std::uint64_t __attribute__((vector_size(8 * kWords)));

// One bit per source of the batch.
struct alignas(64) Block {
  std::uint64_t word[kWords] = {};

  bool any() const {
    std::uint64_t all = 0;
    for (int i = 0; i < kWords; ++i) all |= word[i];
    return all != 0;
  }
  bool covers(const Block& other) const {
    std::uint64_t missing = 0;
    for (int i = 0; i < kWords; ++i) missing |= other.word[i] & ~word[i];
    return missing == 0;
  }
  std::int64_t count() const {
    std::int64_t ones = 0;
    for (int i = 0; i < kWords; ++i) ones += std::popcount(word[i]);
    return ones;
  }
  void operator|=(const Block& other) {
    for (int i = 0; i < kWords; ++i) word[i] |= other.word[i];
  }
  Block without(const Block& other) const {
    Block rest;
    for (int i = 0; i < kWords; ++i) rest.word[i] = word[i] & ~other.word[i];
    return rest;
  }
  void set(std::size_t bit) { word[bit / 64] |= std::uint64_t{1} << (bit % 64); }
  bool test(std::size_t bit) const { return (word[bit / 64] >> (bit % 64) & 1) != 0; }
};

// One batch's state; kept from batch to batch, since fresh memory is slow.
struct Workspace {
  explicit Workspace(std::int32_t nodes)
      : seen(static_cast<std::size_t>(nodes)),
        frontier(static_cast<std::size_t>(nodes)),
        next(static_cast<std::size_t>(nodes)) {}

  std::vector<Block> seen;
  std::vector<Block> frontier;  // reached in the last level; zero for nodes not in `active`
  std::vector<Block> next;      // reached in this level; all zero between levels if next_is_clear
  std::vector<std::int32_t> active, next_active;  // nodes with a bit in frontier, in next
  std::int64_t active_links = 0;                  // out-links of active nodes
  bool next_is_clear = true;
  Block everyone;  // the sources of the batch
};

// What one level found.
struct Level {
  std::int64_t reached = 0;   // (source, node) pairs
  std::int64_t weighted = 0;  // the same, by weight of the node
  Block sources;              // sources that reached a node with weight
};

void account(Level& level, const Block& fresh, std::int32_t weight) {
  const std::int64_t ones = fresh.count();
  level.reached += ones;
  level.weighted += ones * weight;
  if (weight != 0) level.sources |= fresh;
}

// Spreads the frontier along out-links; then `next` holds candidates for `next_active`.
WEFT_VECTOR_CLONES
Level push_level(const FlatGraph& graph, const std::int32_t* weight, Workspace& work) {
  const std::int32_t* first = graph.heads.firsts().data();
  const std::int32_t* heads = graph.heads.values().data();
  const Block* frontier = work.frontier.data();
  Block* seen = work.seen.data();
  Block* next = work.next.data();
  for (std::int32_t u : work.active) {
    const Block from = frontier[u];
    for (std::int32_t l = first[u]; l < first[u + 1]; ++l) {
      const std::int32_t v = heads[l];
      const Block fresh = from.without(seen[v]);
      if (!fresh.any()) continue;
      if (!next[v].any()) work.next_active.push_back(v);
      next[v] |= fresh;
    }
  }
  Level level;
  work.active_links = 0;
  for (std::int32_t v : work.next_active) {
    seen[v] |= next[v];
    account(level, next[v], weight[v]);
    work.active_links += first[v + 1] - first[v];
  }
  for (std::int32_t u : work.active) work.frontier[u] = {};
  work.next_is_clear = true;  // what was the frontier is next's memory from now on
  return level;
}

// Gathers the frontier along in-links of every node that is not reached by all.
WEFT_VECTOR_CLONES
Level pull_level(const FlatGraph& graph, const std::int32_t* weight, Workspace& work) {
  const std::int32_t* first_in = graph.tails.firsts().data();
  const std::int32_t* first_out = graph.heads.firsts().data();
  const std::int32_t* tails = graph.tails.values().data();
  const Block* frontier = work.frontier.data();
  Block* seen = work.seen.data();
  Block* next = work.next.data();
  const auto last_link = static_cast<std::int32_t>(graph.link_count()) - 1;
  const Block everyone = work.everyone;
  Level level;
  work.active_links = 0;
  for (std::int32_t v = 0; v < graph.node_count; ++v) {
    if (seen[v].covers(everyone)) {
      next[v] = {};
      continue;
    }
    Lanes reached = {};
    for (std::int32_t l = first_in[v]; l < first_in[v + 1]; ++l) {
      __builtin_prefetch(&frontier[tails[std::min(l + kLinksAhead, last_link)]]);
      reached |= __builtin_bit_cast(Lanes, frontier[tails[l]]);
    }
    const Block fresh = __builtin_bit_cast(Block, reached).without(seen[v]);
    next[v] = fresh;
    if (!fresh.any()) continue;
    seen[v] |= fresh;
    account(level, fresh, weight[v]);
    work.next_active.push_back(v);
    work.active_links += first_out[v + 1] - first_out[v];
  }
  work.next_is_clear = false;
  return level;
}

// Sets each source's bit at its own node. Level 0.
Level start(const FlatGraph& graph, std::span<const std::int32_t> sources,
            const std::int32_t* weight, Workspace& work) {
  WEFT_ASSERT(!sources.empty() && std::ssize(sources) <= kBatch);
  std::fill(work.seen.begin(), work.seen.end(), Block{});
  std::fill(work.frontier.begin(), work.frontier.end(), Block{});
  if (!work.next_is_clear) std::fill(work.next.begin(), work.next.end(), Block{});
  work.next_is_clear = true;
  work.active.clear();
  work.everyone = {};
  work.active_links = 0;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const auto v = static_cast<std::size_t>(sources[s]);
    if (!work.seen[v].any()) work.active.push_back(sources[s]);
    work.seen[v].set(s);
    work.everyone.set(s);
  }
  Level level;
  for (std::int32_t v : work.active) {
    work.frontier[v] = work.seen[v];
    account(level, work.frontier[v], weight[v]);
    work.active_links += graph.out_degree(v);
  }
  return level;
}

// One level further, pushed or pulled.
Level advance(const FlatGraph& graph, const std::int32_t* weight, Workspace& work) {
  constexpr std::int64_t kPushCost = 3;  // a push reads and writes the far end, a pull only reads
  work.next_active.clear();
  Level level;
  if (work.active_links * kPushCost < graph.link_count()) {
    if (!work.next_is_clear) std::fill(work.next.begin(), work.next.end(), Block{});
    level = push_level(graph, weight, work);
  } else {
    level = pull_level(graph, weight, work);
  }
  std::swap(work.frontier, work.next);
  std::swap(work.active, work.next_active);
  return level;
}

// The whole search of one batch; its sources' eccentricities go to `eccentricity`.
std::vector<std::int64_t> search(const FlatGraph& graph, std::span<const std::int32_t> sources,
                                 std::span<const std::int32_t> weight, Workspace& work,
                                 std::span<std::int32_t> eccentricity) {
  WEFT_ASSERT(eccentricity.size() == sources.size());
  const std::int64_t all =
      static_cast<std::int64_t>(sources.size()) * std::int64_t{graph.node_count};
  std::vector<std::int64_t> pairs_at;
  Level level = start(graph, sources, weight.data(), work);
  std::int64_t reached = level.reached;
  pairs_at.push_back(level.weighted);
  while (reached < all && level.reached > 0) {
    level = advance(graph, weight.data(), work);
    reached += level.reached;
    pairs_at.push_back(level.weighted);
    for (std::size_t s = 0; s < sources.size(); ++s)
      if (level.sources.test(s)) eccentricity[s] = static_cast<std::int32_t>(pairs_at.size()) - 1;
  }
  return pairs_at;
}

// Workspaces that are free for the next batch.
class WorkspacePool {
 public:
  explicit WorkspacePool(std::int32_t nodes) : nodes_(nodes) {}

  std::unique_ptr<Workspace> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto work = std::move(free_.back());
        free_.pop_back();
        return work;
      }
    }
    return std::make_unique<Workspace>(nodes_);
  }
  void give_back(std::unique_ptr<Workspace> work) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(work));
  }

 private:
  std::int32_t nodes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace

BitBfsResult bit_bfs(const FlatGraph& graph, std::span<const std::int32_t> sources,
                     std::span<const std::int32_t> weight) {
  WEFT_ASSERT(weight.size() == static_cast<std::size_t>(graph.node_count));
  const std::size_t batches = (sources.size() + kBatch - 1) / kBatch;
  BitBfsResult result;
  result.eccentricity.assign(sources.size(), 0);
  std::vector<std::vector<std::int64_t>> found(batches);
  WorkspacePool pool(graph.node_count);
  Progress progress("distances", static_cast<std::int64_t>(batches));
  parallel_for(static_cast<std::int64_t>(batches), [&](std::int64_t i) {
    const auto batch = static_cast<std::size_t>(i);
    const std::size_t first = batch * kBatch;
    const std::size_t size = std::min<std::size_t>(kBatch, sources.size() - first);
    auto work = pool.take();
    found[batch] = search(graph, sources.subspan(first, size), weight, *work,
                          std::span(result.eccentricity).subspan(first, size));
    pool.give_back(std::move(work));
    progress.advance();
  });
  for (const auto& pairs_at : found) {
    if (pairs_at.size() > result.pairs_at.size()) result.pairs_at.resize(pairs_at.size(), 0);
    for (std::size_t k = 0; k < pairs_at.size(); ++k) result.pairs_at[k] += pairs_at[k];
  }
  return result;
}

}  // namespace weft::analysis
